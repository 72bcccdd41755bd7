package equiv

import (
	"math/rand/v2"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/thuml/depyf/internal/pyc"
)

// TestGarbage compares code of which a few bytes are random: nothing may panic or
// take long, whatever the answer. With DEPYF_THOROUGH set it goes on for a while.
func TestGarbage(t *testing.T) {
	rounds := 1
	if os.Getenv("DEPYF_THOROUGH") != "" {
		rounds = 200
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range rounds {
		corpus(t, func(t *testing.T, file string, c *pyc.Code) {
			if len(c.Bytecode) == 0 {
				return
			}
			m := *c
			m.Bytecode = slices.Clone(c.Bytecode)
			for range 1 + r.IntN(8) {
				m.Bytecode[r.IntN(len(m.Bytecode))] = byte(r.IntN(256))
			}
			if len(m.ExceptionTable) > 0 && r.IntN(3) == 0 {
				m.ExceptionTable = slices.Clone(c.ExceptionTable)
				m.ExceptionTable[r.IntN(len(m.ExceptionTable))] ^= byte(1 << r.IntN(6))
			}
			start := time.Now()
			Compare(c, &m, Options{})
			Compare(&m, c, Options{All: true})
			n := m
			Compare(&m, &n, Options{})
			CompareEffects(c, &m, Options{OpaqueNames: true})
			CompareEffects(&m, &n, Options{})
			if d := time.Since(start); d > 20*time.Second {
				t.Errorf("%s %s took %v: %x", file, c.Name, d, m.Bytecode)
			}
		})
	}
}
