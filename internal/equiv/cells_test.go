package equiv

import (
	"testing"

	"github.com/thuml/depyf/internal/pyc"
)

// TestCellSlots compares codes that save a captured variable around an inlined
// comprehension whose own variable of that name is captured too.
func TestCellSlots(t *testing.T) {
	const (
		enter = "MakeCell i; LoadFast a; StoreDeref i; "
		comp  = "LoadFastAndClear i; MakeCell i; LoadFast b; StoreDeref i; "
		show  = "LoadGlobal f; PushNull; LoadClosure i; Call 1; Pop; "
		leave = "StoreFast i; "
		read  = "LoadDeref i; "
	)
	const loop = "LoadFast c; GetIter; H: ForIter E; StoreDeref i; LoadGlobal f; PushNull; LoadClosure i; Call 1; Pop; Jump H; E: LoadDeref i; Pop; LoadFast a; Return"
	for _, c := range []asmCase{
		{"a cell that is loaded and dropped", pyc.V313, true, enter + comp + show + leave + read + "Return", "MakeCell i; LoadClosure i; Pop; LoadFast a; StoreDeref i; " + comp + show + leave + read + "Return"},
		{"kept in another variable meanwhile", pyc.V313, true, enter + comp + show + leave + read + "Return", enter + "LoadFastAndClear i; StoreFast x; MakeCell i; LoadFast b; StoreDeref i; " + show + "LoadFast x; StoreFast i; LoadDeref i; Return"},
		{"a cell that nobody else sees is a variable", pyc.V313, true, enter + "LoadDeref i; LoadClosure i; Pop; Return", "MakeCell i; LoadFast a; Return"},
		{"one that somebody sees is none", pyc.V313, false, enter + show + "LoadDeref i; Return", enter + show + "LoadFast a; Return"},
		{"written before it is seen, or after", pyc.V313, false, enter + show + "LoadConst None; Return", "MakeCell i; " + show + "LoadFast a; StoreDeref i; LoadConst None; Return"},
		{"another content is seen", pyc.V313, false, enter + show + "LoadConst None; Return", "MakeCell i; LoadFast b; StoreDeref i; " + show + "LoadConst None; Return"},
		{"read by the attribute", pyc.V313, true, enter + "LoadClosure i; LoadAttr cell_contents; Return", enter + "LoadDeref i; Return"},
		{"written by the attribute", pyc.V313, true, "MakeCell i; LoadFast a; LoadClosure i; StoreAttr cell_contents; " + show + "LoadConst None; Return", enter + show + "LoadConst None; Return"},
		{"empty by the attribute", pyc.V313, false, "MakeCell i; LoadClosure i; LoadAttr cell_contents; Return", "MakeCell i; LoadDeref i; Return"},
		{"emptied", pyc.V313, false, enter + "DeleteDeref i; LoadDeref i; Return", enter + "LoadDeref i; Return"},
		{"seen in a loop", pyc.V313, true, enter + loop, enter + "LoadDeref i; Pop; " + loop},
		{"written in the loop in another place", pyc.V313, false, enter + loop, enter + "LoadFast c; GetIter; H: ForIter E; Pop; LoadGlobal f; PushNull; LoadClosure i; Call 1; StoreDeref i; Jump H; E: LoadDeref i; Pop; LoadFast a; Return"},
		{"never given back", pyc.V313, false, enter + comp + show + leave + read + "Return", enter + comp + show + "Pop; " + read + "Return"},
		{"read before it is given back", pyc.V313, false, enter + comp + show + leave + read + "Return", enter + comp + show + read + "Swap 2; " + leave + "Return"},
		{"the cell of before is shown", pyc.V313, false, enter + comp + show + leave + read + "Return", enter + show + comp + leave + read + "Return"},
		{"no cell of its own", pyc.V313, false, enter + comp + show + leave + read + "Return", enter + "LoadFastAndClear i; Copy 1; StoreFast i; LoadFast b; StoreDeref i; " + show + leave + read + "Return"},
		{"stored into the cell of before", pyc.V313, false, enter + comp + show + leave + read + "Return", enter + "LoadFast b; StoreDeref i; LoadFastAndClear i; MakeCell i; " + show + leave + read + "Return"},
	} {
		t.Run(c.name, func(t *testing.T) {
			x, y := assemble(t, c.v, 3, "a b c x|i", c.a), assemble(t, c.v, 3, "a b c x|i", c.b)
			for range 2 {
				e := &effects{seen: map[[2]*pyc.Code]bool{}}
				if diff := e.funcs(x, y); (diff == nil) != c.equal {
					t.Errorf("got %v, want equal %v", diff, c.equal)
				}
				x, y = y, x
			}
		})
	}
}
