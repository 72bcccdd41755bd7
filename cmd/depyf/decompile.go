package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
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

const decompileUsage = `usage: depyf decompile [flags] PATH…

Turns .pyc files (or marshalled code objects, with --python-version) into Python
source. PATH is a file, a folder (with -r), or "-" for standard input. Nothing of
the input is ever executed.

The source is proven where a CPython of the file's version is found on PATH (or
given by --python): it is recompiled and compared instruction by instruction. A
header comment says the verdict.

Exit status: 0 everything proven · 1 some input could not be read or some result
is not proven · 2 wrong usage · 3 no interpreter to prove with, all else well.

`

type decompileCmd struct {
	python  string
	version string
	verify  bool
	out     string
	json    bool
	stdout  io.Writer
	stderr  io.Writer

	mu    sync.Mutex
	pools map[pyc.Version]*pyworker.Pool
}

// outcome is what became of one input.
type outcome struct {
	text string
	res  *decompile.Result
	err  error
}

// runDecompile is "depyf decompile".
func runDecompile(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	fset := flag.NewFlagSet("decompile", flag.ContinueOnError)
	fset.SetOutput(stderr)
	fset.Usage = func() {
		fmt.Fprint(stderr, decompileUsage)
		fset.PrintDefaults()
	}
	c := &decompileCmd{stdout: stdout, stderr: stderr, pools: map[pyc.Version]*pyworker.Pool{}}
	fset.StringVar(&c.python, "python", "", "prove with this interpreter instead of looking for one")
	fset.StringVar(&c.version, "python-version", "", "CPython version of code objects without header, such as 3.12")
	fset.BoolVar(&c.verify, "verify", true, "recompile and compare where an interpreter is at hand")
	fset.StringVar(&c.out, "o", "", "write to this file, or for folders mirror the tree below this folder")
	format := fset.String("format", "text", "text, or json: source, verdict and every code object, one JSON object a file")
	recursive := fset.Bool("r", false, "descend into folders")
	jobs := fset.Int("j", 2, "files in parallel")
	if err := fset.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return 0
		}
		return 2
	}
	if fset.NArg() == 0 {
		fset.Usage()
		return 2
	}
	switch *format {
	case "text":
	case "json":
		c.json = true
	default:
		fmt.Fprintf(stderr, "depyf decompile: unknown format %q; text and json are known\n", *format)
		return 2
	}
	defer c.close()
	inputs, bad := c.inputs(fset.Args(), *recursive)
	if bad && len(inputs) == 0 {
		return 1
	}
	if c.out != "" && len(inputs) > 1 && !isFolder(c.out) {
		if err := os.MkdirAll(c.out, 0o777); err != nil {
			fmt.Fprintf(stderr, "depyf decompile: %v\n", err)
			return 1
		}
	}
	results := make([]outcome, len(inputs))
	done := make([]chan struct{}, len(inputs))
	slots := make(chan struct{}, max(1, *jobs))
	for i := range inputs {
		done[i] = make(chan struct{})
	}
	go func() {
		for i, in := range inputs {
			slots <- struct{}{}
			go func() {
				results[i] = c.one(in, stdin)
				<-slots
				close(done[i])
			}()
		}
	}()
	status := 0
	if bad {
		status = 1
	}
	for i, in := range inputs {
		<-done[i]
		status = worse(status, c.deliver(in, results[i], len(inputs) > 1))
		results[i] = outcome{}
	}
	return status
}

// worse orders exit statuses by how much they say against the result.
func worse(a, b int) int {
	rank := map[int]int{0: 0, 3: 1, 1: 2, 2: 3}
	if rank[b] > rank[a] {
		return b
	}
	return a
}

// input is one file, with its path below the folder that was named.
type input struct{ path, rel string }

