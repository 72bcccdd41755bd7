package equiv

import (
	"testing"

	"github.com/thuml/depyf/internal/pyc"
)

// One copy of a finally clause serves every way out of its body (until 3.8). The proof
// follows it once for each way, and tells them apart.
func TestSharedFinally(t *testing.T) {
	const (
		// try: return a.x; finally: b.y
		returns38 = "SetupFinally H; LoadFast a; LoadAttr x; PopBlock; CallFinally H; Return; H: LoadFast b; LoadAttr y; Pop; EndFinally; LoadConst None; Return"
		returns37 = "SetupFinally H; LoadFast a; LoadAttr x; Return; H: LoadFast b; LoadAttr y; Pop; EndFinally; LoadConst None; Return"
		// while a.x: try: break; finally: b.y
		breaks37 = "SetupLoop E; L: LoadFast a; LoadAttr x; PopJumpIfFalse P; SetupFinally H; BreakLoop; H: LoadFast b; LoadAttr y; Pop; EndFinally; Jump L; P: PopBlock; E: LoadConst None; Return"
	)
	for _, c := range []struct {
		name  string
		v     pyc.Version
		equal bool
		a, b  string
	}{
		{"return", pyc.V38, true, returns38, returns38},
		{"return of 3.7", pyc.V37, true, returns37, returns37},
		{"break of 3.7", pyc.V37, true, breaks37, breaks37},
		{
			"the clause written twice", pyc.V38, true, returns38,
			"SetupFinally H; LoadFast a; LoadAttr x; PopBlock; LoadFast b; LoadAttr y; Pop; Return; H: LoadFast b; LoadAttr y; Pop; EndFinally; LoadConst None; Return",
		},
		{
			"the value is lost", pyc.V38, false, returns38,
			"SetupFinally H; LoadFast a; LoadAttr x; Pop; PopBlock; BeginFinally; H: LoadFast b; LoadAttr y; Pop; EndFinally; LoadConst None; Return",
		},
		{
			"another value", pyc.V37, false, returns37,
			"SetupFinally H; LoadFast a; LoadAttr x; Pop; LoadFast a; Return; H: LoadFast b; LoadAttr y; Pop; EndFinally; LoadConst None; Return",
		},
		{
			"the clause is left out on one way", pyc.V38, false, returns38,
			"SetupFinally H; LoadFast a; LoadAttr x; PopBlock; Return; H: LoadFast b; LoadAttr y; Pop; EndFinally; LoadConst None; Return",
		},
		{
			"continue for break", pyc.V37, false, breaks37,
			"SetupLoop E; L: LoadFast a; LoadAttr x; PopJumpIfFalse P; SetupFinally H; ContinueLoop L; H: LoadFast b; LoadAttr y; Pop; EndFinally; Jump L; P: PopBlock; E: LoadConst None; Return",
		},
		{
			"the exception is swallowed", pyc.V38, false, returns38,
			"SetupFinally H; LoadFast a; LoadAttr x; PopBlock; CallFinally H; Return; H: LoadFast b; LoadAttr y; Pop; PopFinally; LoadConst None; Return",
		},
		{
			"an exception swallowed by __exit__ or not", pyc.V38, false,
			"LoadFast a; SetupWith H; Pop; LoadFast b; LoadAttr y; Pop; PopBlock; BeginFinally; H: WithCleanupStart; WithCleanupFinish; EndFinally; LoadFast a; Return",
			"LoadFast a; SetupWith H; Pop; LoadFast b; LoadAttr y; Pop; PopBlock; BeginFinally; H: WithCleanupStart; Pop; Pop; EndFinally; LoadFast a; Return",
		},
		{
			"a with statement", pyc.V38, true,
			"LoadFast a; SetupWith H; Pop; LoadFast b; LoadAttr y; Pop; PopBlock; BeginFinally; H: WithCleanupStart; WithCleanupFinish; EndFinally; LoadFast a; Return",
			"LoadFast a; SetupWith H; StoreFast s; LoadFast b; LoadAttr y; Pop; PopBlock; BeginFinally; H: WithCleanupStart; WithCleanupFinish; EndFinally; LoadFast a; Return",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			x, y := assemble(t, c.v, 2, "a b s v", c.a), assemble(t, c.v, 2, "a b s v", c.b)
			e := &effects{seen: map[[2]*pyc.Code]bool{}}
			if diff := e.funcs(x, y); (diff == nil) != c.equal {
				t.Errorf("got %v, want equal %v", diff, c.equal)
			}
		})
	}
}
