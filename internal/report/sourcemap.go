package report

import (
	"fmt"
	"html"
	"html/template"
	"strings"

	"github.com/thuml/depyf/internal/explain"
)

// numbered is the source of a function with its line numbers and the lines that break its graph. Other parts of
// the page lead to the lines.
func (b *pageBuilder) numbered(f *explain.Function) template.HTML {
	var out strings.Builder
	marks := b.marks(f)
	for i, line := range strings.Split(strings.TrimRight(f.First.Source, "\n"), "\n") {
		n := f.Line + i
		at := b.prog.Places.Place(f.File, n)
		id := ""
		if b.links.place(at, lineID(at)) {
			id = lineID(at)
		}
		fmt.Fprintf(&out, "<i>%d</i>", n)
		writeLine(&out, line, id, at, marks[n])
	}
	return template.HTML(out.String()) // writeLine escapes
}

func writeLine(b *strings.Builder, line, id, from, class string) {
	b.WriteString(`<span class="l`)
	if class != "" {
		b.WriteString(" " + class)
	}
	b.WriteString(`"`)
	if id != "" {
		b.WriteString(` id="` + html.EscapeString(id) + `"`)
	}
	if from != "" {
		b.WriteString(` data-s="` + html.EscapeString(from) + `"`)
	}
	b.WriteString(">")
	b.WriteString(html.EscapeString(line))
	b.WriteString("\n</span>")
}
