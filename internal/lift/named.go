package lift

import "github.com/thuml/depyf/internal/pyast"

// keepNamed gives a value that is about to be copied a variable of its own, where Options.Named says so.
//
//	f(); COPY 1        %t1 = f()
//	              →    (%t1, %t1)
//
// Without one the copies could only be parts of one expression, and blocks of a dispatch loop stand between them.
func (m *machine) keepNamed(v *Value) {
	if !m.g.named || v.Aug() != nil || v.E != nil && repeatable(v.E) {
		return
	}
	switch v.Kind {
	case KExpr, KFunc: // a lambda is the subject of a match as well
	case KBind:
		m.unnamed(v)
		return
	default:
		return // no compiler copies it, or it is no value of the program's
	}
	t := m.g.NewTemp()
	e := m.expr(v)
	v.Kind, v.E = KExpr, nil // v is on the stack, and not to be spilled
	m.emit(assignTemp(t, e, v.Line))
	v.E, v.used = pyast.N(t), false
}

// hasName reports whether a value has a variable of its own, so that each store of it is a statement.
func (m *machine) hasName(v *Value) bool { return m.g.named && v.Kind == KExpr && repeatable(v.E) }

// repeatable reports whether e can stand in several places, whenever: a display is made anew in each.
func repeatable(e pyast.Expr) bool { return settled(e) && Simple(e) }
