package answers

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/thuml/depyf/internal/explain"
)

// Cause is one reason for compiling again, with all the recompilations that it led to.
type Cause struct {
	Kind     Kind     `json:"kind"`
	Title    string   `json:"title"`    // in words: "the gradient mode changed"
	Subjects []string `json:"subjects"` // what differed, in the program's words: "x.size(0)"
	Values   []string `json:"values"`   // what it was, in the order in which it was seen; empty where torch does not tell
	File     string   `json:"file"`     // the user's line that depends on it, or where the function begins
	Line     int      `json:"line"`
	Code     string   `json:"code,omitempty"`
	Callers  []Caller `json:"callers,omitempty"` // of a line in a library: the user's lines that lead there

	Recompilations int      `json:"recompilations"`
	Refused        int      `json:"refused,omitempty"` // how many more the limit of recompilations prevented
	IDs            []string `json:"ids"`               // compile ids
	Functions      []string `json:"functions"`
	Seconds        float64  `json:"seconds"`        // that compiling them took
	Hints          []string `json:"hints"`          // torch's own
	Remedies       []string `json:"remedies"`       // ours
	Check          string   `json:"check"`          // the first failed check, in torch's words
	Also           []string `json:"also,omitempty"` // for what else other versions did not fit, in words

	// Of sizes: versions were made for more than one exact size of a tensor, so that it stays one version for each.
	Fixed bool `json:"fixed,omitempty"`
}

// Causes groups recompilations by what made them necessary, the costliest first.
func Causes(p *explain.Program) []Cause {
	at := owners(p)
	groups := map[string]*Cause{}
	list := []*Cause{}
	for _, c := range p.Model.Compiles {
		if len(c.Recompile) == 0 {
			continue
		}
		own := at[c]
		main, told := closest(c, own)
		key := main.key(p, c, own, told)
		g := groups[key]
		if g == nil {
			g = &Cause{Kind: main.change.kind, Subjects: []string{}, Values: []string{}, IDs: []string{}, Functions: []string{}, Hints: []string{}, Remedies: []string{}, Check: main.check}
			var begins bool
			g.File, g.Line, g.Code, begins = main.place(c, own)
			g.File = p.Places.Full(g.File) // a reason names the end of the path only
			if g.Code == "" && !begins {   // torch 2.6 names the line of a size and does not quote it
				g.Code = lineOf(p, g.File, g.Line)
			}
			groups[key] = g
			list = append(list, g)
		} else if main.change.kind != KindState {
			// Torch's wrapper of a module meets a size before the user's own line does.
			if file, line, code, begins := main.place(c, own); nearUser(p, file) > nearUser(p, g.File) && (!begins || nearUser(p, g.File) == 0) {
				g.File, g.Line, g.Code = p.Places.Full(file), line, code
				g.Subjects = slices.DeleteFunc(g.Subjects, func(s string) bool { return s == main.change.subject })
				g.Subjects = slices.Insert(g.Subjects, 0, main.change.subject)
			}
		}
		g.Callers = with(g.Callers, callerOf(p, c))
		if refused(c) {
			g.Refused++
		} else {
			g.Recompilations++
		}
		id, _ := explain.SplitCompileID(c.ID)
		g.IDs = append(g.IDs, id)
		g.Seconds += c.Seconds
		g.Functions = with(g.Functions, own.name(p, c))
		g.Subjects = with(g.Subjects, main.change.subject)
		var exact []string
		for _, r := range asCompiled(c, told) {
			if r.change.subject == main.change.subject {
				g.Values = with(g.Values, r.change.was)
				if r.change.was != "0" && r.change.was != "1" { // they are exact in any case
					exact = with(exact, r.change.was)
				}
			}
		}
		g.Fixed = g.Fixed || main.change.kind == KindSize && len(exact) > 1
		g.Values = with(g.Values, main.now(c, own))
		for _, r := range told {
			if r.change.kind != KindOther && r.key(p, c, own, told) != key {
				g.Also = with(g.Also, title(&Cause{Kind: r.change.kind, Subjects: []string{r.change.subject}}))
			}
			if h, ok := strings.CutPrefix(r.note, "HINT: "); ok {
				g.Hints = with(g.Hints, h)
			}
		}
	}
	out := []Cause{}
	for _, g := range list {
		g.Title = title(g)
		if g.Kind == KindState || nearUser(p, g.File) == 2 {
			g.Callers = nil
		}
		g.Callers = exactly(slices.DeleteFunc(g.Callers, func(c Caller) bool { return nearUser(p, c.File) == 0 }))
		if s := remedy(g); s != "" {
			g.Remedies = append(g.Remedies, s)
		}
		out = append(out, *g)
	}
	slices.SortStableFunc(out, func(a, b Cause) int { return cmp.Compare(b.Seconds, a.Seconds) })
	return out
}

// nearUser orders files: code that a library made has none that one could open, such as the __init__ of a data class;
// then come those of libraries, then the user's own.
func nearUser(p *explain.Program, file string) int {
	argv := p.Model.Start.Argv
	given := len(argv) > 0 && argv[0] == "-c" // the program is a text itself
	switch {
	case strings.HasPrefix(file, "<") && !given:
		return 0
	case explain.LibraryFile(p.Places.Full(file)):
		return 1
	}
	return 2
}

