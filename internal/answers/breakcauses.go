package answers

import (
	"cmp"
	"slices"
)

// BreakCause is a reason for which graphs break, with all the lines that break them for it: what one remedy mends.
type BreakCause []BreakLine

// BreakCauses groups lines by what torch says of them: causes that break the user's own files first, then those with the longest
// compilation behind their lines. Lines keep their order.
func BreakCauses(list []BreakLine) []BreakCause {
	type kind struct{ cause, explanation string }
	out := grouped[BreakCause](list, func(b BreakLine) kind { return kind{b.Cause, b.Explanation} })
	slices.SortStableFunc(out, func(a, b BreakCause) int {
		return cmp.Or(usersFirst(a[0].File, b[0].File), cmp.Compare(b.Seconds(), a.Seconds()))
	})
	return out
}

// Seconds is how long what comes after the lines took to compile.
func (c BreakCause) Seconds() (sum float64) {
	for _, b := range c {
		sum += b.Seconds
	}
	return sum
}

// Times is how many compilations broke for it.
func (c BreakCause) Times() (sum int) {
	for _, b := range c {
		sum += b.Times
	}
	return sum
}

// Alike are the lines after the first that have its text and stand in its function; others are those that do not.
func (c BreakCause) Alike() (alike, others []BreakLine) {
	for _, b := range c[1:] {
		if b.Code == c[0].Code && b.Function == c[0].Function && b.File == c[0].File {
			alike = append(alike, b)
			continue
		}
		others = append(others, b)
	}
	slices.SortFunc(alike, func(a, b BreakLine) int { return cmp.Compare(a.Line, b.Line) })
	return alike, others
}
