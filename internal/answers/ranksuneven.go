package answers

import (
	"slices"

	"github.com/thuml/depyf/internal/explain"
)

// Uneven is a function of which one process has more versions than another.
type Uneven struct {
	Function string   `json:"function"`
	File     string   `json:"file"`
	Line     int      `json:"line"`
	Least    int      `json:"least"`
	Few      []string `json:"few"` // processes that have so many
	Most     int      `json:"most"`
	Many     []string `json:"many"`
}

// uneven lists the functions, compiled by all processes, that not all have as many versions of.
func uneven(list []Process) []Uneven {
	counts := map[string][]int{} // by function: versions in each process
	var order []Uneven
	keyOf := func(function, file string) string { return shortFile(file) + " " + function }
	for i, p := range list {
		for _, c := range p.Compilations {
			if c.Version == nil || c.Resumes != "" {
				continue
			}
			key := keyOf(c.Name, c.File)
			if counts[key] == nil {
				counts[key] = make([]int, len(list))
				order = append(order, Uneven{Function: c.Name, File: c.File, Line: c.Line})
			}
			counts[key][i]++
		}
	}
	out := []Uneven{}
	for _, u := range order {
		n := counts[keyOf(u.Function, u.File)]
		u.Least, u.Most = slices.Min(n), slices.Max(n)
		if u.Least == 0 || u.Least == u.Most {
			continue
		}
		for i, p := range list {
			switch n[i] {
			case u.Least:
				u.Few = append(u.Few, p.Name)
			case u.Most:
				u.Many = append(u.Many, p.Name)
			}
		}
		out = append(out, u)
	}
	slices.SortStableFunc(out, func(a, b Uneven) int { return usersFirst(a.File, b.File) })
	return out
}

// usersFirst orders files of the user's before those of libraries, such as wrappers of the user's functions.
func usersFirst(a, b string) int {
	switch x, y := explain.LibraryFile(a), explain.LibraryFile(b); {
	case x == y:
		return 0
	case x:
		return 1
	}
	return -1
}

// begun is the place of a compilation in the order in which they began; behind all others for one that is not known.
func (s *Session) begun(id string) int {
	for i, c := range s.Compilations {
		if c.ID == id {
			return i
		}
	}
	return len(s.Compilations)
}
