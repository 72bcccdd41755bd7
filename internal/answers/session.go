package answers

import (
	"slices"
	"strings"

	"github.com/thuml/depyf/internal/explain"
)

// Form is the version of the JSON form.
const Form = 1

// Session is everything that is known of a session.
type Session struct {
	Form         int                 `json:"form"`
	Torch        string              `json:"torch"`
	Python       string              `json:"python"`
	Rank         string              `json:"rank,omitempty"`
	Complete     bool                `json:"complete"`                        // false if the program died before the session's end
	Causes       []Cause             `json:"causes"`                          // of recompilations
	Untold       int                 `json:"recompilations_untold,omitempty"` // recompilations that have been, and of which nothing says why
	BreakLines   []BreakLine         `json:"break_lines"`                     // lines that break the graph
	Spent        []Spent             `json:"spent"`                           // compile time by function
	Sources      []Source            `json:"sources"`                         // the program's files, and what became of their lines
	Compilations []Compilation       `json:"compilations"`
	GuardSets    []GuardSet          `json:"guard_sets"` // what torch checks before it runs a version, the costliest first
	Kernels      []Kernel            `json:"kernels"`    // calls of kernels in Inductor's code
	Graphs       []Graph             `json:"graphs"`
	Exports      []Exported          `json:"exports,omitempty"`             // calls of torch.export
	Wrong        []Compared          `json:"wrong,omitempty"`               // comparisons of eager and compiled results
	CUDAGraphs   []WithoutCUDAGraphs `json:"without_cuda_graphs,omitempty"` // why graphs run without CUDA graphs that the program asked for
	Raised       *Raised             `json:"raised,omitempty"`              // the error that ended what was watched
	Problems     []Problem           `json:"problems"`                      // what went wrong in depyf or its hooks
}

// Raised is an error that ended the program, or left the watched block.
type Raised struct {
	Error string `json:"error"` // its type
	Text  string `json:"text"`
	File  string `json:"file,omitempty"` // the user's line that it comes from
	Line  int    `json:"line,omitempty"`
	Block bool   `json:"block"` // it left the block; the program may have gone on
}

// Compilation is what one compile id stands for: Dynamo's work on one call of one function.
type Compilation struct {
	ID         string       `json:"id"`                 // "" where this torch does not tell it
	Given      bool         `json:"id_given,omitempty"` // the ID is depyf's: the log has none
	Resets     int          `json:"resets,omitempty"`   // how often torch._dynamo.reset() was called before: ids begin anew
	Function   string       `json:"function"`           // as torch calls it
	Name       string       `json:"name"`               // as a person does: the method that a decorator has wrapped, with its class
	File       string       `json:"file"`
	Line       int          `json:"line"`
	Resumes    string       `json:"resumes,omitempty"` // the function that this one goes on with
	CodeObject *int         `json:"code_object"`       // a number for each function of which there is a version; null for none
	Version    *int         `json:"version"`           // which version of the function this made; null for none
	Restarts   int          `json:"restarts"`
	Breaks     []Break      `json:"breaks"`
	Recompiled []string     `json:"recompiled"` // why earlier versions did not fit, in torch's words
	Failure    *Failure     `json:"failure"`
	Cut        bool         `json:"cut,omitempty"` // it had not ended when the program did
	Backward   []Backward   `json:"backward_failures,omitempty"`
	Limit      *Limit       `json:"limit,omitempty"`
	Calls      []string     `json:"calls"`      // compiled graphs that the code calls
	Operations *int         `json:"operations"` // in these graphs, as torch counts
	Guards     []Guard      `json:"guards"`     // null where they are not known
	Seconds    *float64     `json:"seconds"`
	Later      float64      `json:"backward_seconds,omitempty"` // for backward passes, which are compiled when gradients are asked for
	Symbols    []Symbol     `json:"symbols"`
	Code       *Transformed `json:"code"`
}

// Break is a graph break.
type Break struct {
	Reason string   `json:"reason"`
	Causes []string `json:"causes"` // what could not be compiled, from torch 2.7 on; one led to the next
	File   string   `json:"file"`
	Line   int      `json:"line"`
}

// Failure is why no code was made.
type Failure struct {
	Text string `json:"text"`
	File string `json:"file,omitempty"` // the user's line at which it happened
	Line int    `json:"line,omitempty"`
	// Whether the caller got the error; if not, the function ran as ordinary Python. Null where no hook could tell.
	Raised *bool `json:"raised"`
	// Type of the error that the caller got, or would have: torch wraps some of its own. "" where no hook could tell.
	Error string `json:"error,omitempty"`

	Explanation string   `json:"explanation,omitempty"` // torch's own
	Hints       []string `json:"hints,omitempty"`       // torch's own, those that say what to write first
	Remedies    []string `json:"remedies,omitempty"`
}

