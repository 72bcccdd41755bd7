package explain

import (
	"errors"
	"os"
	"path/filepath"
)

// Replay reads the event log of a dump folder (or the log file itself) back
// into a model.
func Replay(path string) (*Model, error) {
	dir := path
	if st, err := os.Stat(path); err == nil && !st.IsDir() {
		dir = filepath.Dir(path)
	} else {
		path = filepath.Join(path, LogName)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	m := newModel()
	m.Skipped, err = readRecords(f, OpenBlobs(dir).Get, m.apply)
	if err != nil {
		return m, err
	}
	if m.Start.Dir == "" && len(m.Codes)+len(m.Graphs)+len(m.Compiles) == 0 {
		return m, errors.New(path + " holds no session")
	}
	return m, nil
}
