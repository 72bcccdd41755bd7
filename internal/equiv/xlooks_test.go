package equiv

import (
	"slices"
	"strings"
	"testing"

	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyc"
)

// TestLooks compares functions that look at their own variables. Each pair that is
// not equal differs from an equal one by what is seen.
func TestLooks(t *testing.T) {
	const v = pyc.V313
	const fromDict = "LoadGlobal __builtins_dict__1; LoadConst 'eval'; Subscr; StoreFast x; "
	const ring = "BuildList; StoreFast x; LoadFast x; LoadFast x; ListAppend 1; Pop; "
	for _, c := range []asmCase{
		{
			"a temporary that no text names", v, true,
			"LoadGlobal g; LoadGlobal eval; PushNull; LoadConst '1+1'; Call 1; BuildTuple 2; Return",
			"LoadGlobal g; StoreFast x; LoadGlobal eval; PushNull; LoadConst '1+1'; Call 1; StoreFast b; LoadFast x; LoadFast b; BuildTuple 2; Return",
		},
		{
			"a temporary that the text names", v, false,
			"LoadGlobal g; LoadGlobal eval; PushNull; LoadConst 'x+1'; Call 1; BuildTuple 2; Return",
			"LoadGlobal g; StoreFast x; LoadGlobal eval; PushNull; LoadConst 'x+1'; Call 1; StoreFast b; LoadFast x; LoadFast b; BuildTuple 2; Return",
		},
		{
			"a variable that has its value on both sides", v, true,
			"LoadGlobal g; LoadFast a; StoreFast x; LoadGlobal eval; PushNull; LoadConst 'x+1'; Call 1; BuildTuple 2; Return",
			"LoadGlobal g; StoreFast y; LoadFast a; StoreFast x; LoadGlobal eval; PushNull; LoadConst 'x+1'; Call 1; StoreFast z; LoadFast y; LoadFast z; BuildTuple 2; Return",
		},
		{
			"and another value", v, false,
			"LoadFast a; StoreFast x; LoadGlobal eval; PushNull; LoadConst 'x+1'; Call 1; Return",
			"LoadFast b; StoreFast x; LoadGlobal eval; PushNull; LoadConst 'x+1'; Call 1; Return",
		},
		{
			"a text that is not known sees all", v, false,
			"LoadGlobal g; LoadGlobal eval; PushNull; LoadFast a; Call 1; BuildTuple 2; Return",
			"LoadGlobal g; StoreFast x; LoadGlobal eval; PushNull; LoadFast a; Call 1; StoreFast b; LoadFast x; LoadFast b; BuildTuple 2; Return",
		},
		{
			"with all the same", v, true,
			"LoadGlobal eval; PushNull; LoadFast a; Call 1; Return",
			"LoadGlobal eval; PushNull; LoadFast a; Call 1; StoreFast x; LoadFast x; Return",
		},
		{
			"a text that asks for all", v, false,
			"LoadGlobal g; LoadGlobal eval; PushNull; LoadConst 'locals()'; Call 1; BuildTuple 2; Return",
			"LoadGlobal g; StoreFast x; LoadGlobal eval; PushNull; LoadConst 'locals()'; Call 1; StoreFast b; LoadFast x; LoadFast b; BuildTuple 2; Return",
		},
		{
			"a namespace of its own", v, true,
			"LoadGlobal g; LoadGlobal eval; PushNull; LoadFast a; BuildMap; Call 2; BuildTuple 2; Return",
			"LoadGlobal g; StoreFast x; LoadGlobal eval; PushNull; LoadFast a; BuildMap; Call 2; StoreFast b; LoadFast x; LoadFast b; BuildTuple 2; Return",
		},
		{
			"None is no namespace", v, false,
			"LoadGlobal g; LoadGlobal eval; PushNull; LoadFast a; LoadConst None; Call 2; BuildTuple 2; Return",
			"LoadGlobal g; StoreFast x; LoadGlobal eval; PushNull; LoadFast a; LoadConst None; Call 2; StoreFast b; LoadFast x; LoadFast b; BuildTuple 2; Return",
		},
		{
			"locals", v, false,
			"LoadGlobal g; LoadGlobal locals; PushNull; Call 0; BuildTuple 2; Return",
			"LoadGlobal g; StoreFast x; LoadGlobal locals; PushNull; Call 0; StoreFast b; LoadFast x; LoadFast b; BuildTuple 2; Return",
		},
		{
			"vars of something else", v, true,
			"LoadGlobal g; LoadGlobal vars; PushNull; LoadFast a; Call 1; BuildTuple 2; Return",
			"LoadGlobal g; StoreFast x; LoadGlobal vars; PushNull; LoadFast a; Call 1; StoreFast b; LoadFast x; LoadFast b; BuildTuple 2; Return",
		},
		{
			"by another function", v, false,
			"LoadGlobal map; PushNull; LoadGlobal eval; LoadFast a; Call 2; Return",
			"LoadGlobal map; PushNull; LoadGlobal eval; LoadFast a; Call 2; StoreFast x; LoadFast x; Return",
		},
		{
			"from Dynamo's dict of builtins", v, false,
			"LoadGlobal __builtins_dict__1; LoadConst 'eval'; Subscr; PushNull; LoadConst 'x'; Call 1; Return",
			fromDict + "LoadFast x; PushNull; LoadConst 'x'; Call 1; Return",
		},
		{
			"that names nothing", v, true,
			"LoadGlobal __builtins_dict__1; LoadConst 'eval'; Subscr; PushNull; LoadConst '1'; Call 1; Return",
			fromDict + "LoadFast x; PushNull; LoadConst '1'; Call 1; Return",
		},
		{
			"one of two functions", v, false,
			"LoadFast a; ToBool; PopJumpIfFalse E; LoadGlobal eval; StoreFast b; Jump F; E: LoadGlobal g; StoreFast b; F: LoadGlobal g; LoadFast b; PushNull; LoadConst 'x'; Call 1; BuildTuple 2; Return",
			"LoadFast a; ToBool; PopJumpIfFalse E; LoadGlobal eval; StoreFast b; Jump F; E: LoadGlobal g; StoreFast b; F: LoadGlobal g; StoreFast x; LoadFast b; PushNull; LoadConst 'x'; Call 1; StoreFast b; LoadFast x; LoadFast b; BuildTuple 2; Return",
		},
		{
			"an unbound variable is not seen", v, true,
			"LoadGlobal g; Pop; LoadGlobal locals; PushNull; Call 0; Return",
			"LoadGlobal g; StoreFast x; DeleteFast x; LoadGlobal locals; PushNull; Call 0; Return",
		},
		{
			"a temporary that holds nothing any more", v, true,
			"LoadGlobal g; LoadGlobal h; LoadGlobal locals; PushNull; Call 0; BuildTuple 3; Return",
			"LoadGlobal g; StoreFast x; LoadFast x; LoadGlobal h; DeleteFast x; LoadGlobal locals; PushNull; Call 0; BuildTuple 3; Return",
		},
		{
			"a variable that holds something else for a while", v, true,
			"LoadGlobal g; StoreFast x; LoadGlobal locals; PushNull; LoadFast x; LoadAttr b; StoreFast y; DeleteFast x; Call 0; Return",
			"LoadFast a; LoadGlobal g; BuildTuple 2; StoreFast a; LoadGlobal locals; PushNull; LoadFast a; LoadConst 1; Subscr; LoadAttr b; StoreFast y; " +
				"LoadFast a; LoadConst 0; Subscr; StoreFast a; Call 0; Return",
		},
		{
			"and still does", v, false,
			"LoadGlobal g; StoreFast x; LoadGlobal locals; PushNull; LoadFast x; LoadAttr b; StoreFast y; DeleteFast x; Call 0; Return",
			"LoadFast a; LoadGlobal g; BuildTuple 2; StoreFast a; LoadGlobal locals; PushNull; LoadFast a; LoadConst 1; Subscr; LoadAttr b; StoreFast y; " +
				"Call 0; Return",
		},
		{
			"a variable stored before it is seen, or after", v, false,
			"LoadGlobal locals; PushNull; LoadGlobal g; StoreFast x; Call 0; Return",
			"LoadGlobal locals; PushNull; LoadGlobal g; Pop; Call 0; Return",
		},
		{
			"one that may be unbound", v, true,
			"LoadFast a; ToBool; PopJumpIfFalse E; LoadGlobal g; StoreFast x; E: LoadGlobal locals; PushNull; Call 0; Return",
			"LoadFast a; ToBool; PopJumpIfFalse E; LoadGlobal g; StoreFast x; E: LoadGlobal locals; PushNull; Call 0; StoreFast b; LoadFast b; Return",
		},
		{
			"unbound in another case", v, false,
			"LoadFast a; ToBool; PopJumpIfFalse E; LoadGlobal g; StoreFast x; E: LoadGlobal locals; PushNull; Call 0; Return",
			"LoadFast a; ToBool; PopJumpIfFalse E; LoadGlobal g; Pop; E: LoadGlobal locals; PushNull; Call 0; Return",
		},
		{
			"in nothing that holds itself", v, true,
			ring + "LoadGlobal g; PushNull; LoadFast x; Call 1; Return",
			ring + "LoadGlobal g; PushNull; LoadFast x; Call 1; StoreFast y; LoadFast y; Return",
		},
		{
			"in what holds itself", v, false,
			ring + "LoadFast x; LoadGlobal eval; ListAppend 1; Pop; LoadGlobal g; PushNull; LoadFast x; Call 1; Return",
			ring + "LoadFast x; LoadGlobal eval; ListAppend 1; Pop; LoadGlobal g; PushNull; LoadFast x; Call 1; StoreFast y; LoadFast y; Return",
		},
		{
			"passed to what runs in its own frame", v, true,
			"LoadGlobal __builtin_resume; PushNull; LoadGlobal eval; Call 1; Return",
			"LoadGlobal __builtin_resume; PushNull; LoadGlobal eval; StoreFast x; LoadFast x; Call 1; Return",
		},
		{
			"passed to a function that has been made here", v, true,
			"LoadConst code:one; MakeFunction; PushNull; LoadGlobal eval; Call 1; Return",
			"LoadGlobal eval; StoreFast x; LoadConst code:same; MakeFunction; PushNull; LoadFast x; Call 1; Return",
		},
		{
			"and to another one", v, false,
			"LoadGlobal f; PushNull; LoadGlobal eval; Call 1; Return",
			"LoadGlobal f; PushNull; LoadGlobal eval; StoreFast x; LoadFast x; Call 1; Return",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			x, y := assemble(t, c.v, 3, "a b c x y z", c.a), assemble(t, c.v, 3, "a b c x y z", c.b)
			for range 2 {
				builtin := func(name string) bool { return strings.HasPrefix(name, BuiltinPrefix) }
				e := &effects{opt: Options{StableGlobal: builtin}, seen: map[[2]*pyc.Code]bool{}}
				if diff := e.funcs(x, y); (diff == nil) != c.equal {
					t.Errorf("got %v, want equal %v", diff, c.equal)
				}
				x, y = y, x
			}
		})
	}
}

