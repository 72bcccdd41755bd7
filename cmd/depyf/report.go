package main

import (
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/thuml/depyf/internal/answers"
	"github.com/thuml/depyf/internal/explain"
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
one for each rank. It tells causes, breaks, guards, graphs and kernels as a dump does, but
it has no code: what Dynamo made of a function only a session with depyf shows.

With --format json nothing is written: standard output gets what the reports
say as one JSON object (for each process), which docs/json.md describes.
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
	sources, top, err := sourcesAt(dirs[0])
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

// findDumps finds the dumps below a dump folder, its event log, or a folder of the dumps of several processes.
func findDumps(path string) (src string, dumps []string, err error) {
	st, err := os.Stat(path)
	if err != nil {
		return "", nil, err
	}
	if !st.IsDir() {
		return filepath.Dir(path), []string{"."}, nil // the log itself
	}
	if dumps, err = report.Dumps(path); err == nil && len(dumps) == 0 {
		err = fmt.Errorf("%s holds no event log, nor do folders of processes in it, nor is a file below it a log of torch's", path)
	}
	return path, dumps, err
}

// sayUnread tells what of a log could not be read.
func sayUnread(stderr io.Writer, command string, m *explain.Model) {
	if m.Skipped > 0 && m.Start.Log != "" {
		are := "lines of the log are"
		if m.Skipped == 1 {
			are = "line of the log is"
		}
		fmt.Fprintf(stderr, "depyf %s: %d %s not torch's\n", command, m.Skipped, are)
	} else if m.Skipped > 0 {
		fmt.Fprintf(stderr, "depyf %s: %d lines of the log could not be read\n", command, m.Skipped)
	}
	if m.Torn > 0 {
		fmt.Fprintf(stderr, "depyf %s: %d entries of the log are not as torch wrote them\n", command, m.Torn)
	}
}

// reportJSON writes what is known of the sessions, for programs: an object for each process, one after the other.
func reportJSON(path string, stdout, stderr io.Writer) int {
	sessions, err := readSessions(path)
	for _, s := range sessions {
		sayUnread(stderr, "report", s.model)
		if err == nil {
			err = writeJSON(stdout, answers.Of(explain.Link(s.model)))
		}
	}
	if err != nil {
		fmt.Fprintf(stderr, "depyf report: %v\n", err)
		return 1
	}
	return 0
}

// writeJSON writes an answer for programs: indented, and with <, > and & as they are.
func writeJSON(w io.Writer, answer any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	return enc.Encode(answer)
}
