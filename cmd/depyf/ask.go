package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/thuml/depyf/internal/answers"
	"github.com/thuml/depyf/internal/explain"
	"github.com/thuml/depyf/internal/report"
)

// question is a command that answers from a dump: which sections of the report it shows.
type question struct {
	name     string
	about    string
	sections func(*answers.Facts) []report.Section

	// Of a question about something: what that is, in the usage text, whether it may be left out, and the answer.
	subject  string
	optional bool
	of       func(f *answers.Facts, subject string) (report.Section, error)
	asked    string

	// How it is answered.
	top      int    // how many items are shown; 0 for all
	perfetto string // file that a trace for Perfetto goes to; "" for none
}

func questions() []question {
	list := []question{
		{
			name: "map", about: "say which lines, statements of transformed code, operations of graphs and kernels belong together",
			subject: "FILE:LINE|OPERATION|KERNEL", of: report.Map,
		},
		{
			name: "guards", about: "say how many guards each version has, what checking them costs, what tells versions apart, and which could go",
			subject: "VERSION", optional: true, of: report.Guards,
		},
	}
	for _, q := range []struct {
		name, about string
		sections    func(*answers.Facts) []report.Section
	}{
		{"explain", "say what failed, what was left uncompiled, what was compiled again, which lines break graphs, and where the time went", report.InBrief},
		{"failures", "say what raised, and which limits were reached", one(report.Trouble)},
		{"why-recompile", "say what made code be compiled again, the costliest cause first", one(report.Recompilations)},
		{"breaks", "say which lines break graphs, why, and what helps", one(report.Breaks)},
		{"wrong", "say which operation made the first wrong number, and who is wrong, where eager and compiled results were compared", one(report.Wrong)},
		{"time", "say where compile time went, by function", one(report.Time)},
	} {
		list = append(list, question{name: q.name, about: q.about, sections: q.sections})
	}
	return list
}

// one is a question that one section answers.
func one(section func(*answers.Facts) report.Section) func(*answers.Facts) []report.Section {
	return func(f *answers.Facts) []report.Section { return []report.Section{section(f)} }
}

// parse takes the subject of the question from the arguments.
func (q question) parse(args []string) (asked question, path string, ok bool) {
	if q.subject != "" && (len(args) == 2 || !q.optional) {
		if len(args) == 0 {
			return q, "", false
		}
		q.asked, args = args[0], args[1:]
	}
	return q, strings.Join(args, ""), len(args) == 1
}

// run is "depyf NAME [--format F] DUMP_DIR".
func (q question) run(args []string, _ io.Reader, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet(q.name, flag.ContinueOnError)
	format := flags.String("format", "text", "`FORM`: text, markdown or json")
	flags.IntVar(&q.top, "top", 0, "show the first `N` only: they are the costliest (default all; JSON has all)")
	if q.name == "time" {
		flags.StringVar(&q.perfetto, "perfetto", "", "write `FILE` too: a trace of the compilations, for ui.perfetto.dev or chrome://tracing")
	}
	paths, status, done := parseArgs(flags, q.usage(), args, stdout, stderr)
	if done {
		return status
	}
	q, path, ok := q.parse(paths)
	if q.top < 0 {
		fmt.Fprintf(stderr, "depyf %s: --top %d: give the number of items to show, or 0 for all\n", q.name, q.top)
		return 2
	}
	if !ok || *format != "text" && *format != "markdown" && *format != "json" {
		fmt.Fprint(stderr, q.usage())
		return 2
	}
	sessions, err := readSessions(path)
	if err != nil {
		fmt.Fprintf(stderr, "depyf %s: %v\n", q.name, err)
		return 1
	}
	for _, s := range sessions {
		sayUnread(stderr, q.name, s.model)
		if err := q.answer(s, len(sessions) > 1, *format, stdout); err != nil {
			fmt.Fprintf(stderr, "depyf %s: %v\n", q.name, err)
			return 1
		}
	}
	if q.perfetto == "" {
		return 0
	}
	if err := writeTrace(q.perfetto, sessions); err != nil {
		fmt.Fprintf(stderr, "depyf %s: %v\n", q.name, err)
		return 1
	}
	return 0
}

// writeTrace writes when what was compiled in each process.
func writeTrace(file string, sessions []session) error {
	var tracks []report.Track
	spans := 0
	for _, s := range sessions {
		if len(sessions) == 1 {
			s.name = "torch.compile"
		}
		t := report.Track{Name: s.name, Spans: answers.Timeline(explain.Link(s.model))}
		tracks = append(tracks, t)
		spans += len(t.Spans)
	}
	if spans == 0 {
		return errors.New("torch has not told when anything was compiled, as torch before 2.4 does not: there is nothing to draw")
	}
	var b bytes.Buffer
	if err := report.Perfetto(&b, tracks); err != nil {
		return err
	}
	if err := explain.WriteFile(file, b.Bytes()); err != nil {
		return fmt.Errorf("%s cannot be written: %w", file, plain(err))
	}
	return nil
}

func (q question) usage() string {
	subject := q.subject
	if subject != "" && q.optional {
		subject = "[" + subject + "]"
	}
	return fmt.Sprintf(`usage: depyf %s [--format text|markdown|json] %sDUMP_DIR

Reads what depyf has recorded there and answers on standard output: it can
%s.
docs/json.md describes the JSON. %s
Exit status: 0 answered · 1 the folder cannot be read · 2 wrong usage.

`, q.name, strings.TrimLeft(subject+" ", " "), q.about, sourceUsage)
}

// answer writes the sections for one process.
func (q question) answer(s session, several bool, format string, w io.Writer) error {
	facts := answers.For(explain.Link(s.model))
	if q.of != nil {
		x, err := q.of(facts, q.asked)
		if err != nil {
			return err
		}
		q.sections = one(func(*answers.Facts) report.Section { return x })
	}
	sections := q.sections(facts)
	if format == "json" {
		object := map[string]any{"process": s.name}
		for _, x := range sections {
			object[x.Name] = x.Data
		}
		return writeJSON(w, object)
	}
	level := 1
	if several {
		level = 2
		if format == "markdown" {
			fmt.Fprintf(w, "# %s\n\n", s.name)
		} else {
			fmt.Fprintf(w, "=== %s ===\n\n", s.name)
		}
	}
	for _, x := range sections {
		if len(sections) > 1 {
			x = x.AtAGlance("DUMP_DIR")
		}
		if q.top > 0 {
			x = x.Brief(q.top, math.MaxInt, "leave out `--top`")
		}
		text := x.Markdown(level)
		if format == "text" {
			text = x.Text()
			if len(sections) > 1 {
				text = x.TitledText()
			}
		}
		if _, err := io.WriteString(w, text); err != nil {
			return err
		}
	}
	return nil
}