// TestLooksAtCells compares functions that look at variables of which some are
// captured.
func TestLooksAtCells(t *testing.T) {
	const (
		locals = "LoadGlobal locals; PushNull; Call 0; "
		show   = "LoadGlobal f; PushNull; LoadClosure i; Call 1; Pop; "
		enter  = "MakeCell i; LoadFast a; StoreDeref i; "
	)
	for _, c := range []asmCase{
		{"one that nobody else knows", pyc.V313, true, enter + locals + "Return", enter + "Nop; " + locals + "Return"},
		{"with another content", pyc.V313, false, enter + locals + "Return", "MakeCell i; LoadFast b; StoreDeref i; " + locals + "Return"},
		{"empty", pyc.V313, false, enter + locals + "Return", "MakeCell i; " + locals + "Return"},
		{"one that somebody knows", pyc.V313, true, enter + show + locals + "Return", enter + "Nop; " + show + locals + "Return"},
		{"on one side only", pyc.V313, false, enter + show + locals + "Return", enter + "LoadGlobal f; PushNull; LoadFast a; Call 1; Pop; " + locals + "Return"},
		{"the cell of another variable", pyc.V313, true, "MakeCell i; LoadDeref j; Pop; " + locals + "Return", "MakeCell i; LoadDeref j; Pop; Nop; " + locals + "Return"},
		{"a temporary beside it", pyc.V313, false, "MakeCell i; LoadDeref j; " + locals + "BuildTuple 2; Return", "MakeCell i; LoadDeref j; StoreFast x; " + locals + "StoreFast y; LoadFast x; LoadFast y; BuildTuple 2; Return"},
		{"stored in before it is seen, or after", pyc.V313, false, "MakeCell i; LoadFast a; StoreDeref j; " + locals + "Return", "MakeCell i; " + locals + "LoadFast a; StoreDeref j; Return"},
	} {
		t.Run(c.name, func(t *testing.T) {
			compareCapturing(t, c, "a b c x y|i|j", "a b c x y|i|j")
		})
	}
}

