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
	eachFile(pool, files, workers, func(_ string, code *pyc.Code) {
		one := lowered(pool, code)
		mu.Lock()
		defer mu.Unlock()
		sum.Exact += one.Exact
		sum.Missed = append(sum.Missed, one.Missed...)
		sum.Unmet += one.Unmet
	})
	return sum
}

// eachFile compiles files and calls do with each that is source of this version, in several goroutines at once.
func eachFile(pool *pyworker.Pool, files []string, workers int, do func(path string, code *pyc.Code)) {
	var wg sync.WaitGroup
	next := make(chan string)
	for range max(1, workers) {
		wg.Go(func() {
			for path := range next {
				src, err := os.ReadFile(path)
				if err != nil {
					continue
				}
				if code, err := pool.CompileBytes(src, path); err == nil {
					do(path, code)
				}
			}
		})
	}
	for _, path := range files {
		next <- path
	}
	close(next)
	wg.Wait()
}

func lowered(pool *pyworker.Pool, code *pyc.Code) (l Lowered) {
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
