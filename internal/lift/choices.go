package lift

import "github.com/thuml/depyf/internal/choice"

// What the lifter guesses, see internal/choice.
const (
	wholeCondition choice.Kind = "tests that lead to two places: one condition, or statements"
	joinedTests    choice.Kind = "two tests of one condition, or of two statements"
)
