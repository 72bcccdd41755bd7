package report

import (
	"fmt"
	"html"
	"slices"
	"strings"

	"github.com/thuml/depyf/internal/explain"
)

// flow is the chart of one user's function: which versions a call may take, and
// in which resume functions each goes on. It is a layered drawing, top to
// bottom: functions and their versions alternate, and every function stands on
// the layer below the version that first calls it. A resume function that is
// called again (loops that depend on data call themselves) gets a dashed edge.
// A long row of resume functions that differ in their lines only is one box: three
// hundred are a drawing of seventy screens. On a narrow screen the same is a list.
type flow struct {
	prog  *explain.Program
	nodes []*flowNode
	edges []flowEdge
	of    map[*explain.Function]*flowNode
}

type flowNode struct {
	lines []string // what is written in the box; the first is the title
	kind  string   // CSS class: function, version, bytecode, folded
	link  string   // id of the part of the page it leads to
	layer int
	x, y  int // centre and top
	w, h  int
}

type flowEdge struct {
	from, to *flowNode
	label    string
	back     bool
}

const (
	flowLetter = 7  // width of a letter of the box font, in pixels
	flowLine   = 17 // height of a line
	flowGapX   = 28
	flowGapY   = 46
	flowShrink = 65 // a wide chart shrinks to this percentage before it scrolls
)

// drawFlow is the chart of f as SVG. "" when the chart would say nothing.
func drawFlow(p *explain.Program, f *explain.Function) string {
	fl := &flow{prog: p, of: map[*explain.Function]*flowNode{}}
	fl.function(f, 0)
	return fl.svg("How a call of "+f.Title+" goes") + fl.outline()
}

// fewestAlike is from how many functions of one shape on a row is folded.
const fewestAlike = 6

// alike lists the functions, from next on, that a call of f runs through one after the other, each of one shape
// with f, which is drawn: nothing can be said of them that cannot be said of it.
func (fl *flow) alike(f, next *explain.Function) []*explain.Function {
	shape, ok := shapeAlone(f)
	var out []*explain.Function
	for ok && next != nil && fl.of[next] == nil && !slices.Contains(out, next) {
		if s, ok := shapeAlone(next); !ok || s != shape || len(next.Versions[0].Resumes) != 1 {
			break
		}
		out = append(out, next)
		next = next.Versions[0].Resumes[0].To
	}
	return out
}

// fold is the box of functions that are alike; the chart goes on with the last of them.
func (fl *flow) fold(row []*explain.Function, layer int) *flowNode {
	hidden, last := row[:len(row)-1], row[len(row)-1]
	n := fl.node(&flowNode{
		lines: []string{fmt.Sprintf("… %d more of this shape", len(hidden)), fmt.Sprintf("from line %d to line %d", hidden[0].First.Old.FirstLine, hidden[len(hidden)-1].First.Old.FirstLine)},
		kind:  "folded", link: anchor(hidden[0]), layer: layer,
	})
	for _, f := range hidden {
		fl.of[f] = n
	}
	fl.edges = append(fl.edges, flowEdge{from: n, to: fl.function(last, layer+1)})
	return n
}

func (fl *flow) node(n *flowNode) *flowNode {
	longest := 0
	for _, l := range n.lines {
		longest = max(longest, len([]rune(l)))
	}
	n.w, n.h = longest*flowLetter+24, len(n.lines)*flowLine+14
	fl.nodes = append(fl.nodes, n)
	return n
}

// versionRows is the versions of f as the chart shows them: one by one, but of many that
// differ in their numbers only, the first, those between together, and the last.
func versionRows(p *explain.Program, f *explain.Function) [][]*explain.Version {
	var out [][]*explain.Version
	for i := 0; i < len(f.Versions); {
		j := i + 1
		for j < len(f.Versions) && alikeVersions(p, f.Versions[i], f.Versions[j]) {
			j++
		}
		row := f.Versions[i:j]
		i = j
		if len(row) <= fewestAlike {
			for _, v := range row {
				out = append(out, []*explain.Version{v})
			}
			continue
		}
		last := len(row) - 1
		out = append(out, row[:1], row[1:last], row[last:])
	}
	return out
}

// countless is a text without its numbers.
func countless(text string) string {
	return strings.ReplaceAll(numbers.ReplaceAllString(text, "0"), "operations", "operation")
}

