// Package score measures the decompiler on whole source trees: it compiles
// every file with one CPython, decompiles the code objects, recompiles the
// result and counts how many are exact.
package score

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"sync"

	"github.com/thuml/depyf/internal/decompile"
	"github.com/thuml/depyf/internal/pyc"
	"github.com/thuml/depyf/internal/pyworker"
)

// File is the outcome for one source file.
type File struct {
	Path     string
	Total    int      // code objects
	Failing  []string // paths of the code objects that are not exact
	Reasons  []string // parallel to Failing
	Problem  string   // why the file as a whole could not be judged
	Refused  bool     // the text does not compile
	Stubs    int      // code objects written as stubs
	Repaired []string // of Failing: proven after all when decompiled alone, by either way of lifting

	Functions int        // with Options.Trees
	Differ    []TreeDiff // functions whose tree is another
}

// Options of Run.
type Options struct {
	Workers int  // how many files at a time: as many as the pool has
	Trees   bool // also compare syntax trees
}

// Files lists the Python sources below root, sorted. skip names folders that
// are left out, such as a library's own tests.
func Files(root string, skip map[string]bool) ([]string, error) {
	var out []string
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && p != root && skip[d.Name()] {
			return filepath.SkipDir
		}
		if !d.IsDir() && strings.HasSuffix(p, ".py") {
			out = append(out, p)
		}
		return nil
	})
	sort.Strings(out)
	return out, err
}

// Run scores the files.
func Run(pool *pyworker.Pool, root string, files []string, opt Options) []File {
	out := make([]File, len(files))
	var wg sync.WaitGroup
	next := make(chan int)
	for range max(1, opt.Workers) {
		wg.Go(func() {
			var trees *Trees
			if opt.Trees {
				var err error
				if trees, err = NewTrees(pool.Path()); err == nil {
					defer trees.Close()
				}
			}
			for i := range next {
				out[i] = one(pool, root, files[i], trees)
			}
		})
	}
	for i := range files {
		next <- i
	}
	close(next)
	wg.Wait()
	return out
}

func one(pool *pyworker.Pool, root, path string, trees *Trees) (f File) {
	rel, err := filepath.Rel(root, path)
	if err != nil {
		rel = path
	}
	f.Path = filepath.ToSlash(rel)
	defer func() {
		if r := recover(); r != nil {
			f.Problem = fmt.Sprintf("panic: %v", r)
		}
	}()
	src, err := os.ReadFile(path)
	if err != nil {
		f.Problem = err.Error()
		return f
	}
	code, err := pool.CompileBytes(src, path)
	if err != nil {
		return f // not source of this version
	}
	f.Total = len(code.All())
	r, res := decompile.ModuleScore(code, decompile.Options{Compile: pool.CompileFlags})
	if trees != nil {
		if f.Functions, f.Differ, err = trees.Compare(src, r.Source); err != nil {
			f.Problem = err.Error()
		}
	}
	if r.Verdict == decompile.Exact {
		return f
	}
	for _, o := range r.Objects {
		if o.Verdict == decompile.Partial {
			f.Stubs++
		}
	}
	f.Refused = len(res.Compared) == 0 && strings.Contains(r.Detail, "does not compile")
	if len(res.Compared) == 0 {
		f.Problem = r.Detail
		f.Failing = paths(code, "<module>", nil)
		for range f.Failing {
			f.Reasons = append(f.Reasons, r.Detail)
		}
		return f
	}
	for _, d := range res.Diffs {
		if repaired(d.Codes[0], pool) {
			f.Repaired = append(f.Repaired, d.Path)
		}
		f.Failing = append(f.Failing, d.Path)
		f.Reasons = append(f.Reasons, d.Reason)
	}
	if len(f.Failing) == 0 {
		f.Failing, f.Reasons = []string{"<module>"}, []string{r.Detail}
	}
	f.Problem = strings.Join(r.Problems, "; ")
	// Code objects below one that differs may not have met their partner: what
	// has not been compared is not exact.
	for _, path := range paths(code, "<module>", res.Compared) {
		f.Failing = append(f.Failing, path)
		f.Reasons = append(f.Reasons, "not compared")
	}
	return f
}

// repaired reports whether a function that is not exact in its module is proven
// when the fall-back, the second way of lifting, may be taken.
func repaired(c *pyc.Code, pool *pyworker.Pool) bool {
	if !c.IsFunction() || strings.HasPrefix(c.Name, "<") {
		return false
	}
	r, err := decompile.Func(c, decompile.Options{Compile: pool.CompileFlags})
	return err == nil && r.Verdict.Proven()
}

// paths names the code objects of c's tree that are not in known.
func paths(c *pyc.Code, path string, known map[*pyc.Code]bool) []string {
	var out []string
	if !known[c] {
		out = append(out, path)
	}
	for _, k := range c.Consts {
		if x, ok := k.(*pyc.Code); ok {
			out = append(out, paths(x, path+"."+x.Name, known)...)
		}
	}
	return out
}
