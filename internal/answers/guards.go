package answers

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/thuml/depyf/internal/explain"
	"github.com/thuml/depyf/internal/lazyregexp"
)

// GuardSet is what torch checks before it runs one version of a function.
type GuardSet struct {
	Name        string       `json:"name"`              // of the function
	Resumes     string       `json:"resumes,omitempty"` // the function that a person wrote, where this one resumes it
	File        string       `json:"file"`
	Line        int          `json:"line"`
	Compilation string       `json:"compilation"`
	Resets      int          `json:"resets,omitempty"`
	Version     int          `json:"version"`
	Total       int          `json:"total"`
	Micros      *float64     `json:"micros"` // what checking them took when torch measured it, in microseconds; null where it did not
	Apart       []Condition  `json:"apart"`  // what other versions of the function do not ask for
	Inputs      []Condition  `json:"inputs"` // what is asked of tensors among the arguments, shapes first
	Groups      []GuardGroup `json:"groups"` // the largest first
}

// Condition is one that a version is valid under, and the line that depends on it.
type Condition struct {
	Text string `json:"text"`
	File string `json:"file,omitempty"`
	Line int    `json:"line,omitempty"`
	rank int
}

// Telling reports whether a condition says in short which calls a version is for: it tells versions apart, or is on
// a shape or value.
func (c Condition) Telling() bool { return c.rank <= rankValue }

// GuardGroup is the guards on one sort of thing.
type GuardGroup struct {
	On     string `json:"on"`     // "arguments", "modules", "globals" or "framework"
	Guards int    `json:"guards"` // how many
	Failed int    `json:"failed,omitempty"`
	Drop   string `json:"drop,omitempty"` // how to do without them, where that is worth the while
}

// Sorts of things that guards are on.
const (
	onArguments = "arguments"
	onModules   = "modules" // and their parameters
	onGlobals   = "globals"
	onFramework = "framework"
)

// GuardSets lists what is known of guards, the costliest version first.
func GuardSets(p *explain.Program) []GuardSet {
	out := []GuardSet{}
	for _, f := range slices.Concat(p.Functions, p.Resumes) {
		for _, v := range f.Versions {
			if v.HasGuards {
				out = append(out, guardSet(p, f, v))
			}
		}
	}
	micros := func(g GuardSet) float64 {
		if g.Micros == nil {
			return 0
		}
		return *g.Micros
	}
	slices.SortStableFunc(out, func(a, b GuardSet) int {
		return cmp.Or(cmp.Compare(micros(b), micros(a)), cmp.Compare(b.Total, a.Total))
	})
	return out
}

func guardSet(p *explain.Program, f *explain.Function, v *explain.Version) GuardSet {
	g := GuardSet{Name: v.Title, File: f.Where.File, Line: f.Where.Line, Version: v.Number, Total: len(v.Guards), Apart: []Condition{}, Inputs: []Condition{}, Groups: []GuardGroup{}}
	if f.IsResume {
		g.Resumes = owner{function: f}.name(p, nil)
		if f.Global != "" {
			g.Name = f.Global
		}
	}
	g.Compilation, g.Resets = explain.SplitCompileID(v.CompileID)
	if c := v.Compile; c != nil && c.GuardTime > 0 {
		g.Micros = &c.GuardTime
	}
	for _, c := range ValidWhen(p, f, v) {
		switch {
		case c.rank <= rankApart:
			g.Apart = append(g.Apart, c)
		case c.rank == rankShape || c.rank == rankTensor:
			g.Inputs = append(g.Inputs, c)
		}
	}
	groups := map[string]*GuardGroup{}
	for _, x := range v.Guards {
		on := guardOn(x)
		if groups[on] == nil {
			groups[on] = &GuardGroup{On: on}
		}
		groups[on].Guards++
		if x.Reason != "" || x.Fails > 0 {
			groups[on].Failed++
		}
	}
	for _, on := range []string{onArguments, onModules, onGlobals, onFramework} {
		if group := groups[on]; group != nil {
			group.Drop = dropping(p.Model.Start.Torch, *group, g.Total)
			g.Groups = append(g.Groups, *group)
		}
	}
	slices.SortStableFunc(g.Groups, func(a, b GuardGroup) int { return b.Guards - a.Guards })
	return g
}

