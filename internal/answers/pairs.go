package answers

import (
	"path"
	"strings"

	"github.com/thuml/depyf/internal/explain"
)

// pairFiles finds the files of two sessions that are the same in different checkouts, and gives both one name. They are those of one
// name that have more of the end of their paths in common than either has with any other file: "/old/net/model.py" and
// "/new/net/model.py", and "/old/train.py" and "/new/train.py".
func pairFiles(before, after *Session) func(string) string {
	was, is := filesOf(before), filesOf(after)
	name := map[string]string{}
	for file := range is {
		if old, ok := nearest(file, was); ok {
			if back, ok := nearest(old, is); ok && back == file {
				name[old] = file
			}
		}
	}
	return func(file string) string {
		if n, ok := name[slashes(file)]; ok {
			return n
		}
		return slashes(file)
	}
}

// filesOf are the files that a session speaks of.
func filesOf(s *Session) map[string]bool {
	out := map[string]bool{}
	for _, f := range s.Sources {
		out[slashes(f.File)] = true
	}
	for _, b := range s.BreakLines {
		out[slashes(b.File)] = true
	}
	for _, c := range s.Causes {
		out[slashes(c.File)] = true
	}
	for _, c := range s.Compilations {
		out[slashes(c.File)] = true
	}
	for _, f := range s.Spent {
		out[slashes(f.File)] = true
	}
	return out
}

// nearest is the one file of the same name that has most of the end of its path in common with the given one.
func nearest(file string, among map[string]bool) (string, bool) {
	best, most, several := "", 0, false
	for other := range among {
		if path.Base(other) != path.Base(file) {
			continue
		}
		switch n := explain.CommonEnd(other, file); {
		case n > most:
			best, most, several = other, n, false
		case n == most:
			several = true
		}
	}
	return best, most > 0 && !several
}

func slashes(file string) string { return strings.ReplaceAll(file, `\`, "/") }
