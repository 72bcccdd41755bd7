package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/thuml/depyf/internal/answers"
	"github.com/thuml/depyf/internal/explain"
)

// recompilation is why a function was compiled once more: what failed that no compilation
// before has told. torch says for each version of a function why it was not taken, so that
// the reasons of all of them grow with the square of the versions.
type recompilation struct {
	Version int
	Reasons []reason
	Again   string // which versions failed as told last of them, "versions 0 to 3"; "" if none
}

type reason struct {
	Text   string // Markdown
	Advice string // what to do, told once for each function
}

func recompilations(p *explain.Program, f *explain.Function) []recompilation {
	var out []recompilation
	told, advised := map[*explain.Version]string{}, map[string]bool{} // told is the last of each
	for _, version := range f.Versions {
		c := version.Compile
		if version.Number == 0 || c == nil || len(c.Recompile) == 0 {
			continue
		}
		r := recompilation{Version: version.Number}
		var again []int
		for _, why := range c.Recompile {
			text := reasonText(p, f, c, why)
			old, _ := f.Failed(c, why)
			if old != nil && told[old] == text {
				again = append(again, old.Number)
				continue
			}
			told[old] = text
			advice := answers.Remedy(checkOf(f, c, why))
			if advised[advice] {
				advice = ""
			}
			advised[advice] = true
			r.Reasons = append(r.Reasons, reason{text, advice})
		}
		r.Again = versionList(again)
		out = append(out, r)
	}
	return out
}

// versionList names versions, those that follow each other by the first and the last.
func versionList(list []int) string {
	if len(list) == 0 {
		return ""
	}
	list = slices.Sorted(slices.Values(list))
	var parts []string
	for i := 0; i < len(list); {
		j := i
		for j+1 < len(list) && list[j+1] == list[j]+1 {
			j++
		}
		switch {
		case j > i+1:
			parts = append(parts, fmt.Sprintf("%d to %d", list[i], list[j]))
			i = j + 1
		default:
			parts = append(parts, fmt.Sprint(list[i]))
			i++
		}
	}
	word := "versions "
	if len(list) == 1 {
		word = "version "
	}
	return word + strings.Join(parts, ", ")
}
