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

// FirstLine is the first line on which something of the statement stands. A return that leaves through a clause
// has the place of that.
func FirstLine(s pyast.Stmt) int {
	if r, ok := s.(*pyast.Return); ok && r.Value != nil {
		if line, _ := Lines(r.Value); line > 0 {
			return line
		}
	}
	line, _ := Lines(s)
	return line
}

// StartLine is the line that s begins on, 0 when unknown.
func StartLine(s pyast.Stmt) int {
	if line, _ := Start(s); line > 0 {
		return line
	}
	return s.Position().Line
}
