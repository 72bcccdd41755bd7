package answers

import (
	"cmp"
	"slices"
)

// GuardBudget is what all guards of a session cost together, and which of them are worth a thought.
type GuardBudget struct {
	Guards    int         `json:"guards"`
	Versions  int         `json:"versions"` // that have them
	Functions []GuardCost `json:"functions"`
	Drops     []GuardDrop `json:"drops"` // the largest group first
}

// GuardCost is what guards cost a call of one function, with the resume functions in which it goes on.
type GuardCost struct {
	Name     string   `json:"name"`
	File     string   `json:"file"`
	Line     int      `json:"line"`
	Resumes  int      `json:"resumes"` // how many resume functions have guards of their own
	Versions int      `json:"versions"`
	Guards   int      `json:"guards"` // of the version that has the most
	Micros   *float64 `json:"micros"` // what checking one version takes, in microseconds: the median of the versions; null where torch did not measure it
}

// GuardDrop is a group of guards that could go, in all functions that have it.
type GuardDrop struct {
	On        string   `json:"on"`
	Guards    int      `json:"guards"` // in all versions together
	Functions []string `json:"functions"`
	How       string   `json:"how"`
}

// A function whose guards are at least so many in one version, or may take a call so many microseconds, is worth telling of.
const (
	manyGuards = 100
	longCheck  = 1000
)

// WorthTelling reports whether the guards are many, or cost something, or could be fewer.
func (b GuardBudget) WorthTelling() bool {
	return len(b.Drops) > 0 || slices.ContainsFunc(b.Functions, func(c GuardCost) bool {
		return c.Guards >= manyGuards || c.Call() >= longCheck
	})
}

// Call is what the guards take of a call that tries each version once, in microseconds; 0 where torch did not measure it.
func (c GuardCost) Call() float64 {
	if c.Micros == nil {
		return 0
	}
	return *c.Micros * float64(c.Versions)
}

// BudgetOf adds up what is known of the guards of each version.
func BudgetOf(list []GuardSet) GuardBudget {
	type key struct{ name, file string }
	out := GuardBudget{Functions: []GuardCost{}, Drops: []GuardDrop{}}
	at, drops, resumes := map[key]int{}, map[string]int{}, map[key]map[string]bool{}
	times := map[int][]float64{}
	resets := 0
	for _, g := range list {
		resets = max(resets, g.Resets)
	}
	for _, g := range list {
		out.Guards += g.Total
		out.Versions++
		if g.Resets < resets {
			continue // no call tries it any more
		}
		k := key{g.function(), g.File}
		i, known := at[k]
		if !known {
			i = len(out.Functions)
			at[k], resumes[k] = i, map[string]bool{}
			out.Functions = append(out.Functions, GuardCost{Name: k.name, File: g.File, Line: g.Line})
		}
		f := &out.Functions[i]
		if g.Resumes == "" {
			f.Line = g.Line
		} else {
			resumes[k][g.Name] = true
			f.Resumes = len(resumes[k])
		}
		f.Versions++
		f.Guards = max(f.Guards, g.Total)
		if g.Micros != nil {
			times[i] = append(times[i], *g.Micros)
		}
		out.drop(g, drops)
	}
	for i, t := range times {
		middle := median(t)
		out.Functions[i].Micros = &middle
	}
	slices.SortStableFunc(out.Functions, func(a, b GuardCost) int {
		return cmp.Or(cmp.Compare(b.Call(), a.Call()), cmp.Compare(b.Guards, a.Guards))
	})
	slices.SortStableFunc(out.Drops, func(a, b GuardDrop) int { return b.Guards - a.Guards })
	return out
}

// drop takes in the groups of a version that could go; at says where each is in the list.
func (b *GuardBudget) drop(g GuardSet, at map[string]int) {
	for _, group := range g.Groups {
		if group.Drop == "" {
			continue
		}
		i, known := at[group.Drop]
		if !known {
			i = len(b.Drops)
			at[group.Drop] = i
			b.Drops = append(b.Drops, GuardDrop{On: group.On, Functions: []string{}, How: group.Drop})
		}
		d := &b.Drops[i]
		d.Guards += group.Guards
		d.Functions = with(d.Functions, g.function())
	}
}

// function is the one that a person wrote.
func (g GuardSet) function() string { return cmp.Or(g.Resumes, g.Name) }

// median is the middle of some numbers. Torch times each version once, and the first check of all may take a hundred times as
// long as the next: a mean would tell of nothing else.
func median(list []float64) float64 {
	list = slices.Sorted(slices.Values(list))
	return list[(len(list)-1)/2]
}
