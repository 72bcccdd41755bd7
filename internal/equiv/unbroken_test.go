package equiv

import (
	"testing"

	"github.com/thuml/depyf/internal/pyc"
)

func TestUnbrokenLoops(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want []int
	}{
		"nothing breaks":          {"SetupLoop E; L: Jump L; PopBlock; E: LoadConst None; Return", []int{0}},
		"left by a test":          {"SetupLoop E; L: LoadFast 0; PopJumpIfFalse P; Jump L; P: PopBlock; E: LoadConst None; Return", []int{0}},
		"broken":                  {"SetupLoop E; L: LoadFast 0; PopJumpIfFalse L; BreakLoop; PopBlock; E: LoadConst None; Return", nil},
		"the inner one is broken": {"SetupLoop E; L: SetupLoop M; LoadFast 0; PopJumpIfFalse L2; BreakLoop; L2: PopBlock; M: Jump L; PopBlock; E: LoadConst None; Return", []int{0}},
		"broken within a try":     {"SetupLoop E; L: SetupFinally H; BreakLoop; PopBlock; LoadConst None; H: EndFinally; Jump L; E: LoadConst None; Return", nil},
		"only dead code breaks":   {"SetupLoop E; L: Jump L; BreakLoop; E: LoadConst None; Return", []int{0}},
		"one way has more blocks": {"LoadFast 0; PopJumpIfFalse L; SetupLoop E; L: LoadFast 0; PopJumpIfFalse L; PopBlock; E: LoadConst None; Return", nil},
		"one behind it breaks":    {"SetupLoop E; SetupLoop M; L: Jump L; PopBlock; M: BreakLoop; PopBlock; E: LoadConst None; Return", []int{0, 1}},
		"a break outside":         {"SetupLoop E; L: LoadFast 0; PopJumpIfFalse P; Jump L; P: PopBlock; E: BreakLoop", nil},
	} {
		got := unbrokenLoops(assemble(t, pyc.V37, 1, "x", c.text).Instrs)
		if len(got) != len(c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
		for _, i := range c.want {
			if !got[i] {
				t.Errorf("%s: %v, want %v", name, got, c.want)
			}
		}
	}
}
