package lower

import (
	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyast"
	"github.com/thuml/depyf/internal/pyc"
)

// What MAKE_FUNCTION and SET_FUNCTION_ATTRIBUTE number.
const (
	hasDefaults    = 1
	hasKwDefaultsF = 2
	hasAnnotations = 4
	hasClosure     = 8
	hasAnnotate    = 16
	hasQualName    = 0x100
)

// makeFunction makes a function of a code object; what flags names is on the stack.
func (l *lowerer) makeFunction(u *unit, code *pyc.Code, flags int) {
	name := u.qualName
	if u.s.kind == classScope {
		name = u.name // a class body's function is never seen
	}
	if l.closure(u) {
		flags |= hasClosure
	}
	l.konst(code)
	if l.v.HasQualNameOperand() {
		l.konst(pyc.Str(name))
		l.opI(opcode.MakeFunction, flags|hasQualName)
		return
	}
	if !l.v.JumpsTestBools() {
		l.opI(opcode.MakeFunction, flags)
		return
	}
	l.opI(opcode.MakeFunction, 0)
	for _, k := range []int{hasClosure, hasAnnotations, hasAnnotate, hasKwDefaultsF, hasDefaults} {
		if flags&k != 0 {
			l.opI(opcode.SetFunctionAttribute, k)
		}
	}
}

// stopIteration puts the handler that makes a RuntimeError of a StopIteration around
// the code of a generator (3.12+); what it returns ends it.
func (l *lowerer) stopIteration() func() {
	s := l.u.s
	if !l.v.SendKeepsReceiver() || !s.generator && !s.coroutine {
		return func() {}
	}
	stop := l.label()
	l.protect(setupCleanup, stop)
	return func() {
		l.none()
		l.op(opcode.Return)
		l.use(stop)
		l.op(opcode.StopIterationError)
		l.opI(opcode.Reraise, 1)
	}
}

// docstringOf is the docstring that a body begins with.
func docstringOf(body []pyast.Stmt) (pyc.Str, bool) {
	for _, s := range body {
		switch s := s.(type) {
		case *pyast.Comment, *pyast.Blank:
			continue
		case *pyast.ExprStmt:
			if c, ok := s.Value.(*pyast.Constant); ok {
				d, ok := c.Value.(pyc.Str)
				return d, ok
			}
		}
		break
	}
	return "", false
}

func (l *lowerer) function(f *pyast.FunctionDef) {
	l.exprs(f.DecoratorList)
	if len(f.TypeParams) > 0 {
		l.genericFunction(f)
	} else {
		flags := l.pushDefaults(f.Args)
		l.functionBody(f, flags)
	}
	l.decorate(len(f.DecoratorList))
	l.name(f.Name, store)
}

func (l *lowerer) decorate(n int) {
	for range n {
		if l.v.HasMethodCallees() {
			l.opI(opcode.Call, 0)
		} else {
			l.opI(opcode.CallFunction, 1)
		}
	}
}

// functionBody makes the function; its defaults are on the stack.
func (l *lowerer) functionBody(f *pyast.FunctionDef, flags int) {
	flags |= l.pushAnnotations(f)
	u := l.enter(l.t.at[f], f.Name)
	u.code = &pyc.Code{Consts: []pyc.Const{pyc.None{}}}
	u.setArgs(f.Args, u.code)
	if d, ok := docstringOf(f.Body); ok {
		u.code.Consts[0] = d
		if l.v.HasDocstringFlag() {
			u.code.Flags |= pyc.FlagHasDocstring
		}
	}
	stop := l.stopIteration()
	l.stmts(f.Body)
	l.none()
	l.op(opcode.Return)
	stop()
	code := l.leave()
	l.makeFunction(u, code, flags)
}

func (l *lowerer) pushDefaults(a *pyast.Arguments) (flags int) {
	if a == nil {
		return 0
	}
	if len(a.Defaults) > 0 {
		l.exprs(a.Defaults)
		l.buildTuple(len(a.Defaults))
		flags |= hasDefaults
	}
	var keys, values []pyast.Expr
	for i, d := range a.KwDefaults {
		if d != nil {
			keys = append(keys, &pyast.Constant{Value: pyc.Str(l.mangle(a.KwOnlyArgs[i].Arg))})
			values = append(values, d)
		}
	}
	if len(keys) > 0 {
		l.keyMap(keys, values)
		flags |= hasKwDefaultsF
	}
	return flags
}

// keyMap makes a dict with constant keys, however few.
func (l *lowerer) keyMap(keys, values []pyast.Expr) {
	if l.v.HasConstKeyMaps() {
		l.exprs(values)
		cs, _ := l.allFolded(keys)
		l.konst(pyc.Tuple(cs))
		l.opI(opcode.BuildConstKeyMap, len(keys))
		return
	}
	for i := range keys {
		l.expr(keys[i])
		l.expr(values[i])
	}
	l.opI(opcode.BuildMap, len(keys))
}

func (l *lowerer) lambda(e *pyast.Lambda) {
	flags := l.pushDefaults(e.Args)
	u := l.enter(l.t.at[e], "<lambda>")
	u.code = &pyc.Code{Consts: []pyc.Const{pyc.None{}}}
	u.setArgs(e.Args, u.code)
	l.expr(e.Body)
	l.op(opcode.Return)
	code := l.leave()
	l.makeFunction(u, code, flags)
}
