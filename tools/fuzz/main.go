// Command fuzz makes programs that nobody wrote, decompiles them, and shows what is not
// proven: shrunk to a few lines, and grouped by cause.
package main

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/thuml/depyf/internal/generate"
	"github.com/thuml/depyf/internal/pyast"
	"github.com/thuml/depyf/internal/pyc"
	"github.com/thuml/depyf/internal/score"
)

func main() {
	versions := flag.String("versions", "3.7 3.8 3.9 3.10 3.11 3.12 3.13 3.14 3.15", "which CPythons")
	count := flag.Int("n", 1000, "how many programs for each version and kind")
	seed := flag.Uint64("seed", 0, "the first seed")
	kinds := flag.String("kinds", "grammar mutant skeleton nest", "which kinds; function judges real functions as they are")
	shrink := flag.Int("shrink", 20, "how many failures of one kind and version to shrink; 0: none")
	tries := flag.Int("tries", 2000, "how many candidates for one program")
	top := flag.Int("top", 30, "how many groups to show")
	show := flag.Bool("show", false, "print the programs instead, with what becomes of them")
	sources := flag.Int("sources", 150, "how many files to take functions from")
	from := flag.String("from", "", "the file or folder to take functions from, in place of the standard library")
	largest := flag.Int("largest", generate.Small, "how large a function may be, in nodes of its tree")
	final := flag.Bool("final", false, "judge the text that a user gets, with dispatch loops for what is not proven otherwise")
	strict := flag.Bool("strict", false, "count what is proved, but not instruction for instruction, as a difference")
	loops := flag.Bool("loops", false, "with -final: count what is proved, but written as a dispatch loop, as a difference")
	alone := flag.Bool("alone", false, "judge every function, class and comprehension without the text around it, too")
	trees := flag.Bool("trees", false, "count another syntax tree than the program's as a difference, where the bytecode tells")
	proofs := flag.Bool("proofs", false, "compare the proof by lowering with that by recompilation instead")
	file := flag.String("file", "", "judge this file on each version instead")
	flag.Parse()
	if *file != "" {
		judgeFile(*file, strings.Fields(*versions), func(j *generate.Judge) { j.Final, j.Strict, j.Loops, j.Alone = *final, *strict, *loops, *alone })
		return
	}
	var failures []generate.Failure
	for _, name := range strings.Fields(*versions) {
		var minor int
		if _, err := fmt.Sscanf(name, "3.%d", &minor); err != nil {
			fatal(fmt.Errorf("no version: %s", name))
		}
		v := pyc.Version(minor)
		j, err := generate.NewJudge(v)
		if err != nil {
			fmt.Printf("NOT RUN: no CPython %s: %v\n", v, err)
			continue
		}
		j.Final, j.Strict, j.Loops, j.Alone = *final, *strict, *loops, *alone
		if *trees {
			if err := j.CompareTrees(); err != nil {
				fatal(err)
			}
		}
		for _, kind := range strings.Fields(*kinds) {
			r := run{j: j, kind: generate.Kind(kind), shrink: *shrink, tries: *tries, show: *show}
			n := *count
			if r.kind == generate.KindMutant || r.kind == generate.KindFunction {
				if r.functions, err = functions(j.Python(), *from, *largest, *seed, *sources); err != nil {
					fatal(err)
				}
			}
			if r.kind == generate.KindFunction {
				n = min(n, len(r.functions)) // each once
			}
			if *proofs {
				r.proofs(*seed, n)
				continue
			}
			r.all(*seed, n)
			failures = append(failures, r.failures...)
		}
		j.Close()
	}
	groups := generate.Groups(failures)
	for i, g := range groups {
		if i == *top {
			fmt.Printf("\n… and %d groups more\n", len(groups)-*top)
			break
		}
		printGroup(g)
	}
}

// run is one kind of program on one version.
type run struct {
	j         *generate.Judge
	kind      generate.Kind
	functions []pyast.Stmt
	shrink    int
	tries     int
	show      bool
	failures  []generate.Failure
}

// proofs has both proofs judge each program and a changed one.
func (r *run) proofs(seed uint64, count int) {
	var sum generate.Proofs
	begin := time.Now()
	for i := range uint64(count) {
		p := generate.New(r.kind, seed+i, r.j.Version, r.functions)
		other := *p
		other.Module = generate.Changed(rand.New(rand.NewPCG(seed+i, 1)), r.j.Version, p.Module, r.functions)
		wrong, missed := sum.Wrong, sum.Missed
		r.j.Proofs(p, &other, &sum)
		if r.show && (sum.Wrong > wrong || sum.Missed > missed) {
			fmt.Printf("# %s seed %d: %s\n", r.kind, p.Seed, sum.Complaint)
		}
		if sum.Wrong == 0 && r.show {
			sum.Complaint = ""
		}
	}
	fmt.Printf("%-5s %-8s %d programs: of %d exact ones %d are not proven by lowering; of %d that differ it proves %d; %.0f/s of wall clock\n",
		r.j.Version, r.kind, count, sum.Exact, sum.Missed, sum.Rejected, sum.Wrong, float64(count)/time.Since(begin).Seconds())
	if sum.Complaint != "" {
		fmt.Println(indented(sum.Complaint))
	}
}

