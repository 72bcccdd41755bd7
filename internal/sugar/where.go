package sugar

import "github.com/thuml/depyf/internal/pyast"

// lastLine is the last line on which something of the list stands.
func lastLine(list []pyast.Stmt) int {
	line := 0
	for _, s := range list {
		_, last := pyast.Lines(s)
		line = max(line, last)
	}
	return line
}

// firstLine is the first line on which something of the statement stands. A return that leaves through a clause
// has the place of that.
func firstLine(s pyast.Stmt) int {
	if r, ok := s.(*pyast.Return); ok && r.Value != nil {
		if line, _ := pyast.Lines(r.Value); line > 0 {
			return line
		}
	}
	line, _ := pyast.Lines(s)
	return line
}

// column is the indentation of a list's statements, 0 when unknown.
func column(list []pyast.Stmt, in pyast.Indentation) int {
	if len(list) == 0 {
		return 0
	}
	_, first := written(list[0], in)
	for _, s := range list {
		// A column that a parenthesis has moved gives way to an exact one.
		if _, c := pyast.Start(s); pyast.ExactStart(s) && c > 0 && (first == 0 || first-c < 2 && c-first < 2) {
			return c
		}
	}
	return first
}
