package recorded

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/thuml/depyf/internal/explain"
	"github.com/thuml/depyf/internal/lazyregexp"
	"github.com/thuml/depyf/internal/report"
)

// At finds the sessions at a path, and the dump folder that they lie in, "" for torch's own logs.
func At(path string) (list []report.Source, top string, err error) {
	logs, err := Logs(path)
	if err != nil {
		return nil, "", err
	}
	sessions, err := readLogs(logs, path)
	if len(logs) == 0 || errors.Is(err, explain.ErrNoEntries) && logs[0] != path {
		top, dumps, err := findDumps(path)
		return report.SourcesOf(top, dumps), top, err
	}
	for _, s := range sessions {
		list = append(list, report.Source{Name: s.Name, Load: func() (*explain.Model, error) { return s.Model, nil }})
	}
	return list, "", err
}

// Files lists the files that reading a path opens.
func Files(path string) ([]string, error) {
	logs, err := Logs(path)
	if err != nil || len(logs) > 0 {
		return logs, err
	}
	top, dumps, err := findDumps(path)
	var out []string
	for _, d := range dumps {
		dir := filepath.Join(top, d)
		out = append(out, filepath.Join(dir, explain.LogName))
		blobs, _ := os.ReadDir(filepath.Join(dir, explain.BlobsDir)) // a small log has none
		for _, b := range blobs {
			out = append(out, filepath.Join(dir, explain.BlobsDir, b.Name()))
		}
	}
	return out, err
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

// traceName is how torch calls the files that TORCH_TRACE asks for.
var traceName = lazyregexp.New(`^dedicated_log_torch_trace_.*\.log(?:\.gz)?$`)

// Logs lists the files of torch's own log at a path; none for a dump.
func Logs(path string) ([]string, error) {
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
var textName = lazyregexp.New(`\.(?:log|txt|out|err)(?:\.gz)?$`)

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
	rankInName   = lazyregexp.New(`(?:^|[_.-])rank[_-]?(\d+)(?:[_.-]|$)`)
	rankOfFolder = lazyregexp.New(`(?:^|/)(\d+)/std(?:err|out)\.log$`) // of torchrun
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
func readLogs(logs []string, path string) ([]Session, error) {
	var out []Session
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
			switch {
			case m.Start.Rank != "":
				name = "rank_" + m.Start.Rank
			case len(models) > 1 && m.Start.PID > 0:
				name = fmt.Sprintf("process_%d", m.Start.PID)
			}
			if taken[name]++; taken[name] > 1 {
				name += fmt.Sprintf("_run_%d", taken[name])
			}
			out = append(out, newSession(name, m))
		}
	}
	if len(out) == 0 {
		return nil, nothing
	}
	slices.SortStableFunc(out, func(a, b Session) int { return report.ByNumber(a.Name, b.Name) })
	if len(out) == 1 {
		out[0].Name = "."
	}
	return out, nil
}