// Backward is how compiling the backward pass failed, which the caller who asked for gradients got to see.
type Backward struct {
	Text  string `json:"text"`
	Times int    `json:"times"`
}

// Limit is a limit of recompilations that prevented this one.
type Limit struct {
	Setting string `json:"setting"` // of torch._dynamo.config
	Value   int    `json:"value"`
}

// Guard is one condition for a version to be valid, in torch's words but for addresses.
type Guard struct {
	Text string `json:"text"`
	Kind string `json:"kind"` // "user", "world" (a function or module is still the same), "framework", or "state", which is of the framework and tells versions apart
}

// Symbol is a size or number that may vary.
type Symbol struct {
	Name   string `json:"name"`
	Source string `json:"source"`
	Value  string `json:"value"` // when compiled
	Range  string `json:"range"`
	Fixed  string `json:"fixed,omitempty"` // the condition that leaves one value, if the program has such a one
	File   string `json:"file,omitempty"`
	Line   int    `json:"line,omitempty"`
}

// Transformed is the code that runs in the function's place.
type Transformed struct {
	File    string `json:"file"`
	Verdict string `json:"verdict"`
	Swapped bool   `json:"swapped"`
}

// Graph is one graph or kernel at one stage.
type Graph struct {
	File        string `json:"file"`
	Name        string `json:"name"`
	Stage       string `json:"stage"`
	Compilation string `json:"compilation"`
	Resets      int    `json:"resets,omitempty"`
	Nodes       []Node `json:"nodes"` // null for what is not a graph's text

	body func() string
}

// Problem is something that went wrong in depyf itself.
type Problem struct {
	Where string `json:"where"`
	Error string `json:"error"`
}

// ForgetTexts lets go of the texts of graphs and kernels, which comparing with an earlier run takes: of many sessions at once
// they are much.
func (s *Session) ForgetTexts() {
	for i := range s.Graphs {
		s.Graphs[i].body = nil
	}
}

// Of answers for a linked model.
func Of(p *explain.Program) *Session { return For(p).Session() }

// whole collects all answers.
func whole(f *Facts) *Session {
	p := f.Program
	m := p.Model
	s := &Session{
		Form: Form, Torch: m.Start.Torch, Python: m.Start.Python, Rank: m.Start.Rank, Complete: m.Ended && !m.Abandoned,
		Causes: f.Causes(), Untold: Untold(p), BreakLines: f.BreakLines(), Spent: f.Spent(), Kernels: f.Kernels(), Exports: f.Exports(), Wrong: f.Wrong(), CUDAGraphs: f.CUDAGraphs(), Sources: f.Sources(), GuardSets: f.GuardSets(),
		Compilations: []Compilation{}, Graphs: []Graph{}, Problems: []Problem{},
	}
	made := map[*explain.Compile]bool{}
	var known []Compilation
	for i, f := range slices.Concat(p.Functions, p.Resumes) {
		for _, v := range f.Versions {
			c := compilation(p, f, v)
			c.CodeObject = &i
			known = append(known, c)
			made[v.Compile] = true
		}
	}
	for _, c := range m.Compiles {
		if !made[c] {
			out := told(p, c)
			out.Cut = slices.Contains(p.Cut, c)
			known = append(known, out)
		}
	}
	nameAlike(known)
	s.Compilations = append(s.Compilations, inOrder(m, known)...)
	for i := range s.Compilations {
		c := &s.Compilations[i]
		c.ID, c.Resets = explain.SplitCompileID(c.ID)
	}
	for _, a := range p.Files {
		g := Graph{File: a.File, Name: a.Graph, Stage: a.Stage, body: a.Body}
		g.Compilation, g.Resets = explain.SplitCompileID(a.CompileID)
		if a.Stage != explain.StageKernel && a.Stage != explain.StageRunnable {
			g.Nodes = Nodes(a.Body())
			for i, n := range g.Nodes {
				g.Nodes[i].File = p.Places.Full(n.File)
			}
		}
		s.Graphs = append(s.Graphs, g)
	}
	if r := m.Raised; r != nil {
		s.Raised = &Raised{Error: r.Error, Text: r.Text, Block: r.Block}
		if at, ok := explain.UsersLine(r.Stack); ok {
			s.Raised.File, s.Raised.Line = p.Places.Full(at.File), at.Line
		}
	}
	for _, e := range m.Problems {
		s.Problems = append(s.Problems, Problem{e.Where, e.Error})
	}
	return s
}

