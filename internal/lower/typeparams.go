package lower

import (
	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyast"
	"github.com/thuml/depyf/internal/pyc"
)

// genericFunction makes a function with type parameters (3.12+).
func (l *lowerer) genericFunction(f *pyast.FunctionDef) {
	if !l.v.NullAfterCallable() {
		l.op(opcode.PushNull)
	}
	flags := l.pushDefaults(f.Args)
	n := flags&1 + flags>>1&1
	if n == 2 {
		l.swap(2)
	}
	s := l.t.at[extraKey{f, "type params"}]
	u := l.enter(s, s.name)
	u.code = &pyc.Code{ArgCount: n}
	l.typeParams(f.TypeParams)
	for i := range n {
		l.opN(opcode.LoadFast, s.params[i])
	}
	l.functionBody(f, flags)
	l.swap(2)
	l.opI(opcode.Intrinsic2, opcode.IntrinsicSetFunctionTypeParams)
	l.op(opcode.Return)
	code := l.leave()
	l.makeFunction(u, code, 0)
	if n > 0 {
		l.swap(n + 1)
		if l.v.NullAfterCallable() {
			n-- // the first stands where self does
		}
		l.opI(opcode.Call, n)
		return
	}
	l.callNothing()
}

// callNothing calls the function on the stack (3.12: with a NULL below it) without arguments.
func (l *lowerer) callNothing() {
	if l.v.NullAfterCallable() {
		l.op(opcode.PushNull)
	}
	l.opI(opcode.Call, 0)
}

// typeParams makes the tuple of type parameters.
func (l *lowerer) typeParams(list []pyast.TypeParam) {
	for _, p := range list {
		var name string
		var def pyast.Expr
		switch p := p.(type) {
		case *pyast.TypeVar:
			name, def = p.Name, p.DefaultValue
			l.konst(pyc.Str(name))
			if p.Bound == nil {
				l.opI(opcode.Intrinsic1, opcode.IntrinsicTypeVar)
				break
			}
			kind := opcode.IntrinsicTypeVarWithBound
			if _, constant := l.folded(p.Bound); isTuple(p.Bound) && (l.v.FoldsLate() || !constant) {
				kind = opcode.IntrinsicTypeVarWithConstraints
			}
			l.value(extraKey{p, "bound"}, name, p.Bound)
			l.opI(opcode.Intrinsic2, kind)
		case *pyast.ParamSpec:
			name, def = p.Name, p.DefaultValue
			l.konst(pyc.Str(name))
			l.opI(opcode.Intrinsic1, opcode.IntrinsicParamSpec)
		case *pyast.TypeVarTuple:
			name, def = p.Name, p.DefaultValue
			l.konst(pyc.Str(name))
			l.opI(opcode.Intrinsic1, opcode.IntrinsicTypeVarTuple)
		}
		if def != nil {
			if s, ok := def.(*pyast.Starred); ok {
				l.valueWith(extraKey{p, "default"}, name, func() {
					l.expr(s.Value)
					l.opI(opcode.UnpackSequence, 1)
				})
			} else {
				l.value(extraKey{p, "default"}, name, def)
			}
			l.opI(opcode.Intrinsic2, opcode.IntrinsicSetTypeparamDefault)
		}
		l.opI(opcode.Copy, 1)
		l.name(name, store)
	}
	l.buildTuple(len(list))
}

// value makes the function that computes an expression when it is asked for.
func (l *lowerer) value(key extraKey, name string, e pyast.Expr) {
	l.valueWith(key, name, func() { l.expr(e) })
}

func (l *lowerer) valueWith(key extraKey, name string, push func()) {
	u := l.enter(l.t.at[key], name)
	u.code = &pyc.Code{}
	if key.what == "value" {
		u.code.Consts = []pyc.Const{pyc.None{}} // an alias's has no docstring; a bound's may have one
	}
	flags := 0
	if l.v.AnnotationsAreLazy() {
		u.code.ArgCount, u.code.PosOnlyArgCount = 1, 1
		l.checkFormat()
	}
	push()
	l.op(opcode.Return)
	code := l.leave()
	if l.v.AnnotationsAreLazy() {
		// One default: the format that computes the value.
		l.konst(pyc.Tuple{pyc.NewInt(1)})
		flags |= hasDefaults
	}
	l.makeFunction(u, code, flags)
}

// alias makes `type name = value` (3.12+).
func (l *lowerer) alias(s *pyast.TypeAlias) {
	n, ok := s.Name.(*pyast.Name)
	if !ok {
		giveUp("a type alias of %T", s.Name)
	}
	make := func() {
		l.value(extraKey{s, "value"}, n.Id, s.Value)
		l.buildTuple(3)
		l.opI(opcode.Intrinsic1, opcode.IntrinsicTypeAlias)
	}
	if len(s.TypeParams) == 0 {
		l.konst(pyc.Str(n.Id))
		l.none()
		make()
	} else {
		if !l.v.NullAfterCallable() {
			l.op(opcode.PushNull)
		}
		sc := l.t.at[extraKey{s, "type params"}]
		u := l.enter(sc, sc.name)
		u.code = &pyc.Code{}
		l.konst(pyc.Str(n.Id))
		l.typeParams(s.TypeParams)
		make()
		l.op(opcode.Return)
		code := l.leave()
		l.makeFunction(u, code, 0)
		l.callNothing()
	}
	l.name(n.Id, store)
}
