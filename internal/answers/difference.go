package answers

import (
	"path"
	"slices"
	"strings"

	"github.com/thuml/depyf/internal/explain"
)

// Difference is what one session has that another has not. Sessions may be of different
// checkouts and of sources that have been edited: a line is known by its file (pairFiles), its
// function and its text, not by its number; a graph and a kernel by what they compute.
type Difference struct {
	OnlyIn   Side            `json:"only_in,omitempty"`  // of a process that only one of two runs has; it is compared with nothing
	Torch    *Change[string] `json:"torch,omitempty"`    // versions, if they differ: graphs and kernels are not compared then
	Complete *Change[bool]   `json:"complete,omitempty"` // whether the program came to the session's end, if that differs
	Raised   *Change[string] `json:"raised,omitempty"`   // the error that ended the program, if that differs; "" for none
	Counts   []Count         `json:"counts"`

	NewFailures []Place `json:"new_failures"`
	OldFailures []Place `json:"gone_failures"`
	NewLeft     []Place `json:"new_left"` // functions left uncompiled
	OldLeft     []Place `json:"gone_left"`

	NewBreaks     []BreakLine         `json:"new_breaks"`
	GoneBreaks    []BreakLine         `json:"gone_breaks"`
	ChangedBreaks []Change[BreakLine] `json:"changed_breaks"` // lines that break the graph for another cause
	NewCauses     []Cause             `json:"new_causes"`     // of recompilations
	GoneCauses    []Cause             `json:"gone_causes"`
	NewWrong      []Place             `json:"new_wrong"` // operations whose numbers are wrong
	GoneWrong     []Place             `json:"gone_wrong"`

	Times   []TimeShift   `json:"times"` // functions that took clearly longer, or less long, to compile
	Graphs  []GraphShift  `json:"graphs"`
	Kernels []KernelShift `json:"kernels"`
	Guards  []GuardShift  `json:"guards"`
}

// Side says which of two runs.
type Side string

// Sides.
const (
	InBefore Side = "before"
	InAfter  Side = "after"
)

// Change is what something was, and is.
type Change[T any] struct {
	Before T `json:"before"`
	After  T `json:"after"`
}

// changed is nil where nothing has changed.
func changed[T comparable](before, after T) *Change[T] {
	if before == after {
		return nil
	}
	return &Change[T]{before, after}
}

// Count is a number of both sessions.
type Count struct {
	Name   string `json:"name"` // "breaks", "recompilations", …
	Before int    `json:"before"`
	After  int    `json:"after"`
}

// TimeShift is how the compile time of a function changed, in seconds.
type TimeShift struct {
	Function string  `json:"function"`
	File     string  `json:"file"`
	Line     int     `json:"line"`
	Before   float64 `json:"before"`
	After    float64 `json:"after"`
}

// A change of compile time is told if it is by this share and by so many seconds: less is noise.
const (
	shiftShare   = 0.25
	shiftSeconds = 0.5
)

// shifted reports whether two compile times differ by more than noise.
func shifted(was, is float64) bool {
	change := max(was-is, is-was)
	return change > shiftSeconds && change > shiftShare*was
}

// Counts are the numbers of a session that are worth a limit, in a fixed order.
func (s *Session) Counts() []Count {
	recompiled, refused, versions := s.Untold, 0, 0
	for _, c := range s.Causes {
		recompiled += c.Recompilations
		refused += c.Refused
	}
	for _, c := range s.Compilations {
		if c.Version != nil {
			versions++
		}
	}
	return []Count{
		{"breaks", 0, len(BreakPlaces(s.BreakLines))},
		{"recompilations", 0, recompiled},
		{"limits", 0, refused},
		{"failures", 0, len(s.Failures())},
		{"versions", 0, versions},
		{"graphs", 0, s.GraphCount()},
	}
}

// GraphCount is how many graphs were compiled. What a compilation that raised has recorded is none.
func (s *Session) GraphCount() int {
	raised := map[string]bool{}
	for _, c := range s.Compilations {
		raised[explain.JoinCompileID(c.ID, c.Resets)] = c.raised()
	}
	graphs := map[string]bool{}
	for _, g := range s.Graphs {
		if g.Name != "" && !raised[explain.JoinCompileID(g.Compilation, g.Resets)] {
			graphs[g.Name] = true
		}
	}
	return len(graphs)
}

