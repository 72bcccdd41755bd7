package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"

	"github.com/thuml/depyf/internal/equiv"
	"github.com/thuml/depyf/internal/pyc"
	"github.com/thuml/depyf/internal/pyworker"
)

const verifyHelp = `usage: depyf verify [flags] ORIGINAL.pyc SOURCE.py|OTHER.pyc

Proves that a source, or another compiled file, means the same as ORIGINAL.pyc.
A source is compiled with the CPython version of ORIGINAL.pyc (not executed).
"-" reads the second file, as source, from standard input.

Exit status: 0 equal, 1 different, 2 could not be decided.

`

// runVerify is the command "depyf verify".
func runVerify(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	fs := flag.NewFlagSet("verify", flag.ContinueOnError)
	python := fs.String("python", "", "use this `interpreter` instead of looking for one")
	effects := fs.Bool("effects", false, "compare effects: for code made by torch.compile")
	all := fs.Bool("all", false, "report every code object that differs, not only the first")
	quiet := fs.Bool("q", false, "print nothing if equal")
	version := fs.String("python-version", "", "CPython `version` of code objects without header, such as 3.12")
	paths, status, done := parseArgs(fs, verifyHelp, args, stdout, stderr)
	if done {
		return status
	}
	if len(paths) != 2 {
		fmt.Fprint(stderr, "depyf verify: name two files; \"depyf verify -h\" tells more\n")
		return 2
	}
	color := func(c, text string) string {
		if wantColor(stdout) {
			return paint(c, text)
		}
		return text
	}
	fail := func(err error) int {
		fmt.Fprintf(stderr, "depyf verify: %s\n", oneLine(err.Error()))
		return 2
	}
	orig, err := readPyc(paths[0], *version)
	if err != nil {
		return fail(err)
	}
	other, err := codeOf(paths[1], orig.Version, *version, *python, stdin)
	var syntax *pyworker.CompileError
	if errors.As(err, &syntax) {
		fmt.Fprintf(stdout, "%s: the source does not compile: %v\n", color(colBad, "differs"), err)
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
			fmt.Fprintf(stdout, "%s (%s): %d code objects, CPython %v\n", color(colGood, "equal"), res.Level, len(res.Compared), orig.Version)
		}
		return 0
	}
	for _, d := range res.Diffs {
		fmt.Fprintf(stdout, "%s at %s%s: %s\n", color(colBad, "differs"), d.Path, place(d.Where), d.Reason)
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

func readPyc(path, version string) (*pyc.Code, error) {
	data, err := readInput(path, nil)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	code, err := readCode(data, version)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return code, nil
}

// codeOf reads the second operand: compiled code as it is, source through a
// CPython of version v.
func codeOf(path string, v pyc.Version, version, python string, stdin io.Reader) (*pyc.Code, error) {
	if strings.HasSuffix(path, ".pyc") {
		return readPyc(path, version)
	}
	source, err := readInput(path, stdin)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	pool, err := pyworker.NewPool(v, pyworker.Options{Python: python, Workers: 1})
	if err != nil {
		return nil, err
	}
	defer pool.Close()
	return pool.CompileBytes(source, path)
}
