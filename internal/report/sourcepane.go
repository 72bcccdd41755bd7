package report

import (
	"fmt"
	"html"
	"html/template"
	"slices"
	"strconv"
	"strings"

	"github.com/thuml/depyf/internal/answers"
	"github.com/thuml/depyf/internal/explain"
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
	case l.Recompilations+l.Causes > 0:
		class += " again"
	case len(l.Leads) > 0:
		class += " leads"
	}
	write := func(parts ...string) {
		for _, p := range parts {
			t.WriteString(p)
		}
	}
	write("<i>", strconv.Itoa(n), `</i><span class="`, class, `"`)
	if len(l.Leads) > 0 {
		var to []explain.Place
		for _, x := range l.Leads {
			to = append(to, explain.Place{File: x.File, Line: x.Line})
		}
		write(` data-leads="`, html.EscapeString(placesText(b.prog, to)), `"`)
	}
	if id := lineID(at); b.links.place(at, id) {
		write(` id="`, html.EscapeString(id), `"`)
	}
	write(` data-s="`, html.EscapeString(at), `">`, html.EscapeString(text))
	if m := became(b.prog, l); len(m) > 0 {
		write(`<small class="m"> ⟵ `)
		for i, m := range m {
			if i > 0 {
				write(" · ")
			}
			// Lines are gone through by the arrow keys, and so are these: Tab would take hundreds of steps.
			write(`<button type="button" tabindex="-1" data-go="`, m.leads, `">`, html.EscapeString(m.text), `</button>`)
		}
		write(`</small>`)
	}
	write("\n</span>")
}

// mark says one thing that became of a line, and what of the page shows it.
type mark struct{ leads, text string }

// became says what became of a line, what costs most first.
func became(p *explain.Program, l answers.Line) []mark {
	var out []mark
	add := func(n int, leads, text string) {
		if n > 0 {
			out = append(out, mark{leads, text})
		}
	}
	add(l.Failures, "failed", plural(l.Failures, "failure"))
	add(l.Breaks, "breaks", fmt.Sprintf("breaks the graph, %s", plural(l.Breaks, "time")))
	add(len(l.Leads), "leads", leadsText(p, l.Leads))
	add(l.Recompilations, "again", plural(l.Recompilations, "recompilation"))
	add(l.Causes, "again", "leads to "+plural(l.Causes, "cause")+" of recompilation")
	add(l.Guards, "guards", plural(l.Guards, "guard"))
	add(l.Operations, "dynamo", plural(l.Operations, "operation"))
	add(l.Kernels, "kernel", plural(l.Kernels, "kernel call"))
	return out
}

// leadsText says which lines that break the graph a line leads to.
func leadsText(p *explain.Program, list []answers.BreakIn) string {
	if len(list) == 0 {
		return ""
	}
	at := p.Places.Place(list[0].File, list[0].Line)
	if name := list[0].Function; name != "" {
		at = name + " (" + at + ")"
	}
	if len(list) == 1 {
		return "leads to a break in " + at
	}
	return fmt.Sprintf("leads to breaks in %s and at %s", at, plural(len(list)-1, "more line"))
}
