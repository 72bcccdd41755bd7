package lift

import (
	"testing"

	"github.com/thuml/depyf/internal/pyast"
)

// Both arms of a branch may extend the display that was begun in front of it: each makes one of its own.
func TestExtendingLeavesTheDisplay(t *testing.T) {
	for _, begun := range []pyast.Expr{
		&pyast.List{Elts: []pyast.Expr{pyast.N("a")}},
		&pyast.Set{Elts: []pyast.Expr{pyast.N("a")}},
		&pyast.Dict{Keys: []pyast.Expr{pyast.N("a")}, Values: []pyast.Expr{pyast.N("b")}},
	} {
		before := pyast.Clone(begun)
		one := tidyAdd(&pyast.Hole{Kind: pyast.ExtendedAll, Args: []pyast.Expr{begun, pyast.N("c")}})
		two := tidyAdd(&pyast.Hole{Kind: pyast.ExtendedAll, Args: []pyast.Expr{begun, pyast.N("c")}})
		if !pyast.Equal(begun, before) || !pyast.Equal(one, two) || pyast.Equal(one, before) {
			t.Errorf("%T: begun %v, extended %v and %v", begun, begun, one, two)
		}
	}
}
