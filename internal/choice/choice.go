package choice

import "slices"

// Kind names what is decided.
type Kind string

// Made is a decision that a run met.
type Made struct {
	Kind Kind
	At   int // the bytecode offset it is about, -1 where there is none
	N    int // how many alternatives there were
}

// Run are the decisions about one code object, in the order in which a run of the passes
// meets them. A nil Run takes the first alternative everywhere.
type Run struct {
	script []int // the alternative of each decision; behind its end the first is taken
	made   []Made
}

// Taking is a run that takes these alternatives, and the likeliest behind them.
func Taking(script ...int) *Run { return &Run{script: script} }

// maxMade bounds the decisions of a run that are kept: a search does not go as far.
const maxMade = 2000

// Pick decides between n alternatives, numbered from the likeliest on.
func (r *Run) Pick(kind Kind, at, n int) int {
	if r == nil || n < 2 || len(r.made) == maxMade {
		return 0
	}
	pick := 0
	if k := len(r.made); k < len(r.script) {
		pick = min(r.script[k], n-1)
	}
	r.made = append(r.made, Made{kind, at, n})
	return pick
}

// Other reports whether the second of two alternatives is taken.
func (r *Run) Other(kind Kind, at int) bool { return r.Pick(kind, at, 2) == 1 }

// Either returns what, or its contrary where the second alternative is taken: what is
// guessed can be guessed wrong.
func (r *Run) Either(kind Kind, at int, what bool) bool { return what != r.Other(kind, at) }

// Changed reports whether the run repeats other decisions than the likeliest.
func (r *Run) Changed() bool {
	return r != nil && slices.ContainsFunc(r.script, func(k int) bool { return k > 0 })
}

// Again returns a run that takes the same decisions.
func (r *Run) Again() *Run {
	if r == nil {
		return nil
	}
	return &Run{script: r.script}
}
