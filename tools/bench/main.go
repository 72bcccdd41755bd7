// Command bench measures the program as a user runs it: how long the standard
// library of one CPython takes to decompile, next to how long that CPython takes
// to compile it; how time grows with the size of generated functions; and the
// memory of all that. It fails where a promise of the README is broken.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/thuml/depyf/internal/pyworker"
)

// Promises.
const (
	maxMemory  = 200 << 20
	maxGrowth  = 1.6  // of the time for one instruction, from a size to its quadruple
	maxProven  = 2.6  // CPU of decompiling over that of compiling, with the proof that recompiles
	maxLowered = 1.9  // with the proof where there is no interpreter
	maxBare    = 1.25 // and without
)

func main() {
	python := flag.String("python", "python3.12", "the interpreter")
	depyf := flag.String("depyf", "", "the program")
	flag.Parse()
	dir, err := os.MkdirTemp("", "depyf-bench")
	if err != nil {
		fatal(err)
	}
	defer os.RemoveAll(dir)
	ok := linear(*python, *depyf, dir)
	ok = library(*python, *depyf, dir) && ok
	if !ok {
		os.RemoveAll(dir)
		os.Exit(1)
	}
}

// usage is what one command took, the processes that it started and waited for included;
// memory is that of the largest of them.
type usage struct {
	cpu    time.Duration
	memory int64
}

// run runs a command; status says which exit statuses are fine.
func run(env []string, status func(int) bool, name string, args ...string) usage {
	cmd := exec.Command(name, args...)
	cmd.Env = append(os.Environ(), env...)
	var errs strings.Builder
	cmd.Stderr = &errs
	err := cmd.Run()
	var u usage
	if cmd.ProcessState == nil || !status(cmd.ProcessState.ExitCode()) {
		fatal(fmt.Errorf("%s %s: %v\n%s", name, strings.Join(args, " "), err, errs.String()))
	}
	u.cpu = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	if r, isUnix := cmd.ProcessState.SysUsage().(*syscall.Rusage); isUnix {
		u.memory = r.Maxrss << 10
	}
	return u
}

// best repeats a command and keeps the least of each figure: other work on the
// machine only ever adds.
func best(n int, f func() usage) usage {
	u := f()
	for range n - 1 {
		u = least(u, f())
	}
	return u
}

// least is the smaller time of two runs of one command, and the larger memory.
func least(u, v usage) usage {
	return usage{cpu: min(u.cpu, v.cpu), memory: max(u.memory, v.memory)}
}

func decompiled(s int) bool { return s == 0 || s == 1 || s == 3 } // not proven, but done

// linear prints the time per instruction for n, 2n and 4n.
func linear(python, depyf, dir string) bool {
	list, err := exec.Command(python, "-I", "gen/bench.py", dir).Output()
	if err != nil {
		fatal(fmt.Errorf("gen/bench.py: %w", err))
	}
	empty := filepath.Join(dir, "empty.pyc")
	if err := exec.Command(python, "-I", "-c", "import marshal, importlib.util as u, sys; open(sys.argv[1], 'wb').write(u.MAGIC_NUMBER + bytes(12) + marshal.dumps(compile('', '', 'exec')))", empty).Run(); err != nil {
		fatal(err)
	}
	start := best(5, func() usage { return run(nil, decompiled, depyf, "decompile", "--verify=false", empty) })
	ok := true
	first := map[string]float64{}
	fmt.Println("shape         size  instructions       time  per instruction   memory")
	for _, line := range strings.Split(strings.TrimSpace(string(list)), "\n") {
		var shape, path string
		var size, count int
		if _, err := fmt.Sscan(line, &shape, &size, &count, &path); err != nil {
			fatal(err)
		}
		u := best(5, func() usage {
			return run(nil, decompiled, depyf, "decompile", "--verify=false", "-o", filepath.Join(dir, "out.py"), path)
		})
		took := max(u.cpu-start.cpu, 0)
		per := float64(took.Nanoseconds()) / float64(count)
		note := ""
		if first[shape] == 0 {
			first[shape] = per
		} else if took > 30*time.Millisecond && per > maxGrowth*first[shape] {
			note, ok = "  GROWS", false
		}
		if u.memory > maxMemory {
			note, ok = note+"  MEMORY", false
		}
		fmt.Printf("%-10s %7d %13d %10v %13.0f ns %5d MB%s\n", shape, size, count, took.Round(time.Millisecond), per, u.memory>>20, note)
	}
	return ok
}

