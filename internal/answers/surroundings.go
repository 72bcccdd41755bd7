package answers

import (
	"strings"

	"github.com/thuml/depyf/internal/explain"
)

// surroundings finds the functions that lines are in. Torch names these without their class, and a model has many a `forward`.
type surroundings struct {
	p     *explain.Program
	texts map[string][]string // lines by file
}

func newSurroundings(p *explain.Program) *surroundings {
	return &surroundings{p, map[string][]string{}}
}

// name is the function that a graph break is in: as the text of its file has it or, without that, as torch does.
func (s *surroundings) name(b explain.Break) string {
	file := s.p.Places.Full(b.File)
	lines, known := s.texts[file]
	if !known {
		if text, ok := s.p.Model.SourceOf(file); ok {
			lines = strings.Split(text, "\n")
		}
		s.texts[file] = lines
	}
	if piece, ok := pieceAround(lines, 1, b.Line); ok {
		return piece.Name
	}
	return b.Func
}
