package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/pyc"
)

const disUsage = `usage: depyf dis [--normalized] [--positions] [--python-version 3.X] FILE.pyc

Lists the instructions of a .pyc file, or of a marshalled code object without
the .pyc header, which needs --python-version. FILE may be "-" for standard input.
`

// runDis is "depyf dis". It returns the exit status: 0; 1 when the input cannot
// be read or decoded in full; 2 for wrong usage.
func runDis(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	fs := flag.NewFlagSet("dis", flag.ContinueOnError)
	fs.SetOutput(stderr)
	fs.Usage = func() {
		fmt.Fprint(stderr, disUsage)
		fs.PrintDefaults()
	}
	normalized := fs.Bool("normalized", false, "list depyf's version-free instructions")
	positions := fs.Bool("positions", false, "show line:column ranges")
	version := fs.String("python-version", "", "CPython version of a code object without header, such as 3.12")
	if err := fs.Parse(args); err != nil {
		return 2
	}
	if fs.NArg() != 1 {
		fs.Usage()
		return 2
	}
	fail := func(err error) int {
		fmt.Fprintf(stderr, "depyf dis: %s: %v\n", fs.Arg(0), err)
		return 1
	}
	var data []byte
	var err error
	if fs.Arg(0) == "-" {
		data, err = io.ReadAll(stdin)
	} else {
		data, err = os.ReadFile(fs.Arg(0))
	}
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

// readCode reads a .pyc file or, without its header, a code object of the given
// version. The two cannot be mixed up: bytes 2 and 3 of a header are CR LF,
// those of a code object belong to its number of arguments.
func readCode(data []byte, version string) (*pyc.Code, error) {
	if len(data) >= 4 && data[2] == '\r' && data[3] == '\n' {
		f, err := pyc.ReadBytes(data)
		if err != nil {
			return nil, err
		}
		return f.Code, nil
	}
	if version == "" {
		return nil, fmt.Errorf("not a .pyc file; for a marshalled code object give --python-version")
	}
	v, err := parseVersion(version)
	if err != nil {
		return nil, err
	}
	c, err := pyc.Unmarshal(data, v)
	if err != nil {
		return nil, err
	}
	code, ok := c.(*pyc.Code)
	if !ok {
		return nil, fmt.Errorf("the data is a %s, not a code object", pyc.TypeName(c))
	}
	return code, nil
}

// parseVersion reads "3.12" or "3.12.1".
func parseVersion(s string) (pyc.Version, error) {
	minor, ok := strings.CutPrefix(s, "3.")
	minor, _, _ = strings.Cut(minor, ".")
	n, err := strconv.ParseUint(minor, 10, 8)
	if v := pyc.Version(n); ok && err == nil && v.Known() {
		return v, nil
	}
	return 0, fmt.Errorf("unknown Python version %q; %s to %s are supported", s, pyc.Oldest, pyc.Newest)
}
