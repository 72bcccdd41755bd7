// Command score decompiles a source tree with one CPython and prints the share
// of code objects that are exact.
package main

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"regexp"
	"slices"
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
	workers := flag.Int("j", 2, "parallel workers")
	out := flag.String("o", "", "write the failing code objects to this file")
	top := flag.Int("top", 25, "how many kinds of reasons to show")
	check := flag.String("check", "", "fail where a code object fails that this file does not list")
	match := flag.String("match", "", "only files whose path contains this")
	verbose := flag.Bool("v", false, "print each failing code object with its reason")
	tree := flag.Bool("tree", false, "also compare syntax trees with the original source, function by function")
	lowered := flag.Bool("lowered", false, "compare the proof that needs no interpreter with recompilation instead")
	alone := flag.Bool("alone", false, "decompile every function without the module around it instead")
	least := flag.Float64("least", 0, "with -lowered and -alone: fail where less than so many percent are proven")
	untold := flag.Bool("untold", false, "with -tree: list differences, too, that nothing in the bytecode tells")
	grep := flag.String("kind", "", "with -tree: list every function whose kind of difference contains this")
	flag.Parse()
	info, err := exec.Command(*python, "-I", "-c", "import sys,sysconfig;print(sys.version_info[1]);print(sys.version.split()[0]);print(sysconfig.get_paths()['stdlib'])").Output()
	if err != nil {
		fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(info)), "\n")
	var minor int
	fmt.Sscan(lines[0], &minor)
	pool, err := pyworker.NewPool(pyc.Version(minor), pyworker.Options{Python: *python, Workers: *workers})
	if err != nil {
		fatal(err)
	}
	defer pool.Close()
	root := lines[2]
	if *lib != "" {
		root = *lib
	}
	files, err := score.Files(root, map[string]bool{"test": true, "tests": true, "idle_test": true, "site-packages": true, "dist-packages": true, "__pycache__": true, "lib-dynload": true})
	if err != nil {
		fatal(err)
	}
	var some []string
	for i, f := range files {
		if i%*every == 0 && strings.Contains(f, *match) {
			some = append(some, f)
		}
	}
	if *lowered {
		if share := printLowered(pool.Version(), score.RunLowered(pool, some, *workers), *top); share < *least {
			fmt.Printf("that is less than %g %%\n", *least)
			os.Exit(1)
		}
		return
	}
	if *alone {
		if share := printAlone(pool.Version(), score.RunAlone(pool, some, *workers), *top, *verbose); share < *least {
			fmt.Printf("that is less than %g %%\n", *least)
			os.Exit(1)
		}
		return
	}
	res := score.Run(pool, root, some, score.Options{Workers: *workers, Trees: *tree})
	total, bad := 0, 0
	refused, stubs := 0, 0
	repaired := 0
	kinds := map[string]int{}
	example := map[string]string{}
	var rows []string
	numbers := regexp.MustCompile(`\d+`)
	for _, f := range res {
		total += f.Total
		bad += len(f.Failing)
		stubs += f.Stubs
		if f.Refused {
			refused += f.Total
		}
		repaired += len(f.Repaired)
		for _, p := range strings.Split(f.Problem, "; ") {
			if p == "" {
				continue
			}
			if *verbose {
				fmt.Printf("%s\t%s\n", f.Path, p)
			}
			k := p
			if i := strings.Index(p, ": "); i > 0 {
				k = p[i+2:]
			}
			k = "PROBLEM " + numbers.ReplaceAllString(k, "N")
			kinds[k]++
			example[k] = f.Path + " " + p
		}
		for i, p := range f.Failing {
			rows = append(rows, f.Path+"\t"+p)
			if *verbose {
				fmt.Printf("%s\t%s\t%s\n", f.Path, p, f.Reasons[i])
			}
			k := numbers.ReplaceAllString(f.Reasons[i], "N")
			if f.Problem != "" && strings.Contains(k, "NotImplementedError") {
				continue
			}
			if len(k) > 110 {
				k = k[:110]
			}
			kinds[k]++
			example[k] = f.Path + " " + p
		}
	}
	sort.Strings(rows)
	if *out != "" {
		head := fmt.Sprintf("# CPython %s: %d code objects, %d not exact (%.2f %% exact)\n", lines[1], total, bad, share(total, bad))
		if err := os.WriteFile(*out, []byte(head+strings.Join(rows, "\n")+"\n"), 0o644); err != nil {
			fatal(err)
		}
	}
	var ks []string
	for k := range kinds {
		ks = append(ks, k)
	}
	sort.Slice(ks, func(i, j int) bool { return kinds[ks[i]] > kinds[ks[j]] })
	for i, k := range ks {
		if i == *top {
			break
		}
		fmt.Printf("%6d  %s\n        %s\n", kinds[k], k, example[k])
	}
	fmt.Printf("3.%d: %d files, %d of %d code objects exact (%.2f %%)\n", minor, len(some), total-bad, total, share(total, bad))
	fmt.Printf("      first try %d, after repair (functions alone, by the second way of lifting) %d\n", total-bad, total-bad+repaired)
	if *tree {
		printTrees(minor, res, *top, *grep, *untold)
	}
	fmt.Printf("3.%d: %d of %d code objects stand in text that compiles (%.2f %%), %d of them as stubs\n", minor, total-refused, total, share(total, refused), stubs)
	if *check != "" {
		os.Exit(compare(*check, lines[1], rows, total, bad))
	}
}