// alikeVersions reports whether the boxes of two versions, and what they lead to, differ in numbers only.
func alikeVersions(p *explain.Program, a, b *explain.Version) bool {
	same := func(v, w explain.Resume) bool { return v.To == w.To && (v.To != nil || v.Name == w.Name) }
	return a.Code.Shown() == b.Code.Shown() && slices.EqualFunc(a.Resumes, b.Resumes, same) &&
		slices.EqualFunc(versionLines(p, a), versionLines(p, b), func(x, y string) bool {
			return countless(x) == countless(y)
		})
}

func (fl *flow) function(f *explain.Function, layer int) *flowNode {
	title := f.Title
	sub := origin(fl.prog, f)
	if f.IsResume {
		title, sub = resumeTitle(f), fmt.Sprintf("the rest, from line %d on", f.First.Old.FirstLine)
	}
	n := fl.node(&flowNode{lines: []string{shorten(title, 44), sub}, kind: "function", link: anchor(f), layer: layer})
	fl.of[f] = n
	for _, row := range versionRows(fl.prog, f) {
		v := row[0]
		box := flowNode{lines: versionLines(fl.prog, v), kind: "version", link: anchor(f) + fmt.Sprintf("-v%d", v.Number), layer: layer + 1}
		if len(row) > 1 {
			box.lines = []string{fmt.Sprintf("… %d more of this shape", len(row)), fmt.Sprintf("version %d to version %d", v.Number, row[len(row)-1].Number)}
			box.kind = "version folded"
		} else if !v.Code.Shown() {
			box.kind = "bytecode"
		}
		vn := fl.node(&box)
		fl.edges = append(fl.edges, flowEdge{from: n, to: vn, label: "guards hold"})
		for _, r := range v.Resumes {
			switch to := fl.of[r.To]; {
			case r.To == nil:
				fl.edges = append(fl.edges, flowEdge{from: vn, to: fl.node(&flowNode{
					lines: []string{shorten(r.Name, 44), "never compiled"}, kind: "bytecode", layer: layer + 2,
				})})
			case to != nil:
				fl.edges = append(fl.edges, flowEdge{from: vn, to: to, back: to.layer <= vn.layer})
			default:
				if row := fl.alike(f, r.To); len(row) > fewestAlike {
					fl.edges = append(fl.edges, flowEdge{from: vn, to: fl.fold(row, layer+2)})
					continue
				}
				fl.edges = append(fl.edges, flowEdge{from: vn, to: fl.function(r.To, layer+2)})
			}
		}
	}
	return n
}

func versionLines(p *explain.Program, v *explain.Version) []string {
	out := []string{fmt.Sprintf("version %d", v.Number)}
	if v.CompileID != "" {
		out[0] += " · " + explain.CompileIDText(v.CompileID)
	}
	for _, g := range v.Graphs {
		s := "runs graph " + g
		if v.Compile != nil && v.Compile.Ops > 0 {
			s += fmt.Sprintf(" (%s)", plural(v.Compile.Ops, "operation"))
		}
		out = append(out, s)
	}
	_, untold := p.Model.Start.Silent["graphs"]
	switch {
	case len(v.Graphs) == 0 && untold && !v.Code.HasText():
		out = append(out, "its graph is not in the log")
	case len(v.Graphs) == 0:
		out = append(out, "no graph: ordinary Python")
	}
	if v.Compile != nil && len(v.Compile.Breaks) > 0 {
		b := v.Compile.Breaks[0]
		out = append(out, shorten(fmt.Sprintf("graph break at %s", p.Places.Place(b.File, b.Line)), 44))
	}
	return out
}

// place puts every node somewhere and returns the size of the drawing. Nodes of
// a layer keep the order in which they were met, which is that of the calls.
func (fl *flow) place() (width, height int) {
	var layers [][]*flowNode
	for _, n := range fl.nodes {
		for n.layer >= len(layers) {
			layers = append(layers, nil)
		}
		layers[n.layer] = append(layers[n.layer], n)
	}
	wide := make([]int, len(layers))
	for i, l := range layers {
		wide[i] = -flowGapX
		for _, n := range l {
			wide[i] += n.w + flowGapX
		}
		width = max(width, wide[i])
	}
	width += 2 * flowGapX
	y := 12
	for i, l := range layers {
		x, tall := (width-wide[i])/2, 0
		for _, n := range l {
			n.x, n.y = x+n.w/2, y
			x += n.w + flowGapX
			tall = max(tall, n.h)
		}
		y += tall + flowGapY
	}
	return width, y - flowGapY + 12
}

