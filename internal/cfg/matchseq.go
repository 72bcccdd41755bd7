package cfg

import (
	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/opcode"
)

// subscripts reports whether the copy made before p is indexed: the compiler
// takes the items of `[a, *_]` one by one.
func subscripts(p place) bool {
	var ops []opcode.Op
	for i := p.i; i < len(p.b.Instrs) && len(ops) < 4; i++ {
		if op := p.b.Instrs[i].Op; op != opcode.Nop {
			ops = append(ops, op)
		}
	}
	return len(ops) >= 2 && ops[0] == opcode.LoadConst && ops[1] == opcode.Subscr ||
		len(ops) >= 4 && ops[0] == opcode.GetLen && ops[2] == opcode.BinaryOp && ops[3] == opcode.Subscr
}

// subscript takes one item of a sequence with an unnamed star.
func (r *reader) subscript() bool {
	k, ok1 := r.pop()
	v, ok2 := r.pop()
	if ok1 && ok2 && v.kind == 't' && r.old {
		items := v.owner.items
		if v.owner.mapp != nil {
			items = v.owner.mapp.items
		}
		i, ok := constInt(k.expr)
		if !ok || i < 0 || i >= len(items) {
			return false
		}
		r.push(slot{kind: 'p', part: items[i]})
		return true
	}
	if !ok1 || !ok2 || v.kind != 'p' || v.owner == nil || v.owner.seq == nil {
		return false
	}
	n, ok := constInt(k.expr)
	if !ok {
		return false
	}
	s := v.owner.seq
	v.owner.subs = nil
	item := &part{}
	if s.picked == nil {
		s.picked = map[int]*part{}
	}
	if k.kind == 'x' {
		n = -n
	}
	if s.picked[n] != nil {
		return false
	}
	s.picked[n] = item
	r.push(slot{kind: 'p', part: item})
	return true
}

// unpack executes UNPACK_SEQUENCE and UNPACK_EX.
func (r *reader) unpack(in *bytecode.Instr) bool {
	v, ok := r.pop()
	if !ok {
		return false
	}
	n, star := in.Arg, -1
	if in.Op == opcode.UnpackEx {
		star = in.Arg & 0xff
		n = star + 1 + in.Arg>>8
	}
	if v.kind == 'k' {
		if n != len(v.owner.mapp.keys) {
			return false
		}
		for i := n - 1; i >= 0; i-- {
			r.push(slot{kind: 'e', expr: v.owner.mapp.keys[i]})
		}
		return true
	}
	if !r.afford(n) {
		return false
	}
	items := make([]*part, n)
	for i := range items {
		items[i] = &part{star: i == star}
	}
	switch {
	case v.kind == 'p' && v.part.seq != nil:
		v.part.seq.items, v.part.seq.star = items, star
	case v.kind == 't' && v.owner.class != nil && n == len(v.owner.class.Patterns)+len(v.owner.class.KwdAttrs):
		v.owner.items = items
	case v.kind == 't' && v.owner.mapp != nil && n == len(v.owner.mapp.keys):
		v.owner.mapp.items = items
	default:
		return false
	}
	for i := n - 1; i >= 0; i-- {
		r.push(slot{kind: 'p', part: items[i]})
	}
	return true
}