// library compiles the standard library, and decompiles it with the proof that recompiles, with the proof that needs no
// interpreter, and without one.
// Compared is CPU time, each side one job at a time, the processes that it starts
// included: time on the clock would count cores, not work.
func library(python, depyf, dir string) bool {
	lib, err := exec.Command(python, "-I", "-c", "import sysconfig; print(sysconfig.get_paths()['stdlib'])").Output()
	if err != nil {
		fatal(err)
	}
	root := strings.TrimSpace(string(lib))
	// Each run writes into a folder of its own: in a file system, files that were deleted a moment ago cost those that come after.
	runs := 0
	fresh := func() string {
		runs++
		return filepath.Join(dir, strconv.Itoa(runs))
	}
	var cache, out string
	compile := func() usage {
		cache = fresh()
		// Its test suite holds files that do not compile on purpose.
		return run([]string{"PYTHONPYCACHEPREFIX=" + cache, "PYTHONDONTWRITEBYTECODE="}, func(int) bool { return true },
			python, "-m", "compileall", "-q", "-x", "/site-packages/|bad_coding|badsyntax|lib2to3.tests.data", root)
	}
	decompile := func(env []string, more ...string) usage {
		out = fresh()
		return run(env, decompiled, depyf, append([]string{"decompile", "-r", "-j", "1", "-o", out, cache}, more...)...)
	}
	// Where no interpreter is looked for (internal/pyworker), every file is proven by what it is lowered to.
	var alone []string
	for _, name := range pyworker.EnvVars() {
		alone = append(alone, name+"=")
	}
	ways := []struct {
		name  string
		limit float64
		run   func() usage
		least usage
	}{
		{name: "recompiled", limit: maxProven, run: func() usage { return decompile(nil) }},
		{name: "lowered", limit: maxLowered, run: func() usage { return decompile(alone) }},
		{name: "not proven", limit: maxBare, run: func() usage { return decompile(nil, "--verify=false") }},
	}
	// In turns, so that all meet the same machine.
	var compiled usage
	ok := true
	for i := range 3 {
		c := compile()
		if i == 0 {
			compiled = c
		}
		compiled = least(compiled, c)
		for k := range ways {
			w := &ways[k]
			u := w.run()
			if i == 0 {
				w.least = u
			}
			w.least = least(w.least, u)
			if in, made := count(cache, ".pyc"), count(out, ".py"); in != made {
				fmt.Printf("%s: %d files in, %d out\n", w.name, in, made)
				ok = false
			}
			if n := verdicts(out, "exact"); w.name == "lowered" && n > 0 {
				fmt.Printf("%s: an interpreter was found for %d files\n", w.name, n)
				ok = false
			}
		}
	}
	fmt.Printf("\nstandard library, %d files, one job, CPU: compileall %.1f s\n", count(cache, ".pyc"), compiled.cpu.Seconds())
	for _, w := range ways {
		ratio, note := w.least.cpu.Seconds()/compiled.cpu.Seconds(), ""
		if ratio > w.limit || w.least.memory > maxMemory {
			note, ok = fmt.Sprintf("  MORE THAN %.2f, or %d MB", w.limit, maxMemory>>20), false
		}
		fmt.Printf("  depyf, %-10s %5.1f s: ratio %.2f, memory %d MB%s\n", w.name, w.least.cpu.Seconds(), ratio, w.least.memory>>20, note)
	}
	return ok
}

func count(dir, ext string) int {
	n := 0
	_ = filepath.WalkDir(dir, func(p string, _ os.DirEntry, _ error) error {
		if strings.HasSuffix(p, ext) {
			n++
		}
		return nil
	})
	return n
}

// verdicts counts the files below dir whose header says this verdict.
func verdicts(dir, verdict string) int {
	n := 0
	_ = filepath.WalkDir(dir, func(p string, e os.DirEntry, _ error) error {
		if e != nil && !e.IsDir() {
			if text, err := os.ReadFile(p); err == nil && strings.Contains(string(text), "\n# Verdict: "+verdict+"\n") {
				n++
			}
		}
		return nil
	})
	return n
}

func fatal(err error) {
	fmt.Fprintln(os.Stderr, "bench:", err)
	os.Exit(1)
}
