package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/thuml/depyf/internal/answers"
	"github.com/thuml/depyf/internal/explain"
)

// flow is the chart of one user's function: which versions a call may take, and
// in which resume functions each goes on. It is a layered drawing, top to
// bottom: functions and their versions alternate, and every function stands on
// the layer below the version that first calls it. Versions stand from left to right as
// Dynamo tries them, and the box of each says what a call goes through: guards, code, graphs,
// kernels, the graph break. A resume function that is
// called again (loops that depend on data call themselves) gets a dashed edge.
// A long row of resume functions that differ in their lines only is one box: three
// hundred are a drawing of seventy screens. On a narrow screen the same is a list.
type flow struct {
	about flowFacts
	prog  *explain.Program
	nodes []*flowNode
	edges []flowEdge
	of    map[*explain.Function]*flowNode
}

// flowFacts is what all charts of a page draw on.
type flowFacts struct {
	prog    *explain.Program
	kernels map[string][2]int               // by graph: calls in the forward and the backward pass
	breaks  func(b explain.Break) string    // the id of what the page says of a graph break; "" for nothing
	place   func(file string, n int) string // the id of a line
}

// kernelCalls counts the calls of kernels of each graph.
func kernelCalls(list []answers.Kernel) map[string][2]int {
	out := map[string][2]int{}
	for _, k := range list {
		n := out[k.Graph]
		if k.Pass == "backward" {
			n[1]++
		} else {
			n[0]++
		}
		out[k.Graph] = n
	}
	return out
}

type flowNode struct {
	rows  []flowRow // what is written in the box; the first is the title
	kind  string    // CSS class: function, version, bytecode, folded, eager
	layer int
	x, y  int // centre and top
	w, h  int
}

// flowRow is a line in a box.
type flowRow struct {
	text  string
	class string // CSS class of a row that stands out
	link  string // id of the part of the page it leads to
}

type flowEdge struct {
	from, to *flowNode
	back     bool
}

const (
	flowLetter = 7  // width of a letter of the box font, in pixels
	flowLine   = 17 // height of a line
	flowGapX   = 28
	flowGapY   = 46
	flowShrink = 65 // a wide chart shrinks to this percentage before it scrolls
)

// drawFlow is the chart of f as SVG, and as a list.
func drawFlow(about flowFacts, f *explain.Function) string {
	fl := &flow{about: about, prog: about.prog, of: map[*explain.Function]*flowNode{}}
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
		rows: []flowRow{
			{text: fmt.Sprintf("… %d more of this shape", len(hidden)), link: anchor(hidden[0])},
			{text: fmt.Sprintf("from line %d to line %d", hidden[0].First.Old.FirstLine, hidden[len(hidden)-1].First.Old.FirstLine)},
		},
		kind: "folded", layer: layer,
	})
	for _, f := range hidden {
		fl.of[f] = n
	}
	fl.edges = append(fl.edges, flowEdge{from: n, to: fl.function(last, layer+1)})
	return n
}

func (fl *flow) node(n *flowNode) *flowNode {
	longest := 0
	for _, r := range n.rows {
		longest = max(longest, len([]rune(r.text)))
	}
	n.w, n.h = longest*flowLetter+24, len(n.rows)*flowLine+14
	fl.nodes = append(fl.nodes, n)
	return n
}

// tried is the versions of f in the order in which Dynamo tries them.
func tried(f *explain.Function) []*explain.Version {
	if len(f.Tried) == len(f.Versions) {
		return f.Tried
	}
	return f.Versions
}

// versionRows is the versions of f as the chart shows them: one by one, but of many that
// differ in their numbers only, the first, those between together, and the last.
func (fl *flow) versionRows(f *explain.Function) [][]*explain.Version {
	list := tried(f)
	var out [][]*explain.Version
	for i := 0; i < len(list); {
		j := i + 1
		for j < len(list) && fl.alikeVersions(f, list[i], list[j]) {
			j++
		}
		row := list[i:j]
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

var manyAsOne = strings.NewReplacer("operations", "operation", "guards hold", "guard holds", "kernels", "kernel")

// countless is a text without its numbers.
func countless(text string) string {
	return manyAsOne.Replace(numbers.ReplaceAllString(text, "0"))
}

// alikeVersions reports whether the boxes of two versions, and what they lead to, differ in numbers only.
func (fl *flow) alikeVersions(f *explain.Function, a, b *explain.Version) bool {
	same := func(v, w explain.Resume) bool { return v.To == w.To && (v.To != nil || v.Name == w.Name) }
	return a.Code.Shown() == b.Code.Shown() && slices.EqualFunc(a.Resumes, b.Resumes, same) &&
		slices.EqualFunc(fl.version(f, a), fl.version(f, b), func(x, y flowRow) bool {
			return countless(x.text) == countless(y.text)
		})
}

func (fl *flow) function(f *explain.Function, layer int) *flowNode {
	n := fl.node(&flowNode{rows: fl.titleRows(f), kind: "function", layer: layer})
	fl.of[f] = n
	for _, row := range fl.versionRows(f) {
		v := row[0]
		box := flowNode{rows: fl.version(f, v), kind: "version", layer: layer + 1}
		if len(row) > 1 {
			box.rows = []flowRow{{text: fmt.Sprintf("… %d more of this shape", len(row)), link: versionID(f, v)}, {text: between(row)}}
			box.kind = "version folded"
		} else if !v.Code.Shown() {
			box.kind = "bytecode"
		}
		vn := fl.node(&box)
		fl.edges = append(fl.edges, flowEdge{from: n, to: vn})
		for _, r := range v.Resumes {
			fl.resume(f, v, r, vn)
		}
	}
	if f.Limit != nil {
		fl.edges = append(fl.edges, flowEdge{from: n, to: fl.node(&flowNode{rows: noneFits(f), kind: "eager", layer: layer + 1})})
	}
	return n
}

// resume draws on from the box of a version of f, in a function that it goes on with.
func (fl *flow) resume(f *explain.Function, v *explain.Version, r explain.Resume, from *flowNode) {
	switch to := fl.of[r.To]; {
	case r.To == nil:
		rows := []flowRow{{text: shorten(r.Name, 44), link: versionID(f, v)}, {text: "never compiled: ordinary Python"}}
		if arm := armText(v, r); arm != "" {
			rows = append(rows, flowRow{text: arm})
		}
		fl.edges = append(fl.edges, flowEdge{from: from, to: fl.node(&flowNode{rows: rows, kind: "bytecode", layer: from.layer + 1})})
	case to != nil:
		fl.edges = append(fl.edges, flowEdge{from: from, to: to, back: to.layer <= from.layer})
	default:
		if row := fl.alike(f, r.To); len(row) > fewestAlike {
			fl.edges = append(fl.edges, flowEdge{from: from, to: fl.fold(row, from.layer+1)})
			return
		}
		n := fl.function(r.To, from.layer+1)
		if arm := armText(v, r); arm != "" {
			n.rows[1].text += ", " + arm
			n.w = max(n.w, len([]rune(n.rows[1].text))*flowLetter+24)
		}
		fl.edges = append(fl.edges, flowEdge{from: from, to: n})
	}
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

// shorten cuts a text that is longer than n letters in the middle.
func shorten(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	return string(r[:n/2]) + "…" + string(r[len(r)-n/2+1:])
}
