package explain

import (
	"slices"
	"strings"

	"github.com/thuml/depyf/internal/decompile"
	"github.com/thuml/depyf/internal/pyc"
)

// origin collects what is known about a code object that Dynamo made from old: the
// user's text, and the graphs that it calls, which have been recorded before it.
func (m *Model) origin(old, made *pyc.Code, f fields) decompile.Origin {
	o := decompile.Origin{Code: old, Graphs: map[string]decompile.GraphOrigin{}}
	if old == nil || made == nil {
		return o
	}
	o.First, o.Lines = m.userText(old, f)
	for _, name := range made.Names {
		short := CleanName(name)
		if !strings.HasPrefix(short, "__compiled_fn_") {
			continue
		}
		for _, a := range slices.Backward(m.Graphs) {
			if a.Graph == short && a.Stage == "Captured_Graph" {
				o.Graphs[short] = graphOrigin(a.Body(), old.Filename)
				break
			}
		}
	}
	return o
}

// graphOutputs lists what a graph calls its results.
func graphOutputs(text string) []string {
	// The last statement of the text.
	at := max(strings.LastIndex(text, "return ("), strings.LastIndex(text, "return ["))
	if at < 0 {
		return nil
	}
	line, _, _ := strings.Cut(text[at+len("return ("):], "\n")
	before := text[strings.LastIndexByte(text[:at], '\n')+1 : at]
	if strings.TrimSpace(before) != "" || !strings.HasSuffix(line, ")") && !strings.HasSuffix(line, "]") {
		return nil
	}
	var out []string
	for part := range strings.SplitSeq(strings.TrimRight(line[:len(line)-1], ", "), ", ") {
		if Identifier(part) != part || part == "None" {
			part = ""
		}
		out = append(out, part)
	}
	return out
}

// graphOrigin says where a graph's operations come from, seen from one file.
func graphOrigin(text, file string) decompile.GraphOrigin {
	g := decompile.GraphOrigin{Outputs: graphOutputs(text)}
	for _, p := range Places(text) {
		switch {
		case p.File == "":
		case p.File != file:
			g.Callees = true
		case !slices.Contains(g.Lines, p.Line):
			g.Lines = append(g.Lines, p.Line)
		}
	}
	return g
}

// userText finds the text of the function that a code object comes from. Python
// takes a resume function, which begins in the middle of one, for a function of its
// own: its text is that of the function around it, compiled before.
func (m *Model) userText(old *pyc.Code, f fields) (first int, lines []string) {
	split := func(src string) []string { return strings.Split(strings.TrimRight(src, "\n"), "\n") }
	if !f.bool("is_resume") {
		if src := f.str("source"); src != "" {
			return f.int("source_line"), split(src)
		}
		return 0, nil
	}
	for _, c := range slices.Backward(m.Codes) {
		if c.IsResume || c.Source == "" || c.SourceFile != old.Filename {
			continue
		}
		if l := split(c.Source); c.SourceLine <= old.FirstLine && old.FirstLine < c.SourceLine+len(l) {
			return c.SourceLine, l
		}
	}
	return 0, nil
}
