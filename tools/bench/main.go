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
	"strings"
	"syscall"
	"time"
)

// Promises.
const (
	maxMemory = 200 << 20
	maxGrowth = 1.6 // of the time for one instruction, from a size to its quadruple
	maxProven = 2.9 // CPU of decompiling over that of compiling, with the proof
	maxBare   = 1.4 // and without
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

// library compiles the standard library, and decompiles it with and without the proof.
// Compared is CPU time, each side one job at a time, the processes that it starts
// included: time on the clock would count cores, not work.
func library(python, depyf, dir string) bool {
	lib, err := exec.Command(python, "-I", "-c", "import sysconfig; print(sysconfig.get_paths()['stdlib'])").Output()
	if err != nil {
		fatal(err)
	}
	root := strings.TrimSpace(string(lib))
	cache := filepath.Join(dir, "cache")
	compile := func() usage {
		os.RemoveAll(cache)
		// Its test suite holds files that do not compile on purpose.
		return run([]string{"PYTHONPYCACHEPREFIX=" + cache, "PYTHONDONTWRITEBYTECODE="}, func(int) bool { return true },
			python, "-m", "compileall", "-q", "-x", "/site-packages/|bad_coding|badsyntax|lib2to3.tests.data", root)
	}
	out := filepath.Join(dir, "sources")
	decompile := func(proof bool) usage {
		os.RemoveAll(out)
		return run(nil, decompiled, depyf, "decompile", "-r", fmt.Sprintf("--verify=%t", proof), "-j", "1", "-o", out, cache)
	}
	// In turns, so that all three meet the same machine.
	var compiled, proven, bare usage
	for i := range 3 {
		c, p, b := compile(), decompile(true), decompile(false)
		if i == 0 {
			compiled, proven, bare = c, p, b
		}
		compiled, proven, bare = least(compiled, c), least(proven, p), least(bare, b)
	}
	in, made := count(cache, ".pyc"), count(out, ".py")
	fmt.Printf("\nstandard library, %d files, one job, CPU: compileall %.1f s\n", in, compiled.cpu.Seconds())
	ok := in == made
	if !ok {
		fmt.Printf("%d files in, %d out\n", in, made)
	}
	for _, d := range []struct {
		name  string
		took  usage
		limit float64
	}{{"with the proof", proven, maxProven}, {"without", bare, maxBare}} {
		ratio, note := d.took.cpu.Seconds()/compiled.cpu.Seconds(), ""
		if ratio > d.limit || d.took.memory > maxMemory {
			note, ok = fmt.Sprintf("  MORE THAN %.1f, or %d MB", d.limit, maxMemory>>20), false
		}
		fmt.Printf("  depyf %-15s %5.1f s: ratio %.2f, memory %d MB%s\n", d.name, d.took.cpu.Seconds(), ratio, d.took.memory>>20, note)
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

func fatal(err error) {
	fmt.Fprintln(os.Stderr, "bench:", err)
	os.Exit(1)
}