func (fl *flow) svg(title string) string {
	width, height := fl.place()
	var b strings.Builder
	fmt.Fprintf(&b, `<svg class="flow" role="group" aria-label="%s" width="%d" height="%d" viewBox="0 0 %d %d" style="min-width: %dpx">`,
		html.EscapeString(title), width, height, width, height, width*flowShrink/100)
	for _, e := range fl.edges {
		e.draw(&b)
	}
	for _, n := range fl.nodes {
		n.draw(&b)
	}
	b.WriteString("</svg>")
	return b.String()
}

// outline is the chart as a list, for a screen on which no box could be read.
func (fl *flow) outline() string {
	var b strings.Builder
	b.WriteString(`<ul class="outline">`)
	for _, n := range fl.nodes {
		if n.kind != "function" && n.kind != "folded" {
			continue
		}
		b.WriteString("<li>" + n.text() + "<ul>")
		for _, e := range fl.edges {
			if e.from == n && e.to.kind != "function" {
				b.WriteString("<li>" + e.to.text())
				sep := " → "
				for _, next := range fl.edges {
					if next.from == e.to {
						b.WriteString(sep + next.to.name())
						sep = ", "
					}
				}
				b.WriteString("</li>")
			}
		}
		b.WriteString("</ul></li>")
	}
	b.WriteString("</ul>")
	return b.String()
}

func (n *flowNode) name() string {
	text := html.EscapeString(n.lines[0])
	if n.link == "" {
		return text
	}
	return link(n.link, text)
}

func (n *flowNode) text() string {
	out := n.name()
	for _, l := range n.lines[1:] {
		out += ", " + html.EscapeString(l)
	}
	return out
}

func (e flowEdge) draw(b *strings.Builder) {
	class := "edge"
	x1, y1, x2, y2 := e.from.x, e.from.y+e.from.h, e.to.x, e.to.y
	mid := (y1 + y2) / 2
	path := fmt.Sprintf("M%d %d C%d %d %d %d %d %d", x1, y1, x1, mid, x2, mid, x2, y2-6)
	if e.back {
		// Around the side, so that it does not run through the boxes between.
		class += " back"
		side := max(e.from.x+e.from.w/2, e.to.x+e.to.w/2) + flowGapX/2
		fx, fy, tx, ty := e.from.x+e.from.w/2, e.from.y+e.from.h/2, e.to.x+e.to.w/2, e.to.y+e.to.h/2
		path = fmt.Sprintf("M%d %d C%d %d %d %d %d %d", fx, fy, side, fy, side, ty, tx+6, ty)
		x2, y2 = tx, ty
		fmt.Fprintf(b, `<path class="%s" d="%s"/><path class="head" d="M%d %d l9 -4 v8 z"/>`, class, path, x2, y2)
		return
	}
	fmt.Fprintf(b, `<path class="%s" d="%s"/><path class="head" d="M%d %d l-4 -9 h8 z"/>`, class, path, x2, y2)
	if e.label != "" && x1 == x2 {
		fmt.Fprintf(b, `<text class="label" x="%d" y="%d">%s</text>`, x1+8, mid+4, html.EscapeString(e.label))
	}
}

func (n *flowNode) draw(b *strings.Builder) {
	if n.link != "" {
		fmt.Fprintf(b, `<a href="#%s">`, n.link)
	}
	fmt.Fprintf(b, `<g class="node %s"><rect x="%d" y="%d" width="%d" height="%d" rx="7"/>`, n.kind, n.x-n.w/2, n.y, n.w, n.h)
	for i, l := range n.lines {
		class := "sub"
		if i == 0 {
			class = "title"
		}
		fmt.Fprintf(b, `<text class="%s" x="%d" y="%d">%s</text>`, class, n.x, n.y+flowLine*(i+1)+1, html.EscapeString(l))
	}
	b.WriteString("</g>")
	if n.link != "" {
		b.WriteString("</a>")
	}
}

// shorten cuts a text that is longer than n letters in the middle.
func shorten(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	return string(r[:n/2]) + "…" + string(r[len(r)-n/2+1:])
}
