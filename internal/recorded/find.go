package recorded

import (
	"cmp"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/thuml/depyf/internal/explain"
	"github.com/thuml/depyf/internal/report"
)

// Found is something below a folder that Read can read.
type Found struct {
	Path      string
	Trace     bool     // what TORCH_TRACE has asked torch for; else a dump
	Processes []string // of a dump: names of the folders of its processes, "." for the folder itself
	Changed   time.Time
}

// Limits of a search: a folder of somebody's may be a whole disk.
const (
	maxDepth   = 8
	maxEntries = 200_000
)

// skipped are folders that hold thousands of files and no dumps of programs.
var skipped = map[string]bool{"node_modules": true, "site-packages": true, "dist-packages": true, "__pycache__": true, "venv": true}

// Find lists what is recorded in and below a folder, the newest first. Links to folders are not followed, nor are hidden folders
// searched. all is false where there was more to search than the limits allow.
func Find(top string) (list []Found, all bool, err error) {
	all = true
	entries := 0
	traces := map[string]*Found{}
	dumps := map[string]bool{}
	err = filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			if path == top {
				return err
			}
			return nil // what may not be read is not searched
		}
		if entries++; entries > maxEntries {
			all = false
			return fs.SkipAll
		}
		name := d.Name()
		switch {
		case d.IsDir():
			if path != top && (skipped[name] || strings.HasPrefix(name, ".")) {
				return fs.SkipDir
			}
			if rel, _ := filepath.Rel(top, path); strings.Count(rel, string(filepath.Separator)) >= maxDepth {
				all = false
				return fs.SkipDir
			}
		case name == explain.LogName:
			dir := filepath.Dir(path)
			if up := filepath.Dir(dir); path != filepath.Join(top, explain.LogName) && report.OfProcess(filepath.Base(dir)) {
				dir = up
			}
			dumps[dir] = true
		case traceName.MatchString(name):
			dir := filepath.Dir(path)
			if traces[dir] == nil {
				traces[dir] = &Found{Path: dir, Trace: true}
			}
			if info, err := d.Info(); err == nil && info.ModTime().After(traces[dir].Changed) {
				traces[dir].Changed = info.ModTime()
			}
		}
		return nil
	})
	for dir := range dumps {
		processes, err := report.Dumps(dir)
		if err != nil || len(processes) == 0 {
			continue // it has gone in the meantime
		}
		f := Found{Path: dir, Processes: processes}
		for _, p := range processes {
			if st, err := os.Stat(filepath.Join(dir, p, explain.LogName)); err == nil && st.ModTime().After(f.Changed) {
				f.Changed = st.ModTime()
			}
		}
		delete(traces, dir) // a folder of both is read as a dump
		list = append(list, f)
	}
	for _, f := range traces {
		list = append(list, *f)
	}
	slices.SortFunc(list, func(a, b Found) int {
		return cmp.Or(b.Changed.Compare(a.Changed), strings.Compare(a.Path, b.Path))
	})
	return list, all, err
}
