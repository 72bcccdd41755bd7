package equiv

import (
	"strings"
	"testing"

	"github.com/thuml/depyf/internal/pyc"
)

// TestLooks compares functions that look at their own variables. Each pair that is
// not equal differs from an equal one by what is seen.
func TestLooks(t *testing.T) {
	const v = pyc.V313
	const fromDict = "LoadGlobal __builtins_dict__1; LoadConst 'eval'; Subscr; StoreFast x; "
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
			"passed to what runs in its own frame", v, true,
			"LoadGlobal __builtin_resume; PushNull; LoadGlobal eval; Call 1; Return",
			"LoadGlobal __builtin_resume; PushNull; LoadGlobal eval; StoreFast x; LoadFast x; Call 1; Return",
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
