package lower

import (
	"slices"

	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyast"
)

// store gives a target the value on the stack.
func (l *lowerer) store(e pyast.Expr) {
	switch e := e.(type) {
	case *pyast.Name:
		l.name(e.Id, store)
	case *pyast.Attribute:
		l.noteStatic(e)
		l.expr(e.Value)
		l.opN(opcode.StoreAttr, l.mangle(e.Attr))
	case *pyast.Subscript:
		l.expr(e.Value)
		if l.bounds(e.Slice) {
			l.op(opcode.StoreSlice)
			return
		}
		l.expr(e.Slice)
		l.op(opcode.StoreSubscr)
	case *pyast.Tuple:
		l.unpack(e.Elts)
	case *pyast.List:
		l.unpack(e.Elts)
	default:
		giveUp("a target of type %T", e)
	}
}

func (l *lowerer) unpack(elts []pyast.Expr) {
	star := slices.IndexFunc(elts, func(e pyast.Expr) bool { _, ok := e.(*pyast.Starred); return ok })
	if star < 0 {
		l.opI(opcode.UnpackSequence, len(elts))
	} else {
		l.opI(opcode.UnpackEx, star|(len(elts)-star-1)<<8)
	}
	for _, e := range elts {
		if s, ok := e.(*pyast.Starred); ok {
			e = s.Value
		}
		l.store(e)
	}
}

// noteStatic notes an attribute of self for the class's __static_attributes__.
func (l *lowerer) noteStatic(e *pyast.Attribute) {
	n, ok := e.Value.(*pyast.Name)
	if !ok || n.Id != "self" || !l.v.HasStaticAttributes() {
		return
	}
	for u := l.u.outer; u != nil; u = u.outer {
		if u.s.kind == classScope {
			if !slices.Contains(u.static, e.Attr) {
				u.static = append(u.static, e.Attr)
			}
			return
		}
	}
}

func (l *lowerer) del(e pyast.Expr) {
	switch e := e.(type) {
	case *pyast.Name:
		l.name(e.Id, del)
	case *pyast.Attribute:
		l.expr(e.Value)
		l.opN(opcode.DeleteAttr, l.mangle(e.Attr))
	case *pyast.Subscript:
		l.expr(e.Value)
		l.expr(e.Slice)
		l.op(opcode.DeleteSubscr)
	case *pyast.Tuple:
		for _, x := range e.Elts {
			l.del(x)
		}
	case *pyast.List:
		for _, x := range e.Elts {
			l.del(x)
		}
	default:
		giveUp("del of %T", e)
	}
}
