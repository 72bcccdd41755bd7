package equiv

import (
	"testing"

	"github.com/thuml/depyf/internal/pyc"
)

// What a dispatch loop does with its variable is no effect, and says where it goes on;
// what else might call a method of the program's is one.
func TestDispatchIsFollowed(t *testing.T) {
	const straight = "LoadFast a; LoadAttr x; LoadAttr y; Return"
	for _, c := range []struct {
		name  string
		equal bool
		a, b  string
	}{
		{
			"two arms", true, straight,
			"LoadConst 0; StoreFast s; LoadFast a; LoadAttr x; StoreFast v; L: LoadFast s; LoadConst 0; Compare 2; PopJumpIfFalse E; LoadConst 1; StoreFast s; Jump L; E: LoadFast v; LoadAttr y; Return",
		},
		{
			"the wrong arm", false, straight,
			"LoadConst 0; StoreFast s; LoadFast a; LoadAttr x; StoreFast v; LoadFast s; LoadConst 0; Compare 2; PopJumpIfFalse E; LoadFast v; LoadAttr z; Return; E: LoadFast v; LoadAttr y; Return",
		},
		{"an argument may have a comparison of its own", false, "LoadFast a; Return", "LoadFast a; LoadConst 1; Compare 2; PopJumpIfFalse E; LoadFast a; Return; E: LoadFast a; Return"},
		{
			"raise in a handler", true,
			"S: LoadFast a; LoadAttr x; Return; E: PushExcInfo; LoadFast b; LoadAttr y; Pop; Reraise; try S E E 0",
			"S: LoadFast a; LoadAttr x; Return; E: PushExcInfo; LoadFast b; LoadAttr y; Pop; Raise; try S E E 0",
		},
		{"raise without one", false, "LoadFast a; Raise 1", "Raise"},
		{
			"raise of what the caller handles", false,
			"S: LoadFast a; LoadAttr x; Return; E: PushExcInfo; Reraise; try S E E 0",
			"S: LoadFast a; LoadAttr x; Return; E: PushExcInfo; Pop; PopExcept; Raise; try S E E 0",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			x, y := assemble(t, pyc.V312, 2, "a b s v", c.a), assemble(t, pyc.V312, 2, "a b s v", c.b)
			e := &effects{seen: map[[2]*pyc.Code]bool{}}
			if diff := e.funcs(x, y); (diff == nil) != c.equal {
				t.Errorf("got %v, want equal %v", diff, c.equal)
			}
		})
	}
}
