package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"github.com/thuml/depyf/internal/decompile"
	"github.com/thuml/depyf/internal/pyc"
	"github.com/thuml/depyf/internal/pyworker"
)

const decompileHelp = `usage: depyf decompile [flags] PATH…

Turns .pyc files (or marshalled code objects, with --python-version) into Python
source. PATH is a file, a folder (with -r), or "-" for standard input. Nothing of
the input is ever executed.

The source is proven. Where a CPython of the file's version is found (or given by
--python) it is recompiled and compared instruction by instruction; elsewhere its
tree is lowered to that version's instructions, without any Python. A header comment
says the verdict: exact (recompiled), proved (lowered, or of the same effects),
unproved (neither was possible, or --verify=false), differs (and where), or partial
(some function is shown as commented bytecode).

With -o the tree of the inputs is mirrored below the folder OUT, where
pkg/__pycache__/m.cpython-312.pyc becomes pkg/m.py. A file that cannot be read
costs one line on standard error; the others go on.

Exit status: 0 everything is proven · 1 some input could not be read or some
result is not proven · 2 wrong usage · 3 all went well, but some result could not
be proven without an interpreter, or was not to be.

--dump-passes=OUT.html FILE [FUNCTION] shows one function of a file, or the file's
own code, behind each pass of the decompiler.

Colours are used on a terminal, not with NO_COLOR set, always with FORCE_COLOR.

  depyf decompile module.pyc
  depyf decompile -r build/ -o sources/
  depyf decompile --python-version 3.11 - <code.marshal
  depyf decompile --dump-passes=out.html module.pyc Class.method
  python -c 'import dis, m; dis.dis(m.f)' | depyf decompile --from-dis -
  depyf decompile --format json m.pyc | jq '.code_objects[] | select(.verdict != "exact")'

`

type decompileCmd struct {
	python  string
	version string
	verify  bool
	fromDis bool
	json    bool
	color   bool
	workers int
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
	c := &decompileCmd{stdout: stdout, stderr: stderr, pools: map[pyc.Version]*pyworker.Pool{}}
	fset.StringVar(&c.python, "python", "", "prove with this `interpreter` instead of looking for one")
	fset.StringVar(&c.version, "python-version", "", "CPython `version` of code objects without header, such as 3.12")
	fset.BoolVar(&c.verify, "verify", true, "prove the source; --verify=false leaves it out")
	fset.BoolVar(&c.fromDis, "from-dis", false, "the input is what dis has printed, of CPython 3.8 to 3.15; what it does not\ntell (parameters, flags) is guessed and named")
	out := fset.String("o", "", "write to this file; for folders and several files, mirror\nthe tree below the folder `out`")
	format := fset.String("format", "text", "`text`, or json: one line a file with source, verdict, and for each\ncode object its name, lines, verdict, and where it differs")
	recursive := fset.Bool("r", false, "descend into folders")
	dump := fset.String("dump-passes", "", "write the page `out.html`: one function behind each pass;\nthe arguments are FILE [FUNCTION]")
	jobs := fset.Int("j", runtime.NumCPU(), "decompile `n` files in parallel")
	paths, status, done := parseArgs(fset, decompileHelp, args, stdout, stderr)
	if done {
		return status
	}
	switch {
	case len(paths) == 0:
		fmt.Fprint(stderr, "depyf decompile: no file is named; \"depyf decompile -h\" tells more\n")
		return 2
	case *format != "text" && *format != "json":
		fmt.Fprintf(stderr, "depyf decompile: unknown format %q; text and json are known\n", *format)
		return 2
	case *jobs < 1:
		fmt.Fprintf(stderr, "depyf decompile: -j %d: at least one is needed\n", *jobs)
		return 2
	}
	if c.version != "" {
		if _, err := parseVersion(c.version); err != nil {
			fmt.Fprintf(stderr, "depyf decompile: %v\n", err)
			return 2
		}
	}
	if *dump != "" {
		if *out != "" || *recursive || *format != "text" {
			fmt.Fprint(stderr, "depyf decompile: --dump-passes goes without -o, -r and --format\n")
			return 2
		}
		c.workers = 1
		defer c.close()
		return c.dumpPasses(*dump, paths, stdin)
	}
	c.workers = min(*jobs, 64)
	c.json = *format == "json"
	c.color = !c.json && *out == "" && wantColor(stdout)
	inputs, bad := findInputs(paths, *recursive, stderr)
	if bad {
		status = 1
	}
	suffix := ".py"
	if c.json {
		suffix = ".py.json"
	}
	planOutputs(inputs, *out, len(paths) > 1 || isFolder(paths[0]), suffix)
	defer c.close()
	return worse(status, c.all(inputs, stdin))
}

