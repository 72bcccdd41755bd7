package cfg

import (
	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyast"
)

// step executes one instruction of the way on which the pattern matches; not ok where no
// pattern compiles to it.
func (r *reader) step(in *bytecode.Instr) bool {
	r.steps++
	*r.left--
	if r.steps > 10000 || *r.left < 0 || r.nest > mostNested {
		return false
	}
	r.endLine = max(r.endLine, int(in.Pos.EndLine))
	do := matchSteps[in.Op]
	return do != nil && do(r, in)
}

// matchSteps says what each operation of a pattern does to the abstract stack. Each moves the reader on.
var matchSteps [opcode.NumOps]func(*reader, *bytecode.Instr) bool

// A copy may begin alternatives, whose readers look here, so that the table cannot be written where it is declared.
func init() {
	matchSteps = [opcode.NumOps]func(*reader, *bytecode.Instr) bool{
		opcode.Copy: (*reader).opCopy, opcode.Swap: (*reader).opSwap, opcode.Rot: (*reader).opRot, opcode.Pop: (*reader).opPop,

		opcode.LoadConst: (*reader).load, opcode.LoadName: (*reader).load, opcode.LoadGlobal: (*reader).load,
		opcode.LoadFast: (*reader).load, opcode.LoadDeref: (*reader).load, opcode.LoadClassDeref: (*reader).load,
		opcode.LoadAttr:  (*reader).loadAttr,
		opcode.StoreFast: (*reader).store, opcode.StoreName: (*reader).store, opcode.StoreGlobal: (*reader).store, opcode.StoreDeref: (*reader).store,

		opcode.ToBool: (*reader).toBool, opcode.Compare: (*reader).compare, opcode.IsOp: (*reader).isSingleton,
		opcode.GetLen: (*reader).getLen, opcode.BinaryOp: (*reader).subtract, opcode.Subscr: (*reader).item,
		opcode.UnpackSequence: (*reader).unpackItems, opcode.UnpackEx: (*reader).unpackItems,

		opcode.MatchSequence: (*reader).matchSequence, opcode.MatchMapping: (*reader).matchMapping,
		opcode.MatchClass: (*reader).matchClass, opcode.MatchKeys: (*reader).matchKeys,

		// The rest of a mapping: a new dict, from which the keys are deleted.
		opcode.CopyDictWithoutKeys: (*reader).copyDictWithoutKeys, opcode.BuildTuple: (*reader).buildTuple,
		opcode.BuildMap: (*reader).buildMap, opcode.DictUpdate: (*reader).dictUpdate, opcode.DeleteSubscr: (*reader).deleteKey,

		opcode.PopJumpIfFalse: (*reader).jump, opcode.PopJumpIfTrue: (*reader).jump,
		opcode.PopJumpIfNone: (*reader).jump, opcode.PopJumpIfNotNone: (*reader).jump,
	}
}

// next is the place behind the instruction at hand.
func (r *reader) next() place { return place{r.at.b, r.at.i + 1} }

// top is the slot on top if it is of that kind.
func (r *reader) top(kind byte) (*slot, bool) {
	n := len(r.st)
	if n == 0 || r.st[n-1].kind != kind {
		return nil, false
	}
	return &r.st[n-1], true
}

func (r *reader) opCopy(in *bytecode.Instr) bool {
	n, next := len(r.st), r.next()
	if in.Arg > n || in.Arg < 1 {
		return false
	}
	s := r.st[n-in.Arg]
	if s.kind == 'p' && in.Arg == 1 && popsAt(next) {
		s.part.any = true // `_ as x` (≤3.11)
		return r.advance(place{next.b, next.i + 1})
	}
	if s.kind == 'p' && in.Arg == 1 {
		v := &part{}
		if len(s.part.subs) > 0 {
			return false
		}
		s.part.subs = append(s.part.subs, v)
		if !subscripts(next) {
			before := r.marks()
			if !r.afford(len(before.parts)) {
				return false
			}
			if r.alternatives(next, s.part, v) {
				return true
			}
			before.restore()
		}
		s = slot{kind: 'p', part: v, owner: s.part}
	}
	r.push(s)
	return r.advance(next)
}

