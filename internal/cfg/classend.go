package cfg

import (
	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/opcode"
)

// classEnds takes away what the compiler adds behind the last statement of a class
// body, and joins the ends: it bears no line and is copied to every way out (3.13+):
//
//	if a:          STORE_NAME b; LOAD_CONST (); STORE_NAME __static_attributes__; RETURN_CONST None
//	    b = 1
//	else:          STORE_NAME c; LOAD_CONST (); STORE_NAME __static_attributes__; RETURN_CONST None
//	    c = 2
func classEnds(g *Graph) (changed bool) {
	code := g.Func.Code
	if code.IsFunction() || !code.Version.HasStaticAttributes() {
		return false
	}
	var ends []place
	for _, b := range g.Blocks {
		if l := b.Last(); b.Dead || l == nil || l.Op != opcode.Return {
			continue
		}
		// From the back: a source may store such names itself before.
		for i := len(b.Instrs) - 2; i > 0; i-- {
			if in := &b.Instrs[i]; in.Op == opcode.StoreName && in.Name == "__static_attributes__" && b.Instrs[i-1].Op == opcode.LoadConst {
				b.Instrs = append(b.Instrs[:i-1:i-1], b.Instrs[i+1:]...)
				ends = append(ends, place{b, i - 1})
				break
			}
		}
	}
	if len(ends) < 2 {
		return false
	}
	last := ends[len(ends)-1]
	tail := last.b.Instrs[last.i:]
	for i := range tail {
		tail[i].Pos = bytecode.NoPos
	}
	var same []place
	for _, e := range ends[:len(ends)-1] {
		if e.b.Exc == last.b.Exc && sameInstrs(e.b.Instrs[e.i:], tail) {
			same = append(same, e)
		}
	}
	if len(same) == 0 {
		return false
	}
	k := g.blockAt(last)
	for _, e := range same {
		e.b.Instrs, e.b.Next, e.b.Taken = e.b.Instrs[:e.i:e.i], k, nil
	}
	return true
}

func sameInstrs(a, b []bytecode.Instr) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !sameInstr(&a[i], &b[i]) {
			return false
		}
	}
	return true
}

// annotationMarks flags the numbers of conditional annotations (3.14+). The
// copies of a finally body have numbers of their own for one annotation:
//
//	LOAD_NAME __conditional_annotations__; LOAD_SMALL_INT 3; SET_ADD 1; POP_TOP
func annotationMarks(g *Graph) {
	if !g.Func.Code.Version.AnnotationsAreLazy() || g.Func.Code.IsFunction() {
		return
	}
	for _, b := range g.Blocks {
		for i := 2; i < len(b.Instrs); i++ {
			set, n := &b.Instrs[i-2], &b.Instrs[i-1]
			if b.Instrs[i].Op == opcode.SetAdd && n.Op == opcode.LoadConst && set.Name == "__conditional_annotations__" {
				n.Flag = true
			}
		}
	}
}
