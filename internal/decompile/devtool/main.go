package main

import (
	"fmt"
	"os"

	"github.com/thuml/depyf/internal/decompile"
	"github.com/thuml/depyf/internal/pass"
	"github.com/thuml/depyf/internal/pyc"
	"github.com/thuml/depyf/internal/pyworker"
)

// traced shows the passes over the functions that TRACE names.
func traced(code *pyc.Code) *pass.Watch {
	if code.Name != os.Getenv("TRACE") {
		return nil
	}
	return pass.Log(os.Stdout)
}

func main() {
	for _, p := range os.Args[1:] {
		data, err := os.ReadFile(p)
		if err != nil {
			panic(err)
		}
		f, err := pyc.ReadBytes(data)
		if err != nil {
			fmt.Println(p, err)
			continue
		}
		pool, err := pyworker.NewPool(f.Code.Version, pyworker.Options{Workers: 1})
		opt := decompile.Options{Watch: traced}
		if err == nil {
			opt.Compile = pool.CompileFlags
		}
		r, res := decompile.ModuleScore(f.Code, opt)
		fmt.Println(r.Source)
		fmt.Println("#", r.Verdict, r.Detail)
		for _, d := range res.Diffs {
			fmt.Println("#   ", d.String(), d.Where)
		}
	}
}
