package report

import (
	"html"
	"html/template"
	"slices"
	"strconv"
	"strings"

	"github.com/thuml/depyf/internal/answers"
	"github.com/thuml/depyf/internal/explain"
)

// textRef is where a packed text is, and what it is to those that belong to it: the script looks for a line's operations in the
// texts of the same graph and pass, and for a line of the program in those that name it.
type textRef struct {
	At     string
	Kind   string // "code", "guards", "dynamo", "graph" or "kernel"; "" for a text that has nothing that these have not
	Graph  string
	Pass   string
	Places []int
}

// Attributes are those of the element that the text is unpacked in.
func (r textRef) Attributes() template.HTMLAttr {
	var b strings.Builder
	add := func(name, value string) {
		if value != "" {
			b.WriteString(" data-" + name + `="` + html.EscapeString(value) + `"`)
		}
	}
	var places []string
	for _, n := range r.Places {
		places = append(places, strconv.Itoa(n))
	}
	add("t", r.At)
	add("kind", r.Kind)
	add("graph", r.Graph)
	add("pass", r.Pass)
	add("p", strings.Join(places, ","))
	return template.HTMLAttr(strings.TrimSpace(b.String())) // escaped above
}

// stage keeps the text of a graph, or of Inductor's code, which begins with the head of its file.
func (b *pageBuilder) stage(a *explain.Artefact, text, lang string, head int) textRef {
	r := textRef{Graph: a.Graph, Pass: b.facts.PassOf(a)}
	switch a.Stage {
	case "Captured_Graph":
		r.Kind = "dynamo"
	case "Forward_graph", "Backward_graph":
		if !b.lowered[a.Graph] {
			r.Kind = "graph"
		}
	case "AFTER_POST_GRAD":
		r.Kind = "graph"
	case explain.StageKernel:
		r.Kind = "kernel"
	}
	var lines []answers.TextLine
	if r.Kind == "kernel" {
		lines = b.facts.KernelLines(a, text, head)
	} else {
		lines = answers.GraphLines(a, text)
	}
	r.At, r.Places = b.packed.text(packedText{Text: text, Lang: lang, Folds: boilerplate(text)}, lines)
	return r
}

// code keeps a transformed function.
func (b *pageBuilder) code(v *explain.Version, text string) textRef {
	r := textRef{Kind: "code"}
	r.At, r.Places = b.packed.text(packedText{Text: text, Folds: layerFolds(text)}, answers.CodeLines(v.Code, text))
	return r
}

// openCode is a transformed function that stands on the page for everybody to see.
func (b *pageBuilder) openCode(v *explain.Version, text string) template.HTML {
	var t strings.Builder
	text = strings.TrimSuffix(text, "\n")
	lines := strings.Split(text, "\n")
	for i, l := range answers.CodeLines(v.Code, text) {
		if places := placesText(b.prog, l.Places); places != "" {
			t.WriteString(`<span class="l" data-s="` + html.EscapeString(places) + `">` + html.EscapeString(lines[i]) + "\n</span>")
		} else {
			t.WriteString(html.EscapeString(lines[i]) + "\n")
		}
	}
	return template.HTML(t.String()) // escaped above
}

// guard keeps the guard of a version. A condition on the user's values belongs to the line that it says it is from.
func (b *pageBuilder) guard(v *explain.Version, text string) textRef {
	at := map[string]explain.Place{}
	for _, g := range v.Guards {
		if g.Kind == explain.GuardUser && g.At.File != "" {
			at[b.prog.Places.Place(g.At.File, g.At.Line)] = explain.Place{File: g.At.File, Line: g.At.Line}
		}
	}
	var lines []answers.TextLine
	users := true
	for line := range strings.SplitSeq(text, "\n") {
		var l answers.TextLine
		users = users && strings.TrimSpace(line) != worldMark
		if _, from, ok := strings.Cut(line, trailerMark); ok && users {
			if place, ok := at[from[:endOfPlace(from)]]; ok {
				l.Places = []explain.Place{place}
			}
		}
		lines = append(lines, l)
	}
	r := textRef{Kind: "guards"}
	r.At, r.Places = b.packed.text(packedText{Text: text, Folds: layerFolds(text)}, lines)
	return r
}

// endOfPlace is where the place ends with which the comment behind a condition begins.
func endOfPlace(comment string) int {
	for i := 1; i < len(comment); i++ {
		if comment[i] != ':' {
			continue
		}
		end := i + 1
		for end < len(comment) && '0' <= comment[end] && comment[end] <= '9' {
			end++
		}
		if end > i+1 && (end == len(comment) || slices.Contains([]byte(":;"), comment[end])) {
			return end
		}
	}
	return 0
}
