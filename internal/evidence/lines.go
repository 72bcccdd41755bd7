package evidence

import "github.com/thuml/depyf/internal/pyast"

// Lines are the first and the last line of the source that something of a node stands on, 0 where nothing is known.
func Lines(n pyast.Node) (first, last int) {
	pyast.Inspect(n, func(x pyast.Node) bool {
		p := x.Position()
		if p.Line > 0 && (first == 0 || p.Line < first) {
			first = p.Line
		}
		last = max(last, p.Line, p.EndLine)
		return true
	})
	return first, last
}

// LastLine is the last line on which something of the list stands.
func LastLine(list []pyast.Stmt) int {
	line := 0
	for _, s := range list {
		_, last := Lines(s)
		line = max(line, last)
	}
	return line
}
