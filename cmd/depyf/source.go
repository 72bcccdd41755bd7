package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/thuml/depyf/internal/explain"
	"github.com/thuml/depyf/internal/report"
)

// session is what one process has recorded.
type session struct {
	name  string // of its folder below the given one; "." for that itself
	model *explain.Model
}

const sourceUsage = `DUMP_DIR is a dump folder, or one that holds the dumps of several processes
(rank_0, rank_1, …), each of which is answered for; or what torch itself logs: a
file that TORCH_TRACE=FOLDER has written, gzipped or not, or the folder.
`

// readSessions reads what each process below a path has recorded.
func readSessions(path string) ([]session, error) {
	sources, _, err := sourcesAt(path)
	if err != nil {
		return nil, err
	}
	var out []session
	for _, src := range sources {
		m, err := src.Load()
		if err != nil {
			return nil, err
		}
		out = append(out, session{filepath.ToSlash(src.Name), m})
	}
	return out, nil
}

// sourcesAt finds the sessions at a path, and the dump folder that they lie in, "" for torch's own logs.
func sourcesAt(path string) (list []report.Source, top string, err error) {
	logs, err := traceLogs(path)
	if err != nil {
		return nil, "", err
	}
	if logs == nil {
		top, dumps, err := findDumps(path)
		return report.SourcesOf(top, dumps), top, err
	}
	sessions, err := readLogs(logs)
	for _, s := range sessions {
		list = append(list, report.Source{Name: s.name, Load: func() (*explain.Model, error) { return s.model, nil }})
	}
	return list, "", err
}

// traceName is how torch calls the files that TORCH_TRACE asks for.
var traceName = regexp.MustCompile(`^dedicated_log_torch_trace_.*\.log(?:\.gz)?$`)

// traceLogs lists the files of torch's own log at a path; none for a dump.
func traceLogs(path string) ([]string, error) {
	st, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !st.IsDir() {
		if filepath.Base(path) == explain.LogName {
			return nil, nil
		}
		return []string{path}, nil
	}
	if dumps, err := report.Dumps(path); err != nil || len(dumps) > 0 {
		return nil, err
	}
	var logs []string
	entries, err := os.ReadDir(path)
	for _, e := range entries {
		if traceName.MatchString(e.Name()) {
			logs = append(logs, filepath.Join(path, e.Name()))
		}
	}
	return logs, err
}

var rankInName = regexp.MustCompile(`_rank_(\d+)_`)

// readLogs reads the logs of several processes, by rank where they have one.
func readLogs(logs []string) ([]session, error) {
	var out []session
	for _, log := range logs {
		models, err := explain.ReadLog(log)
		if err != nil {
			return nil, err
		}
		for i, m := range models {
			name := strings.TrimSuffix(strings.TrimSuffix(filepath.Base(log), ".gz"), ".log")
			if r := rankInName.FindStringSubmatch(filepath.Base(log)); r != nil {
				m.Start.Rank = r[1]
			}
			if m.Start.Rank != "" {
				name = "rank_" + m.Start.Rank
			}
			if i > 0 {
				name += fmt.Sprintf("_run_%d", i+1)
			}
			out = append(out, session{name, m})
		}
	}
	slices.SortStableFunc(out, func(a, b session) int { return report.ByNumber(a.name, b.name) })
	if len(out) == 1 {
		out[0].name = "."
	}
	return out, nil
}
