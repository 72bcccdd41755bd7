package report

import (
	"bufio"
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

// processes writes the page of the folder that dir is one of several dumps of.
// Each process writes it anew when it ends, from what lies there. Where several end
// at once, an older look at the folder may be the last to be written; so each looks
// again after writing, until what it wrote is what it sees.
func processes(dir string) error {
	top := dir
	if name := filepath.Base(dir); strings.HasPrefix(name, "rank_") || strings.HasPrefix(name, "process_") {
		top = filepath.Dir(dir)
	}
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
	var subs []string
	for _, pattern := range []string{"rank_*", "process_*"} {
		found, err := filepath.Glob(filepath.Join(top, pattern, explain.LogName))
		if err != nil {
			return "", false, err
		}
		for _, f := range found {
			subs = append(subs, filepath.Base(filepath.Dir(f)))
		}
	}
	if len(subs) == 0 {
		return "", false, nil
	}
	slices.SortFunc(subs, func(a, b string) int {
		if len(a) != len(b) {
			return len(a) - len(b) // rank_2 before rank_10
		}
		return strings.Compare(a, b)
	})
	alone = true
	if _, err := os.Stat(filepath.Join(top, explain.LogName)); err == nil {
		subs, alone = append([]string{"."}, subs...), false
	}
	return processesPage(top, subs), alone, nil
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
