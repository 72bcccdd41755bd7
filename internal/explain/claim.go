package explain

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// processToken names this run of the program: the operating system uses a
// process number again, and in a container it is often the same.
var processToken = strconv.Itoa(os.Getpid()) + "-" + strconv.FormatInt(time.Now().UnixNano(), 36)

// claim finds the folder of a session. A process that knows its rank gets
// rank_<rank> below the wanted folder. Of the others the first gets the wanted
// folder itself; those that find it in use get process_<pid> below it. What is
// there already is treated by whose it is:
//
//   - an earlier session of this very process: continued, because code of that
//     session may still run from its files;
//   - an earlier run of the same program (equal script and rank), whose process
//     is gone: replaced, together with the folders of its other processes;
//   - a process of this same run that has ended, or another program: left
//     alone, this one goes below.
//
// old is the model to continue, or nil.
func claim(dir string, start Start) (got string, old *Model, err error) {
	dir, err = filepath.Abs(dir)
	if err != nil {
		return "", nil, err
	}
	stem, first := "process_"+strconv.Itoa(start.PID), 0
	if start.Rank != "" {
		// A caller that has made a folder for each rank already gets what it asked for.
		if mine := "rank_" + strings.TrimLeft(Identifier(start.Rank), "_"); filepath.Base(dir) != mine {
			stem, first = mine, 1
		}
	}
	for try := first; try < 100; try++ {
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
		locked, unlock := lockDir(got)
		before, known := peek(got)
		switch {
		case !known: // no log there
			if locked {
				return got, nil, nil
			}
		case before.token == processToken:
			if m, err := Replay(got); err == nil && m.Ended {
				return got, m, nil
			}
		case locked && replaces(start, before):
			if err := clearDump(got); err != nil {
				return "", nil, err
			}
			clearProcesses(dir, before)
			return got, nil, nil
		}
		unlock()
	}
	return "", nil, fmt.Errorf("%s holds too many sessions", dir)
}

// replaces reports whether a new session takes the place of a dump whose process
// is gone. Arguments other than the script do not matter: who changes an option
// and runs the program again wants to see that run.
func replaces(now, before Start) bool {
	if now.Run != "" && now.Run == before.Run || now.Rank != before.Rank {
		return false
	}
	return script(now) == script(before)
}

func script(s Start) string {
	if len(s.Argv) == 0 {
		return ""
	}
	return s.Argv[0]
}

// peek reads whose dump a folder holds: the first line of its log.
func peek(dir string) (Start, bool) {
	f, err := os.Open(filepath.Join(dir, LogName))
	if err != nil {
		return Start{}, false
	}
	defer f.Close()
	line, err := readLine(bufio.NewReader(f))
	if err != nil && err != io.EOF {
		return Start{}, false
	}
	r, err := decodeRecord(bytes.TrimSpace(line), OpenBlobs(dir).Get)
	if err != nil || r.Type != "session_start" {
		return Start{}, false
	}
	m := newModel()
	m.apply(r)
	return m.Start, m.Start.token != ""
}

// clearProcesses removes the dumps that the other processes of an earlier run
// left below dir. Folders of ranks stay: their own processes replace them.
func clearProcesses(dir string, before Start) {
	if before.Run == "" {
		return
	}
	found, _ := filepath.Glob(filepath.Join(dir, "process_*"))
	for _, sub := range found {
		s, known := peek(sub)
		if !known || s.Run != before.Run {
			continue
		}
		if locked, unlock := lockDir(sub); locked {
			if clearDump(sub) == nil {
				_ = os.Remove(sub) // unless the user has put something there
			}
			unlock()
		}
	}
}

// clearDump removes the files of an earlier run: those that its log names, and the
// log. Other files in the folder are not ours.
func clearDump(dir string) error {
	m, err := Replay(dir)
	if err != nil {
		return err
	}
	for _, name := range m.files {
		if !filepath.IsLocal(name) {
			continue
		}
		if err := os.Remove(filepath.Join(dir, name)); err != nil && !os.IsNotExist(err) {
			return err
		}
	}
	if err := os.Remove(filepath.Join(dir, "incomplete.txt")); err != nil && !os.IsNotExist(err) {
		return err
	}
	if err := os.RemoveAll(filepath.Join(dir, BlobsDir)); err != nil {
		return err
	}
	return os.Remove(filepath.Join(dir, LogName))
}
