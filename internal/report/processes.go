package report

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/thuml/depyf/internal/explain"
)

// processesName is the page that leads to the dumps of several processes. Where
// the folder itself is nobody's dump, index.md says the same.
const processesName = "processes.md"

// processes writes the page of the folder that this one is one of several dumps of: the folder itself, or the
// one that the session was to write to when it was sent below. Nothing else above is depyf's to write to.
func (f *Folder) processes(m *explain.Model) error {
	if m.Start.Below && f.live {
		return processes(filepath.Dir(f.dir))
	}
	return processes(f.dir)
}

// processes writes the page of a folder with the dumps of several processes.
// Each process writes it anew when it ends, from what lies there. Where several end
// at once, an older look at the folder may be the last to be written; so each looks
// again after writing, until what it wrote is what it sees.
func processes(top string) error {
	for range 100 {
		text, alone, err := processesNow(top)
		if err != nil || text == "" {
			return err
		}
		path := filepath.Join(top, processesName)
		if was, err := os.ReadFile(path); err == nil && string(was) == text {
			return nil
		}
		if alone {
			if err := explain.WriteFile(filepath.Join(top, indexName), []byte(text)); err != nil {
				return err
			}
		}
		if err := explain.WriteFile(path, []byte(text)); err != nil {
			return err
		}
	}
	return nil
}

// processesNow is the page as of now, "" where there is one process only; alone says
// that the folder itself is nobody's dump.
func processesNow(top string) (text string, alone bool, err error) {
	dumps, err := Dumps(top)
	if err != nil || len(dumps) == 0 || len(dumps) == 1 && dumps[0] == "." {
		return "", false, err
	}
	return processesPage(top, dumps), dumps[0] != ".", nil
}

// Dumps lists the dumps in a folder: "." for that of the folder itself, then those of the processes below.
func Dumps(top string) ([]string, error) {
	var subs []string
	for _, pattern := range []string{"rank_*", "process_*"} {
		found, err := filepath.Glob(filepath.Join(top, pattern, explain.LogName))
		if err != nil {
			return nil, err
		}
		for _, f := range found {
			subs = append(subs, filepath.Base(filepath.Dir(f)))
		}
	}
	slices.SortFunc(subs, func(a, b string) int {
		if len(a) != len(b) {
			return len(a) - len(b) // rank_2 before rank_10
		}
		return strings.Compare(a, b)
	})
	if _, err := os.Stat(filepath.Join(top, explain.LogName)); err == nil {
		subs = append([]string{"."}, subs...)
	}
	return subs, nil
}

// WriteAll writes the files of all dumps in a folder, and the page that leads to them.
func WriteAll(src, dst string, dumps []string, done func(dump string, m *explain.Model, files []explain.File)) error {
	var errs []error
	for _, dump := range dumps {
		from, to := filepath.Join(src, dump), filepath.Join(dst, dump)
		m, err := explain.Replay(from)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		files, err := Write(m, from, to)
		errs = append(errs, err)
		done(dump, m, files)
	}
	if src == dst {
		errs = append(errs, processes(src))
	} else if len(dumps) > 1 {
		errs = append(errs, explain.WriteFile(filepath.Join(dst, processesName), []byte(processesPage(dst, dumps))))
	}
	return errors.Join(errs...)
}

func processesPage(top string, subs []string) string {
	var b strings.Builder
	b.WriteString("# What torch.compile did, process by process\n\n")
	b.WriteString("Several processes wrote here, each into a folder of its own.\n\n")
	b.WriteString("| process | state | in short |\n|---|---|---|\n")
	for _, sub := range subs {
		name := sub
		if sub == "." {
			name = "this folder"
		}
		state, short := summaryOf(filepath.Join(top, sub))
		fmt.Fprintf(&b, "| [%s](%s) | %s | %s |\n", name, filepath.ToSlash(filepath.Join(sub, indexName)), state, cell(short))
	}
	return b.String()
}

// summaryOf takes what the index of a process says first.
func summaryOf(dir string) (state, short string) {
	f, err := os.Open(filepath.Join(dir, indexName))
	if err != nil {
		return "running, or ended without a report (`depyf report` writes it)", ""
	}
	defer f.Close()
	var out []string
	in := bufio.NewScanner(f)
	for in.Scan() {
		line := in.Text()
		if strings.HasPrefix(line, "**Nothing") {
			return "ended", strings.Trim(line, "*")
		}
		if strings.HasPrefix(line, "- ") {
			out = append(out, strings.TrimPrefix(line, "- "))
		} else if len(out) > 0 {
			break
		}
	}
	return "ended", strings.Join(out, " ")
}
