package equiv

import (
	"testing"

	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/pyc"
)

// A shuffle that runs into a protected body, or begins in one, does not hide what its handler does.
func TestShuffleAndHandlers(t *testing.T) {
	const (
		swapped = "LoadConst 1; LoadConst 2; Swap 2; StoreFast x; StoreFast y; "
		plain   = "LoadConst 1; LoadConst 2; StoreFast y; StoreFast x; "
		after   = "LoadConst 3; StoreFast z; "
		handler = "E: LoadFast a; Return; H: PushExcInfo; Pop; PopExcept; LoadGlobal "
	)
	for _, c := range []struct {
		name string
		want bool
		a, b string
	}{
		{"into a body", true, swapped + "B: " + after + handler + "p; Return", plain + "B: " + after + handler + "p; Return"},
		{"another handler", false, swapped + "B: " + after + handler + "p; Return", plain + "B: " + after + handler + "q; Return"},
		{"in a body", true, "B: " + swapped + after + handler + "p; Return", "B: " + plain + after + handler + "p; Return"},
		{"in a body with another handler", false, "B: " + swapped + after + handler + "p; Return", "B: " + plain + after + handler + "q; Return"},
		{"a border drawn earlier", true, "LoadConst 1; LoadConst 2; Swap 2; StoreFast x; B: StoreFast y; " + after + handler + "p; Return", plain + "B: " + after + handler + "p; Return"},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := assemble(t, pyc.V314, 1, "a x y z", c.a+"\ntry B E H 0")
			b := assemble(t, pyc.V314, 1, "a x y z", c.b+"\ntry B E H 0")
			a.Code.Bytecode, b.Code.Bytecode = []byte(c.a), []byte(c.b) // never read, and not each other's
			got := Compare(a.Code, b.Code, Options{Lowered: map[*pyc.Code]*bytecode.Func{a.Code: a, b.Code: b}})
			if got.Equal != c.want {
				t.Errorf("equal is %v: %s", got.Equal, got.Diff.String())
			}
		})
	}
}
