package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/thuml/depyf/internal/equiv"
	"github.com/thuml/depyf/internal/pyc"
	"github.com/thuml/depyf/internal/pyworker"
)

const verifyUsage = `usage: depyf verify [flags] ORIGINAL.pyc SOURCE.py|OTHER.pyc

Proves that a source, or another compiled file, means the same as ORIGINAL.pyc.
A source is compiled with the CPython version of ORIGINAL.pyc (not executed).
"-" reads the second file, as source, from standard input.

Exit status: 0 equal, 1 different, 2 could not be decided.

`

// runVerify is the command "depyf verify".
func runVerify(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	fs := flag.NewFlagSet("depyf verify", flag.ContinueOnError)
	fs.SetOutput(stderr)
	python := fs.String("python", "", "use this interpreter instead of looking for one")
	effects := fs.Bool("effects", false, "compare effects: for code made by torch.compile")
	all := fs.Bool("all", false, "report every code object that differs, not only the first")
	quiet := fs.Bool("q", false, "print nothing if equal")
	fs.Usage = func() {
		fmt.Fprint(stderr, verifyUsage)
		fs.PrintDefaults()
	}
	if err := fs.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return 0
		}
		return 2
	}
	if fs.NArg() != 2 {
		fs.Usage()
		return 2
	}
	fail := func(err error) int {
		fmt.Fprintf(stderr, "depyf verify: %v\n", err)
		return 2
	}
	orig, err := readPyc(fs.Arg(0))
	if err != nil {
		return fail(err)
	}
	other, err := codeOf(fs.Arg(1), orig.Version, *python, stdin)
	var syntax *pyworker.CompileError
	if errors.As(err, &syntax) {
		fmt.Fprintf(stdout, "differs: the source does not compile: %v\n", err)
		return 1
	}
	if err != nil {
		return fail(err)
	}
	compare := equiv.Compare
	if *effects {
		compare = equiv.CompareEffects
	}
	res := compare(orig, other, equiv.Options{All: *all})
	if res.Equal {
		if !*quiet {
			fmt.Fprintf(stdout, "equal (%s): %d code objects, CPython %v\n", res.Level, res.Pairs, orig.Version)
		}
		return 0
	}
	for _, d := range res.Diffs {
		fmt.Fprintf(stdout, "differs at %s%s: %s\n", d.Path, place(d.Where), d.Reason)
	}
	return 1
}

// place spells the offsets of a difference, as far as there are any.
func place(w equiv.Where) string {
	if w.A < 0 && w.B < 0 {
		return ""
	}
	at := func(n int) string {
		if n < 0 {
			return "end"
		}
		return fmt.Sprint(n)
	}
	return fmt.Sprintf(" (offsets %s, %s)", at(w.A), at(w.B))
}

func readPyc(path string) (*pyc.Code, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	file, err := pyc.Read(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return file.Code, nil
}

// codeOf reads the second operand: compiled code as it is, source through a
// CPython of version v.
func codeOf(path string, v pyc.Version, python string, stdin io.Reader) (*pyc.Code, error) {
	if strings.HasSuffix(path, ".pyc") {
		return readPyc(path)
	}
	var source []byte
	var err error
	if path == "-" {
		source, err = io.ReadAll(stdin)
	} else {
		source, err = os.ReadFile(path)
	}
	if err != nil {
		return nil, err
	}
	pool, err := pyworker.NewPool(v, pyworker.Options{Python: python, Workers: 1})
	if err != nil {
		return nil, err
	}
	defer pool.Close()
	return pool.CompileBytes(source, path)
}