// all decompiles the inputs in parallel and delivers the results in order. Not
// more than a few results wait for their turn.
func (c *decompileCmd) all(inputs []input, stdin io.Reader) int {
	results := make([]chan outcome, len(inputs))
	for i := range results {
		results[i] = make(chan outcome, 1)
	}
	ahead := make(chan struct{}, 4*c.workers)
	turns := make(chan int)
	go func() {
		for i := range inputs {
			ahead <- struct{}{}
			turns <- i
		}
		close(turns)
	}()
	// The passes recurse: a goroutine for each file would let its stack grow anew, which costs more than a hundredth of the time.
	for range min(c.workers, len(inputs)) {
		go func() {
			for i := range turns {
				results[i] <- c.one(inputs[i], stdin)
			}
		}()
	}
	status := 0
	counts := map[string]int{}
	// The bar must not run across a text on the same terminal.
	bar := newProgress(c.stderr, len(inputs), len(inputs) > 0 && inputs[0].out != "" || !isTerminal(c.stdout))
	for i, in := range inputs {
		o := <-results[i]
		if o.err != nil || !o.res.Verdict.Proven() && o.res.Verdict != decompile.Unproved {
			bar.clear()
		}
		status = worse(status, c.deliver(in, o, len(inputs) > 1))
		if o.err != nil {
			counts["failed"]++
		} else {
			counts[string(o.res.Verdict)]++
		}
		bar.step(in.path)
		<-ahead
	}
	bar.clear()
	if len(inputs) > 1 {
		c.summary(len(inputs), counts)
	}
	return status
}

// summary is the last line of a batch.
func (c *decompileCmd) summary(n int, counts map[string]int) {
	text := fmt.Sprintf("depyf decompile: %d files", n)
	sep := ": "
	color := wantColor(c.stderr)
	for _, v := range []string{"exact", "proved", "unproved", "differs", "partial", "failed"} {
		if counts[v] == 0 {
			continue
		}
		word := v
		if color {
			word = paint(colorVerdict(v), v)
		}
		text += fmt.Sprintf("%s%d %s", sep, counts[v], word)
		sep = ", "
	}
	fmt.Fprintln(c.stderr, text)
}

// worse orders exit statuses by how much they say against the result.
func worse(a, b int) int {
	rank := map[int]int{0: 0, 3: 1, 1: 2, 2: 3}
	if rank[b] > rank[a] {
		return b
	}
	return a
}

// one decompiles one input.
func (c *decompileCmd) one(in input, stdin io.Reader) (o outcome) {
	defer func() {
		// A bug of ours must cost one file, not the batch.
		if r := recover(); r != nil {
			o = outcome{err: fmt.Errorf("internal error: %v", r)}
		}
	}()
	data, err := readInput(in.path, stdin)
	if err != nil {
		return outcome{err: err}
	}
	if c.fromDis {
		return c.fromListing(in.path, data)
	}
	code, err := readCode(data, c.version)
	if err != nil {
		return outcome{err: err}
	}
	return c.decompiled(in.path, code, nil)
}

// header is the comment on top of the output.
func header(code *pyc.Code, r *decompile.Result) string {
	text := fmt.Sprintf("# Decompiled by depyf from CPython %v bytecode of %s.\n# Verdict: %s", code.Version, oneLine(code.Filename), r.Verdict)
	if r.Lowered {
		text += " (without an interpreter)"
	}
	if r.Detail != "" {
		text += ": " + oneLine(r.Detail)
	}
	return text + "\n"
}

// oneLine makes text fit for a message or a comment.
func oneLine(s string) string {
	if len(s) > 300 {
		s = s[:300] + " …"
	}
	s = strings.ToValidUTF8(s, "\ufffd")
	return strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f && r < 0xa0 || r == '\u2028' || r == '\u2029' {
			return ' '
		}
		return r
	}, s)
}

// deliver writes one result and returns its exit status.
func (c *decompileCmd) deliver(in input, o outcome, many bool) int {
	if o.err != nil {
		fmt.Fprintf(c.stderr, "depyf decompile: %s: %s\n", in.path, oneLine(o.err.Error()))
		if c.json {
			if err := c.write(in, errorJSON(in.path, o.err), many); err != nil {
				fmt.Fprintf(c.stderr, "depyf decompile: %v\n", err)
			}
		}
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
	if in.out != "" {
		fmt.Fprintf(c.stderr, "depyf decompile: %s: %s: %s\n", in.path, o.res.Verdict, oneLine(o.res.Detail))
	}
	return 1
}

func (c *decompileCmd) write(in input, text string, many bool) error {
	if in.out == "" {
		if many && !c.json {
			text = "# ==== " + oneLine(in.path) + "\n" + text + "\n"
		}
		_, err := io.WriteString(c.stdout, text)
		return err
	}
	if err := os.MkdirAll(filepath.Dir(in.out), 0o777); err != nil {
		return err
	}
	return os.WriteFile(in.out, []byte(text), 0o666)
}

// pool returns the workers for a version, nil when there is no interpreter.
func (c *decompileCmd) pool(v pyc.Version) *pyworker.Pool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if p, ok := c.pools[v]; ok {
		return p
	}
	p, err := pyworker.NewPool(v, pyworker.Options{Python: c.python, Workers: c.workers})
	if err != nil {
		p = nil
		fmt.Fprintf(c.stderr, "depyf decompile: the proof does without recompiling: %v\n", err)
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