// with appends what is not there yet, and nothing for "".
func with[T comparable](list []T, s T) []T {
	var empty T
	if s == empty || slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}

// owner is the function and version that a compilation made; zero for none.
type owner struct {
	function *explain.Function
	version  *explain.Version
}

// owners finds for each compilation what it belongs to; a limit's belongs to a function alone.
func owners(p *explain.Program) map[*explain.Compile]owner {
	out := map[*explain.Compile]owner{}
	for _, f := range slices.Concat(p.Functions, p.Resumes) {
		for _, v := range f.Versions {
			if v.Compile != nil {
				out[v.Compile] = owner{f, v}
			}
		}
		if f.Limit != nil {
			out[f.Limit] = owner{function: f}
		}
	}
	return out
}

// name is that of the function that a person wrote.
func (o owner) name(p *explain.Program, c *explain.Compile) string {
	if o.function == nil {
		return p.Model.TitleOf(c)
	}
	return headOf(o.function).Title
}

// failed is one reason why a version did not fit.
type failed struct {
	check  string
	at     explain.Frame
	note   string
	change change
}

// closest reads the reasons of a recompilation, one for each version that did not fit, and
// returns that of the version which came closest: for it, the rest had fitted.
func closest(c *explain.Compile, own owner) (failed, []failed) {
	var all []failed
	for _, r := range c.Recompile {
		_, words := explain.PartReason(r)
		check, at, note := explain.ReadReason(words)
		all = append(all, failed{check, at, note, readChange(check)})
	}
	best := slices.MaxFunc(all, func(a, b failed) int { return cmp.Compare(a.change.near(), b.change.near()) })
	return best, all
}

// asCompiled are the reasons in the order in which the versions that they are of were compiled, where torch numbers these.
func asCompiled(c *explain.Compile, told []failed) []failed {
	number := func(reason string) int {
		id, _ := explain.PartReason(reason)
		n, err := strconv.Atoi(id[strings.LastIndexByte(id, '/')+1:])
		if err != nil {
			return -1
		}
		return n
	}
	numbers := make([]int, len(told))
	order := make([]int, len(told))
	for i, r := range c.Recompile {
		if numbers[i], order[i] = number(r), i; numbers[i] < 0 {
			return told
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(numbers[a], numbers[b]) })
	out := make([]failed, len(told))
	for i, from := range order {
		out[i] = told[from]
	}
	return out
}

// key tells causes apart. The state of torch is one for all functions; a size that was the
// same when first compiled varies together in all tensors that have it; the rest are
// values of one function, each with whatever is asked of it. told are all reasons, newest first.
func (r failed) key(p *explain.Program, c *explain.Compile, own owner, told []failed) string {
	x := r.change
	switch x.kind {
	case KindState:
		return fmt.Sprint(x.kind, " ", x.subject)
	case KindSize, KindStride, KindRank:
		was := x.was
		for _, y := range told {
			if y.change.kind == x.kind && y.change.subject == x.subject && y.change.was != "" {
				was = y.change.was
			}
		}
		return fmt.Sprint(x.kind, " ", strings.TrimPrefix(x.subject, x.root), " ", was)
	}
	return fmt.Sprint("value ", x.root, " ", c.File, " ", own.name(p, c))
}

// now is what came in the place of what was expected: torch's own words, or a condition
// or a symbol of the new version.
func (r failed) now(c *explain.Compile, own owner) string {
	x := r.change
	if x.now != "" || x.kind == KindState || x.kind == KindOther {
		return x.now
	}
	for _, s := range c.Symbols {
		if local.ReplaceAllString(s.Source, "$1") == x.subject {
			return s.Value
		}
	}
	if own.version == nil {
		return ""
	}
	for _, g := range own.version.Guards {
		for _, cond := range append([]string{g.Text}, g.Conds...) {
			if y := readChange(cond); y.kind == x.kind && y.subject == x.subject && y.root == x.root && y.was != "" {
				return y.was
			}
		}
	}
	return ""
}

// place is the user's line that depends on what differs; begins says that none is known, and it is where the function begins.
func (r failed) place(c *explain.Compile, own owner) (file string, line int, code string, begins bool) {
	if r.at.Line > 0 {
		return r.at.File, r.at.Line, r.at.Code, false
	}
	if r.change.kind != KindState {
		for _, s := range c.Symbols {
			if strings.HasPrefix(local.ReplaceAllString(s.Source, "$1"), r.change.root) && s.At.Line > 0 {
				return s.At.File, s.At.Line, s.At.Code, false
			}
		}
	}
	f := own.function
	if f == nil {
		return c.File, c.Line, "", true
	}
	if f.IsResume && f.First != nil && strings.HasPrefix(r.change.root, ofStack) {
		return f.First.Old.Filename, f.First.Old.FirstLine, "", false // the line that broke the graph computed it
	}
	for f.IsResume && f.Parent != nil {
		f = f.Parent
	}
	return f.Where.File, f.Where.Line, "", true
}

// lineOf is the text of a line, "" where the session does not have it.
func lineOf(p *explain.Program, file string, line int) string {
	text, ok := p.Model.SourceOf(file)
	if lines := strings.Split(text, "\n"); ok && line >= 1 && line <= len(lines) {
		return strings.TrimSpace(lines[line-1])
	}
	return ""
}
