package generate

import (
	"math/rand/v2"
	"testing"

	"github.com/thuml/depyf/internal/pyc"
)

// TestProofs holds the proof by lowering to that by recompilation: it must not prove the text
// of a changed program that recompilation calls different, and of what is exact it may miss
// little.
func TestProofs(t *testing.T) {
	for v := pyc.Oldest; v <= pyc.Newest; v++ {
		t.Run(v.String(), func(t *testing.T) {
			t.Parallel()
			j, err := NewJudge(v)
			if err != nil {
				t.Skipf("NOT RUN: %v", err)
			}
			defer j.Close()
			functions := functionsOf(t, j, v)
			var sum Proofs
			for _, kind := range []Kind{KindGrammar, KindMutant, KindSkeleton, KindNest, KindSameCalls} {
				for seed := range uint64(100) {
					p := New(kind, seed, v, functions)
					other := *p
					other.Module = Changed(rand.New(rand.NewPCG(seed, 1)), v, p.Module, functions)
					j.Proofs(p, &other, &sum)
				}
			}
			if sum.Wrong > 0 || sum.Missed > 3 || sum.Exact < 250 || sum.Rejected < 200 {
				t.Errorf("of %d exact programs %d are not proven; of %d that differ %d are:\n%s",
					sum.Exact, sum.Missed, sum.Rejected, sum.Wrong, sum.Complaint)
			}
		})
	}
}