// Compare tells what became of a session that ran again.
func Compare(before, after *Session) Difference {
	d := Difference{
		Torch: changed(before.Torch, after.Torch), Complete: changed(before.Complete, after.Complete), Raised: changed(before.raised(), after.raised()),
		Counts: countsOf(before, after), Times: []TimeShift{}, Graphs: []GraphShift{}, Kernels: []KernelShift{},
	}
	same := pairFiles(before, after)
	place := func(p Place) string { return strings.Join([]string{same(p.File), p.Function, p.Text}, "\n") }
	d.NewFailures, d.OldFailures = left(before.Failures(), after.Failures(), place)
	d.NewLeft, d.OldLeft = left(before.LeftAlone(), after.LeftAlone(), place)
	d.NewWrong, d.GoneWrong = left(before.wrongNumbers(), after.wrongNumbers(), place)
	d.NewBreaks, d.GoneBreaks, d.ChangedBreaks = matchBreaks(before.BreakLines, after.BreakLines, same)
	d.NewCauses, d.GoneCauses = apart(before.Causes, after.Causes, func(c Cause) []string { return causeKeys(c, same) })
	// A cause whose line was edited is the one that it was.
	d.NewCauses, d.GoneCauses = left(d.GoneCauses, d.NewCauses, func(c Cause) string {
		key := []string{string(c.Kind), same(c.File)}
		return strings.Join(slices.Concat(key, c.Functions, slices.Sorted(slices.Values(c.Subjects))), "\n")
	})
	took := map[string]Spent{}
	for _, f := range before.Spent {
		took[f.Function+" "+same(f.File)] = f
	}
	for _, f := range after.Spent {
		old, ok := took[f.Function+" "+same(f.File)]
		was, is := old.Total+old.Backward, f.Total+f.Backward
		if ok && shifted(was, is) {
			d.Times = append(d.Times, TimeShift{f.Function, f.File, f.Line, was, is})
		}
	}
	if d.Torch == nil {
		d.Graphs, d.Kernels = graphShifts(before, after, same), kernelShifts(before, after, same)
	}
	d.Guards = guardShifts(before, after, same)
	return d
}

// countsOf are the numbers of two sessions.
func countsOf(before, after *Session) []Count {
	out := after.Counts()
	for i, c := range before.Counts() {
		out[i].Before = c.After
	}
	return out
}

// Alone is the difference of a session that has no other side.
func Alone(s *Session, side Side) Difference {
	empty := &Session{Torch: s.Torch, Complete: s.Complete}
	d := Compare(empty, empty)
	d.OnlyIn, d.Counts = side, countsOf(empty, s)
	if side == InBefore {
		d.Counts = countsOf(s, empty)
	}
	return d
}

// Same reports whether nothing is different.
func (d *Difference) Same() bool {
	counted := func(c Count) bool { return c.Before != c.After }
	return d.OnlyIn == "" && d.Torch == nil && d.Complete == nil && d.Raised == nil && !slices.ContainsFunc(d.Counts, counted) &&
		len(d.NewFailures)+len(d.OldFailures)+len(d.NewLeft)+len(d.OldLeft)+len(d.NewWrong)+len(d.GoneWrong) == 0 &&
		len(d.NewBreaks)+len(d.GoneBreaks)+len(d.ChangedBreaks)+len(d.NewCauses)+len(d.GoneCauses) == 0 &&
		len(d.Times)+len(d.Graphs)+len(d.Kernels)+len(d.Guards) == 0
}

// apart lists what only the one and what only the other has. Most have one key. What has several is new where one of them
// is, and gone where all of them are.
func apart[T any](before, after []T, keys func(T) []string) (added, gone []T) {
	all := func(list []T) map[string]bool {
		out := map[string]bool{}
		for _, x := range list {
			for _, k := range keys(x) {
				out[k] = true
			}
		}
		return out
	}
	added, gone = []T{}, []T{}
	had, has := all(before), all(after)
	for _, x := range after {
		if slices.ContainsFunc(keys(x), func(k string) bool { return !had[k] }) {
			added = append(added, x)
		}
	}
	for _, x := range before {
		if !slices.ContainsFunc(keys(x), func(k string) bool { return has[k] }) {
			gone = append(gone, x)
		}
	}
	return added, gone
}

func causeKey(c Cause, same func(string) string) string {
	return strings.Join(append([]string{string(c.Kind), same(c.File), c.Code}, slices.Sorted(slices.Values(c.Subjects))...), " ")
}

// causeKeys has a key for each subject. What differs may be met in more places once a break is added, and in fewer once one
// is gone: x.size(0), and hidden.size(0) in the rest of the function.
func causeKeys(c Cause, same func(string) string) []string {
	subjects := c.Subjects
	if len(subjects) == 0 {
		return []string{causeKey(c, same)}
	}
	var out []string
	for i := range subjects {
		c.Subjects = subjects[i : i+1]
		out = append(out, causeKey(c, same))
	}
	return out
}

// shortFile is the end of a path that two checkouts have in common.
func shortFile(file string) string {
	file = strings.ReplaceAll(file, `\`, "/")
	return path.Join(path.Base(path.Dir(file)), path.Base(file))
}

// ShortName is what a file is called where no other can be meant.
func ShortName(file string) string {
	base := path.Base(strings.ReplaceAll(file, `\`, "/"))
	if base == "__init__.py" || base == "__main__.py" {
		return shortFile(file)
	}
	return base
}