func (r *reader) opSwap(in *bytecode.Instr) bool {
	n := len(r.st)
	if in.Arg > n || in.Arg < 2 {
		return false
	}
	r.st[n-1], r.st[n-in.Arg] = r.st[n-in.Arg], r.st[n-1]
	return r.advance(r.next())
}

func (r *reader) opRot(in *bytecode.Instr) bool {
	n := len(r.st)
	if in.Arg > n || in.Arg < 2 {
		return false
	}
	top := r.st[n-1]
	copy(r.st[n-in.Arg+1:], r.st[n-in.Arg:n-1])
	r.st[n-in.Arg] = top
	return r.advance(r.next())
}

func (r *reader) opPop(*bytecode.Instr) bool {
	_, ok := r.pop()
	return ok && r.advance(r.next())
}

func (r *reader) load(in *bytecode.Instr) bool {
	r.push(slot{kind: 'e', expr: loadExpr(in)})
	return r.advance(r.next())
}

func (r *reader) loadAttr(in *bytecode.Instr) bool {
	top, ok := r.top('e')
	if !ok {
		return false
	}
	top.expr = pyast.Attr(top.expr, in.Name)
	return r.advance(r.next())
}

// store captures a value, or the rest of a mapping.
func (r *reader) store(in *bytecode.Instr) bool {
	v, ok := r.pop()
	switch {
	case ok && v.kind == 'p' && v.part.name == "":
		v.part.name = in.Name
	case ok && v.kind == 'd' && v.owner != nil:
		v.owner.mapp.rest = in.Name
	default:
		return false
	}
	return r.advance(r.next())
}

func (r *reader) toBool(*bytecode.Instr) bool {
	_, ok := r.top('b')
	return ok && r.advance(r.next())
}

// compare tests a value, or the length of a sequence or a mapping.
func (r *reader) compare(in *bytecode.Instr) bool {
	e, ok1 := r.pop()
	v, ok2 := r.pop()
	if !ok1 || !ok2 || e.kind != 'e' {
		return false
	}
	switch {
	case v.kind == 'n' && (in.Arg == opcode.Eq || in.Arg == opcode.Ge):
		k, ok := constInt(e.expr)
		if !ok {
			return false
		}
		if s := v.owner.seq; s != nil {
			s.n, s.open, s.sized = k, in.Arg == opcode.Ge, true
		} else if v.owner.mapp == nil {
			return false
		}
	case v.kind == 'p' && in.Arg == opcode.Eq && v.part.base == nil:
		v.part.base = &pyast.MatchValue{Value: e.expr}
	default:
		return false
	}
	r.push(slot{kind: 'b'})
	return r.advance(r.next())
}

// isSingleton tests for None, True or False.
func (r *reader) isSingleton(in *bytecode.Instr) bool {
	e, ok1 := r.pop()
	v, ok2 := r.pop()
	c, isConst := e.expr.(*pyast.Constant)
	if !ok1 || !ok2 || !isConst || v.kind != 'p' || in.Arg != 0 {
		return false
	}
	v.part.base = &pyast.MatchSingleton{Value: c.Value}
	r.special = true
	r.push(slot{kind: 'b'})
	return r.advance(r.next())
}

func (r *reader) getLen(*bytecode.Instr) bool {
	v, ok := r.top('p')
	if !ok {
		return false
	}
	r.push(slot{kind: 'n', owner: v.part})
	return r.advance(r.next())
}

// subtract computes the index of an item behind the star.
func (r *reader) subtract(in *bytecode.Instr) bool {
	k, ok1 := r.pop()
	l, ok2 := r.pop()
	if !ok1 || !ok2 || l.kind != 'n' || k.kind != 'e' || in.Arg != opcode.Subtract {
		return false
	}
	r.push(slot{kind: 'x', expr: k.expr})
	return r.advance(r.next())
}

