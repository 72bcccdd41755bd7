package answers

import (
	"fmt"
	"slices"
	"strings"

	"github.com/thuml/depyf/internal/explain"
	"github.com/thuml/depyf/internal/lazyregexp"
)

// GraphShift is a graph that is new, gone or another one than before. Its function is the one that a person wrote.
type GraphShift struct {
	written
	Before string `json:"before,omitempty"` // its file in the dump; absent for a new one
	After  string `json:"after,omitempty"`  // absent for one that is gone
	New    []Step `json:"new"`              // operations; all of them, of a new graph
	Gone   []Step `json:"gone"`
}

// graphShifts compares the graphs of each function and of its resume functions.
func graphShifts(before, after *Session, same func(string) string) []GraphShift {
	type graph struct {
		Operation
		by                  written
		key, function, part string
	}
	list := func(s *Session) (out []graph) {
		part, of := s.parts(), s.writers()
		for _, o := range s.operations() {
			g := graph{Operation: o}
			if o.of != nil {
				g.by = of(o.of)
				g.function, g.part = same(g.by.File)+" "+g.by.Function, part(o.of)
			}
			g.key = g.function + "\n" + o.byWork()
			out = append(out, g)
		}
		return out
	}
	added, gone := left(list(before), list(after), func(g graph) string { return g.key })
	out := []GraphShift{}
	for _, p := range pairs(gone, added, func(g graph) string { return g.function + " " + g.part }) {
		var was, is []Step
		x := GraphShift{}
		if p.before != nil {
			x.written, x.Before, was = p.before.by, p.before.Graph, p.before.steps()
		}
		if p.after != nil {
			x.written, x.After, is = p.after.by, p.after.Graph, p.after.steps()
		}
		x.New, x.Gone = left(was, is, func(s Step) string { return s.kind })
		if len(x.New)+len(x.Gone) == 0 { // the same operations, of other operands
			x.New, x.Gone = left(was, is, func(s Step) string { return s.exact })
		}
		out = append(out, x)
	}
	return out
}

// KernelShift is a call of a kernel that is new, gone or of another kernel than before.
type KernelShift struct {
	written
	Pass   string          `json:"pass"`
	Before string          `json:"before,omitempty"` // its name; absent for a new one
	After  string          `json:"after,omitempty"`  // absent for one that is gone
	Places []explain.Place `json:"places"`           // the user's lines that it computes
}

// kernelShifts compares the kernels that are called for each function and its resume functions.
func kernelShifts(before, after *Session, same func(string) string) []KernelShift {
	type kernel struct {
		*Kernel
		by            written
		function, key string
	}
	list := func(s *Session) (out []kernel) {
		texts, writer := s.kernelTexts(), s.writers()
		of := map[string]*Compilation{}
		for i := range s.Compilations {
			c := &s.Compilations[i]
			of[fmt.Sprint(c.ID, " ", c.Resets)] = c
		}
		for i := range s.Kernels {
			k := kernel{Kernel: &s.Kernels[i]}
			if c := of[fmt.Sprint(k.Compilation, " ", k.Resets)]; c != nil {
				k.by = writer(c)
				k.function = same(k.by.File) + " " + k.by.Function
			}
			k.key = strings.Join([]string{k.function, k.Pass, k.Kind, numberless(k.Name), texts(k.Kernel)}, "\n")
			out = append(out, k)
		}
		return out
	}
	added, gone := left(list(before), list(after), func(k kernel) string { return k.key })
	out := []KernelShift{}
	for _, p := range pairs(gone, added, func(k kernel) string { return k.function + k.Pass + k.Kind + numberless(k.Name) }) {
		x := KernelShift{}
		if p.before != nil {
			x = KernelShift{written: p.before.by, Pass: p.before.Pass, Before: p.before.Name, Places: p.before.Places}
		}
		if p.after != nil {
			x.written, x.Pass, x.After, x.Places = p.after.by, p.after.Pass, p.after.Name, p.after.Places
		}
		out = append(out, x)
	}
	return out
}