var ofModule = lazyregexp.New(`\._(?:modules|parameters|buffers)\b|^L\['self'\]`)

// guardOn says which sort of thing a guard is on, by the path to it.
func guardOn(g *explain.Guard) string {
	source := g.Source
	if source == "" {
		source = g.Text
	}
	switch {
	case ofModule.MatchString(source):
		return onModules
	case g.Kind == explain.GuardNoise || g.Kind == explain.GuardState:
		return onFramework
	case strings.Contains(source, "L['"):
		return onArguments
	case strings.Contains(source, "G['"):
		return onGlobals
	}
	return onFramework
}

// worthDropping is how many guards on one sort of thing are worth a thought, if they are a good part of all.
const worthDropping = 20

// dropping says how to do without a group of guards none of which has ever failed. torch.compiler has the filters
// from torch 2.9 on; in their words they are unsafe, since nobody notices a change any more.
func dropping(torch string, g GuardGroup, total int) string {
	if g.Guards < worthDropping || g.Guards*5 < total || g.Failed > 0 || !since(torch, 2, 9) {
		return ""
	}
	switch g.On {
	case onModules:
		return `torch.compile(…, options={"guard_filter_fn": torch.compiler.skip_guard_on_all_nn_modules_unsafe}) leaves them out: right if no module is changed after it has been compiled, not by train() or eval() either.`
	case onGlobals:
		return `torch.compile(…, options={"guard_filter_fn": torch.compiler.skip_guard_on_globals_unsafe}) leaves them out: right if no global variable that the code uses changes.`
	}
	return ""
}

// since reports whether a version of torch, as torch writes it, is that one or a later one.
func since(torch string, major, minor int) bool {
	parts := strings.SplitN(torch, ".", 3)
	if len(parts) < 2 {
		return false
	}
	a, err := strconv.Atoi(parts[0])
	b, err2 := strconv.Atoi(parts[1])
	return err == nil && err2 == nil && (a > major || a == major && b >= minor)
}

// Ranks of conditions, in the order in which a reader wants to see them.
const (
	rankApartSize = iota // tells versions apart, and is about a size
	rankApart
	rankShape  // of an argument
	rankValue  // of another argument
	rankTensor // type, device and so on of an argument
	rankModule
	rankRest
)

// ValidWhen lists the conditions on the program's values under which a version is valid: what tells it from others first,
// then shapes and values of the inputs, what else is asked of these, and then the rest. The framework's state is none of them, unless it tells versions apart.
func ValidWhen(_ *explain.Program, f *explain.Function, v *explain.Version) []Condition {
	in := map[string]int{} // in how many versions a condition stands
	for _, o := range f.Versions {
		seen := map[string]bool{}
		for _, g := range o.Guards {
			for _, c := range g.Conds {
				if !seen[c] {
					in[c]++
				}
				seen[c] = true
			}
		}
	}
	var out []Condition
	for _, g := range v.Guards {
		if !g.Kind.OfCalls() {
			continue
		}
		on := guardOn(g)
		for _, text := range g.Conds {
			c := Condition{Text: text, File: g.At.File, Line: g.At.Line, rank: rankRest}
			size := (strings.Contains(text, ".s") || strings.Contains(text, ".ndim")) && aboutSize.MatchString(text)
			switch {
			case len(f.Versions) > 1 && in[text] < len(f.Versions) && size:
				c.rank = rankApartSize
			case len(f.Versions) > 1 && in[text] < len(f.Versions):
				c.rank = rankApart
			case on == onArguments && size:
				c.rank = rankShape
			case on == onArguments && len(g.Conds) > 1:
				c.rank = rankTensor
			case on == onArguments && strings.Contains(text, " == ") && !strings.HasPrefix(text, "len("):
				c.rank = rankValue
			case on == onModules:
				c.rank = rankModule
			}
			out = append(out, c)
		}
	}
	slices.SortStableFunc(out, func(a, b Condition) int { return a.rank - b.rank })
	return out
}

var aboutSize = lazyregexp.New(`\.shape\b|\.ndim\b|\.size\(`)