// TestLooksAtTwoOfOneName looks at a variable beside one of the same name that is captured: resume functions of
// Dynamo keep one that they never store. It is seen where it holds something.
func TestLooksAtTwoOfOneName(t *testing.T) {
	const look = "LoadGlobal locals; PushNull; Call 0; Return"
	for _, c := range []asmCase{
		{"never stored", pyc.V313, true, look, look},
		{"stored", pyc.V313, false, "LoadFast a; StoreFast j; " + look, "LoadFast a; Pop; " + look},
		{"by a text that names it", pyc.V313, false, "LoadGlobal eval; PushNull; LoadConst 'j'; Call 1; Return", "LoadGlobal eval; PushNull; LoadConst 'j'; Call 1; Return"},
	} {
		t.Run(c.name, func(t *testing.T) {
			compareCapturing(t, c, "a b c j||j", "a b c||j")
		})
	}
}

// compareCapturing compares both functions of a pair, whose variables are given, in both directions; each captures one.
func compareCapturing(t *testing.T, c asmCase, first, second string) {
	t.Helper()
	x, y := assemble(t, c.v, 3, first, c.a), assemble(t, c.v, 3, second, c.b)
	for _, f := range []*bytecode.Func{x, y} {
		f.Instrs = slices.Insert(f.Instrs, 0, bytecode.Instr{Op: opcode.CopyFreeVars, Arg: 1, Target: -1, Pos: bytecode.NoPos})
	}
	for range 2 {
		e := &effects{seen: map[[2]*pyc.Code]bool{}}
		if diff := e.funcs(x, y); (diff == nil) != c.equal {
			t.Errorf("got %v, want equal %v", diff, c.equal)
		}
		x, y = y, x
	}
}
