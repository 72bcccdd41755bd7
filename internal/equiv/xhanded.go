package equiv

import (
	"strings"

	"github.com/thuml/depyf/internal/opcode"
)

// Dynamo's resume functions go on with displays that were begun before the graph
// break, and get them as arguments. No source says that: it copies the argument into
// a display of its own. As nobody else has what was begun, the copy is as good as the
// thing, provided that the thing is not used any more. And a part of an f-string that
// is handed over is a string, of which formatting makes itself.
//
// Which arguments these are the first code says (bytecode.HandedOver); the name of
// such a symbol begins with handedOver.
const handedOver = "handed over: "

// handed returns how the display that v is was begun, BUILD_STRING if it is a part of
// a string, and the argument.
func (s *xside) handed(v *val) (begun opcode.Op, arg string) {
	if v.kind != vSym || !strings.HasPrefix(v.name, handedOver) || !s.second {
		return opcode.Invalid, ""
	}
	op, arg, _ := strings.Cut(v.name[len(handedOver):], " ")
	for _, begun := range []opcode.Op{opcode.BuildList, opcode.BuildSet, opcode.BuildMap, opcode.BuildString} {
		if op == begun.String() {
			return begun, arg
		}
	}
	return opcode.Invalid, ""
}

// goesOn handles the three instructions that copy a display of that kind, at the first
// of which the side is.
func (r *stepper) goesOn() bool {
	s, op := r.s, r.x.Op
	if r.x.Arg != 0 || s.pc+2 >= len(s.in) || s.in[s.pc+1].Op != opcode.LoadFast {
		return false
	}
	more := &s.in[s.pc+2]
	switch more.Op {
	case opcode.ListExtend, opcode.SetUpdate, opcode.DictUpdate, opcode.DictMerge:
	default:
		return false
	}
	name := s.in[s.pc+1].Name
	v := s.locals[name]
	if more.Arg != 1 || v == nil {
		return false
	}
	if begun, arg := s.handed(v); begun != op || arg != name || s.holders(vSym, v.id) != 1 {
		return false // of what is done a copy is another thing
	}
	s.locals[name] = topVal
	w := *v
	w.name = "" // once
	s.push(&w)
	s.goTo(s.pc + 3)
	return true
}
