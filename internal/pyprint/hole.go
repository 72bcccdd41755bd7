package pyprint

import (
	"strconv"

	"github.com/thuml/depyf/internal/pyast"
)

// hole prints what only the passes in front of this one understand, for those who look
// at them. To anybody else it is an expression that is missing.
func (p *printer) hole(e *pyast.Hole) {
	p.problem("a stack value has no expression")
	p.text("%" + e.Kind.String())
	switch e.Kind {
	case pyast.StackItem, pyast.CaseMatches, pyast.MatchBegins:
		p.text(strconv.Itoa(e.N))
	}
	if len(e.Args) > 0 {
		p.bracket("(", ")", 0, func() { p.arguments(e.Args, nil) })
	}
}