func (r *run) all(seed uint64, count int) {
	classes := map[generate.Class]int{}
	seen := map[string]int{}
	begin, cpu := time.Now(), used()
	for i := range uint64(count) {
		p := generate.New(r.kind, seed+i, r.j.Version, r.functions)
		out := r.j.Program(p)
		classes[out.Class]++
		if r.show {
			text, _ := p.Text(r.j.Version)
			fmt.Printf("# %s %d %s: %s %s\n%s\n", r.kind, p.Seed, p.Layout, out.Class, out.Detail, text)
		}
		if out.Class.Failed() {
			r.failures = append(r.failures, generate.Failure{Version: r.j.Version, Program: p, Outcome: out})
		}
	}
	spent, wall := used()-cpu, time.Since(begin)
	for i := range r.failures {
		f := &r.failures[i]
		key := string(f.Outcome.Class) + f.Outcome.Reason
		if seen[key]++; seen[key] <= r.shrink {
			f.Program, f.Outcome = generate.Shrink(r.j.Program, f.Program, f.Outcome, r.tries)
			f.Shrunk = true
		}
	}
	accepted := count - classes[generate.Refused]
	share := func(n int) float64 { return 100 * float64(n) / float64(max(1, accepted)) }
	fmt.Printf("%-5s %-8s %d programs, %d accepted: %.3f %% exact, %.3f %% proved, %.3f %% dispatch loops; %d differ, %d retold, %d stubs, %d do not compile, %d crash; CPU %.1f s without the interpreters', %.0f/s of wall clock\n",
		r.j.Version, r.kind, count, accepted, share(classes[generate.Exact]), share(classes[generate.Proved]), share(classes[generate.Looped]),
		classes[generate.Differs], classes[generate.Retold], classes[generate.Stub], classes[generate.Broken], classes[generate.Crashed],
		spent.Seconds(), float64(count)/wall.Seconds())
}

// functions takes those of some files of a file or folder, or of the interpreter's own library.
func functions(python, from string, largest int, seed uint64, count int) ([]pyast.Stmt, error) {
	if from == "" {
		out, err := exec.Command(python, "-I", "-S", "-c", "import os; print(os.path.dirname(os.__file__))").Output()
		if err != nil {
			return nil, err
		}
		from = strings.TrimSpace(string(out))
	}
	if strings.HasSuffix(from, ".py") {
		return generate.Functions(python, []string{from}, largest)
	}
	files, err := score.Files(from, map[string]bool{"site-packages": true, "dist-packages": true, "__pycache__": true, "lib2to3": true})
	if err != nil {
		return nil, err
	}
	r := rand.New(rand.NewPCG(seed, 0))
	r.Shuffle(len(files), func(i, j int) { files[i], files[j] = files[j], files[i] })
	return generate.Functions(python, files[:min(count, len(files))], largest)
}

func printGroup(g *generate.Group) {
	by := map[pyc.Version]int{}
	smallest := g.Failures[0]
	for _, f := range g.Failures {
		by[f.Version]++
		if f.Shrunk == smallest.Shrunk && lines(f) < lines(smallest) || f.Shrunk && !smallest.Shrunk {
			smallest = f
		}
	}
	var where []string
	for v := pyc.Oldest; v <= pyc.Newest; v++ {
		if by[v] > 0 {
			where = append(where, fmt.Sprintf("%s: %d", v, by[v]))
		}
	}
	fmt.Printf("\n%d  %s\n   %s\n", len(g.Failures), g.Key, strings.Join(where, ", "))
	text, _ := smallest.Program.Text(smallest.Version)
	fmt.Printf("   %s seed %d on %s %s: %s\n", smallest.Program.Kind, smallest.Program.Seed, smallest.Version, smallest.Program.Layout, smallest.Outcome.Detail)
	fmt.Println(indented(text))
	if c := smallest.Outcome.Class; c == generate.Differs || c == generate.Retold {
		fmt.Printf("   comes out as\n%s\n", indented(smallest.Outcome.Text))
	}
}

func lines(f generate.Failure) int {
	text, _ := f.Program.Text(f.Version)
	return len(text)
}

func indented(text string) string {
	return "        " + strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\n        ")
}

func judgeFile(path string, versions []string, options func(*generate.Judge)) {
	text, err := os.ReadFile(filepath.Clean(path))
	if err != nil {
		fatal(err)
	}
	for _, name := range versions {
		var minor int
		if _, err := fmt.Sscanf(name, "3.%d", &minor); err != nil {
			fatal(err)
		}
		j, err := generate.NewJudge(pyc.Version(minor))
		if err != nil {
			fmt.Println(err)
			continue
		}
		options(j)
		out := j.Source(string(text), 0)
		fmt.Printf("%s: %s %s\n", name, out.Class, out.Detail)
		if out.Class.Failed() {
			fmt.Println(out.Text)
		}
		j.Close()
	}
}

func used() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func fatal(err error) {
	fmt.Fprintln(os.Stderr, "fuzz:", err)
	os.Exit(1)
}
