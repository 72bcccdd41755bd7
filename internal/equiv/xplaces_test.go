package equiv

import (
	"testing"

	"github.com/thuml/depyf/internal/pyc"
)

// States are kept where paths may meet, and nowhere else: straight code keeps none, and
// an exception that leaves both codes is no path of its own.
func TestStatesAreKeptWherePathsMeet(t *testing.T) {
	for _, c := range []struct {
		name, text string
		kept       int
	}{
		{"straight", "LoadFast a; LoadAttr x; LoadAttr y; LoadAttr z; Return", 0},
		{"branch", "LoadFast a; PopJumpIfFalse E; LoadFast b; LoadAttr x; Return; E: LoadFast b; LoadAttr y; Return", 1},
		{"loop", "L: LoadFast a; LoadAttr x; Pop; LoadFast b; LoadAttr y; Pop; Jump L", 1},
		{"handler", "S: LoadFast a; LoadAttr x; Return; E: PushExcInfo; LoadFast b; LoadAttr y; Return; try S E E 0", 1},
	} {
		x, y := assemble(t, pyc.V312, 2, "a b", c.text), assemble(t, pyc.V312, 2, "a b", c.text)
		e := &effects{seen: map[[2]*pyc.Code]bool{}}
		if diff := e.funcs(x, y); diff != nil {
			t.Errorf("%s: %v", c.name, diff)
		}
		if len(e.table) != c.kept {
			t.Errorf("%s: %d states are kept, not %d: %v", c.name, len(e.table), c.kept, e.table)
		}
	}
}

// Two states with one stack and other blocks around them are not one.
func TestBlocksTellStatesApart(t *testing.T) {
	a := "SetupFinally H; LoadFast a; PopJumpIfFalse E; PopBlock; E: LoadFast b; LoadAttr x; Return; H: LoadFast a; Return"
	b := "SetupFinally H; LoadFast a; PopJumpIfFalse E; Nop; E: LoadFast b; LoadAttr x; Return; H: LoadFast a; Return"
	e := &effects{seen: map[[2]*pyc.Code]bool{}}
	if e.funcs(assemble(t, pyc.V310, 2, "a b", a), assemble(t, pyc.V310, 2, "a b", b)) == nil {
		t.Error("a block that is left on one path only is not noticed")
	}
}