var endNumber = lazyregexp.New(`_\d+$`)

// numberless is the name of a kernel without the number at its end, which counts those of its module.
func numberless(name string) string { return endNumber.ReplaceAllString(name, "") }

// kernelTexts finds what kernels are written as, without comments, what they include, and the numbers of their names.
func (s *Session) kernelTexts() func(k *Kernel) string {
	bodies := map[string][]string{}
	for _, g := range s.Graphs {
		if g.Stage == explain.StageKernel && g.body != nil {
			bodies[g.File] = strings.Split(strings.TrimLeft(g.body(), "\n"), "\n")
		}
	}
	return func(k *Kernel) string {
		lines := bodies[k.File]
		if k.Defined == 0 || k.Defined >= len(lines) {
			return ""
		}
		lines = lines[k.Defined:]
		if end := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, "'''") }); end >= 0 {
			lines = lines[:end]
		}
		if jit := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(strings.TrimSpace(l), "@triton.jit") }); jit >= 0 {
			lines = lines[jit:] // above it stands what Triton is told of the machine
		}
		var out []string
		for _, l := range lines {
			if t := strings.TrimSpace(l); t != "" && !strings.HasPrefix(t, "#") && !strings.HasPrefix(t, "//") {
				out = append(out, strings.ReplaceAll(l, k.Name, numberless(k.Name)))
			}
		}
		return strings.Join(out, "\n")
	}
}

// GuardShift is what torch checks before it runs a version of a function, where that is not what it was.
type GuardShift struct {
	written
	Before *int     `json:"before"` // the version; null for a new one
	After  *int     `json:"after"`  // null for one that is gone
	New    []string `json:"new"`    // conditions; of a new version those that others do not have
	Gone   []string `json:"gone"`
}

// guardShifts compares the versions of each function and of its resume functions by their guards.
func guardShifts(before, after *Session, same func(string) string) []GuardShift {
	type version struct {
		*Compilation
		by                  written
		guards              []string
		key, function, part string
	}
	list := func(s *Session) (out []version) {
		part, of := s.parts(), s.writers()
		for i := range s.Compilations {
			c := &s.Compilations[i]
			if c.Version == nil {
				continue
			}
			w := of(c)
			v := version{Compilation: c, by: w, function: same(w.File) + " " + w.Function, part: part(c)}
			for _, g := range c.Guards {
				v.guards = append(v.guards, madeNames.ReplaceAllString(explain.CleanText(g.Text), "$1"))
			}
			slices.Sort(v.guards)
			v.key = v.function + "\n" + strings.Join(v.guards, "\n")
			out = append(out, v)
		}
		return out
	}
	added, gone := left(list(before), list(after), func(v version) string { return v.key })
	apart := func(s *Session, c *Compilation) []string {
		out := []string{}
		for _, g := range s.GuardSets {
			if g.Compilation == c.ID && g.Resets == c.Resets && g.Version == *c.Version {
				for _, a := range g.Apart {
					out = append(out, a.Text)
				}
			}
		}
		return out
	}
	itself := func(s string) string { return s }
	out := []GuardShift{}
	for _, p := range pairs(gone, added, func(v version) string { return v.function + " " + v.part }) {
		x := GuardShift{New: []string{}, Gone: []string{}}
		switch {
		case p.before == nil:
			x.written, x.After, x.New = p.after.by, p.after.Version, apart(after, p.after.Compilation)
		case p.after == nil:
			x.written, x.Before, x.Gone = p.before.by, p.before.Version, apart(before, p.before.Compilation)
		default:
			x.written, x.Before, x.After = p.after.by, p.before.Version, p.after.Version
			x.New, x.Gone = left(p.before.guards, p.after.guards, itself)
		}
		out = append(out, x)
	}
	return out
}

// madeNames are names with numbers that count what a session has made.
var madeNames = lazyregexp.New(`\b(__[A-Za-z_]+?)(?:_\d+)+\b`)
