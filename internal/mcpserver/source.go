package mcpserver

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/thuml/depyf/internal/answers"
	"github.com/thuml/depyf/internal/recorded"
	"github.com/thuml/depyf/internal/report"
)

type which struct {
	Path     string `json:"path,omitempty" about:"the session; default: the newest"`
	Process  string `json:"process,omitempty" about:"of a run of several processes this one alone, such as rank_0"`
	File     string `json:"file,omitempty" about:"a file of the session by its name, as the tools give it: __compiled_fn_1.Captured_Graph.0.py"`
	Function string `json:"function,omitempty" about:"a function by its name: the code that runs in its place"`
	Version  *int   `json:"version,omitempty" about:"which version of the function, counted from 0; default: all"`
	From     *int   `json:"from,omitempty" about:"the first line to show, counted from 1"`
	Lines    *int   `json:"lines,omitempty" about:"how many lines of each file to show; default 400"`
}

// text is a part of a file.
type text struct {
	Process string `json:"process"`
	File    string `json:"file"`
	From    int    `json:"from"` // its first line
	Lines   int    `json:"lines"`
	Of      int    `json:"of"` // lines of the file
	Text    string `json:"text"`
}

const usualLines = 400

// cutFrom takes the lines that are asked for.
func (w which) cutFrom(process, file, all string) (text, error) {
	from, lines := 1, usualLines
	if w.From != nil {
		from = *w.From
	}
	if w.Lines != nil {
		lines = *w.Lines
	}
	list := strings.SplitAfter(strings.TrimSuffix(all, "\n"), "\n")
	if from < 1 || from > len(list) || lines < 1 {
		return text{}, fmt.Errorf("%s has the lines 1 to %d", file, len(list))
	}
	list2 := list[from-1 : min(len(list), from-1+lines)]
	return text{process, file, from, len(list2), len(list), strings.Join(list2, "")}, nil
}

func (s *Server) source(in which) (reply, error) {
	path, list, err := s.store.read(in.Path)
	if err == nil {
		list, err = process(list, in.Process)
	}
	if err != nil {
		return reply{}, err
	}
	switch {
	case in.File != "" && in.Function != "":
		return reply{}, errors.New("give a file or a function, not both")
	case in.Function == "" && in.Version != nil:
		return reply{}, errors.New("a version is one of a function: name it, too")
	case in.File == "" && in.Function == "":
		return contents(path, list), nil
	}
	var texts []text
	for _, x := range list {
		files := []string{in.File}
		if in.File == "" {
			if files, err = codeOf(x, in.Function, in.Version); err != nil {
				return reply{}, err
			}
		}
		for _, file := range files {
			all, ok := report.TextOf(x.Facts(), file)
			if !ok {
				continue
			}
			t, err := in.cutFrom(x.Name, file, all)
			if err != nil {
				return reply{}, err
			}
			texts = append(texts, t)
		}
	}
	if len(texts) == 0 {
		return reply{}, fmt.Errorf("there is no %s%s; source without a file and a function lists what there is", in.File, versionOf(in))
	}
	var b strings.Builder
	for _, t := range texts {
		fmt.Fprintf(&b, "=== %s", t.File)
		if len(list) > 1 {
			fmt.Fprintf(&b, " of %s", t.Process)
		}
		if t.Lines < t.Of {
			fmt.Fprintf(&b, ", lines %d to %d of %d", t.From, t.From+t.Lines-1, t.Of)
		}
		fmt.Fprintf(&b, " ===\n%s\n", t.Text)
	}
	return reply{b.String(), map[string]any{"form": answers.Form, "path": path, "files": texts}}, nil
}

func versionOf(in which) string {
	if in.Function == "" {
		return ""
	}
	if in.Version == nil {
		return "code of " + in.Function
	}
	return fmt.Sprintf("version %d of %s", *in.Version, in.Function)
}

// codeOf lists the files of the code that runs in place of a function.
func codeOf(s recorded.Session, function string, version *int) ([]string, error) {
	var out []string
	for _, c := range s.Facts().Session().Compilations {
		if c.Code == nil || c.Function != function && c.Name != function || version != nil && *c.Version != *version {
			continue
		}
		if s.Model.Start.Log != "" {
			return nil, fmt.Errorf("torch's own log does not hold the code that runs in place of %s, only its graphs and kernels: a dump of depyf has it", function)
		}
		out = append(out, c.Code.File)
	}
	return out, nil
}

// piece is a version of a function in the list of what there is.
type piece struct {
	Function    string `json:"function"`
	Name        string `json:"name"`
	Resumes     string `json:"resumes,omitempty"`
	File        string `json:"file"` // of the user
	Line        int    `json:"line"`
	Compilation string `json:"compilation"`
	Version     *int   `json:"version"`
	Code        string `json:"code,omitempty"`
	Verdict     string `json:"verdict,omitempty"`
	Swapped     bool   `json:"swapped"`
	Graphs      []part `json:"graphs"`
}

type part struct {
	File  string `json:"file"`
	Stage string `json:"stage"`
}

// contents says which functions, versions and files there are.
func contents(path string, list []recorded.Session) reply {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n", path)
	var processes []map[string]any
	for _, x := range list {
		if len(list) > 1 {
			fmt.Fprintf(&b, "=== %s ===\n\n", x.Name)
		}
		all := x.Facts().Session()
		pieces := []piece{}
		for _, c := range all.Compilations {
			if c.Code == nil {
				continue
			}
			p := piece{
				Function: c.Function, Name: c.Name, Resumes: c.Resumes, File: c.File, Line: c.Line, Compilation: c.ID, Version: c.Version,
				Verdict: c.Code.Verdict, Swapped: c.Code.Swapped, Graphs: []part{},
			}
			fmt.Fprintf(&b, "* %s (%s), version %d", c.Name, x.Facts().Program.Places.Place(c.File, c.Line), *c.Version)
			if x.Model.Start.Log == "" {
				p.Code = c.Code.File
				fmt.Fprintf(&b, ": %s, %s", p.Code, p.Verdict)
			}
			b.WriteByte('\n')
			for _, g := range all.Graphs {
				if g.File != "" && slices.Contains(c.Calls, g.Name) {
					p.Graphs = append(p.Graphs, part{g.File, g.Stage})
					fmt.Fprintf(&b, "    %s\n", g.File)
				}
			}
			pieces = append(pieces, p)
		}
		if len(pieces) == 0 {
			b.WriteString("Nothing was compiled.\n")
		}
		processes = append(processes, map[string]any{"process": x.Name, "versions": pieces})
	}
	return reply{b.String(), map[string]any{"form": answers.Form, "path": path, "processes": processes}}
}
