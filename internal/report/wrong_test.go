package report

import (
	"testing"

	"github.com/thuml/depyf/internal/explain"
)

// What a result shares its memory with is told in words.
func TestSharedMemoryInWords(t *testing.T) {
	for want, m := range map[string]explain.Measure{
		"in eager, output 0 has memory of its own; when compiled, it has the memory of input `l_x_`": {CompiledShares: []string{"l_x_"}},
		"in eager, output 0 has the memory of output 1; when compiled, it has memory of its own":     {Shares: []string{"output 1"}},
	} {
		m.Result, m.Name = "memory", "output 0"
		if got := measureText(m); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}
