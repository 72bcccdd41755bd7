package lift

import (
	"slices"
	"strings"

	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyast"
	"github.com/thuml/depyf/internal/pyc"
)

// Generic functions, classes and type aliases (PEP 695 and 696). The compiler
// wraps them in a function that makes the type parameters and is called at once:
//
//	def f[T: int](x: T): …
//
//	<generic parameters of f>:
//	    'T'; <function T returning int>; INTRINSIC_TYPEVAR_WITH_BOUND
//	    COPY 1; STORE_FAST T; BUILD_TUPLE 1
//	    … MAKE_FUNCTION f; SWAP 2; INTRINSIC_SET_FUNCTION_TYPE_PARAMS
//	    RETURN_VALUE
//
// The lifter executes the wrapper in place of the call and takes the function,
// class or alias that it returns, with its parameters attached.

// GenericPrefix starts the name of such a wrapper.
const GenericPrefix = "<generic parameters of "

// Alias is a type alias under construction.
type Alias struct {
	Name   string
	Params []pyast.TypeParam
	Value  pyast.Expr
}

// isGeneric reports whether fn wraps type parameters.
func isGeneric(fn *Func) bool { return strings.HasPrefix(fn.Code.Name, GenericPrefix) }

// hiddenName reports whether a variable belongs to the compiler's wrapper.
func hiddenName(name string) bool {
	switch name {
	case ".defaults", ".kwdefaults", ".type_params", ".generic_base":
		return true
	}
	return false
}

// loadHidden pushes a variable of the wrapper.
func (m *machine) loadHidden(name string) {
	if name == ".type_params" && m.g.params != nil {
		m.push(m.g.params)
		return
	}
	if name == ".defaults" || name == ".kwdefaults" {
		m.push(&Value{Kind: KHidden, Attr: name})
		return
	}
	m.pushE(pyast.N(name))
}

// storeHidden stores a variable of the wrapper.
func (m *machine) storeHidden(name string, v *Value) {
	if name == ".type_params" {
		m.g.params = v
	}
}

// callGeneric replaces the call of a wrapper by what it returns.
func (m *machine) callGeneric(fn *Func, args []*Value) {
	v, err := m.g.Host.Generic(fn)
	if err != nil {
		panic(liftError{err.Error()})
	}
	// The names of the parameters do not tell: the compiler declares one for positional
	// defaults wherever the function could have some.
	names := fn.Code.VarNames()
	for i, a := range args {
		if i >= len(names) || v.Kind != KFunc {
			m.fail("arguments for type parameters")
		}
		if v.Fn().Stub {
			break // it never uses them
		}
		k := slices.IndexFunc(v.Fn().fromCaller, func(f attrFrom) bool { return f.name == names[i] })
		if k < 0 {
			m.fail("an argument %s of type parameters", names[i])
		}
		m.functionAttr(v.Fn(), v.Fn().fromCaller[k].bit, a)
	}
	v.seq = 0
	m.push(v)
}

// opIntrinsic executes the intrinsics of generic functions, classes and type
// aliases.
func (m *machine) opIntrinsic() {
	in := m.in
	switch in.Arg {
	case opcode.IntrinsicTypeVar:
		m.pushParam(&pyast.TypeVar{Name: m.constStr(m.pop())})
	case opcode.IntrinsicParamSpec:
		m.pushParam(&pyast.ParamSpec{Name: m.constStr(m.pop())})
	case opcode.IntrinsicTypeVarTuple:
		m.pushParam(&pyast.TypeVarTuple{Name: m.constStr(m.pop())})
	case opcode.IntrinsicTypeVarWithBound, opcode.IntrinsicTypeVarWithConstraints:
		bound := m.lazy(m.pop())
		m.pushParam(&pyast.TypeVar{Name: m.constStr(m.pop()), Bound: bound})
	case opcode.IntrinsicSetTypeparamDefault:
		e := m.lazy(m.pop())
		v := m.peek(1)
		if v.Kind != KParams || len(v.Params()) != 1 {
			m.fail("a default for no type parameter")
		}
		switch p := v.Params()[0].(type) {
		case *pyast.TypeVar:
			p.DefaultValue = e
		case *pyast.ParamSpec:
			p.DefaultValue = e
		case *pyast.TypeVarTuple:
			p.DefaultValue = e
		}
	case opcode.IntrinsicSubscriptGeneric:
		m.pop()
		m.pushE(pyast.N(".generic_base"))
	case opcode.IntrinsicSetFunctionTypeParams:
		p, f := m.pop(), m.pop()
		if p.Kind != KParams || f.Kind != KFunc {
			m.fail("type parameters for no function")
		}
		f.Fn().TypeParams = p.Params()
		m.push(f)
	case opcode.IntrinsicTypeAlias:
		v := m.pop()
		if v.Kind != KAlias {
			m.fail("a type alias of an unknown shape")
		}
		m.push(v)
	default:
		m.fail("an unknown intrinsic")
	}
}

func (m *machine) pushParam(p pyast.TypeParam) {
	m.push(&Value{Kind: KParams, special: &special{params: []pyast.TypeParam{p}}})
}

func (m *machine) constStr(v *Value) string {
	if c, ok := v.E.(*pyast.Constant); ok {
		if s, ok := c.Value.(pyc.Str); ok {
			return string(s)
		}
	}
	m.fail("a constant string is expected")
	return ""
}

// lazy reads a function that computes a bound, default or alias when asked.
func (m *machine) lazy(v *Value) pyast.Expr {
	if v.Kind != KFunc {
		m.fail("a lazily evaluated expression is no function")
	}
	e, err := m.g.Host.Lazy(v.Fn())
	if err != nil {
		panic(liftError{err.Error()})
	}
	return e
}

// paramTuple executes BUILD_TUPLE for type parameters and type aliases.
func (m *machine) paramTuple() bool {
	n := m.in.Arg
	if n == 0 || n > len(m.stack) {
		return false
	}
	vals := m.stack[len(m.stack)-n:]
	if n == 3 && len(m.rest) > 0 && m.rest[0].Op == opcode.Intrinsic1 && m.rest[0].Arg == opcode.IntrinsicTypeAlias {
		a := &Alias{Name: m.constStr(vals[0]), Params: vals[1].Params(), Value: m.lazy(vals[2])}
		m.stack = m.stack[:len(m.stack)-n]
		m.push(&Value{Kind: KAlias, special: &special{alias: a}})
		return true
	}
	var all []pyast.TypeParam
	for _, v := range vals {
		if v.Kind != KParams {
			return false
		}
		all = append(all, v.Params()...)
	}
	m.stack = m.stack[:len(m.stack)-n]
	m.push(&Value{Kind: KParams, special: &special{params: all}})
	return true
}

// isGenericBase reports whether e is the hidden base of a generic class.
func isGenericBase(e pyast.Expr) bool {
	n, ok := e.(*pyast.Name)
	return ok && n.Id == ".generic_base"
}
