package score

import (
	"os"
	"sync"

	"github.com/thuml/depyf/internal/decompile"
	"github.com/thuml/depyf/internal/equiv"
	"github.com/thuml/depyf/internal/pyc"
	"github.com/thuml/depyf/internal/pyworker"
)

// Lowered is how far the proof that needs no interpreter goes.
type Lowered struct {
	Exact  int          // code objects that recompilation calls exact
	Missed []equiv.Diff // of these, not proven without: why
	Unmet  int          // of these, not met, since the code around them is not proven
}

// RunLowered proves files in both ways.
func RunLowered(pool *pyworker.Pool, files []string, workers int) (sum Lowered) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	next := make(chan string)
	for range max(1, workers) {
		wg.Go(func() {
			for path := range next {
				one := lowered(pool, path)
				mu.Lock()
				sum.Exact += one.Exact
				sum.Missed = append(sum.Missed, one.Missed...)
				sum.Unmet += one.Unmet
				mu.Unlock()
			}
		})
	}
	for _, path := range files {
		next <- path
	}
	close(next)
	wg.Wait()
	return sum
}

func lowered(pool *pyworker.Pool, path string) (l Lowered) {
	src, err := os.ReadFile(path)
	if err != nil {
		return l
	}
	code, err := pool.CompileBytes(src, path)
	if err != nil {
		return l // not source of this version
	}
	_, want := decompile.ModuleScore(code, decompile.Options{Compile: pool.CompileFlags})
	_, got := decompile.ModuleScore(code, decompile.Options{})
	differs := map[*pyc.Code]bool{}
	for _, d := range want.Diffs {
		differs[d.Codes[0]] = true
	}
	missed := map[*pyc.Code]equiv.Diff{}
	for _, d := range got.Diffs {
		missed[d.Codes[0]] = d
	}
	for c := range want.Compared {
		if differs[c] {
			continue
		}
		l.Exact++
		if d, bad := missed[c]; bad {
			l.Missed = append(l.Missed, d)
		} else if !got.Compared[c] {
			l.Unmet++
		}
	}
	return l
}
