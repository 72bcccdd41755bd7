package decompile

import (
	"github.com/thuml/depyf/internal/lift"
	"github.com/thuml/depyf/internal/pyast"
)

// settle puts defaults, annotations and bases into their places that were not known
// when their function or class was made.
func (u *unit) settle(list []pyast.Stmt) (err error) {
	note := func(e error) {
		if err == nil {
			err = e
		}
	}
	pyast.InspectStmts(list, func(n pyast.Node) bool {
		switch n := n.(type) {
		case *pyast.FunctionDef:
			if e, ok := lift.IsDeferred(n.Returns); ok {
				annots, e := lift.NamedItems(e)
				note(e)
				n.Returns = nil
				u.annotateDef(n, &lift.Func{Annots: annots})
			}
			note(u.settleArguments(n.Args))
		case *pyast.Lambda:
			note(u.settleArguments(n.Args))
		case *pyast.ClassDef:
			n.Bases, n.Keywords = lift.TidyArguments(n.Bases, n.Keywords)
			if len(n.Bases) == 1 {
				if e, ok := lift.IsDeferred(n.Bases[0]); ok {
					bases, e := lift.Items(e)
					note(e)
					n.Bases = bases[min(1, len(bases)):] // behind the name
				}
			}
		}
		return true
	})
	return err
}

func (u *unit) settleArguments(a *pyast.Arguments) error {
	if a == nil {
		return nil
	}
	if len(a.Defaults) == 1 {
		if e, ok := lift.IsDeferred(a.Defaults[0]); ok {
			list, err := lift.Items(e)
			if err != nil {
				return err
			}
			a.Defaults = list
		}
	}
	if len(a.KwDefaults) > 0 {
		if e, ok := lift.IsDeferred(a.KwDefaults[0]); ok {
			list, err := lift.NamedItems(e)
			if err != nil {
				return err
			}
			a.KwDefaults[0] = nil
			u.applyDefaults(a, &lift.Func{Defaults: a.Defaults, KwDefaults: list})
		}
	}
	return nil
}
