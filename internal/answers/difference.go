package answers

import (
	"path"
	"slices"
	"strings"
)

// Difference is what one session has that another has not. Sessions may be of different
// checkouts and of sources that have been edited: a line is known by its file (pairFiles), its
// text and what happens there, not by its number.
type Difference struct {
	Counts     []Count     `json:"counts"`
	NewBreaks  []BreakLine `json:"new_breaks"`
	GoneBreaks []BreakLine `json:"gone_breaks"`
	NewCauses  []Cause     `json:"new_causes"` // of recompilations
	GoneCauses []Cause     `json:"gone_causes"`
	Times      []TimeShift `json:"times"` // functions that took clearly longer, or less long, to compile
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
	lines, recompiled, refused, failed, versions := map[string]bool{}, s.Untold, 0, 0, 0
	for _, b := range s.BreakLines {
		lines[lineKey(b, unpaired)] = true
	}
	for _, c := range s.Causes {
		recompiled += c.Recompilations
		refused += c.Refused
	}
	for _, c := range s.Compilations {
		if c.Failed() {
			failed++
		}
		if c.Version != nil {
			versions++
		}
	}
	graphs := map[string]bool{}
	for _, g := range s.Graphs {
		graphs[g.Name] = true
	}
	return []Count{
		{"breaks", 0, len(lines)},
		{"recompilations", 0, recompiled},
		{"limits", 0, refused},
		{"failures", 0, failed},
		{"versions", 0, versions},
		{"graphs", 0, len(graphs)},
	}
}

// Failed reports whether the program got an error from compiling this, or its backward pass.
func (c *Compilation) Failed() bool {
	return c.Failure != nil && c.Failure.Raised != nil && *c.Failure.Raised || len(c.Backward) > 0
}

// Compare tells what became of a session that ran again.
func Compare(before, after *Session) Difference {
	d := Difference{Counts: after.Counts(), Times: []TimeShift{}}
	for i, c := range before.Counts() {
		d.Counts[i].Before = c.After
	}
	same := pairFiles(before, after)
	d.NewBreaks, d.GoneBreaks = apart(before.BreakLines, after.BreakLines, func(b BreakLine) []string { return []string{lineKey(b, same)} })
	d.NewCauses, d.GoneCauses = apart(before.Causes, after.Causes, func(c Cause) []string { return causeKeys(c, same) })
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
	return d
}

// New is the later session with its new lines and causes alone.
func (d Difference) New(after *Session) *Session {
	s := *after
	s.BreakLines, s.Causes = d.NewBreaks, d.NewCauses
	return &s
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

func lineKey(b BreakLine, same func(string) string) string {
	at := b.Code
	if at == "" {
		at = b.Cause
	}
	return same(b.File) + " " + at
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
