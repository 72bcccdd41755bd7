package answers

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/thuml/depyf/internal/explain"
)

// BreakPlace is a line that breaks the graph, for whichever causes: what is counted as one break.
type BreakPlace []BreakLine

// BreakPlaces groups what breaks the graph by file and line, in the order in which these come first. Whoever counts
// breaks counts these.
func BreakPlaces(list []BreakLine) []BreakPlace {
	return grouped[BreakPlace](list, placeOf)
}

// grouped puts what has one key together, in the order in which the keys come first.
func grouped[G ~[]T, T any, K comparable](list []T, key func(T) K) (out []G) {
	index := map[K]int{}
	for _, x := range list {
		k := key(x)
		i, ok := index[k]
		if !ok {
			i = len(out)
			index[k] = i
			out = append(out, nil)
		}
		out[i] = append(out[i], x)
	}
	return out
}

// matchBreaks finds the places of two sessions that are the same ones, though lines may have moved in between: a place is known by its
// file, its function and its text, and of several of one text by which of them it is, from above.
func matchBreaks(before, after []BreakLine, same func(string) string) (added, gone []BreakLine, changed []Change[BreakLine]) {
	named := hasFunctions(before) && hasFunctions(after) // a log of text may not tell of them
	was, is := placesByKey(before, named, same), placesByKey(after, named, same)
	added, gone, changed = []BreakLine{}, []BreakLine{}, []Change[BreakLine]{}
	for _, p := range BreakPlaces(after) {
		old, ok := was.places[is.keys[placeOf(p[0])]]
		switch {
		case !ok:
			added = append(added, p...)
		case old.causes() != p.causes():
			changed = append(changed, Change[BreakLine]{old.Line(), p.Line()})
		}
	}
	for _, p := range BreakPlaces(before) {
		if _, ok := is.places[was.keys[placeOf(p[0])]]; !ok {
			gone = append(gone, p...)
		}
	}
	return added, gone, changed
}

// keyedPlaces are the places of a session by what they are known by.
type keyedPlaces struct {
	keys   map[explain.Place]string
	places map[string]BreakPlace
}

func hasFunctions(list []BreakLine) bool {
	return slices.ContainsFunc(list, func(b BreakLine) bool { return b.Function != "" })
}

func placesByKey(list []BreakLine, named bool, same func(string) string) keyedPlaces {
	out := keyedPlaces{map[explain.Place]string{}, map[string]BreakPlace{}}
	places := slices.Clone(BreakPlaces(list))
	slices.SortStableFunc(places, func(a, b BreakPlace) int { return cmp.Compare(a[0].Line, b[0].Line) })
	seen := map[string]int{}
	for _, p := range places {
		key := same(p[0].File) + "\n" + p[0].Code
		if named {
			key += "\n" + lastName(p[0].Function)
		}
		if p[0].Code == "" {
			key += p[0].Cause
		}
		seen[key]++
		key = fmt.Sprint(key, "\n", seen[key])
		out.keys[placeOf(p[0])], out.places[key] = key, p
	}
	return out
}

// lastName is the name of a function without its class, which a log does not tell.
func lastName(function string) string { return function[strings.LastIndexByte(function, '.')+1:] }

func placeOf(b BreakLine) explain.Place { return explain.Place{File: slashes(b.File), Line: b.Line} }

// Line is the line, with all the causes for which it breaks the graph.
func (p BreakPlace) Line() BreakLine { return p[0].as(p.causes()) }

// causes are those of a place, in words.
func (p BreakPlace) causes() string {
	var list []string
	for _, b := range p {
		list = with(list, b.Cause)
	}
	slices.Sort(list)
	return strings.Join(list, "; ")
}

// as is the line with all the causes of its place.
func (b BreakLine) as(cause string) BreakLine {
	b.Cause = cause
	return b
}
