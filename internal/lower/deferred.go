package lower

import (
	"github.com/thuml/depyf/internal/pyast"
	"github.com/thuml/depyf/internal/pyc"
)

// Deferred is an annotation that the __annotate__ function of a module or class computes (3.14+).
type Deferred struct {
	Name   string
	Value  pyast.Expr // as it stands in the tree
	Marked bool       // the code leaves a mark where it meets it
}

// Annotations lists what the statements of a module or class leave to __annotate__, in its order. One in a finally clause
// is there for each copy that is compiled, reached or not. ok is false where the statements cannot be lowered.
func Annotations(list []pyast.Stmt, class bool, v pyc.Version) (out []Deferred, ok bool) {
	m := &pyast.Module{Body: list}
	var c *pyast.ClassDef
	if class {
		c = &pyast.ClassDef{Name: "_", Body: list}
		m.Body = []pyast.Stmt{c}
	}
	err := attempt(func() {
		l := newLowerer(m, v, 0)
		u := l.enter(l.t.module, "<module>")
		if class {
			u, _ = l.classBody(c)
		} else {
			l.stmts(m.Body)
		}
		for _, a := range u.annotated {
			out = append(out, Deferred{a.name, a.e, a.index >= 0})
		}
	})
	return out, err == nil
}
