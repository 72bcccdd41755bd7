package equiv

import (
	"strings"
	"testing"

	"github.com/thuml/depyf/internal/pyc"
)

func TestUntakenEdges(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want []int
	}{
		"nothing breaks":                                  {"SetupLoop E; L: Jump L; PopBlock; E: LoadConst None; Return", []int{0}},
		"left by a test":                                  {"SetupLoop E; L: LoadFast 0; PopJumpIfFalse P; Jump L; P: PopBlock; E: LoadConst None; Return", []int{0}},
		"broken":                                          {"SetupLoop E; L: LoadFast 0; PopJumpIfFalse L; BreakLoop; PopBlock; E: LoadConst None; Return", nil},
		"the inner one is broken":                         {"SetupLoop E; L: SetupLoop M; LoadFast 0; PopJumpIfFalse L2; BreakLoop; L2: PopBlock; M: Jump L; PopBlock; E: LoadConst None; Return", []int{0}},
		"broken within a try":                             {"SetupLoop E; L: SetupFinally H; BreakLoop; PopBlock; LoadConst None; H: EndFinally; Jump L; E: LoadConst None; Return", []int{5}},
		"only dead code breaks":                           {"SetupLoop E; L: Jump L; BreakLoop; E: LoadConst None; Return", []int{0}},
		"one way has more blocks":                         {"LoadFast 0; PopJumpIfFalse L; SetupLoop E; L: LoadFast 0; PopJumpIfFalse L; PopBlock; E: LoadConst None; Return", nil},
		"one behind it breaks":                            {"SetupLoop E; SetupLoop M; L: Jump L; PopBlock; M: BreakLoop; PopBlock; E: LoadConst None; Return", []int{0, 1}},
		"a break outside":                                 {"SetupLoop E; L: LoadFast 0; PopJumpIfFalse P; Jump L; P: PopBlock; E: BreakLoop", nil},
		"a finally clause that is entered normally":       {"SetupFinally H; LoadFast 0; Pop; PopBlock; BeginFinally; H: EndFinally; LoadConst None; Return", nil},
		"a finally clause that only exceptions enter":     {"SetupFinally H; LoadFast 0; Raise 1; PopBlock; BeginFinally; H: EndFinally; LoadConst None; Return", []int{5}},
		"a finally clause that is called":                 {"SetupFinally H; LoadFast 0; PopBlock; CallFinally H; Return; BeginFinally; H: EndFinally; LoadConst None; Return", []int{6}},
		"a finally clause that a None enters":             {"SetupFinally H; LoadFast 0; Pop; PopBlock; LoadConst None; H: EndFinally; LoadConst None; Return", nil},
		"a None that enters no finally clause":            {"SetupFinally H; LoadConst None; Raise 1; H: EndFinally; LoadConst None; Return", []int{3}},
		"except clauses":                                  {"SetupExcept H; LoadFast 0; Pop; PopBlock; Jump E; H: Copy 1; LoadGlobal E; ExcMatch; PopJumpIfFalse F; Pop; Pop; Pop; PopExcept; Jump E; F: EndFinally; E: LoadConst None; Return", []int{14}},
		"a with statement that may swallow the exception": {"LoadFast 0; SetupWith H; Raise 0; PopBlock; BeginFinally; H: WithCleanupStart; WithCleanupFinish; EndFinally; LoadConst None; Return", nil},
		"a finally clause within another":                 {"SetupFinally H; LoadFast 0; Raise 1; H: SetupFinally I; LoadFast 0; Pop; PopBlock; BeginFinally; I: EndFinally; EndFinally; LoadConst None; Return", []int{9}},
	} {
		version := pyc.V37
		if strings.Contains(c.text, "BeginFinally") {
			version = pyc.V38
		}
		got := untakenEdges(assemble(t, version, 1, "x", c.text))
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
