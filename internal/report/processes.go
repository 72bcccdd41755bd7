package report

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/thuml/depyf/internal/explain"
)

// The pages that lead to the dumps of several processes. Where the folder itself is
// nobody's dump, index.md says the same.
const (
	processesName     = "processes.md"
	processesHTMLName = "processes.html"
)

// processes writes the page of the folder that this one is one of several dumps of: the folder itself, or the
// one that the session was to write to when it was sent below. Nothing else above is depyf's to write to.
func (f *Folder) processes(m *explain.Model) error {
	if m.Start.Below && f.live {
		return processes(filepath.Dir(f.dir))
	}
	return processes(f.dir)
}

// processes writes the pages of a folder with the dumps of several processes.
// Each process writes it anew when it ends, from what lies there. Where several end
// at once, an older look at the folder may be the last to be written; so each looks
// again after writing, until what it wrote is what it sees.
func processes(top string) error {
	var compared *Section // once only: reading the logs of all ranks takes a while
	for range 100 {
		dumps, err := Dumps(top)
		if err != nil || len(dumps) == 0 || len(dumps) == 1 && dumps[0] == "." {
			return err
		}
		list := summaries(top, dumps)
		if compared == nil && !slices.ContainsFunc(list, func(s summary) bool { return s.State != ended }) {
			// The index comes last but for the end of the log: a rank that has one has ended.
			if compared, err = compareRanks(SourcesOf(top, dumps), true); err != nil {
				return err
			}
		}
		text := processesPage(list, compared)
		if was, err := os.ReadFile(filepath.Join(top, processesName)); err == nil && string(was) == text {
			return nil
		}
		if err := writeProcesses(top, text, list, compared, dumps[0] != "."); err != nil {
			return err
		}
	}
	return nil
}

// writeProcesses writes both pages, of which text is that in Markdown; alone says that the folder itself is nobody's dump.
func writeProcesses(top, text string, list []summary, compared *Section, alone bool) error {
	page, err := processesHTML(top, list, compared)
	if err != nil {
		return err
	}
	errs := []error{explain.WriteFile(filepath.Join(top, processesHTMLName), []byte(page)), explain.WriteFile(filepath.Join(top, processesName), []byte(text))}
	if alone {
		errs = append(errs, explain.WriteFile(filepath.Join(top, indexName), []byte(text)))
	}
	return errors.Join(errs...)
}

// compareRanks says what differs between the ranks among the processes; nil where there are not two.
func compareRanks(sources []Source, ended bool) (*Section, error) {
	ranks, err := Ranks(sources, ended)
	if err != nil || len(ranks.Processes) < 2 {
		return nil, err
	}
	s := RankDifferences(ranks)
	return &s, nil
}

// Dumps lists the dumps in a folder: "." for that of the folder itself, then those of the processes below.
func Dumps(top string) ([]string, error) {
	var subs []string
	entries, err := os.ReadDir(top)
	if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrPermission) {
		return nil, err
	}
	for _, e := range entries {
		if !OfProcess(e.Name()) {
			continue
		}
		if _, err := os.Stat(filepath.Join(top, e.Name(), explain.LogName)); err == nil {
			subs = append(subs, e.Name())
		}
	}
	slices.SortFunc(subs, ByNumber)
	if _, err := os.Stat(filepath.Join(top, explain.LogName)); err == nil {
		subs = append([]string{"."}, subs...)
	}
	return subs, nil
}

// OfProcess reports whether a folder has the name of one that depyf makes for a process.
func OfProcess(name string) bool {
	return OfRank(name) || strings.HasPrefix(name, "process_")
}

// OfRank reports whether it is that of a rank of a distributed run.
func OfRank(name string) bool { return strings.HasPrefix(name, "rank_") }

// Source is where the model of one process comes from.
type Source struct {
	Name  string // of its folder: "rank_0", or "." for that which the report is written to
	Blobs string // the dump folder that holds what its log refers to; "" for none
	Load  func() (*explain.Model, error)
}

