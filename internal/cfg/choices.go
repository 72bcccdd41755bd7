package cfg

import "github.com/thuml/depyf/internal/choice"

// What the passes over the graph guess, see internal/choice.
const (
	allCopies     choice.Kind = "copies of code: by the passes that know one kind each, or all that behave alike"
	copiedExit    choice.Kind = "a copy of a way out of the function, or another one"
	copiedFinally choice.Kind = "the copies of a finally body, or statements of their own"
	leavingReturn choice.Kind = "the end of a body whose finally clause never comes out, or a return"
	wildFirst     choice.Kind = "a match that begins with a case which only its guard can refuse, or an if"
	copiedBreak   choice.Kind = "a break in front of a copied exit, or a statement"
)

// offsetOf is where b's code begins, -1 if it has none.
func offsetOf(b *Block) int {
	if len(b.Instrs) == 0 {
		return -1
	}
	return b.Instrs[0].Offset
}
