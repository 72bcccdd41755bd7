package lower

import (
	"strings"

	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyast"
	"github.com/thuml/depyf/internal/pyc"
)

func (l *lowerer) stmts(list []pyast.Stmt) {
	for _, s := range list {
		l.stmt(s)
	}
}

// guarded are statements that may not run.
func (l *lowerer) guarded(list []pyast.Stmt) {
	l.u.cond++
	l.stmts(list)
	l.u.cond--
}

func (l *lowerer) stmt(s pyast.Stmt) {
	switch s := s.(type) {
	case *pyast.FunctionDef:
		l.function(s)
	case *pyast.ClassDef:
		l.class(s)
	case *pyast.TypeAlias:
		l.alias(s)
	case *pyast.Return:
		l.ret(s)
	case *pyast.Delete:
		for _, t := range s.Targets {
			l.del(t)
		}
	case *pyast.Assign:
		l.assigned(s)
		for i, t := range s.Targets {
			if i < len(s.Targets)-1 {
				l.opI(opcode.Copy, 1)
			}
			l.store(t)
		}
	case *pyast.AugAssign:
		l.augAssign(s)
	case *pyast.AnnAssign:
		l.annAssign(s)
	case *pyast.For:
		l.loop(s)
	case *pyast.While:
		l.while(s)
	case *pyast.If:
		l.ifStmt(s)
	case *pyast.With:
		l.with(s, s.Items)
	case *pyast.Match:
		l.match(s)
	case *pyast.Raise:
		n := 0
		for _, e := range []pyast.Expr{s.Exc, s.Cause} {
			if e != nil {
				l.expr(e)
				n++
			}
		}
		l.opI(opcode.Raise, n)
	case *pyast.Try:
		l.try(s)
	case *pyast.Assert:
		l.assert(s)
	case *pyast.Import:
		l.imports(s)
	case *pyast.ImportFrom:
		l.importFrom(s)
	case *pyast.ExprStmt:
		if _, ok := s.Value.(*pyast.Constant); ok {
			return
		}
		l.expr(s.Value)
		l.pop()
	case *pyast.Break:
		l.breakLoop()
	case *pyast.Continue:
		l.continueLoop()
	case *pyast.Global, *pyast.Nonlocal, *pyast.Pass, *pyast.Comment, *pyast.Blank:
	default:
		giveUp("a statement of type %T", s)
	}
}

// assigned pushes the value of an assignment. A tuple that is unpacked at once is never
// made, whereas one of constants was a constant by then before 3.14.
func (l *lowerer) assigned(s *pyast.Assign) {
	value, ok := s.Value.(*pyast.Tuple)
	var targets []pyast.Expr
	switch t := s.Targets[0].(type) {
	case *pyast.Tuple:
		targets = t.Elts
	case *pyast.List:
		targets = t.Elts
	}
	if n := len(targets); ok && l.v.AnnotationsAreLazy() && len(s.Targets) == 1 && n == len(value.Elts) && n <= 3 && !pyast.HasStarred(targets) && !pyast.HasStarred(value.Elts) {
		l.exprs(value.Elts)
		l.opI(opcode.BuildTuple, n)
		return
	}
	l.expr(s.Value)
}

// decided reports whether the compiler knows what the test of a statement says, and makes no code of what can
// never run, not even the functions in it (≤3.9; later that code is removed again).
func (l *lowerer) decided(test pyast.Expr) (truth, known bool) {
	c, ok := l.folded(test)
	if !ok || l.v.DecidesConstantTests() {
		return false, false
	}
	return pyc.Truth(c)
}

func (l *lowerer) ifStmt(s *pyast.If) {
	if truth, known := l.decided(s.Test); known && truth {
		l.guarded(s.Body)
		return
	} else if known {
		l.guarded(s.OrElse)
		return
	}
	end, next := l.label(), l.label()
	to := end
	if len(s.OrElse) > 0 {
		to = next
	}
	l.jumpIf(s.Test, to, false)
	l.guarded(s.Body)
	if len(s.OrElse) > 0 {
		l.jump(opcode.Jump, end)
		l.use(next)
		l.guarded(s.OrElse)
	}
	l.use(end)
}

func (l *lowerer) augAssign(s *pyast.AugAssign) {
	op := func() {
		l.expr(s.Value)
		l.opI(opcode.BinaryOp, binaries[s.Op]|opcode.InPlace)
	}
	switch t := s.Target.(type) {
	case *pyast.Name:
		l.name(t.Id, load)
		op()
		l.name(t.Id, store)
	case *pyast.Attribute:
		l.expr(t.Value)
		l.opI(opcode.Copy, 1)
		l.opN(opcode.LoadAttr, l.mangle(t.Attr))
		op()
		l.swap(2)
		l.opN(opcode.StoreAttr, l.mangle(t.Attr))
	case *pyast.Subscript:
		l.expr(t.Value)
		if l.bounds(t.Slice) {
			l.opI(opcode.Copy, 3)
			l.opI(opcode.Copy, 3)
			l.opI(opcode.Copy, 3)
			l.op(opcode.BinarySlice)
			op()
			l.swap(4)
			l.swap(3)
			l.swap(2)
			l.op(opcode.StoreSlice)
			return
		}
		l.expr(t.Slice)
		l.opI(opcode.Copy, 2)
		l.opI(opcode.Copy, 2)
		l.op(opcode.Subscr)
		op()
		if l.v.HasExceptionTable() {
			l.swap(3)
			l.swap(2)
		} else {
			l.opI(opcode.Rot, 3)
		}
		l.op(opcode.StoreSubscr)
	default:
		giveUp("an augmented assignment to %T", t)
	}
}

