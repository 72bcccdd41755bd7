package equiv

import (
	"strings"
	"testing"

	"github.com/thuml/depyf/internal/pyc"
)

// Every code object of the corpus has its own effects. Up to 3.8, try statements and,
// in 3.7, loops are not understood; that must be said, and is no verdict.
func TestEffectsSelf(t *testing.T) {
	equal, not := 0, 0
	corpus(t, func(t *testing.T, _ string, c *pyc.Code) {
		d := *c
		res := CompareEffects(c, &d, Options{})
		switch {
		case res.Equal:
			equal++
		case c.Version <= pyc.V38 && strings.Contains(res.Reason, "is not understood"):
			not++
		default:
			t.Errorf("%s: %s", c.Name, res.Diff.String())
		}
	})
	t.Logf("%d code objects equal, %d not understood", equal, not)
}

// The pairs of sources that mean the same have the same effects.
func TestEffectsPositive(t *testing.T) {
	corpusPairs(t, func(t *testing.T, name string, a, b *pyc.Code) {
		if a.Version <= pyc.V38 {
			return
		}
		res := CompareEffects(a, b, Options{})
		// A test of truth that is made once or twice is not the same effect, though
		// CPython's compiler thinks so.
		if !res.Equal {
			t.Errorf("%s: %s", name, res.Diff.String())
		}
	})
}