// inOrder sorts by when each was begun, which the model knows of compile ids.
func inOrder(m *explain.Model, list []Compilation) []Compilation {
	at := map[string]int{}
	for i, c := range m.Compiles {
		if _, ok := at[c.ID]; !ok {
			at[c.ID] = i
		}
	}
	slices.SortStableFunc(list, func(a, b Compilation) int {
		x, known := at[a.ID]
		y, both := at[b.ID]
		if !known || !both {
			return 0
		}
		return x - y
	})
	return list
}

// nameAlike gives compilations of one function one name: where no code was made, torch tells the function's bare name only.
func nameAlike(list []Compilation) {
	type at struct {
		function, file string
		line           int
	}
	names := map[at]string{}
	for _, c := range list {
		if c.Name != c.Function {
			names[at{c.Function, c.File, c.Line}] = c.Name
		}
	}
	for i, c := range list {
		if name := names[at{c.Function, c.File, c.Line}]; name != "" {
			list[i].Name = name
		}
	}
}

// told is what torch's log says about a compilation.
func told(p *explain.Program, c *explain.Compile) Compilation {
	out := Compilation{
		ID: c.ID, Given: c.Given, Function: c.Func, Name: p.Model.TitleOf(c), File: c.File, Line: c.Line, Restarts: c.Restarts,
		Breaks: []Break{}, Recompiled: reasonsOf(c), Calls: []string{}, Symbols: []Symbol{},
	}
	for _, b := range c.Breaks {
		out.Breaks = append(out.Breaks, Break{b.Reason, append([]string{}, b.Causes...), b.File, b.Line})
	}
	for _, s := range c.Symbols {
		v := c.Variation(s)
		made := Symbol{Name: s.Name, Source: s.Source, Value: s.Value, Range: v.Range, File: s.At.File, Line: s.At.Line}
		if v.Fixed != nil {
			made.Fixed = v.Fixed.Expr
		}
		out.Symbols = append(out.Symbols, made)
	}
	if c.Failure != "" {
		out.Failure = &Failure{Text: c.Failure, File: c.FailFile, Line: c.FailLine}
	}
	out.Later = c.Later
	for _, b := range c.Backward {
		out.Backward = append(out.Backward, Backward{b.Error + ": " + b.Text, b.Times})
	}
	if o := c.Outcome; o != nil {
		if o.Error != "" && out.Failure == nil {
			out.Failure = &Failure{Text: o.Error + ": " + o.Text}
		}
		if o.Error != "" {
			out.Failure.Raised, out.Failure.Error = &o.Raised, o.Error
		}
		if o.Limit != "" {
			out.Limit = &Limit{o.Limit, o.Value}
		}
	}
	if out.Failure != nil {
		why := FailureOf(c)
		out.Failure.Explanation, out.Failure.Hints, out.Failure.Remedies = why.Explanation, why.Hints, why.Remedies
	}
	if c.Measured {
		out.Seconds = &c.Seconds
	}
	if c.Counted {
		out.Operations = &c.Ops
	}
	return out
}

// compilation is a version of a function, with what torch's log says about it.
func compilation(p *explain.Program, f *explain.Function, v *explain.Version) Compilation {
	var out Compilation
	if v.Compile != nil {
		out = told(p, v.Compile)
	} else {
		out = told(p, &explain.Compile{ID: v.CompileID})
	}
	out.Function, out.Name, out.File, out.Line = f.Name, v.Title, f.File, f.Line
	if f.IsResume {
		out.Line = f.First.Old.FirstLine
		for r := f; r.Parent != nil && r.IsResume; r = r.Parent {
			out.Resumes = r.Parent.Name
		}
	}
	out.Version = &v.Number
	out.Calls = append(out.Calls, v.Graphs...)
	if v.HasGuards {
		out.Guards = []Guard{}
		for _, g := range v.Guards {
			out.Guards = append(out.Guards, Guard{g.Text, guardKinds[g.Kind]})
		}
	}
	out.Code = &Transformed{
		File: v.Code.File, Verdict: strings.TrimSpace(v.Code.Decompiled.Verdict),
		Swapped: v.Code.Swapped != nil && v.Code.Swapped.OK,
	}
	return out
}

var guardKinds = map[explain.GuardKind]string{
	explain.GuardUser: "user", explain.GuardWorld: "world", explain.GuardNoise: "framework", explain.GuardState: "state",
}

// reasonsOf are the reasons of a recompilation that are known.
func reasonsOf(c *explain.Compile) []string {
	out := []string{}
	for _, r := range c.Recompile {
		if r != explain.CutReason {
			out = append(out, r)
		}
	}
	return out
}