func (c *decompileCmd) inputs(args []string, recursive bool) (out []input, bad bool) {
	for _, a := range args {
		if a == "-" || !isFolder(a) {
			out = append(out, input{a, filepath.Base(a)})
			continue
		}
		if !recursive {
			fmt.Fprintf(c.stderr, "depyf decompile: %s is a folder; use -r to descend into it\n", a)
			bad = true
			continue
		}
		err := filepath.WalkDir(a, func(p string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if !d.IsDir() && strings.HasSuffix(p, ".pyc") {
				rel, err := filepath.Rel(a, p)
				if err != nil {
					return err
				}
				out = append(out, input{p, rel})
			}
			return nil
		})
		if err != nil {
			fmt.Fprintf(c.stderr, "depyf decompile: %v\n", err)
			bad = true
		}
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].rel < out[j].rel })
	return out, bad
}

func isFolder(p string) bool {
	st, err := os.Stat(p)
	return err == nil && st.IsDir()
}

// one decompiles one input.
func (c *decompileCmd) one(in input, stdin io.Reader) outcome {
	var data []byte
	var err error
	if in.path == "-" {
		data, err = io.ReadAll(stdin)
	} else {
		data, err = os.ReadFile(in.path)
	}
	if err != nil {
		return outcome{err: err}
	}
	code, err := readCode(data, c.version)
	if err != nil {
		return outcome{err: err}
	}
	opt := decompile.Options{}
	if c.verify {
		if pool := c.pool(code.Version); pool != nil {
			opt.Compile = pool.Compile
		}
	}
	// A function's code object without a module around it is shown as a def.
	build := decompile.Module
	if code.IsFunction() {
		build = decompile.Func
	}
	res, err := build(code, opt)
	if err != nil {
		return outcome{err: err}
	}
	if c.json {
		text, err := asJSON(in.path, code, res)
		return outcome{text: text, res: res, err: err}
	}
	return outcome{text: header(code, res) + res.Source, res: res}
}

// header is the comment on top of the output.
func header(code *pyc.Code, r *decompile.Result) string {
	text := fmt.Sprintf("# Decompiled by depyf from CPython %v bytecode of %s.\n# Verdict: %s", code.Version, oneLine(code.Filename), r.Verdict)
	if r.Detail != "" {
		text += ": " + oneLine(r.Detail)
	}
	return text + "\n"
}

func oneLine(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, s)
	if len(s) > 300 {
		s = s[:300] + " …"
	}
	return s
}

// deliver writes one result and returns its exit status.
func (c *decompileCmd) deliver(in input, o outcome, many bool) int {
	if o.err != nil {
		fmt.Fprintf(c.stderr, "depyf decompile: %s: %v\n", in.path, o.err)
		return 1
	}
	if err := c.write(in, o.text, many); err != nil {
		fmt.Fprintf(c.stderr, "depyf decompile: %v\n", err)
		return 1
	}
	switch {
	case o.res.Verdict.Proven():
		return 0
	case o.res.Verdict == decompile.Unproved:
		return 3
	}
	if c.out != "" {
		fmt.Fprintf(c.stderr, "depyf decompile: %s: %s: %s\n", in.path, o.res.Verdict, oneLine(o.res.Detail))
	}
	return 1
}

func (c *decompileCmd) write(in input, text string, many bool) error {
	if c.out == "" {
		if many && !c.json {
			text = "# ==== " + in.path + "\n" + text + "\n"
		}
		_, err := io.WriteString(c.stdout, text)
		return err
	}
	path := c.out
	if many || isFolder(path) {
		rel := strings.TrimSuffix(in.rel, ".pyc") + ".py"
		if c.json {
			rel += ".json"
		}
		path = filepath.Join(path, rel)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(text), 0o666)
}

// pool returns the workers for a version, nil when there is no interpreter.
func (c *decompileCmd) pool(v pyc.Version) *pyworker.Pool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if p, ok := c.pools[v]; ok {
		return p
	}
	p, err := pyworker.NewPool(v, pyworker.Options{Python: c.python, Workers: 2})
	if err != nil {
		p = nil
		if c.python != "" {
			fmt.Fprintf(c.stderr, "depyf decompile: %v\n", err)
		}
	}
	c.pools[v] = p
	return p
}

func (c *decompileCmd) close() {
	for _, p := range c.pools {
		if p != nil {
			p.Close()
		}
	}
}
