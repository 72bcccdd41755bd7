package main

import (
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"path/filepath"

	"github.com/thuml/depyf/internal/answers"
	"github.com/thuml/depyf/internal/explain"
	"github.com/thuml/depyf/internal/recorded"
	"github.com/thuml/depyf/internal/report"
)

const reportUsage = `usage: depyf report [-o OUT] DUMP_DIR
       depyf report -o OUT TRACE
       depyf report --format json DUMP_DIR|TRACE

Writes the files of a dump folder anew from its event log, for example after
the program was killed. Without -o they go into the folder itself. Where it
holds the dumps of several processes (rank_0, rank_1, …), all are written.

TRACE is a file that TORCH_TRACE=FOLDER has written, gzipped or not, or the
folder; or the text that TORCH_LOGS has asked for, or a folder of such files,
one for each rank. It tells causes, breaks, guards, graphs and kernels as a dump
does. What Dynamo made of a function it has only where TORCH_LOGS=bytecode lists
it, and then without a proof.

With --format json nothing is written: standard output gets what the reports
say as one JSON document, which docs/json.md describes.
`

// runReport regenerates the files of a dump folder from its event log.
func runReport(args []string, _ io.Reader, stdout, stderr io.Writer) int {
	fs := flag.NewFlagSet("report", flag.ContinueOnError)
	out := fs.String("o", "", "folder to write to")
	format := fs.String("format", "files", "files or json")
	dirs, status, done := parseArgs(fs, reportUsage, args, stdout, stderr)
	if done {
		return status
	}
	if len(dirs) != 1 || *format != "files" && *format != "json" || *format == "json" && *out != "" {
		fmt.Fprint(stderr, reportUsage)
		return 2
	}
	if *format == "json" {
		return reportJSON(dirs[0], stdout, stderr)
	}
	sources, top, err := recorded.At(dirs[0])
	dst := cmp.Or(*out, top)
	if err == nil && dst == "" {
		err = fmt.Errorf("%s is torch's own log: -o FOLDER says where to write its report", dirs[0])
	}
	if err != nil {
		fmt.Fprintf(stderr, "depyf report: %v\n", err)
		return 1
	}
	err = report.WriteAll(sources, dst, func(name string, m *explain.Model, files []explain.File) {
		sayUnread(stderr, "report", m)
		for _, f := range files {
			fmt.Fprintf(stdout, "%s\t%s\n", filepath.ToSlash(filepath.Join(name, f.Path)), f.About)
		}
	})
	if err != nil {
		fmt.Fprintf(stderr, "depyf report: %v\n", err)
		return 1
	}
	return 0
}

// sayUnread tells what of a log could not be read.
func sayUnread(stderr io.Writer, command string, m *explain.Model) {
	for _, what := range recorded.Unread(m) {
		fmt.Fprintf(stderr, "depyf %s: %s\n", command, what)
	}
}

// reportJSON writes what is known of the sessions, for programs: one document.
func reportJSON(path string, stdout, stderr io.Writer) int {
	sessions, err := recorded.Read(path)
	for _, s := range sessions {
		sayUnread(stderr, "report", s.Model)
	}
	switch {
	case err != nil:
	case len(sessions) == 1:
		err = writeJSON(stdout, sessions[0].Facts().Session())
	default:
		err = writeJSON(stdout, map[string]any{"form": answers.Form, "processes": processes(sessions)})
	}
	if err != nil {
		fmt.Fprintf(stderr, "depyf report: %v\n", err)
		return 1
	}
	return 0
}

// process is what is known of one of several processes.
type process struct {
	Process string `json:"process"`
	*answers.Session
}

func processes(sessions []recorded.Session) []process {
	out := []process{}
	for _, s := range sessions {
		out = append(out, process{s.Name, s.Facts().Session()})
	}
	return out
}

// writeJSON writes an answer for programs: indented, and with <, > and & as they are.
func writeJSON(w io.Writer, answer any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	return enc.Encode(answer)
}
