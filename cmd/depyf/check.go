package main

import (
	"encoding/xml"
	"flag"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/thuml/depyf/internal/answers"
	"github.com/thuml/depyf/internal/ask"
	"github.com/thuml/depyf/internal/recorded"
	"github.com/thuml/depyf/internal/report"
)

const diffUsage = `usage: depyf diff [--format text|markdown|json] BEFORE AFTER

Says what is different between two dump folders: failures, graph breaks, causes
of recompilations and functions left uncompiled that are new or gone; counts;
functions that took clearly longer, or less long, to compile; and graphs,
kernels and guards that changed. Lines are known by their function and text,
not by their number, and graphs and kernels by what they compute, not by their
names, so that the source may have been edited in between. Where the folders
hold the dumps of several processes, those of one name are compared, and a rank
that only one of them has is a difference.

Exit status: 0 nothing is different · 1 something is · 2 wrong usage, or a
folder cannot be read.

`

func runDiff(args []string, _ io.Reader, stdout, stderr io.Writer) int {
	fs := flag.NewFlagSet("diff", flag.ContinueOnError)
	format := fs.String("format", "text", "`FORM`: text, markdown or json")
	paths, status, done := parseArgs(fs, diffUsage, args, stdout, stderr)
	if done {
		return status
	}
	if len(paths) != 2 || *format != "text" && *format != "markdown" && *format != "json" {
		fmt.Fprint(stderr, diffUsage)
		return 2
	}
	var both [2][]recorded.Session
	for i, path := range paths {
		list, err := recorded.Read(path)
		if err != nil {
			fmt.Fprintf(stderr, "depyf diff: %v\n", err)
			return 2
		}
		both[i] = list
	}
	all := ask.Diff(both[0], both[1])
	if err := writeDiff(stdout, all, *format); err != nil {
		fmt.Fprintf(stderr, "depyf diff: %v\n", err)
		return 2
	}
	if !ask.Same(all) {
		return 1
	}
	return 0
}

// writeDiff writes what became of each process in one of the forms.
func writeDiff(w io.Writer, all []ask.Answer, format string) error {
	if format == "json" {
		var objects []map[string]any
		for _, a := range all {
			fields, err := ask.Fields(a.Sections[0].Data, a.Process)
			if err != nil {
				return err
			}
			objects = append(objects, fields)
		}
		return writeJSON(w, ask.Document(len(all) > 1, objects))
	}
	for _, a := range all {
		if err := writeSection(w, a.Sections[0], format, heading(a.Process, len(all))); err != nil {
			return err
		}
	}
	return nil
}

// heading is the name of a process where there are several.
func heading(name string, n int) string {
	if n < 2 {
		return ""
	}
	return name
}

func writeSection(w io.Writer, s report.Section, format, process string) error {
	if format == "markdown" {
		if process != "" {
			s.Title += " in " + process
		}
		_, err := io.WriteString(w, s.Markdown(2))
		return err
	}
	if process != "" {
		fmt.Fprintf(w, "=== %s ===\n\n", process)
	}
	_, err := io.WriteString(w, s.Text())
	return err
}

const checkUsage = `usage: depyf check [--max-breaks N] [--max-recompiles N] [--max-limits N]
                   [--max-failures N] [--max-seconds S] [--baseline RUN] [--format text|markdown|json|junit] DUMP_DIR

Fails where a program compiles worse than it should: for continuous
integration. A limit that is not given is not checked, but for failures (of
compiling, of torch.export, and an error that ended the program) and
recompilations that torch's limit refused, of which none is allowed. A program
that was killed fails. With --baseline, what is counted may not be more than in
that dump folder, and nothing may break graphs, lead to recompilations or fail
that does not there; what is new or gone is named. Where the folder holds the dumps of several processes,
each must pass, and a rank that only one of both folders has fails.

Exit status: 0 all is well · 1 a limit is exceeded · 2 wrong usage, or a folder
cannot be read.

`

func runCheck(args []string, _ io.Reader, stdout, stderr io.Writer) int {
	fs := flag.NewFlagSet("check", flag.ContinueOnError)
	given := map[string]*float64{
		"breaks": fs.Float64("max-breaks", -1, "at most `N` lines may break graphs"), "recompilations": fs.Float64("max-recompiles", -1, "at most `N` recompilations"),
		"failures": fs.Float64("max-failures", 0, "at most `N` failures"), "limits": fs.Float64("max-limits", -1, "torch's limit may refuse `N` recompilations at most (0, or what the baseline has)"), "seconds": fs.Float64("max-seconds", -1, "compiling may take `S` seconds at most"),
	}
	baseline := fs.String("baseline", "", "`RUN`: a dump folder that is not to be exceeded")
	format := fs.String("format", "text", "`FORM`: text, markdown, json or junit")
	paths, status, done := parseArgs(fs, checkUsage, args, stdout, stderr)
	if done {
		return status
	}
	if len(paths) != 1 || !strings.Contains(" text markdown json junit ", " "+*format+" ") {
		fmt.Fprint(stderr, checkUsage)
		return 2
	}
	if *given["limits"] < 0 && *baseline == "" {
		*given["limits"] = 0
	}
	limits := ask.Limits{}
	for name, limit := range given {
		limits[name] = *limit
	}
	now, err := recorded.Read(paths[0])
	var before []recorded.Session
	if err == nil && *baseline != "" {
		before, err = recorded.Read(*baseline)
	}
	var all []ask.Verdict
	if err == nil {
		all = ask.Check(now, before, limits)
	}
	if err == nil {
		err = writeVerdicts(stdout, all, *format)
	}
	if err != nil {
		fmt.Fprintf(stderr, "depyf check: %v\n", err)
		return 2
	}
	if !ask.Passed(all) {
		return 1
	}
	return 0
}

// writeVerdicts writes what came of the limits in one of the forms.
func writeVerdicts(w io.Writer, all []ask.Verdict, format string) error {
	switch format {
	case "json":
		return writeJSON(w, map[string]any{"form": answers.Form, "passed": ask.Passed(all), "verdicts": all})
	case "junit":
		return writeJUnit(w, all)
	}
	for _, v := range all {
		if _, err := io.WriteString(w, v.Words(format == "markdown")); err != nil {
			return err
		}
	}
	return nil
}

// The form that CI services read: https://github.com/testmoapp/junitxml describes it.
type junitSuite struct {
	XMLName  xml.Name    `xml:"testsuite"`
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Class   string        `xml:"classname,attr"`
	Name    string        `xml:"name,attr"`
	Failure *junitFailure `xml:"failure"`
}

type junitFailure struct {
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

func writeJUnit(w io.Writer, all []ask.Verdict) error {
	suite := junitSuite{Name: "depyf check", Tests: len(all)}
	for _, v := range all {
		c := junitCase{Class: "depyf", Name: v.Name}
		if v.Process != "." {
			c.Class += "." + v.Process
		}
		if !v.OK {
			suite.Failures++
			c.Failure = &junitFailure{v.Short(), strings.Join(v.Lines(math.MaxInt), "\n")}
		}
		suite.Cases = append(suite.Cases, c)
	}
	io.WriteString(w, xml.Header)
	enc := xml.NewEncoder(w)
	enc.Indent("", " ")
	if err := enc.Encode(suite); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}
