package passpage

import (
	"slices"

	"github.com/thuml/depyf/internal/pass"
)

// Recorder notes the state of one code object behind each pass.
type Recorder struct {
	runs []*run
}

// run is one way of decompiling the code object: what is not proven is written in
// another way.
type run struct {
	Columns []*column
	base    []pass.Line // the state behind the last pass
	last    *column     // the column that shows it, or nil
}

// column is one pass.
type column struct {
	pass.Row
	Ran     bool // the code needed it
	Changed bool
	Err     string
	Lines   []line
}

// line is a line of a state.
type line struct {
	pass.Line
	New  bool // not in the state in front of the pass
	Gone bool // not in the state behind the next pass that changes something
}

// Watch returns what sees the passes. A run begins with the first stage.
func (r *Recorder) Watch(rows []pass.Row) *pass.Watch {
	about := map[string]pass.Row{}
	for _, row := range rows {
		about[row.Name] = row
	}
	first := rows[0].Stage
	return &pass.Watch{Seen: func(s pass.Step) {
		if len(r.runs) == 0 || s.Name == "" && s.Stage == first {
			r.runs = append(r.runs, &run{})
		}
		now := r.runs[len(r.runs)-1]
		if s.Name == "" {
			now.enter(s.Show())
			return
		}
		now.add(&column{Row: about[s.Name], Ran: s.Ran}, s)
	}}
}

// enter notes the state that a stage is given.
func (n *run) enter(state []pass.Line) {
	if len(state) > 0 && !slices.Equal(state, n.base) {
		n.base, n.last = state, nil
	}
}

func (n *run) add(c *column, s pass.Step) {
	n.Columns = append(n.Columns, c)
	if s.Err != nil {
		c.Err, c.Changed = s.Err.Error(), true
		return
	}
	state := s.Show()
	if c.Changed = !slices.Equal(state, n.base); !c.Changed {
		return
	}
	isNew := added(n.base, state)
	for i, l := range state {
		c.Lines = append(c.Lines, line{Line: l, New: isNew[i]})
	}
	if n.last != nil {
		for i, gone := range added(state, n.base) {
			n.last.Lines[i].Gone = gone
		}
	}
	n.base, n.last = state, c
}

// Passes says how many passes the code object has gone through, and how many of them
// have changed it, in the last way that was tried.
func (r *Recorder) Passes() (all, changed int) {
	if len(r.runs) == 0 {
		return 0, 0
	}
	for _, c := range r.runs[len(r.runs)-1].Columns {
		all++
		if c.Changed {
			changed++
		}
	}
	return all, changed
}

// maxCompared bounds the table of added; beyond it a line is new if it is not anywhere
// in the state before.
const maxCompared = 4 << 20

// added tells which lines of b are not in a, by a longest common subsequence.
func added(a, b []pass.Line) []bool {
	out := make([]bool, len(b))
	if len(a)*len(b) > maxCompared {
		in := map[string]bool{}
		for _, l := range a {
			in[l.Text] = true
		}
		for i, l := range b {
			out[i] = !in[l.Text]
		}
		return out
	}
	width := len(b) + 1
	common := make([]int32, (len(a)+1)*width)
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i].Text == b[j].Text {
				common[i*width+j] = common[(i+1)*width+j+1] + 1
			} else {
				common[i*width+j] = max(common[(i+1)*width+j], common[i*width+j+1])
			}
		}
	}
	i, j := 0, 0
	for j < len(b) {
		switch {
		case i < len(a) && a[i].Text == b[j].Text:
			i++
			j++
		case i < len(a) && common[(i+1)*width+j] >= common[i*width+j+1]:
			i++
		default:
			out[j] = true
			j++
		}
	}
	return out
}
