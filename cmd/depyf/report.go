package main

import (
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
       depyf report --format json DUMP_DIR

Writes the files of a dump folder anew from its event log, for example after
the program was killed. Without -o they go into the folder itself. Where it
holds the dumps of several processes (rank_0, rank_1, …), all are written.

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
	src, dumps, err := findDumps(dirs[0])
	if err != nil {
		fmt.Fprintf(stderr, "depyf report: %v\n", err)
		return 1
	}
	if *format == "json" {
		return reportJSON(src, dumps, stdout, stderr)
	}
	dst := *out
	if dst == "" {
		dst = src
	}
	err = report.WriteAll(src, dst, dumps, func(dump string, m *explain.Model, files []explain.File) {
		if m.Skipped > 0 {
			fmt.Fprintf(stderr, "depyf report: %d lines of the log could not be read\n", m.Skipped)
		}
		for _, f := range files {
			fmt.Fprintf(stdout, "%s\t%s\n", filepath.ToSlash(filepath.Join(dump, f.Path)), f.About)
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
		err = fmt.Errorf("%s holds no event log, nor do folders of processes in it", path)
	}
	return path, dumps, err
}

// reportJSON writes what is known of the sessions, for programs: an object for each process, one after the other.
func reportJSON(src string, dumps []string, stdout, stderr io.Writer) int {
	for _, dump := range dumps {
		m, err := explain.Replay(filepath.Join(src, dump))
		if err == nil {
			err = writeJSON(stdout, answers.Of(explain.Link(m)))
		}
		if err != nil {
			fmt.Fprintf(stderr, "depyf report: %v\n", err)
			return 1
		}
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
