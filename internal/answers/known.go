package answers

import (
	"fmt"
	"strings"

	"github.com/thuml/depyf/internal/explain"
)

// What became of a line, and where nothing is known of it, of which lines near it something is.

// KnownOf is what became of a line; the zero Line where nothing is known of it.
func KnownOf(f *Facts, at explain.Place) Line {
	for _, l := range linesOf(f, at.File) {
		if l.Line == at.Line {
			return l
		}
	}
	return Line{}
}

func linesOf(f *Facts, file string) []Line {
	for _, s := range f.Sources() {
		if s.File == file {
			return s.Lines
		}
	}
	return nil
}

// unknown says that nothing is known of a line, and names the nearest lines of which something is.
func unknown(f *Facts, at explain.Place) error {
	p, below, above := f.Program, 0, 0
	for _, l := range linesOf(f, at.File) {
		if l.Line < at.Line {
			below = l.Line
		} else if above == 0 {
			above = l.Line
		}
	}
	var near []string
	for _, line := range []int{below, above} {
		if line > 0 {
			near = append(near, strings.TrimSpace(p.Places.Place(at.File, line)+" "+lineOf(p, at.File, line)))
		}
	}
	text := "nothing is known of " + p.Places.Place(at.File, at.Line)
	switch len(near) {
	case 0:
		return fmt.Errorf("%s, nor of another line of this file", text)
	case 1:
		return fmt.Errorf("%s; the nearest line of which something is known: %s", text, near[0])
	}
	return fmt.Errorf("%s; the nearest lines of which something is known: %s, and %s", text, near[0], near[1])
}
