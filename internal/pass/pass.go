package pass

import "fmt"

// Pass is one step over a state.
type Pass[S any] struct {
	Name  string
	Why   string       // what breaks without it
	After []string     // the passes that must come before it, of its table or an earlier one
	When  func(S) bool // whether the code needs it; nil: all code does
	Run   func(S) error
}

// Table is one stage: passes over the same state, in order.
type Table[S any] struct {
	Stage  string
	Show   func(S) []Line // the state for people
	Check  func(S) error  // what must hold behind each pass
	Passes []Pass[S]
}

// Line is one line of a state that is shown.
type Line struct {
	Text string
	At   int // the line of the source that it comes from, 0 unknown
}

// Row is what a table says about a pass, whatever its state.
type Row struct {
	Stage, Name, Why string
	After            []string
}

// Rows lists the passes of a table.
func (t *Table[S]) Rows() []Row {
	var out []Row
	for i := range t.Passes {
		p := &t.Passes[i]
		out = append(out, Row{t.Stage, p.Name, p.Why, p.After})
	}
	return out
}

// Run runs the passes that the state needs, in order, up to the first error.
func (t *Table[S]) Run(s S, w *Watch) error {
	if w != nil && w.Seen != nil {
		w.Seen(Step{Stage: t.Stage, Show: func() []Line { return t.Show(s) }})
	}
	for i := range t.Passes {
		p := &t.Passes[i]
		runs := p.When == nil || p.When(s)
		if runs {
			if err := p.Run(s); err != nil {
				if w != nil && w.Seen != nil {
					w.Seen(Step{Stage: t.Stage, Name: p.Name, Ran: true, Err: err})
				}
				return err
			}
		}
		if w == nil {
			continue
		}
		if w.Broken != nil && runs {
			if err := t.Check(s); err != nil {
				w.Broken(fmt.Errorf("behind the pass %q: %w", p.Name, err))
			}
		}
		if w.Seen != nil {
			w.Seen(Step{Stage: t.Stage, Name: p.Name, Ran: runs, Show: func() []Line { return t.Show(s) }})
		}
		if p.Name == w.Until {
			return ErrStopped
		}
	}
	return nil
}
