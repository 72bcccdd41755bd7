package score

import (
	"sync"

	"github.com/thuml/depyf/internal/decompile"
	"github.com/thuml/depyf/internal/pyc"
	"github.com/thuml/depyf/internal/pyworker"
)

// Alone is what comes of functions without the module around them, as
// depyf.decompile(fn) is given them.
type Alone struct {
	Verdicts map[decompile.Verdict]int
	Unproven []Unproven
}

// Unproven is a function whose text is not proven.
type Unproven struct {
	Path, Name string // file, and names of the code objects around it
	Detail     string
}

// RunAlone decompiles every function of files for itself: lambdas, generator
// expressions and what the compiler makes of annotations as well.
func RunAlone(pool *pyworker.Pool, files []string, workers int) Alone {
	sum := Alone{Verdicts: map[decompile.Verdict]int{}}
	var mu sync.Mutex
	eachFile(pool, files, workers, func(path string, code *pyc.Code) {
		alone(code, "", func(c *pyc.Code, name string) {
			r, err := decompile.Func(c, decompile.Options{Compile: pool.CompileFlags})
			mu.Lock()
			defer mu.Unlock()
			switch {
			case err != nil:
				sum.Verdicts[decompile.Partial]++
				sum.Unproven = append(sum.Unproven, Unproven{path, name, err.Error()})
			default:
				sum.Verdicts[r.Verdict]++
				if !r.Verdict.Proven() {
					sum.Unproven = append(sum.Unproven, Unproven{path, name, r.Detail})
				}
			}
		})
	})
	return sum
}

// alone calls do for each function in c.
func alone(c *pyc.Code, name string, do func(*pyc.Code, string)) {
	if c.IsFunction() {
		do(c, name)
	}
	for _, k := range c.Consts {
		if inner, ok := k.(*pyc.Code); ok {
			alone(inner, name+"."+inner.Name, do)
		}
	}
}
