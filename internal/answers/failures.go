package answers

import (
	"cmp"
	"slices"
	"strings"

	"github.com/thuml/depyf/internal/explain"
)

// Failed reports whether the program got an error from compiling this, or its backward pass.
func (c *Compilation) Failed() bool {
	return c.raised() || len(c.Backward) > 0
}

// raised reports whether the caller got the error, and no code.
func (c *Compilation) raised() bool {
	return c.Failure != nil && c.Failure.Raised != nil && *c.Failure.Raised
}

// Suppressed reports whether torch or a backend failed in a way of its own, not for what it cannot compile, and the function ran as
// ordinary Python.
func (c *Compilation) Suppressed() bool {
	f := c.Failure
	if f == nil || c.Failed() || c.Version != nil || c.Cut || c.Limit != nil {
		return false
	}
	kind := cmp.Or(f.Error, ErrorOf(f.Text))
	return f.Text == explain.UnnamedError || kind != "" && kind != "Unsupported"
}

// ErrorOf is the type of the error that a text begins with; "" where it begins with something else.
func ErrorOf(text string) string {
	kind, _, ok := strings.Cut(text, ": ")
	if !ok || strings.ContainsAny(kind, " \n") {
		return ""
	}
	return kind
}

// Failures are what went wrong, each once: compilations that the program got an error from, or that were suppressed, calls of
// torch.export, and the error that ended the program. Checks and comparisons count these.
func (s *Session) Failures() []Place {
	out := []Place{}
	for i := range s.Compilations {
		c := &s.Compilations[i]
		var texts []string
		if c.raised() || c.Suppressed() {
			texts = append(texts, c.Failure.Text)
		}
		for _, b := range c.Backward {
			texts = append(texts, b.Text)
		}
		for _, text := range texts {
			f := Place{c.Function, c.File, c.Line, InShort(text), c.ID}
			if !slices.ContainsFunc(out, f.same) { // a function may raise at each call
				out = append(out, f)
			}
		}
	}
	for _, e := range s.FailedExports() {
		out = append(out, Place{Function: e.Name, File: e.File, Line: e.Line, Text: "torch.export: " + InShort(e.Error+": "+e.Text)})
	}
	if r := s.Raised; r != nil && !s.told(r) {
		out = append(out, Place{File: r.File, Line: r.Line, Text: "the program ended with " + InShort(r.Error+": "+r.Text)})
	}
	return out
}

// same reports whether two places tell the same.
func (p Place) same(q Place) bool {
	p.id, q.id = "", ""
	return p == q
}

// FailedExports are the calls of torch.export that raised, but for one whose error ended the program.
func (s *Session) FailedExports() (out []Exported) {
	for _, e := range s.Exports {
		if e.Error != "" && (s.Raised == nil || s.Raised.Text != e.Text) {
			out = append(out, e)
		}
	}
	return out
}

// told reports whether the error that ended the program is that of a compilation.
func (s *Session) told(r *Raised) bool {
	return slices.ContainsFunc(s.Compilations, func(c Compilation) bool {
		return c.raised() && c.Failure.Error == r.Error ||
			slices.ContainsFunc(c.Backward, func(b Backward) bool { return ErrorOf(b.Text) == r.Error })
	})
}

// endedEarly says that a program ended before its session did: it was killed, or its log is cut off.
func (s *Session) endedEarly() []Place {
	if s.Complete {
		return nil
	}
	return []Place{{Text: EndedEarly}}
}

// EndedEarly is what became of a program whose session has no end.
const EndedEarly = "the program ended before its session did: it was killed, or its log is cut off"
