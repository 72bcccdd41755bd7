package main

import (
	"flag"
	"fmt"
	"io"

	"github.com/thuml/depyf/internal/cases"
	"github.com/thuml/depyf/internal/pyc"
)

const coverageUsage = `usage: depyf coverage [-cases testdata/cases] [-v | -table]

Says for each CPython version how many of its instructions some case of this
checkout contains, and names those that none does. Needs no Python.

Exit status: 0 every instruction that a compiler writes is shown · 1 some are not,
or the cases cannot be read · 2 wrong usage.

`

// runCoverage is "depyf coverage".
func runCoverage(args []string, _ io.Reader, stdout, stderr io.Writer) int {
	fs := flag.NewFlagSet("coverage", flag.ContinueOnError)
	fs.SetOutput(stderr)
	fs.Usage = func() {
		fmt.Fprint(stderr, coverageUsage)
		fs.PrintDefaults()
	}
	dir := fs.String("cases", "testdata/cases", "the folder of cases")
	verbose := fs.Bool("v", false, "name a case for each instruction, and what is not counted")
	table := fs.Bool("table", false, "print docs/versions.md instead: every case on every version")
	if err := fs.Parse(args); err != nil || fs.NArg() != 0 {
		if err == nil {
			fs.Usage()
		}
		return 2
	}
	fail := func(err error) int {
		fmt.Fprintf(stderr, "depyf coverage: %v\n", err)
		return 1
	}
	if *table {
		text, err := cases.Table(*dir)
		if err != nil {
			return fail(err)
		}
		fmt.Fprint(stdout, text)
		return 0
	}
	status := 0
	for v := pyc.Oldest; v <= pyc.Newest; v++ {
		c, err := cases.Cover(*dir, v)
		if err != nil {
			return fail(err)
		}
		total := c.Total()
		fmt.Fprintf(stdout, "%-4v %3d of %d instructions", v, total-len(c.Missing), total)
		if len(c.Missing) > 0 {
			status = 1
			fmt.Fprintf(stdout, "; no case has %q", c.Missing)
		}
		if len(c.Stale) > 0 {
			status = 1
			fmt.Fprintf(stdout, "; wrongly left out: %q", c.Stale)
		}
		fmt.Fprintln(stdout)
		if *verbose {
			for _, line := range c.Lines() {
				fmt.Fprintln(stdout, "    "+line)
			}
		}
	}
	return status
}
