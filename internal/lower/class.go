package lower

import (
	"slices"

	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyast"
	"github.com/thuml/depyf/internal/pyc"
)

func (l *lowerer) class(c *pyast.ClassDef) {
	l.exprs(c.DecoratorList)
	generic := len(c.TypeParams) > 0
	var around *scope
	if generic {
		if !l.v.NullAfterCallable() {
			l.op(opcode.PushNull)
		}
		if l.v.MangledBehindGenericClass() {
			l.u.private = c.Name
		}
		around = l.t.at[extraKey{c, "type params"}]
		l.enter(around, around.name).code = &pyc.Code{}
		l.typeParams(c.TypeParams)
		l.name(".type_params", store)
	}
	u, code := l.classBody(c)
	if l.v.HasMethodCallees() && !l.v.NullAfterCallable() {
		l.op(opcode.PushNull)
	}
	l.op(opcode.LoadBuildClass)
	if l.v.NullAfterCallable() {
		l.op(opcode.PushNull)
	}
	l.makeFunction(u, code, 0)
	l.konst(pyc.Str(c.Name))
	bases := c.Bases
	if generic {
		l.name(".type_params", load)
		l.opI(opcode.Intrinsic1, opcode.IntrinsicSubscriptGeneric)
		l.name(".generic_base", store)
		bases = append(append([]pyast.Expr{}, bases...), pyast.N(".generic_base"))
	}
	l.arguments(2, bases, c.Keywords)
	if generic {
		outer := l.u
		l.op(opcode.Return)
		code := l.leave()
		l.makeFunction(outer, code, 0)
		l.callNothing()
	}
	l.decorate(len(c.DecoratorList))
	l.name(c.Name, store)
}

// classBody makes the code of a class body (compiler_class_body).
func (l *lowerer) classBody(c *pyast.ClassDef) (*unit, *pyc.Code) {
	u := l.enter(l.t.at[c], c.Name)
	l.name("__name__", load)
	l.name("__module__", store)
	l.konst(pyc.Str(u.qualName))
	l.name("__qualname__", store)
	if l.v.HasClassFirstLine() {
		l.konst(pyc.NewInt(1))
		l.name("__firstlineno__", store)
	}
	if len(c.TypeParams) > 0 {
		l.name(".type_params", load)
		l.name("__type_params__", store)
	}
	if u.s.needsClassDict {
		l.op(opcode.LoadLocals)
		l.opCell(opcode.StoreDeref, "__classdict__")
	}
	if u.s.conditionalNames {
		l.opI(opcode.BuildSet, 0)
		l.opCell(opcode.StoreDeref, "__conditional_annotations__")
	}
	l.suite(c.Body)
	if l.v.HasStaticAttributes() {
		names := make(pyc.Tuple, len(u.static))
		for i, n := range u.static {
			names[i] = pyc.Str(n)
		}
		l.konst(names)
		l.name("__static_attributes__", store)
	}
	if u.s.needsClassDict {
		l.opN(opcode.LoadClosure, "__classdict__")
		l.name("__classdictcell__", store)
	}
	if u.s.needsClass {
		l.opN(opcode.LoadClosure, "__class__")
		l.opI(opcode.Copy, 1)
		l.name("__classcell__", store)
	} else {
		l.none()
	}
	l.op(opcode.Return)
	return u, l.leave()
}

// suite is the body of a module or class: annotations are set up, the docstring stored.
func (l *lowerer) suite(body []pyast.Stmt) {
	lazy := l.v.AnnotationsAreLazy() && !l.t.future
	if l.u.s.kind == moduleScope && l.u.s.conditionalNames {
		l.opI(opcode.BuildSet, 0)
		l.opN(opcode.StoreName, "__conditional_annotations__")
	}
	if !lazy && hasAnnotationStmt(body, l.v) {
		l.op(opcode.SetupAnnotations)
	}
	if d, ok := docstringOf(body); ok {
		l.konst(d)
		l.name("__doc__", store)
	}
	l.stmts(body)
	switch u := l.u; {
	case !lazy || len(u.annotated) == 0:
	case u.s.kind == classScope:
		l.deferred()
	default:
		// A module's comes first, though it is compiled last.
		list, labels := u.list, u.labels
		u.list, u.labels = nil, []int{0}
		l.deferred()
		shift := len(u.list)
		u.list = append(u.list, list...)
		for i := range labels {
			labels[i] += shift
		}
		u.labels = labels
	}
}

// hasAnnotationStmt reports whether a variable is annotated in the block (find_ann). CPython 3.10 has no case for match there.
func hasAnnotationStmt(list []pyast.Stmt, v pyc.Version) bool {
	for _, s := range list {
		switch s := s.(type) {
		case *pyast.AnnAssign:
			return true
		case *pyast.For:
			if hasAnnotationStmt(s.Body, v) || hasAnnotationStmt(s.OrElse, v) {
				return true
			}
		case *pyast.While:
			if hasAnnotationStmt(s.Body, v) || hasAnnotationStmt(s.OrElse, v) {
				return true
			}
		case *pyast.If:
			if hasAnnotationStmt(s.Body, v) || hasAnnotationStmt(s.OrElse, v) {
				return true
			}
		case *pyast.With:
			if hasAnnotationStmt(s.Body, v) {
				return true
			}
		case *pyast.Match:
			for _, c := range s.Cases {
				if !v.AlwaysOverlooksAnnotationsInMatch() && hasAnnotationStmt(c.Body, v) {
					return true
				}
			}
		case *pyast.Try:
			for _, h := range s.Handlers {
				if hasAnnotationStmt(h.Body, v) {
					return true
				}
			}
			if hasAnnotationStmt(s.Body, v) || hasAnnotationStmt(s.FinalBody, v) || hasAnnotationStmt(s.OrElse, v) {
				return true
			}
		}
	}
	return false
}

// deferredAnnotation is one that __annotate__ computes (3.14+).
type deferredAnnotation struct {
	name  string
	e     pyast.Expr
	index int // of a conditional one; -1
}

// deferred makes the __annotate__ function of a module or class (3.14+).
func (l *lowerer) deferred() {
	u := l.u
	s := u.s.annotations
	l.annotateFunction(s, "", func() {
		l.opI(opcode.BuildMap, 0)
		for _, a := range u.annotated {
			skip := l.label()
			if a.index >= 0 {
				l.konst(pyc.NewInt(int64(a.index)))
				if u.s.kind == classScope {
					if !slices.Contains(l.u.frees, "__conditional_annotations__") {
						l.u.frees = append(l.u.frees, "__conditional_annotations__")
					}
					l.opN(opcode.LoadDeref, "__conditional_annotations__")
				} else {
					l.opN(opcode.LoadGlobal, "__conditional_annotations__")
				}
				l.opI(opcode.ContainsOp, 0)
				l.popJump(false, skip)
			}
			l.annotation(a.e)
			l.opI(opcode.Copy, 2)
			l.konst(pyc.Str(l.mangle(a.name)))
			l.op(opcode.StoreSubscr)
			l.use(skip)
		}
		l.op(opcode.Return)
	})
	if u.s.kind == classScope {
		l.name("__annotate_func__", store)
	} else {
		l.opN(opcode.StoreName, "__annotate__")
	}
}
