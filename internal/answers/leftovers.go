package answers

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/thuml/depyf/internal/explain"
)

// What two sessions have in common is taken away by keys; what is left is what is different.

// left lists what only the one and what only the other of two lists has, where each may have several of one key.
func left[T any](before, after []T, key func(T) string) (added, gone []T) {
	added, gone = []T{}, []T{}
	had := map[string]int{}
	for _, x := range before {
		had[key(x)]++
	}
	for _, x := range after {
		if k := key(x); had[k] > 0 {
			had[k]--
			continue
		}
		added = append(added, x)
	}
	for _, x := range slices.Backward(before) {
		if k := key(x); had[k] > 0 { // of several, the last
			had[k]--
			gone = append(gone, x)
		}
	}
	slices.Reverse(gone)
	return added, gone
}

// pair is what stands in the place of something; one of both may be nil.
type pair[T any] struct{ before, after *T }

// pairs joins what is left of two lists by a second key, the first of a key with the first.
func pairs[T any](gone, added []T, key func(T) string) (out []pair[T]) {
	waiting := map[string][]int{}
	for i := range gone {
		out = append(out, pair[T]{before: &gone[i]})
		waiting[key(gone[i])] = append(waiting[key(gone[i])], i)
	}
	for i := range added {
		k := key(added[i])
		if w := waiting[k]; len(w) > 0 {
			out[w[0]].after, waiting[k] = &added[i], w[1:]
			continue
		}
		out = append(out, pair[T]{after: &added[i]})
	}
	return out
}

// written is the function that a person wrote, of which a compilation compiled all, or what comes after a line.
type written struct {
	Function string `json:"function"`
	File     string `json:"file"`
	Line     int    `json:"line"`
}

// writers find the function that a person wrote. That of a resume function is the last of its name that begins above it.
func (s *Session) writers() func(c *Compilation) written {
	heads := map[string][]written{}
	for i := range s.Compilations {
		c := &s.Compilations[i]
		if _, _, ok := explain.ResumedAt(c.Function); !ok && c.Resumes == "" {
			heads[c.File+" "+c.Function] = with(heads[c.File+" "+c.Function], written{c.Name, c.File, c.Line})
		}
	}
	return func(c *Compilation) written {
		name, line, ok := explain.ResumedAt(c.Function)
		if c.Resumes != "" {
			name = c.Resumes
		} else if !ok {
			return written{c.Name, c.File, c.Line}
		}
		w := written{name, c.File, c.Line}
		best := 0
		for _, h := range heads[c.File+" "+name] {
			if (h.Line <= line || line == 0) && h.Line > best {
				w, best = h, h.Line
			}
		}
		return w
	}
}

// parts give the resume functions of a session numbers: of a function, which of them it is from above; "0" for the function itself.
func (s *Session) parts() func(c *Compilation) string {
	at := map[string][]int{}
	of := s.writers()
	name := func(c *Compilation) string { return fmt.Sprint(of(c)) }
	for i := range s.Compilations {
		c := &s.Compilations[i]
		if _, line, ok := explain.ResumedAt(c.Function); ok && !slices.Contains(at[name(c)], line) {
			at[name(c)] = append(at[name(c)], line)
		}
	}
	for _, lines := range at {
		slices.SortFunc(lines, cmp.Compare)
	}
	return func(c *Compilation) string {
		_, line, ok := explain.ResumedAt(c.Function)
		if !ok {
			return "0"
		}
		return fmt.Sprint(1 + slices.Index(at[name(c)], line))
	}
}

// raised is the error that ended what was watched, "" for none.
func (s *Session) raised() string {
	if s.Raised == nil {
		return ""
	}
	text, _, _ := strings.Cut(s.Raised.Error+": "+s.Raised.Text, "\n")
	return explain.CleanText(text)
}

// LeftAlone are the functions that run as ordinary Python though there was something to compile in them.
func (s *Session) LeftAlone() []Place {
	out := []Place{}
	of := s.writers()
	for i := range s.Compilations {
		c := &s.Compilations[i]
		if c.Version != nil || c.Failed() || c.Cut {
			continue
		}
		text, w := "", of(c)
		switch {
		case c.Limit != nil:
			text = fmt.Sprintf("the limit %s = %d is reached", c.Limit.Setting, c.Limit.Value)
		case len(c.Breaks) > 0:
			text = plainest(c.Breaks[0].Causes, c.Breaks[0].Reason)
		case c.Failure != nil:
			text = InShort(c.Failure.Text)
		default:
			continue
		}
		text, _, _ = strings.Cut(text, "\n")
		out = append(out, Place{w.Function, w.File, w.Line, explain.CleanText(text), c.ID})
	}
	return out
}

// wrongNumbers are the operations whose numbers are wrong, where results were compared.
func (s *Session) wrongNumbers() []Place {
	var out []Place
	for _, c := range s.Wrong {
		for _, w := range c.Wrong {
			p := Place{Function: c.Function, Text: string(w.Kind) + ", " + string(w.Who) + ", " + w.Pass}
			for _, o := range w.Operations {
				p.File, p.Line, p.Text = o.File, o.Line, p.Text+": "+o.Operation
			}
			out = append(out, p)
		}
		if len(c.Wrong) == 0 && !c.Agree {
			out = append(out, Place{Function: c.Function, Text: "results differ, and no operation accounts for it"})
		}
	}
	return out
}
