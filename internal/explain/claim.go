package explain

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// processToken names this run of the program: the operating system uses a
// process number again, and in a container it is often the same.
var processToken = strconv.Itoa(os.Getpid()) + "-" + strconv.FormatInt(time.Now().UnixNano(), 36)

// claim finds the folder of a session. The first process gets the wanted folder
// itself, others that live at the same time get one below it. What is there
// already is treated by whose it is:
//
//   - an earlier session of this very process: continued, because code of that
//     session may still run from its files;
//   - the same program (equal arguments and rank), run before: replaced;
//   - another program: left alone, this one goes below.
//
// old is the model to continue, or nil.
func claim(dir string, start Start) (got string, old *Model, err error) {
	dir, err = filepath.Abs(dir)
	if err != nil {
		return "", nil, err
	}
	stem := "process_" + strconv.Itoa(start.PID)
	if start.Rank != "" {
		stem = "rank_" + strings.TrimLeft(Identifier(start.Rank), "_")
	}
	for try := range 100 {
		got = dir
		switch {
		case try == 1:
			got = filepath.Join(dir, stem)
		case try > 1:
			got = filepath.Join(dir, fmt.Sprintf("%s_%d", stem, try))
		}
		if err = os.MkdirAll(got, 0o755); err != nil {
			return "", nil, err
		}
		locked := lockDir(got)
		m, rerr := Replay(got)
		switch {
		case rerr != nil || m.Start.token == "": // no log there
			if locked {
				return got, nil, nil
			}
		case m.Start.token == processToken:
			if m.Ended {
				return got, m, nil
			}
		case locked && slices.Equal(m.Start.Argv, start.Argv) && m.Start.Rank == start.Rank:
			return got, nil, clear(got, m)
		}
	}
	return "", nil, fmt.Errorf("%s holds too many sessions", dir)
}

// clear removes the files of an earlier run: those that its log names, and the
// log. Other files in the folder are not ours.
func clear(dir string, m *Model) error {
	for _, name := range m.files {
		if !filepath.IsLocal(name) {
			continue
		}
		if err := os.Remove(filepath.Join(dir, name)); err != nil && !os.IsNotExist(err) {
			return err
		}
	}
	if err := os.RemoveAll(filepath.Join(dir, BlobsDir)); err != nil {
		return err
	}
	return os.Remove(filepath.Join(dir, LogName))
}
