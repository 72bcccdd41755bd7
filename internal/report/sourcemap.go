package report

import (
	"fmt"
	"html"
	"html/template"
	"strings"

	"github.com/thuml/depyf/internal/explain"
)

// mapped is a text with every line marked by the line of the user that it comes
// from, so that the page can show both together.
func mapped(p *explain.Program, text string) template.HTML {
	var b strings.Builder
	b.Grow(len(text) + len(text)/2)
	text = strings.TrimRight(text, "\n")
	from := explain.Places(text)
	for i, line := range strings.Split(text, "\n") {
		at := ""
		if from[i].File != "" {
			at = p.Places.Place(from[i].File, from[i].Line)
		}
		writeLine(&b, line, at, "")
	}
	return template.HTML(b.String()) // writeLine escapes
}

// numbered is the user's text with its line numbers; marks are the classes of
// single lines.
func numbered(p *explain.Program, text, file string, first int, marks map[int]string) template.HTML {
	var b strings.Builder
	for i, line := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		n := first + i
		fmt.Fprintf(&b, `<i>%d</i>`, n)
		writeLine(&b, line, p.Places.Place(file, n), marks[n])
	}
	return template.HTML(b.String()) // writeLine escapes
}

func writeLine(b *strings.Builder, line, from, class string) {
	b.WriteString(`<span class="l`)
	if class != "" {
		b.WriteString(" " + class)
	}
	b.WriteString(`"`)
	if from != "" {
		b.WriteString(` data-s="`)
		b.WriteString(html.EscapeString(from))
		b.WriteString(`"`)
	}
	b.WriteString(">")
	b.WriteString(html.EscapeString(line))
	b.WriteString("\n</span>")
}
