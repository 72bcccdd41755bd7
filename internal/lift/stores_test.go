package lift

import (
	"testing"

	"github.com/thuml/depyf/internal/pyc"
)

// TestDefinedAs tells a def whose name the compiler has mangled from an assignment.
func TestDefinedAs(t *testing.T) {
	for _, c := range []struct {
		version        pyc.Version
		name, variable string
		want           bool
	}{
		{pyc.V311, "f", "f", true},
		{pyc.V312, "__m", "_D__m", true},
		{pyc.V313, "__m", "_D__m", false},
		{pyc.V312, "m", "_D_m", false},
		{pyc.V312, "__m__", "_D__m__", false},
		{pyc.V312, "__m", "D__m", false},
		{pyc.V312, "__m", "___m", false},
	} {
		m := &machine{code: &pyc.Code{Version: c.version}}
		if got := m.definedAs(c.name, c.variable); got != c.want {
			t.Errorf("%s: def %s stores to %s: %v", c.version, c.name, c.variable, got)
		}
	}
}
