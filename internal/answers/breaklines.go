package answers

import (
	"cmp"
	"slices"

	"github.com/thuml/depyf/internal/explain"
)

// BreakLine is a line of the program at which graphs break, for one cause.
type BreakLine struct {
	File        string   `json:"file"`
	Line        int      `json:"line"`
	Function    string   `json:"function,omitempty"` // that the line stands in
	Code        string   `json:"code,omitempty"`
	Cause       string   `json:"cause"`             // in plain words, what could not be compiled
	From        *Caller  `json:"from,omitempty"`    // of a line in a library: the nearest line of the user's that leads there, the first of
	Callers     []Caller `json:"callers,omitempty"` // all such lines
	Causes      []string `json:"causes"`            // the whole chain, outermost first; empty before torch 2.7
	Explanation string   `json:"explanation,omitempty"`
	Times       int      `json:"times"` // compilations that broke here
	Functions   []string `json:"functions"`
	IDs         []string `json:"ids"`     // compile ids that broke here
	Seconds     float64  `json:"seconds"` // that compiling the resume functions behind it took
	Hints       []string `json:"hints"`   // torch's own, those that say what to write first
	Remedies    []string `json:"remedies"`
	Link        string   `json:"link,omitempty"`
}

// Caller is a line of the user's that leads to a line in a library.
type Caller struct {
	Function string `json:"function"`
	File     string `json:"file"`
	Line     int    `json:"line,omitempty"` // 0 where only the function is known
	Code     string `json:"code,omitempty"`
}

// BreakLines groups graph breaks by line and cause: the user's own lines before those of libraries, then
// those with the longest compilation behind them first.
func BreakLines(p *explain.Program) []BreakLine {
	at, around := owners(p), newSurroundings(p)
	groups := map[[2]string]*BreakLine{}
	behind := map[*BreakLine]map[*explain.Function]bool{}
	var list []*BreakLine
	for _, c := range p.Model.Compiles {
		own := at[c]
		for _, b := range c.Breaks {
			key := [2]string{p.Places.Place(b.File, b.Line), PlainCause(b)}
			g := groups[key]
			if g == nil {
				g = &BreakLine{
					File: p.Places.Full(b.File), Line: b.Line, Function: around.name(b), Code: b.Code, Cause: PlainCause(b), Causes: append([]string{}, b.Causes...), Explanation: b.Explanation,
					Functions: []string{}, IDs: []string{}, Hints: UsefulFirst(b.Hints), Remedies: RemediesOf(b), Link: b.Link,
				}
				groups[key] = g
				behind[g] = map[*explain.Function]bool{}
				list = append(list, g)
			}
			if at := b.From; at != nil {
				g.Callers = with(g.Callers, Caller{at.Name, at.File, at.Line, codeOf(p, *at)})
			}
			g.Times++
			id, _ := explain.SplitCompileID(c.ID)
			g.IDs = append(g.IDs, id)
			g.Functions = with(g.Functions, own.name(p, c))
			if own.version == nil {
				continue
			}
			for _, r := range own.version.Resumes {
				if r.To == nil || behind[g][r.To] {
					continue
				}
				behind[g][r.To] = true
				for _, v := range r.To.Versions {
					if v.Compile != nil {
						g.Seconds += v.Compile.Seconds
					}
				}
			}
		}
	}
	list = append(list, resumedAt(p, list)...)
	out := []BreakLine{}
	for _, g := range list {
		if g.Callers = exactly(g.Callers); len(g.Callers) > 0 {
			first := g.Callers[0]
			g.From = &first
		}
		out = append(out, *g)
	}
	slices.SortStableFunc(out, func(a, b BreakLine) int {
		return cmp.Or(usersFirst(a.File, b.File), cmp.Compare(b.Seconds, a.Seconds))
	})
	return out
}

// RemediesOf is what to write instead of a line that breaks the graph, as far as something general is known.
func RemediesOf(b explain.Break) []string {
	cause := PlainCause(b)
	if asksForBreak.MatchString(cause) && explain.LibraryFile(b.File) {
		return []string{} // a library's call is not the user's to remove
	}
	return with([]string{}, BreakRemedy(append(slices.Clone(b.Causes), cause, b.Explanation)...))
}

// exactly leaves a function out of which a line is known.
func exactly(list []Caller) []Caller {
	return slices.DeleteFunc(slices.Clone(list), func(c Caller) bool {
		return c.Line == 0 && slices.ContainsFunc(list, func(d Caller) bool {
			return d.Line > 0 && d.Function == c.Function && d.File == c.File
		})
	})
}

// PlainCause is the last of the causes: it says what the line does that cannot be compiled, where
// those before say which instruction was being traced.
func PlainCause(b explain.Break) string { return plainest(b.Causes, b.Reason) }

func plainest(causes []string, reason string) string {
	if n := len(causes); n > 0 {
		return causes[n-1]
	}
	return reason
}

// headOf is the function that a person wrote.
func headOf(f *explain.Function) *explain.Function {
	for f.IsResume && f.Parent != nil {
		f = f.Parent
	}
	return f
}

// resumedAt are the lines behind which resume functions go on, where nothing tells of graph breaks: not the log of text, or not this
// version of torch.
func resumedAt(p *explain.Program, told []*BreakLine) (out []*BreakLine) {
	cause := untoldByTorch
	if _, untold := p.Model.Start.Silent["breaks"]; untold {
		cause = untoldByLog
	} else if len(told) > 0 {
		return nil
	}
	for _, f := range p.Resumes {
		name, line, ok := explain.ResumedAt(f.Name)
		if !ok && f.First != nil && f.First.Old.FirstLine > 0 { // torch 2.2 calls it "<resume in f>"
			name, line, ok = headOf(f).Name, f.First.Old.FirstLine, true
		}
		at := p.Places.Full(f.File)
		if !ok || slices.ContainsFunc(slices.Concat(told, out), func(b *BreakLine) bool { return b.Line == line && b.File == at }) {
			continue
		}
		out = append(out, &BreakLine{
			File: at, Line: line, Function: name, Code: lineOf(p, f.File, line), Cause: cause, Causes: []string{}, Functions: []string{name},
			IDs: []string{}, Hints: []string{}, Remedies: []string{"TORCH_LOGS=\"graph_breaks\" tells why."}, Times: 1,
		})
	}
	return out
}

const (
	untoldByLog   = "the log does not tell why, but names the resume function behind the line"
	untoldByTorch = "this torch does not tell why, but a resume function goes on behind the line"
)
