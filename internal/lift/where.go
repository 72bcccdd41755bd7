package lift

import "github.com/thuml/depyf/internal/pyast"

// place gives e the source range of the instruction at hand, unless it has one.
func (m *machine) place(e pyast.Expr) {
	p, at := e.Position(), m.in.Pos
	if p.Line != 0 || at.Line <= 0 {
		return
	}
	p.Line = int(at.Line)
	if at.Col >= 0 && at.EndLine > 0 && at.EndCol >= 0 {
		p.Col, p.EndLine, p.EndCol = int(at.Col)+1, int(at.EndLine), int(at.EndCol)+1
	}
}

// span gives e the range from the start of a to the end of z.
func span(e, a, z pyast.Expr) {
	p, s, t := e.Position(), a.Position(), z.Position()
	p.Line, p.Col, p.EndLine, p.EndCol = s.Line, s.Col, t.EndLine, t.EndCol
}

// Pos is where the terminator's instruction stands in the source.
func (t *Term) Pos() pyast.Pos {
	p := pyast.At(t.Line, t.Offset)
	if t.Col > 0 {
		p.Col = t.Col + 1
		if t.EndCol > 0 {
			p.EndLine, p.EndCol = t.Line, t.EndCol+1
		}
	}
	return p
}
