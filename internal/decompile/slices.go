package decompile

import (
	"github.com/thuml/depyf/internal/cfg"
	"github.com/thuml/depyf/internal/pyast"
)

// spellSlices writes the slices that stand outside a subscript as calls. No
// compiler leaves one there; Dynamo passes slice objects around.
func (u *unit) spellSlices(list []pyast.Stmt) {
	subscript := map[pyast.Expr]bool{}
	elsewhere := false
	pyast.InspectOwn(list, func(n pyast.Node) bool {
		switch x := n.(type) {
		case *pyast.Subscript:
			subscript[x.Slice] = true
			if t, ok := x.Slice.(*pyast.Tuple); ok {
				for _, e := range t.Elts {
					subscript[e] = true
				}
			}
		case *pyast.Slice:
			elsewhere = elsewhere || !subscript[x]
		}
		return true
	})
	if !elsewhere {
		return
	}
	pyast.RewriteOwn(list, func(e pyast.Expr) pyast.Expr {
		if x, ok := e.(*pyast.Slice); ok && !subscript[x] {
			return u.sliceCall(x)
		}
		return e
	})
}

// builtin names a function that the source calls where the bytecode has an
// instruction. In Dynamo's code the name is one that nobody else binds.
func (u *unit) builtin(name string) pyast.Expr {
	if u.opt.Dynamo || u.spill != never {
		name = cfg.BuiltinPrefix + name
	}
	return pyast.N(name)
}

// sliceCall spells a slice object outside a subscript.
func (u *unit) sliceCall(s *pyast.Slice) pyast.Expr {
	arg := func(e pyast.Expr) pyast.Expr {
		if e == nil {
			return pyast.None()
		}
		return e
	}
	args := []pyast.Expr{arg(s.Lower), arg(s.Upper)}
	if s.Step != nil {
		args = append(args, s.Step)
	}
	return pyast.CallE(u.builtin("slice"), args...)
}