func share(total, bad int) float64 { return 100 * float64(total-bad) / float64(max(total, 1)) }

// compare holds the rows of failing code objects against the recorded ones. Of
// another patch release of CPython, whose library differs, only the share counts.
func compare(path, version string, rows []string, total, bad int) int {
	data, err := os.ReadFile(path)
	if err != nil {
		fatal(err)
	}
	recorded := strings.Split(strings.TrimSpace(string(data)), "\n")
	known := map[string]bool{}
	for _, r := range recorded[1:] {
		known[r] = true
	}
	if !strings.HasPrefix(recorded[0], "# CPython "+version+":") {
		var was float64
		if i := strings.LastIndex(recorded[0], "("); i >= 0 {
			fmt.Sscanf(recorded[0][i:], "(%f", &was)
		}
		if share(total, bad) < was-1 {
			fmt.Printf("recorded: %s\nthis sample of %s is worse by more than one point\n", recorded[0], version)
			return 1
		}
		return 0
	}
	status := 0
	for _, r := range rows {
		if !known[r] {
			fmt.Printf("worse than recorded: %s\n", r)
			status = 1
		}
	}
	return status
}

func fatal(err error) {
	fmt.Fprintln(os.Stderr, "score:", err)
	os.Exit(1)
}

// printLowered says how much of what is exact is proven without an interpreter, and returns the share in percent.
func printLowered(v pyc.Version, l score.Lowered, top int) float64 {
	missed := len(l.Missed) + l.Unmet
	proven := share(l.Exact, missed)
	fmt.Printf("%v: of %d exact code objects %d are proven without an interpreter (%.4f %%)\n", v, l.Exact, l.Exact-missed, proven)
	for i, d := range l.Missed {
		if i == top {
			break
		}
		fmt.Println("   ", d.String())
	}
	return proven
}

// printAlone says how many functions are proven without a module around them, and returns the share in percent.
func printAlone(v pyc.Version, a score.Alone, top int, verbose bool) float64 {
	total := 0
	for _, n := range a.Verdicts {
		total += n
	}
	numbers := regexp.MustCompile(`\d+`)
	kinds, example := map[string]int{}, map[string]string{}
	for _, u := range a.Unproven {
		k := numbers.ReplaceAllString(u.Detail, "N")
		kinds[k]++
		example[k] = u.Path + " " + u.Name
		if verbose {
			fmt.Printf("%s\t%s\t%s\n", u.Path, u.Name, u.Detail)
		}
	}
	ks := slices.SortedFunc(maps.Keys(kinds), func(a, b string) int { return kinds[b] - kinds[a] })
	for _, k := range ks[:min(top, len(ks))] {
		fmt.Printf("%6d  %s\n        %s\n", kinds[k], k, example[k])
	}
	proven := share(total, len(a.Unproven))
	fmt.Printf("%v: of %d functions without their modules %d are proven (%.4f %%), %d of them exact\n", v, total, total-len(a.Unproven), proven, a.Verdicts[decompile.Exact])
	return proven
}