// SourcesOf are the dumps of a folder, see Dumps.
func SourcesOf(top string, dumps []string) []Source {
	var out []Source
	for _, d := range dumps {
		dir := filepath.Join(top, d)
		out = append(out, Source{d, dir, func() (*explain.Model, error) { return explain.Replay(dir) }})
	}
	return out
}

// ByNumber sorts the names of processes: rank_2 before rank_10.
func ByNumber(a, b string) int {
	return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b))
}

// WriteAll writes the files of all processes, and the pages that lead to them.
func WriteAll(list []Source, dst string, done func(name string, m *explain.Model, files []explain.File)) error {
	var errs []error
	var names []string
	for _, src := range list {
		m, err := src.Load()
		if err != nil {
			errs = append(errs, err)
			continue
		}
		files, err := Write(m, src.Blobs, filepath.Join(dst, src.Name))
		errs = append(errs, err)
		names = append(names, src.Name)
		done(src.Name, m, files)
	}
	switch {
	case len(list) > 0 && list[0].Blobs == filepath.Join(dst, list[0].Name):
		errs = append(errs, processes(dst))
	case len(names) > 1:
		compared, err := compareRanks(list, false)
		found := summaries(dst, names)
		errs = append(errs, err, writeProcesses(dst, processesPage(found, compared), found, compared, names[0] != "."))
	}
	return errors.Join(errs...)
}

// summary is what the page says of one process.
type summary struct{ Name, Dir, State, Short string }

func summaries(top string, dumps []string) []summary {
	var out []summary
	for _, d := range dumps {
		name := d
		if d == "." {
			name = "this folder"
		}
		state, short := InShort(filepath.Join(top, d))
		out = append(out, summary{name, filepath.ToSlash(d), state, short})
	}
	return out
}

// processesPage leads to the dumps of all processes, after what differs between the ranks.
func processesPage(list []summary, compared *Section) string {
	var b strings.Builder
	b.WriteString("# What torch.compile did, process by process\n\n")
	b.WriteString("Several processes wrote here, each into a folder of its own.\n\n")
	if compared != nil {
		b.WriteString(compared.Brief(24, 3, "`depyf ranks DUMP_DIR`").Markdown(2))
		b.WriteString("## The processes\n\n")
	}
	b.WriteString("| process | state | in short |\n|---|---|---|\n")
	for _, p := range list {
		fmt.Fprintf(&b, "| [%s](%s) | %s | %s |\n", p.Name, path.Join(p.Dir, indexName), p.State, cell(p.Short))
	}
	return b.String()
}

// processesHTML is the same for a browser, with links into the pages of the ranks.
func processesHTML(top string, list []summary, compared *Section) (string, error) {
	style, err := assets.ReadFile("assets/report.css")
	if err != nil {
		return "", err
	}
	view := struct {
		Style       template.CSS
		Compared    *Section
		Differences []differenceView
		List        []summary
	}{Style: template.CSS(style), Compared: compared, List: list}
	if compared != nil {
		pages := newRankPages(top)
		for _, it := range compared.Items {
			view.Differences = append(view.Differences, pages.view(it))
		}
	}
	out, err := render("processes.tmpl.html", &links{}, view)
	return explain.CleanName(out), err
}

const (
	ended    = "ended"
	notEnded = "running, or ended without a report (`depyf report` writes it)"
)

// InShort takes what the index of a process says first.
func InShort(dir string) (state, short string) {
	f, err := os.Open(filepath.Join(dir, indexName))
	if err != nil {
		return notEnded, ""
	}
	defer f.Close()
	var out []string
	in := bufio.NewScanner(f)
	for in.Scan() {
		line := in.Text()
		if strings.HasPrefix(line, "**Nothing") {
			return ended, strings.Trim(line, "*")
		}
		if strings.HasPrefix(line, "- ") {
			out = append(out, strings.TrimPrefix(line, "- "))
		} else if len(out) > 0 {
			break
		}
	}
	return ended, strings.Join(out, " ")
}
