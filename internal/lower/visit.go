package lower

import (
	"strings"

	"github.com/thuml/depyf/internal/pyast"
)

// The symbol table's walk (symtable_visit_stmt and its like in Python/symtable.c).

func (t *table) stmts(list []pyast.Stmt) {
	for _, s := range list {
		t.stmt(s)
	}
}

// conditional visits statements that may not run.
func (t *table) conditional(list []pyast.Stmt) {
	t.cond++
	t.stmts(list)
	t.cond--
}

func (t *table) stmt(s pyast.Stmt) {
	switch s := s.(type) {
	case *pyast.FunctionDef:
		t.function(s)
	case *pyast.ClassDef:
		t.class(s)
	case *pyast.TypeAlias:
		t.alias(s)
	case *pyast.Return:
		t.expr(s.Value)
		if s.Value != nil {
			t.cur.returnsValue = true
		}
	case *pyast.Delete:
		t.stores(s.Targets)
	case *pyast.Assign:
		t.stores(s.Targets)
		t.expr(s.Value)
	case *pyast.AugAssign:
		t.store(s.Target)
		t.expr(s.Value)
	case *pyast.AnnAssign:
		t.annAssign(s)
	case *pyast.For:
		t.store(s.Target)
		t.expr(s.Iter)
		if s.IsAsync {
			t.cur.coroutine = true
		}
		t.conditional(s.Body)
		t.conditional(s.OrElse)
	case *pyast.While:
		t.expr(s.Test)
		t.conditional(s.Body)
		t.conditional(s.OrElse)
	case *pyast.If:
		t.expr(s.Test)
		t.conditional(s.Body)
		t.conditional(s.OrElse)
	case *pyast.With:
		for _, w := range s.Items {
			t.expr(w.ContextExpr)
			t.store(w.OptionalVars)
		}
		t.conditional(s.Body)
	case *pyast.Match:
		t.expr(s.Subject)
		for _, c := range s.Cases {
			t.pattern(c.Pattern)
			t.expr(c.Guard)
			t.conditional(c.Body)
		}
	case *pyast.Raise:
		t.expr(s.Exc)
		t.expr(s.Cause)
	case *pyast.Try:
		t.conditional(s.Body)
		for _, h := range s.Handlers {
			t.expr(h.Type)
			if h.Name != "" {
				t.def(h.Name, isLocal)
			}
			t.conditional(h.Body)
		}
		t.conditional(s.OrElse)
		t.conditional(s.FinalBody)
	case *pyast.Assert:
		t.expr(s.Test)
		t.expr(s.Msg)
	case *pyast.Import:
		for _, a := range s.Names {
			t.binds(a, true)
		}
	case *pyast.ImportFrom:
		for _, a := range s.Names {
			t.binds(a, false)
		}
	case *pyast.Global:
		for _, n := range s.Names {
			t.def(n, isGlobal)
		}
	case *pyast.Nonlocal:
		for _, n := range s.Names {
			t.def(n, isNonlocal)
		}
	case *pyast.ExprStmt:
		t.expr(s.Value)
	}
}

// binds visits one name of an import; of a dotted one only the first part is bound.
func (t *table) binds(a *pyast.Alias, dotted bool) {
	if a.Name == "*" {
		return
	}
	n := a.AsName
	if n == "" {
		n = a.Name
		if dotted {
			n, _, _ = strings.Cut(n, ".")
		}
	}
	t.def(n, isImported)
}

func (t *table) stores(list []pyast.Expr) {
	for _, e := range list {
		t.store(e)
	}
}

// store visits a target.
func (t *table) store(e pyast.Expr) {
	switch e := e.(type) {
	case *pyast.Name:
		t.def(e.Id, isLocal)
	case *pyast.Tuple:
		t.stores(e.Elts)
	case *pyast.List:
		t.stores(e.Elts)
	case *pyast.Starred:
		t.store(e.Value)
	case nil:
	default:
		t.expr(e)
	}
}

func (t *table) annAssign(s *pyast.AnnAssign) {
	if n, ok := s.Target.(*pyast.Name); ok {
		switch {
		case s.Simple:
			t.def(n.Id, isLocal|isAnnotated)
		case s.Value != nil:
			t.def(n.Id, isLocal)
		}
	} else {
		t.expr(s.Target)
	}
	if t.future && !s.Simple && !t.v.AnnotationsAreTuple() && t.cur.kind != functionScope {
		t.expr(s.Annotation) // evaluated all the same
	} else {
		t.annotation(s.Annotation)
	}
	t.expr(s.Value)
}

// annotation visits that of a variable.
func (t *table) annotation(e pyast.Expr) {
	s := t.cur
	if t.future && (!t.v.AnnotationsAreLazy() || s.kind == functionScope) {
		return
	}
	if !t.v.AnnotationsAreLazy() {
		t.expr(e)
		return
	}
	if s.kind == functionScope {
		return // not evaluated, and its names are no names of the function
	}
	if (s.kind == classScope && t.cond > 0 || s.kind == moduleScope) && !s.conditionalNames {
		s.conditionalNames = true
		t.def("__conditional_annotations__", isUsed)
	}
	if t.future {
		return
	}
	if s.annotations == nil {
		s.annotations = t.open(extraKey{s, "annotations"}, annotationScope, "__annotate__")
		t.def(".format", isParam|isUsed)
		t.classNames(s)
	} else {
		t.cur = s.annotations
	}
	cond := t.cond
	t.cond = 0
	t.expr(e)
	t.cond = cond
	t.close()
}

// classNames lets an annotation scope in a class see the class's names.
func (t *table) classNames(outer *scope) {
	if outer.kind == classScope {
		t.cur.seesClass = true
		t.def("__classdict__", isUsed)
	} else if outer.seesClass {
		t.cur.seesClass = true
		t.def("__classdict__", isUsed)
	}
}

func (t *table) inner(f func()) {
	cond := t.cond
	t.cond = 0
	f()
	t.cond = cond
}
