package main

import (
	"encoding/xml"
	"flag"
	"fmt"
	"io"
	"strings"

	"github.com/thuml/depyf/internal/answers"
	"github.com/thuml/depyf/internal/explain"
	"github.com/thuml/depyf/internal/report"
)

const diffUsage = `usage: depyf diff [--format text|markdown|json] BEFORE AFTER

Says what is different between two dump folders: graph breaks and causes of
recompilation that are new or gone, counts, and functions that took clearly
longer, or less long, to compile. Lines are known by their text, not by their
number, so that the source may have been edited in between. Where the folders
hold the dumps of several processes, those of one name are compared.

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
	var both [2]map[string]*answers.Session
	var names []string
	for i, path := range paths {
		found, order, err := sessionsOf(path)
		if err != nil {
			fmt.Fprintf(stderr, "depyf diff: %v\n", err)
			return 2
		}
		both[i], names = found, order
	}
	for _, name := range names {
		before := both[0][name]
		if before == nil {
			fmt.Fprintf(stderr, "depyf diff: %s has no dump of %s\n", paths[0], name)
			return 2
		}
		section := report.Differences(answers.Compare(before, both[1][name]))
		if len(section.Items) > 0 {
			status = 1
		}
		if err := writeSection(stdout, section, *format, heading(name, len(names))); err != nil {
			fmt.Fprintf(stderr, "depyf diff: %v\n", err)
			return 2
		}
	}
	return status
}

// heading is the name of a process where there are several.
func heading(name string, n int) string {
	if n < 2 {
		return ""
	}
	return name
}

func writeSection(w io.Writer, s report.Section, format, process string) error {
	switch format {
	case "json":
		return writeJSON(w, s.Data)
	case "markdown":
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

// sessionsOf reads the dumps below a path, by the name of the process.
func sessionsOf(path string) (map[string]*answers.Session, []string, error) {
	list, err := readSessions(path)
	if err != nil {
		return nil, nil, err
	}
	out, names := map[string]*answers.Session{}, []string{}
	for _, s := range list {
		out[s.name] = answers.Of(explain.Link(s.model))
		names = append(names, s.name)
	}
	return out, names, nil
}

const checkUsage = `usage: depyf check [--max-breaks N] [--max-recompiles N] [--max-failures N]
                   [--max-seconds S] [--baseline RUN] [--format text|markdown|json|junit] DUMP_DIR

Fails where a program compiles worse than it should: for continuous
integration. A limit that is not given is not checked, but for failures, of
which none is allowed. With --baseline, what is counted may not be more than
in that dump folder, and what is new is named. Where the folder holds the
dumps of several processes, each must pass.

Exit status: 0 all is well · 1 a limit is exceeded · 2 wrong usage, or a folder
cannot be read.

`

// verdict is what came of one limit.
type verdict struct {
	Process string   `json:"process"`
	Name    string   `json:"name"`
	Value   float64  `json:"value"`
	Limit   float64  `json:"limit"`
	OK      bool     `json:"ok"`
	Because []string `json:"because"` // the lines and causes behind it
}

func runCheck(args []string, _ io.Reader, stdout, stderr io.Writer) int {
	fs := flag.NewFlagSet("check", flag.ContinueOnError)
	limits := map[string]*float64{
		"breaks": fs.Float64("max-breaks", -1, "`N` lines may break graphs"), "recompilations": fs.Float64("max-recompiles", -1, "`N` recompilations are allowed"),
		"failures": fs.Float64("max-failures", 0, "`N` compilations may raise"), "seconds": fs.Float64("max-seconds", -1, "compiling may take `S` seconds"),
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
	now, names, err := sessionsOf(paths[0])
	var before map[string]*answers.Session
	if err == nil && *baseline != "" {
		before, _, err = sessionsOf(*baseline)
	}
	if err != nil {
		fmt.Fprintf(stderr, "depyf check: %v\n", err)
		return 2
	}
	var all []verdict
	for _, name := range names {
		if before != nil && before[name] == nil {
			fmt.Fprintf(stderr, "depyf check: the baseline has no dump of %s\n", name)
			return 2
		}
		all = append(all, judged(name, now[name], before[name], limits)...)
	}
	if err := writeVerdicts(stdout, all, *format); err != nil {
		fmt.Fprintf(stderr, "depyf check: %v\n", err)
		return 2
	}
	for _, v := range all {
		if !v.OK {
			return 1
		}
	}
	return 0
}

// judged compares the numbers of one process with the limits and with the baseline, if there is one.
func judged(process string, s, before *answers.Session, limits map[string]*float64) []verdict {
	difference := answers.Compare(orEmpty(before), s)
	seconds := 0.0
	for _, f := range s.Spent {
		seconds += f.Total + f.Backward
	}
	values := map[string]float64{"seconds": seconds}
	was := map[string]float64{}
	order := []string{}
	for _, c := range difference.Counts {
		values[c.Name], was[c.Name] = float64(c.After), float64(c.Before)
		order = append(order, c.Name)
	}
	var out []verdict
	for _, name := range append(order, "seconds") {
		limit := -1.0
		if given := limits[name]; given != nil {
			limit = *given
		}
		if worse := name == "breaks" || name == "recompilations" || name == "limits" || name == "failures"; before != nil && worse && (limit < 0 || was[name] < limit) {
			limit = was[name]
		}
		if limit < 0 {
			continue
		}
		v := verdict{Process: process, Name: name, Value: values[name], Limit: limit, OK: values[name] <= limit, Because: []string{}}
		if !v.OK {
			blamed := s
			if before != nil {
				blamed = difference.New(s)
			}
			v.Because = append(v.Because, report.Behind(name, blamed)...)
		}
		out = append(out, v)
	}
	return out
}

func orEmpty(s *answers.Session) *answers.Session {
	if s == nil {
		return &answers.Session{}
	}
	return s
}

// writeVerdicts writes what came of the limits in one of the forms.
func writeVerdicts(w io.Writer, all []verdict, format string) error {
	switch format {
	case "json":
		return writeJSON(w, all)
	case "junit":
		return writeJUnit(w, all)
	}
	for _, v := range all {
		word, mark := "ok", "✓"
		if !v.OK {
			word, mark = "FAILED", "✗"
		}
		process := ""
		if v.Process != "." {
			process = v.Process + ": "
		}
		if format == "markdown" {
			fmt.Fprintf(w, "- %s %s**%s** %g (limit %g)\n", mark, process, v.Name, v.Value, v.Limit)
		} else {
			fmt.Fprintf(w, "%-7s %s%s: %g, limit %g\n", word, process, v.Name, v.Value, v.Limit)
		}
		for _, b := range v.Because {
			if format == "markdown" {
				fmt.Fprintf(w, "  - %s\n", b)
			} else {
				fmt.Fprintf(w, "          %s\n", b)
			}
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

func writeJUnit(w io.Writer, all []verdict) error {
	suite := junitSuite{Name: "depyf check", Tests: len(all)}
	for _, v := range all {
		c := junitCase{Class: "depyf." + v.Process, Name: v.Name}
		if !v.OK {
			suite.Failures++
			c.Failure = &junitFailure{fmt.Sprintf("%s: %g, limit %g", v.Name, v.Value, v.Limit), strings.Join(v.Because, "\n")}
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
