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
	maxMemory = 512 << 20
	maxGrowth = 1.6 // of the time for one instruction, from a size to its quadruple
)

func main() {
	python := flag.String("python", "python3.12", "the interpreter")
	depyf := flag.String("depyf", "", "the program")
	jobs := flag.Int("j", 2, "files in parallel")
	flag.Parse()
	dir, err := os.MkdirTemp("", "depyf-bench")
	if err != nil {
		fatal(err)
	}
	defer os.RemoveAll(dir)
	ok := linear(*python, *depyf, dir)
	ok = library(*python, *depyf, dir, *jobs) && ok
	if !ok {
		os.RemoveAll(dir)
		os.Exit(1)
	}
}

// usage is what one command took.
type usage struct {
	wall, cpu time.Duration
	memory    int64
}

// run runs a command; status says which exit statuses are fine.
func run(env []string, status func(int) bool, name string, args ...string) usage {
	cmd := exec.Command(name, args...)
	cmd.Env = append(os.Environ(), env...)
	var errs strings.Builder
	cmd.Stderr = &errs
	start := time.Now()
	err := cmd.Run()
	u := usage{wall: time.Since(start)}
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
		v := f()
		u.wall, u.cpu, u.memory = min(u.wall, v.wall), min(u.cpu, v.cpu), max(u.memory, v.memory)
	}
	return u
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

// library compiles and decompiles the standard library.
func library(python, depyf, dir string, jobs int) bool {
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
	decompile := func() usage {
		os.RemoveAll(out)
		return run(nil, decompiled, depyf, "decompile", "-r", "--verify=false", "-j", fmt.Sprint(jobs), "-o", out, cache)
	}
	// In turns, so that both meet the same machine.
	var c, d usage
	for i := range 2 {
		x, y := compile(), decompile()
		if i == 0 {
			c, d = x, y
		}
		c.wall, c.cpu, d.wall, d.cpu = min(c.wall, x.wall), min(c.cpu, x.cpu), min(d.wall, y.wall), min(d.cpu, y.cpu)
		d.memory = max(d.memory, y.memory)
	}
	in, made := count(cache, ".pyc"), count(out, ".py")
	ratio := d.wall.Seconds() / c.wall.Seconds()
	fmt.Printf("\nstandard library, %d files: compileall %.1f s (CPU %.1f s), depyf -j %d %.1f s (CPU %.1f s): ratio %.2f, memory %d MB\n",
		in, c.wall.Seconds(), c.cpu.Seconds(), jobs, d.wall.Seconds(), d.cpu.Seconds(), ratio, d.memory>>20)
	if in != made {
		fmt.Printf("%d files in, %d out\n", in, made)
	}
	return ratio < 1 && d.memory < maxMemory && in == made
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
