package report

import (
	"fmt"
	"html"
	"html/template"
	"slices"
	"strconv"
	"strings"

	"github.com/thuml/depyf/internal/answers"
)

// sourceView is a file of the program with what became of its lines.
type sourceView struct {
	ID, Name, Path string
	Open           bool
	About          string // how much of it was traced
	Text           template.HTML
}

// around is how many lines beside one of which there is something to say are shown, outside of functions.
const around = 2

// sources shows every file that was traced: the functions of it of whose lines there is something to say. Other
// parts of the page lead to the lines.
func (b *pageBuilder) sources(list []answers.Source) []sourceView {
	var out []sourceView
	for _, s := range list {
		if s.Text == nil || s.Whole && len(s.Lines) == 0 {
			continue
		}
		v := sourceView{ID: fmt.Sprintf("source-%d", len(out)), Name: s.Name, Path: s.File, Open: s.Owner == answers.OwnerUser || len(out) == 0}
		marks := map[int]answers.Line{}
		operations := 0
		for _, l := range s.Lines {
			marks[l.Line] = l
			operations += l.Operations
		}
		if operations > 0 {
			v.About = plural(operations, "operation")
		}
		text := strings.Split(strings.TrimRight(*s.Text, "\n"), "\n")
		keep := kept(s, len(text))
		var t strings.Builder
		for i := 0; i < len(text); {
			if keep[i] {
				b.sourceLine(&t, s.File, s.First+i, text[i], marks[s.First+i])
				i++
				continue
			}
			end := i
			for end < len(text) && !keep[end] {
				end++
			}
			fmt.Fprintf(&t, `<small class="gap">⋯ %s</small>`+"\n", plural(end-i, "line"))
			i = end
		}
		v.Text = template.HTML(t.String()) // sourceLine escapes
		out = append(out, v)
	}
	return out
}

// kept says which lines of a text of so many are shown. Of a file that could not be read the text is a function.
func kept(s answers.Source, lines int) []bool {
	keep := make([]bool, lines)
	show := func(first, last int) {
		for n := max(first, s.First); n <= last && n-s.First < lines; n++ {
			keep[n-s.First] = true
		}
	}
	if !s.Whole {
		show(s.First, s.First+lines)
	}
	for _, p := range s.Pieces {
		show(p.First, p.Last)
	}
	for _, l := range s.Lines {
		inside := func(p answers.Piece) bool { return p.First <= l.Line && l.Line <= p.Last }
		if !slices.ContainsFunc(s.Pieces, inside) {
			show(l.Line-around, l.Line+around)
		}
	}
	return keep
}

func (b *pageBuilder) sourceLine(t *strings.Builder, file string, n int, text string, l answers.Line) {
	at := b.prog.Places.Place(file, n)
	class := "l"
	switch {
	case l.Breaks+l.Failures > 0:
		class += " break"
	case l.Recompilations > 0:
		class += " again"
	}
	write := func(parts ...string) {
		for _, p := range parts {
			t.WriteString(p)
		}
	}
	write("<i>", strconv.Itoa(n), `</i><span class="`, class, `"`)
	if id := lineID(at); b.links.place(at, id) {
		write(` id="`, html.EscapeString(id), `"`)
	}
	write(` data-s="`, html.EscapeString(at), `">`, html.EscapeString(text))
	if m := became(l); m != "" {
		write(`<small class="m"> ⟵ `, m, `</small>`)
	}
	write("\n</span>")
}

// became says what became of a line, what costs most first.
func became(l answers.Line) string {
	var parts []string
	add := func(n int, text string) {
		if n > 0 {
			parts = append(parts, text)
		}
	}
	add(l.Failures, plural(l.Failures, "failure"))
	add(l.Breaks, fmt.Sprintf("breaks the graph, %s", plural(l.Breaks, "time")))
	add(l.Recompilations, plural(l.Recompilations, "recompilation"))
	add(l.Guards, plural(l.Guards, "guard"))
	add(l.Operations, plural(l.Operations, "operation"))
	add(l.Kernels, plural(l.Kernels, "kernel call"))
	return strings.Join(parts, " · ")
}
