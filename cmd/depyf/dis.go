package main

import (
	"flag"
	"fmt"
	"io"

	"github.com/thuml/depyf/internal/bytecode"
)

const disHelp = `usage: depyf dis [flags] FILE.pyc

Lists the instructions of a .pyc file, or of a marshalled code object without
the .pyc header, which needs --python-version. FILE may be "-" for standard input.

Exit status: 0 all was listed · 1 the file could not be read or decoded · 2 wrong
usage.

`

// runDis is "depyf dis". It returns the exit status: 0; 1 when the input cannot
// be read or decoded in full; 2 for wrong usage.
func runDis(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	fs := flag.NewFlagSet("dis", flag.ContinueOnError)
	normalized := fs.Bool("normalized", false, "list depyf's version-free instructions")
	positions := fs.Bool("positions", false, "show line:column ranges")
	version := fs.String("python-version", "", "CPython `version` of a code object without header, such as 3.12")
	paths, status, done := parseArgs(fs, disHelp, args, stdout, stderr)
	if done {
		return status
	}
	if len(paths) != 1 {
		fmt.Fprint(stderr, "depyf dis: name one file; \"depyf dis -h\" tells more\n")
		return 2
	}
	fail := func(err error) int {
		fmt.Fprintf(stderr, "depyf dis: %s: %s\n", paths[0], oneLine(err.Error()))
		return 1
	}
	data, err := readInput(paths[0], stdin)
	if err != nil {
		return fail(err)
	}
	code, err := readCode(data, *version)
	if err != nil {
		return fail(err)
	}
	opt := bytecode.PrintOptions{Normalized: *normalized, Positions: *positions}
	if err := bytecode.Print(stdout, code, opt); err != nil {
		return fail(err)
	}
	return 0
}