func (l *lowerer) annAssign(s *pyast.AnnAssign) {
	u := l.u
	evaluates := u.s.kind == moduleScope || u.s.kind == classScope
	if s.Value != nil {
		l.expr(s.Value)
		l.store(s.Target)
	}
	check := func(e pyast.Expr) {
		l.expr(e)
		l.pop()
	}
	switch t := s.Target.(type) {
	case *pyast.Name:
		if !s.Simple || !evaluates {
			break
		}
		if l.v.AnnotationsAreLazy() && !l.t.future {
			l.deferAnnotation(t.Id, s.Annotation)
			break
		}
		l.annotation(s.Annotation)
		l.opN(opcode.LoadName, "__annotations__")
		l.konst(pyc.Str(l.mangle(t.Id)))
		l.op(opcode.StoreSubscr)
	case *pyast.Attribute:
		if s.Value == nil {
			check(t.Value)
		}
	case *pyast.Subscript:
		if s.Value == nil {
			check(t.Value)
			switch x := t.Slice.(type) {
			case *pyast.Slice:
				for _, e := range []pyast.Expr{x.Lower, x.Upper, x.Step} {
					if e != nil {
						check(e)
					}
				}
			default:
				check(x)
			}
		}
	}
	if !s.Simple && evaluates && !(l.t.future && l.v.AnnotationsAreTuple()) && !l.v.AnnotationsAreLazy() {
		check(s.Annotation)
	}
}

// deferAnnotation leaves an annotation to __annotate__ (3.14+).
func (l *lowerer) deferAnnotation(name string, e pyast.Expr) {
	u := l.u
	a := deferredAnnotation{name, e, -1}
	if u.s.kind == moduleScope || u.cond > 0 {
		a.index = u.nextCond
		u.nextCond++
		if u.s.kind == classScope {
			l.opCell(opcode.LoadDeref, "__conditional_annotations__")
		} else {
			l.opN(opcode.LoadName, "__conditional_annotations__")
		}
		l.konst(pyc.NewInt(int64(a.index)))
		l.opI(opcode.SetAdd, 1)
		l.pop()
	}
	u.annotated = append(u.annotated, a)
}

func (l *lowerer) assert(s *pyast.Assert) {
	end := l.label()
	l.jumpIf(s.Test, end, true)
	if l.v.HasAssertionOp() {
		l.opI(opcode.LoadCommon, opcode.CommonAssertionError)
	} else {
		l.opN(opcode.LoadGlobal, "AssertionError")
	}
	if s.Msg != nil {
		l.expr(s.Msg)
		if l.v.HasMethodCallees() {
			l.opI(opcode.Call, 0)
		} else {
			l.opI(opcode.CallFunction, 1)
		}
	}
	l.opI(opcode.Raise, 1)
	l.use(end)
}

func (l *lowerer) importName(module string, level int, from pyc.Const, lazy bool) {
	l.konst(pyc.NewInt(int64(level)))
	l.konst(from)
	arg := 0
	switch {
	case lazy:
		arg = 1
	case l.v.HasLazyImports() && (l.u.s.kind != moduleScope || l.inTry() || constEqualsStar(from)):
		arg = 2
	}
	l.emit(ins{Instr: bytecode.Instr{Op: opcode.ImportName, Name: l.mangle(module), Arg: arg}})
}

// inTry reports whether the code is in a try statement, where imports are never lazy.
func (l *lowerer) inTry() bool {
	for i := range l.u.blocks {
		switch l.u.blocks[i].kind {
		case tryBlock, finallyTry, finallyEnd, handlerBlock, starBlock, otherBlock:
			return true
		}
	}
	return false
}

func constEqualsStar(from pyc.Const) bool {
	t, ok := from.(pyc.Tuple)
	return ok && len(t) == 1 && t[0] == pyc.Str("*")
}

func (l *lowerer) imports(s *pyast.Import) {
	for _, a := range s.Names {
		l.importName(a.Name, 0, pyc.None{}, s.IsLazy)
		first, rest, dotted := strings.Cut(a.Name, ".")
		switch {
		case a.AsName == "":
			l.name(first, store)
		case !dotted:
			l.name(a.AsName, store)
		default:
			for {
				var attr string
				attr, rest, dotted = strings.Cut(rest, ".")
				l.opN(opcode.ImportFrom, l.mangle(attr))
				if !dotted {
					break
				}
				l.swap(2)
				l.pop()
			}
			l.name(a.AsName, store)
			l.pop()
		}
	}
}

func (l *lowerer) importFrom(s *pyast.ImportFrom) {
	names := make(pyc.Tuple, len(s.Names))
	for i, a := range s.Names {
		names[i] = pyc.Str(a.Name)
	}
	l.importName(s.Module, s.Level, names, s.IsLazy)
	if s.Names[0].Name == "*" {
		l.op(opcode.ImportStar)
		return
	}
	for _, a := range s.Names {
		l.opN(opcode.ImportFrom, l.mangle(a.Name))
		n := a.AsName
		if n == "" {
			n = a.Name
		}
		l.name(n, store)
	}
	l.pop()
}
