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
		show  = "LoadClosure i; StoreFast x; LoadFast x; LoadAttr cell_contents; Pop; "
		leave = "StoreFast i; "
		read  = "LoadDeref i; "
	)
	for _, c := range []asmCase{
		{"a cell that is loaded and dropped", pyc.V313, true, enter + comp + show + leave + read + "Return", "MakeCell i; LoadClosure i; Pop; LoadFast a; StoreDeref i; " + comp + show + leave + read + "Return"},
		{"kept in another variable meanwhile", pyc.V313, true, enter + comp + show + leave + read + "Return", enter + "LoadFastAndClear i; StoreFast x; MakeCell i; LoadFast b; StoreDeref i; LoadClosure i; LoadAttr cell_contents; Pop; LoadFast x; StoreFast i; LoadDeref i; Return"},
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
