package main

import (
	"errors"
	"fmt"
	"io/fs"
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
file that TORCH_TRACE=FOLDER has written, gzipped or not, or the folder; or the
text that TORCH_LOGS has asked for, in a file, or a folder of such files.
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
	sessions, err := readLogs(logs, path)
	if len(logs) == 0 || errors.Is(err, explain.ErrNoEntries) && logs[0] != path {
		top, dumps, err := findDumps(path)
		return report.SourcesOf(top, dumps), top, err
	}
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
	if err != nil || len(logs) > 0 {
		return logs, err
	}
	return textLogs(path)
}

// textName is how files may be called that hold what TORCH_LOGS asks for.
var textName = regexp.MustCompile(`\.(?:log|txt|out|err)(?:\.gz)?$`)

// textLogs lists the files below a folder that may hold text of torch: programs that start a process for each
// rank keep what it writes, in a folder of its own (torchrun --log-dir) or not.
func textLogs(folder string) ([]string, error) {
	var logs []string
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != folder && (strings.HasPrefix(d.Name(), ".") || strings.Count(path[len(folder):], string(filepath.Separator)) > 5):
			return fs.SkipDir
		case d.Type().IsRegular() && textName.MatchString(d.Name()):
			logs = append(logs, path)
		}
		return nil
	})
	return logs, err
}

var (
	rankInName   = regexp.MustCompile(`(?:^|[_.-])rank[_-]?(\d+)(?:[_.-]|$)`)
	rankOfFolder = regexp.MustCompile(`(?:^|/)(\d+)/std(?:err|out)\.log$`) // of torchrun
)

// rankOf is the rank that the name of a file tells, below the folder that was given.
func rankOf(name string) string {
	if r := rankInName.FindStringSubmatch(filepath.Base(name)); r != nil {
		return r[1]
	}
	if r := rankOfFolder.FindStringSubmatch(filepath.ToSlash(name)); r != nil {
		return r[1]
	}
	return ""
}

// readLogs reads the logs of several processes, by rank where they have one. Of several files some may hold nothing of torch's.
func readLogs(logs []string, path string) ([]session, error) {
	var out []session
	var nothing error
	taken := map[string]int{}
	for _, log := range logs {
		models, err := explain.ReadLog(log)
		if errors.Is(err, explain.ErrNoEntries) {
			nothing = err
			continue
		}
		if err != nil {
			return nil, err
		}
		for _, m := range models {
			name := strings.TrimSuffix(strings.TrimSuffix(filepath.Base(log), ".gz"), ".log")
			if r := rankOf(strings.TrimPrefix(log, path)); r != "" {
				m.Start.Rank = r
			}
			if m.Start.Rank != "" {
				name = "rank_" + m.Start.Rank
			}
			if taken[name]++; taken[name] > 1 {
				name += fmt.Sprintf("_run_%d", taken[name])
			}
			out = append(out, session{name, m})
		}
	}
	if len(out) == 0 {
		return nil, nothing
	}
	slices.SortStableFunc(out, func(a, b session) int { return report.ByNumber(a.name, b.name) })
	if len(out) == 1 {
		out[0].name = "."
	}
	return out, nil
}
