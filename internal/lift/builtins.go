package lift

import (
	"github.com/thuml/depyf/internal/cfg"
	"github.com/thuml/depyf/internal/pyast"
	"github.com/thuml/depyf/internal/pyc"
)

// builtin names a built-in function that the source calls where the bytecode has
// an instruction or a constant. In Dynamo's code it is a name of its own, which
// means the built-in function whatever the module calls so.
func (m *machine) builtin(name string) pyast.Expr {
	if m.b.Src.Handmade || m.g.dynamo {
		name = cfg.BuiltinPrefix + name
	}
	return pyast.N(name)
}

// constant spells a constant. Compilers keep no slices but in subscripts, and
// frozensets only to test against; Dynamo passes them on.
func (m *machine) constant(c pyc.Const) pyast.Expr {
	if !m.b.Src.Handmade {
		return pyast.Const(c)
	}
	switch c := c.(type) {
	case pyc.Slice:
		return &pyast.Slice{Lower: m.bound(c.Start), Upper: m.bound(c.Stop), Step: m.bound(c.Step)}
	case pyc.FrozenSet:
		if len(c) == 0 {
			return pyast.CallE(m.builtin("frozenset"))
		}
		return pyast.CallE(m.builtin("frozenset"), pyast.Const(pyc.Tuple(c)))
	case pyc.Tuple:
		if !callsBuiltin(c) {
			break
		}
		t := &pyast.Tuple{}
		for _, x := range c {
			t.Elts = append(t.Elts, m.constant(x))
		}
		return t
	}
	return pyast.Const(c)
}

// callsBuiltin reports whether a constant needs a built-in function to be spelled.
func callsBuiltin(c pyc.Const) bool {
	switch c := c.(type) {
	case pyc.Slice, pyc.FrozenSet:
		return true
	case pyc.Tuple:
		for _, x := range c {
			if callsBuiltin(x) {
				return true
			}
		}
	}
	return false
}

func (m *machine) bound(c pyc.Const) pyast.Expr {
	if _, none := c.(pyc.None); none || c == nil {
		return nil
	}
	return m.constant(c)
}

// AssertsByName reports whether a global is the AssertionError that an assert statement in
// the body of a module or class loads (≤3.8): what the source names there is no LOAD_GLOBAL.
func AssertsByName(code *pyc.Code, global string) bool {
	return global == "AssertionError" && !code.Version.HasAssertionOp() && !code.IsFunction()
}

// noLiteral spells a constant that was none to the compiler when it looked for literals.
func (m *machine) noLiteral(e pyast.Expr) pyast.Expr {
	c, ok := e.(*pyast.Constant)
	if !ok {
		return e
	}
	switch x := c.Value.(type) {
	case pyc.Str:
		if x == "" {
			return pyast.Choice(c) // f"" is BUILD_STRING 0
		}
		return &pyast.JoinedStr{Pos: c.Pos, Values: []pyast.Expr{c}}
	case pyc.Tuple:
		if m.code.Version.HasSliceConstants() {
			return e // is folded late itself
		}
	}
	if m.code.Version.HasSliceConstants() && pyc.Signed(c.Value) {
		return e
	}
	return pyast.Choice(c)
}