func (r *reader) item(*bytecode.Instr) bool { return r.subscript() && r.advance(r.next()) }

func (r *reader) unpackItems(in *bytecode.Instr) bool { return r.unpack(in) && r.advance(r.next()) }

func (r *reader) matchSequence(*bytecode.Instr) bool {
	v, ok := r.top('p')
	if !ok {
		return false
	}
	v.part.seq = &seqInfo{star: -1}
	return r.isOfKind()
}

func (r *reader) matchMapping(*bytecode.Instr) bool {
	v, ok := r.top('p')
	if !ok {
		return false
	}
	v.part.mapp = &mapInfo{}
	return r.isOfKind()
}

// isOfKind goes on with the answer to MATCH_SEQUENCE or MATCH_MAPPING.
func (r *reader) isOfKind() bool {
	r.special = true
	r.push(slot{kind: 'b'})
	return r.advance(r.next())
}

func (r *reader) matchClass(in *bytecode.Instr) bool {
	names, ok1 := r.pop()
	cls, ok2 := r.pop()
	v, ok3 := r.pop()
	list, ok4 := constNames(names.expr)
	if !ok1 || !ok2 || !ok3 || !ok4 || cls.kind != 'e' || v.kind != 'p' || !r.afford(in.Arg) {
		return false
	}
	r.special = true
	v.part.class = &pyast.MatchClass{Cls: cls.expr, KwdAttrs: list, Patterns: make([]pyast.Pattern, in.Arg)}
	r.push(slot{kind: 't', owner: v.part})
	if r.old {
		v.part.items = parts(in.Arg + len(list))
		r.push(slot{kind: 'b'})
	}
	return r.advance(r.next())
}

func (r *reader) matchKeys(*bytecode.Instr) bool {
	n := len(r.st)
	if n < 2 || r.st[n-1].kind != 'e' || r.st[n-2].kind != 'p' || r.st[n-2].part.mapp == nil {
		return false
	}
	keys, ok := tupleItems(r.st[n-1].expr)
	if !ok {
		return false
	}
	m := r.st[n-2].part
	m.mapp.keys = keys
	r.st[n-1] = slot{kind: 'k', owner: m}
	r.push(slot{kind: 't', owner: m})
	if r.old {
		m.mapp.items = parts(len(keys))
		r.push(slot{kind: 'b'})
	}
	return r.advance(r.next())
}

func (r *reader) copyDictWithoutKeys(*bytecode.Instr) bool {
	keys, ok := r.top('k')
	if !ok {
		return false
	}
	keys.kind = 'd'
	return r.advance(r.next())
}

func (r *reader) buildTuple(in *bytecode.Instr) bool {
	n := len(r.st)
	if in.Arg > n {
		return false
	}
	t := &pyast.Tuple{}
	for _, s := range r.st[n-in.Arg:] {
		if s.kind != 'e' {
			return false
		}
		t.Elts = append(t.Elts, s.expr)
	}
	r.st = append(r.st[:n-in.Arg], slot{kind: 'e', expr: t})
	return r.advance(r.next())
}

func (r *reader) buildMap(in *bytecode.Instr) bool {
	if in.Arg != 0 {
		return false
	}
	r.push(slot{kind: 'd'})
	return r.advance(r.next())
}

func (r *reader) dictUpdate(in *bytecode.Instr) bool {
	v, ok := r.pop()
	n := len(r.st)
	if !ok || v.kind != 'p' || v.part.mapp == nil || in.Arg < 1 || in.Arg > n || r.st[n-in.Arg].kind != 'd' {
		return false
	}
	r.st[n-in.Arg].owner = v.part
	return r.advance(r.next())
}

func (r *reader) deleteKey(*bytecode.Instr) bool {
	k, ok1 := r.pop()
	d, ok2 := r.pop()
	return ok1 && ok2 && k.kind == 'e' && d.kind == 'd' && r.advance(r.next())
}
