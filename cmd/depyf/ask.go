package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"

	"github.com/thuml/depyf/internal/answers"
	"github.com/thuml/depyf/internal/ask"
	"github.com/thuml/depyf/internal/explain"
	"github.com/thuml/depyf/internal/recorded"
	"github.com/thuml/depyf/internal/report"
)

const sourceUsage = `DUMP_DIR is a dump folder, or one that holds the dumps of several processes
(rank_0, rank_1, …), each of which is answered for; or what torch itself logs: a
file that TORCH_TRACE=FOLDER has written, gzipped or not, or the folder; or the
text that TORCH_LOGS has asked for, in a file, or a folder of such files.
`

// question is a command that answers from a dump.
type question struct {
	ask.Question
}

func questions() []question {
	var list []question
	for _, q := range ask.Questions() {
		list = append(list, question{q})
	}
	return list
}

// parse takes the subject of the question from the arguments.
func (q question) parse(args []string) (subject, path string, ok bool) {
	if q.Subject != "" && (len(args) == 2 || !q.Optional) {
		if len(args) == 0 {
			return "", "", false
		}
		subject, args = args[0], args[1:]
	}
	return subject, strings.Join(args, ""), len(args) == 1
}

// run is "depyf NAME [--format F] DUMP_DIR".
func (q question) run(args []string, _ io.Reader, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet(q.Name, flag.ContinueOnError)
	format := flags.String("format", "text", "`FORM`: text, markdown or json")
	top := flags.Int("top", 0, "show the first `N` only: they are the costliest (default all; JSON has all)")
	perfetto := new(string)
	if q.Name == "time" {
		flags.StringVar(perfetto, "perfetto", "", "write `FILE` too: a trace of the compilations, for ui.perfetto.dev or chrome://tracing")
	}
	paths, status, done := parseArgs(flags, q.usage(), args, stdout, stderr)
	if done {
		return status
	}
	subject, path, ok := q.parse(paths)
	if *top < 0 {
		fmt.Fprintf(stderr, "depyf %s: --top %d: give the number of items to show, or 0 for all\n", q.Name, *top)
		return 2
	}
	if !ok || *format != "text" && *format != "markdown" && *format != "json" {
		fmt.Fprint(stderr, q.usage())
		return 2
	}
	sessions, err := recorded.Read(path)
	var all []ask.Answer
	var missing []string
	if err == nil {
		for _, s := range sessions {
			sayUnread(stderr, q.Name, s.Model)
		}
		all, missing, err = q.All(sessions, subject)
	}
	if err == nil && *format == "json" {
		var objects []map[string]any
		for _, a := range all {
			objects = append(objects, a.Object())
		}
		doc := ask.Document(len(sessions) > 1, objects)
		if r := q.Together(sessions); r != nil {
			doc["ranks"] = r
		}
		err = writeJSON(stdout, doc)
	} else if err == nil {
		text := ask.TogetherWords(q.Together(sessions), *format == "markdown", path)
		for _, a := range all {
			text += a.Words(*format == "markdown", len(sessions) > 1, *top, "leave out `--top`", path)
		}
		_, err = io.WriteString(stdout, text)
	}
	for _, m := range missing {
		fmt.Fprintf(stderr, "depyf %s: %s\n", q.Name, m)
	}
	if err == nil && *perfetto != "" {
		err = writeTrace(*perfetto, sessions)
	}
	if err != nil {
		fmt.Fprintf(stderr, "depyf %s: %v\n", q.Name, err)
		return 1
	}
	return 0
}

// writeTrace writes when what was compiled in each process.
func writeTrace(file string, sessions []recorded.Session) error {
	var tracks []report.Track
	spans := 0
	for _, s := range sessions {
		if len(sessions) == 1 {
			s.Name = "torch.compile"
		}
		t := report.Track{Name: s.Name, Spans: answers.Timeline(s.Facts().Program)}
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
	subject := q.Subject
	if subject != "" && q.Optional {
		subject = "[" + subject + "]"
	}
	return fmt.Sprintf(`usage: depyf %s [--format text|markdown|json] %sDUMP_DIR

Reads what depyf has recorded there and answers on standard output: it can
%s.
docs/json.md describes the JSON. %s
Exit status: 0 answered · 1 the folder cannot be read, or nothing in it is known
of what was asked about · 2 wrong usage.

`, q.Name, strings.TrimLeft(subject+" ", " "), q.About, sourceUsage)
}
