// Command dispatch writes every function, class and module of a source tree as a dispatch loop and
// prints how many are proven by their effects: whatever a function's control flow is,
// there is a text for it.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"sort"
	"strings"

	"github.com/thuml/depyf/internal/decompile"
	"github.com/thuml/depyf/internal/pyc"
	"github.com/thuml/depyf/internal/pyworker"
	"github.com/thuml/depyf/internal/score"
)

func main() {
	python := flag.String("python", "python3", "the interpreter")
	lib := flag.String("lib", "", "a folder of Python sources; the interpreter's own library when empty")
	every := flag.Int("every", 1, "take every n-th file")
	match := flag.String("match", "", "only files whose path contains this")
	show := flag.String("show", "", "print the text of functions with this qualified name")
	top := flag.Int("top", 25, "how many kinds of reasons to show")
	verbose := flag.Bool("v", false, "print each function that is not proven")
	flag.Parse()
	info, err := exec.Command(*python, "-I", "-c", "import sys,sysconfig;print(sys.version_info[1]);print(sysconfig.get_paths()['stdlib'])").Output()
	if err != nil {
		fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(info)), "\n")
	var minor int
	fmt.Sscan(lines[0], &minor)
	pool, err := pyworker.NewPool(pyc.Version(minor), pyworker.Options{Python: *python, Workers: 1})
	if err != nil {
		fatal(err)
	}
	defer pool.Close()
	root := lines[1]
	if *lib != "" {
		root = *lib
	}
	files, err := score.Files(root, map[string]bool{"test": true, "tests": true, "idle_test": true, "site-packages": true, "dist-packages": true, "__pycache__": true, "lib-dynload": true})
	if err != nil {
		fatal(err)
	}
	number := regexp.MustCompile(`\d+`)
	counts := map[decompile.Verdict]int{}
	kinds, example := map[string]int{}, map[string]string{}
	for i, f := range files {
		if i%*every != 0 || !strings.Contains(f, *match) {
			continue
		}
		src, err := os.ReadFile(f)
		if err != nil {
			fatal(err)
		}
		code, err := pool.CompileBytes(src, f)
		if err != nil {
			continue // not source of this version
		}
		r, err := decompile.Module(code, decompile.Options{Compile: pool.CompileFlags, DispatchAll: true})
		if err != nil {
			fatal(err)
		}
		if strings.HasPrefix(r.Detail, "the source does not compile") {
			fmt.Println(f, r.Detail)
		}
		text := strings.Split(r.Source, "\n")
		for _, o := range r.Objects {
			counts[o.Verdict]++
			if *show != "" && strings.HasSuffix(o.QualName, *show) && o.First > 0 {
				fmt.Println(strings.Join(text[o.First-1:o.Last], "\n"))
			}
			if o.Verdict.Proven() {
				continue
			}
			k := number.ReplaceAllString(o.Detail, "N")
			kinds[k]++
			example[k] = strings.TrimPrefix(f, root) + " " + o.QualName
			if *verbose {
				fmt.Printf("%s\t%s\t%s\t%s\n", strings.TrimPrefix(f, root), o.QualName, o.Verdict, o.Detail)
			}
		}
	}
	var order []string
	for k := range kinds {
		order = append(order, k)
	}
	sort.Slice(order, func(i, j int) bool { return kinds[order[i]] > kinds[order[j]] })
	for _, k := range order[:min(*top, len(order))] {
		fmt.Printf("%5d  %.200s   [%s]\n", kinds[k], k, example[k])
	}
	fmt.Println(counts)
}

func fatal(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
