package main

import (
	"fmt"
	"os"

	"github.com/thuml/depyf/internal/decompile"
	"github.com/thuml/depyf/internal/pass"
	"github.com/thuml/depyf/internal/pyc"
	"github.com/thuml/depyf/internal/pyworker"
	"github.com/thuml/depyf/internal/service"
)

// traced shows the passes over the functions that TRACE names.
func traced(code *pyc.Code) *pass.Watch {
	if os.Getenv("CHECK") != "" {
		return &pass.Watch{Broken: func(err error) { fmt.Println("BROKEN", code.Name, err) }}
	}
	if code.Name != os.Getenv("TRACE") {
		return nil
	}
	return pass.Log(os.Stdout)
}

func main() {
	quiet := os.Args[1] == "-q"
	listing := os.Args[1] == "-l"
	inner := os.Getenv("INNER") // a function inside of the frame's
	pools := map[pyc.Version]*pyworker.Pool{}
	for _, p := range os.Args[1:] {
		data, err := os.ReadFile(p)
		if err != nil {
			continue
		}
		f, err := service.ReadRecording(data)
		if err != nil {
			fmt.Println(p, err)
			continue
		}
		if os.Getenv("OLD") != "" { // what Dynamo took apart, such as a resume function
			f.New = f.Old
		}
		if inner != "" {
			f.New = find(f.New, inner)
		}
		if listing {
			list(f.New)
			continue
		}
		opt := decompile.Options{Dynamo: true, Watch: traced}
		pool := pools[f.New.Version]
		if pool == nil {
			if pool, err = pyworker.NewPool(f.New.Version, pyworker.Options{Workers: 1}); err == nil {
				pools[f.New.Version] = pool
			}
		}
		if pool != nil {
			opt.Compile = pool.CompileFlags
		}
		r, err := decompile.Func(f.New, opt)
		if err != nil {
			fmt.Println(p, err)
			continue
		}
		if !quiet {
			fmt.Println(r.Source)
		}
		fmt.Println("#", p, r.Verdict, r.Detail)
	}
}

// find returns the code of that name inside c, or c.
func find(c *pyc.Code, name string) *pyc.Code {
	for _, k := range c.Consts {
		if n, ok := k.(*pyc.Code); ok {
			if n.Name == name {
				return n
			}
			if in := find(n, name); in != n {
				return in
			}
		}
	}
	return c
}
