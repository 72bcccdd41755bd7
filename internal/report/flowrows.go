package report

import (
	"fmt"

	"github.com/thuml/depyf/internal/answers"
	"github.com/thuml/depyf/internal/explain"
)

// What is written in the boxes of a chart.

// widest is how many letters a row has at most.
const widest = 44

// titleRows name a function and say where it is or where it goes on and, of one that a person calls, from where it was called.
func (fl *flow) titleRows(f *explain.Function) []flowRow {
	if f.IsResume {
		return []flowRow{
			{text: shorten(resumeTitle(f), widest), link: anchor(f)},
			{text: fmt.Sprintf("after line %d", f.First.Old.FirstLine), link: fl.about.line(f.File, f.First.Old.FirstLine)},
		}
	}
	rows := []flowRow{
		{text: shorten(f.Title, widest), link: anchor(f)},
		{text: origin(fl.prog, f), link: fl.about.line(f.Where.File, f.Where.Line)},
	}
	callers := answers.CallersOf(fl.prog, f)
	if len(callers) == 0 {
		return rows
	}
	row := flowRow{text: fl.prog.Places.Place(callers[0].File, callers[0].Line), link: fl.about.line(callers[0].File, callers[0].Line)}
	if g := callers[0].Function; g != nil {
		row = flowRow{text: g.Title, link: anchor(g)}
	}
	row.text = shorten("called from "+row.text+andMore(len(callers)-1), widest)
	return append(rows, row)
}

func (a flowFacts) line(file string, n int) string {
	if a.place == nil {
		return ""
	}
	return a.place(file, n)
}

// versionID is the id of a version's part of the page.
func versionID(f *explain.Function, v *explain.Version) string {
	return fmt.Sprintf("%s-v%d", anchor(f), v.Number)
}

// version is what a call goes through that takes a version.
func (fl *flow) version(f *explain.Function, v *explain.Version) []flowRow {
	id := versionID(f, v)
	rows := []flowRow{{text: fmt.Sprintf("version %d", v.Number), link: id}}
	if v.CompileID != "" {
		rows[0].text += " · " + explain.CompileIDText(v.CompileID)
	}
	if v.HasGuards {
		rows = append(rows, flowRow{text: guardsHold(f, v), link: id})
	}
	if v.Code.HasText() {
		rows = append(rows, flowRow{text: shorten("transformed code: "+shortVerdict(v.Code), widest), link: id})
	}
	for _, g := range v.Graphs {
		text, link := "runs graph "+g, "graph-"+explain.Identifier(g)
		if len(fl.prog.ArtefactsOf(g)) == 0 {
			link = ""
		}
		if v.Compile != nil && v.Compile.Ops > 0 {
			text += fmt.Sprintf(" (%s)", plural(v.Compile.Ops, "operation"))
		}
		rows = append(rows, flowRow{text: text, link: link})
		if n := fl.about.kernels[g]; n[0]+n[1] > 0 {
			text := plural(n[0]+n[1], "kernel")
			if n[1] > 0 {
				text = fmt.Sprintf("%s: forward %d, backward %d", text, n[0], n[1])
			}
			rows = append(rows, flowRow{text: text, link: link})
		}
	}
	_, untold := fl.prog.Model.Start.Silent["graphs"]
	switch {
	case len(v.Graphs) == 0 && untold && !v.Code.HasText():
		rows = append(rows, flowRow{text: "its graph is not in the log"})
	case len(v.Graphs) == 0:
		rows = append(rows, flowRow{text: "no graph: ordinary Python"})
	}
	if v.Compile != nil && len(v.Compile.Breaks) > 0 {
		b := v.Compile.Breaks[0]
		link := ""
		if fl.about.breaks != nil {
			link = fl.about.breaks(b)
		}
		rows = append(rows, flowRow{text: shorten("graph break at "+fl.prog.Places.Place(b.File, b.Line), widest), class: "broken", link: link})
		if why := answers.PlainCause(b); why != "" {
			rows = append(rows, flowRow{text: shorten(why, widest), class: "broken", link: link})
		}
	}
	return rows
}

// guardsHold says when a version runs and, where there are several, which of them Dynamo tries before it.
func guardsHold(f *explain.Function, v *explain.Version) string {
	text := "guards hold"
	if len(v.Guards) == 1 {
		text = "guard holds"
	}
	text = fmt.Sprintf("if %d %s", len(v.Guards), text)
	if len(f.Tried) < 2 || len(f.Tried) != len(f.Versions) {
		return text
	}
	for i, w := range f.Tried {
		if w == v {
			text = fmt.Sprintf("%d. %s", i+1, text)
		}
	}
	return text
}

// between names versions that are shown together.
func between(row []*explain.Version) string {
	var numbers []int
	for _, v := range row {
		numbers = append(numbers, v.Number)
	}
	return versionList(numbers)
}

// noneFits is what becomes of a call that no version is valid for, once there may be no more of them.
func noneFits(f *explain.Function) []flowRow {
	rows := []flowRow{{text: "no version fits, limit reached", link: limitID(f)}, {text: "runs as ordinary Python"}}
	switch o := f.Limit.Outcome; {
	case o.Raised:
		rows[1].text = shorten("raises "+o.Error, widest)
	case o.Then == "skip":
		rows[0].text, rows[1].text = "every later call, limit reached", "runs as ordinary Python"
	case o.Untold:
		rows[1].text += " or raises"
	}
	return rows
}

// armText says which way of a branch a resume function is; "" where it is none.
func armText(v *explain.Version, r explain.Resume) string {
	switch taken, ok := v.Arm(r.Name); {
	case !ok:
		return ""
	case taken:
		return "if true"
	}
	return "if false"
}
