package answers

import (
	"cmp"
	"fmt"
	"slices"
)

// Process is the session of one of the processes of a run.
type Process struct {
	Name string
	*Session
}

// Ranks is what the processes of a distributed run do not have in common. They run one
// program on different data, and wait for each other in every collective: the one that
// compiles something else holds up the rest, or hangs with them.
type Ranks struct {
	Processes []Rank           `json:"processes"`
	Breaks    []Odd[BreakLine] `json:"breaks"`
	Causes    []Odd[Cause]     `json:"causes"` // of recompilations
	Failures  []Odd[Place]     `json:"failures"`
	Ended     []Odd[Place]     `json:"ended"`  // before their session's end
	Graphs    []Odd[Operation] `json:"graphs"` // compiled by some, and what is called in them
	Left      []Odd[Place]     `json:"left"`   // uncompiled
	Versions  []Uneven         `json:"versions"`
	Slow      []Slow           `json:"slow"`
}

// Rank is one process in numbers.
type Rank struct {
	Name     string  `json:"name"`
	Complete bool    `json:"complete"` // false if the program died before the session's end
	Counts   []Tally `json:"counts"`
	Seconds  float64 `json:"seconds"` // of compiling
}

// Tally is a number of a session.
type Tally struct {
	Name  string `json:"name"` // as in Count
	Value int    `json:"value"`
}

// Odd is something that some processes have and others have not. What is as the first of
// the former tells it.
type Odd[T any] struct {
	What    T        `json:"what"`
	In      []string `json:"in"`
	Without []string `json:"without"`
	At      int      `json:"-"` // its place in the order of compiling
}

// Place is a function that failed to compile, or that was left uncompiled, and the text.
type Place struct {
	Function string `json:"function"`
	File     string `json:"file"`
	Line     int    `json:"line"`
	Text     string `json:"text"`

	id string // of the compilation
}

// Slow is a function that takes one process clearly longer to compile than another. In seconds.
type Slow struct {
	Function string  `json:"function"`
	File     string  `json:"file"`
	Line     int     `json:"line"`
	Least    float64 `json:"least"`
	Fast     string  `json:"fast"`
	Most     float64 `json:"most"`
	Late     string  `json:"late"`
}

// Same reports whether the processes compiled the same.
func (r *Ranks) Same() bool {
	return len(r.Breaks)+len(r.Causes)+len(r.Failures)+len(r.Ended)+len(r.Graphs)+len(r.Left)+len(r.Versions)+len(r.Slow) == 0
}

// CompareRanks tells what some of the processes of a run have and others have not.
func CompareRanks(list []Process) Ranks {
	r := Ranks{Processes: []Rank{}, Versions: uneven(list), Slow: slow(list)}
	for _, p := range list {
		rank := Rank{Name: p.Name, Complete: p.Complete}
		for _, c := range p.Counts() {
			rank.Counts = append(rank.Counts, Tally{c.Name, c.After})
		}
		for _, f := range p.Spent {
			rank.Seconds += f.Total + f.Backward
		}
		r.Processes = append(r.Processes, rank)
	}
	first := func(ids []string) string {
		if len(ids) == 0 {
			return ""
		}
		return ids[0]
	}
	r.Breaks = odd(list, func(s *Session) []BreakLine { return s.BreakLines },
		func(b BreakLine) (string, string) {
			return fmt.Sprint(shortFile(b.File), " ", b.Line, " ", b.Code), first(b.IDs)
		})
	r.Causes = odd(list, func(s *Session) []Cause { return s.Causes },
		func(c Cause) (string, string) { return causeKey(c, shortFile), first(c.IDs) })
	r.Failures = odd(list, (*Session).Failures, func(p Place) (string, string) { return shortFile(p.File) + " " + p.Function + " " + p.Text, p.id })
	r.Ended = odd(list, (*Session).endedEarly, func(p Place) (string, string) { return "", "" })
	r.Left = odd(list, (*Session).LeftAlone, func(p Place) (string, string) {
		return fmt.Sprintf("%s %s %d", shortFile(p.File), p.Function, p.Line), p.id
	})
	r.Graphs = odd(list, (*Session).placed, func(o Operation) (string, string) { return o.byLines(), o.of.ID })
	return r
}

// odd lists what not every process has, in the order in which the processes show it. key gives what makes
// two the same, and the id of the compilation that each is of.
func odd[T any](list []Process, of func(*Session) []T, key func(T) (key, id string)) []Odd[T] {
	type found struct {
		what T
		in   []string
		at   int
	}
	byKey := map[string]*found{}
	var order []*found
	for _, p := range list {
		for _, x := range of(p.Session) {
			k, id := key(x)
			f := byKey[k]
			if f == nil {
				f = &found{what: x, at: p.begun(id)}
				byKey[k] = f
				order = append(order, f)
			}
			if !slices.Contains(f.in, p.Name) {
				f.in = append(f.in, p.Name)
			}
		}
	}
	out := []Odd[T]{}
	for _, f := range order {
		if len(f.in) == len(list) {
			continue
		}
		o := Odd[T]{What: f.what, In: f.in, Without: []string{}, At: f.at}
		for _, p := range list {
			if !slices.Contains(f.in, p.Name) {
				o.Without = append(o.Without, p.Name)
			}
		}
		out = append(out, o)
	}
	return out
}

// slow lists the functions whose compile times are far apart: the user's own before those of libraries, the furthest first.
func slow(list []Process) []Slow {
	type span struct {
		Slow
		in int
	}
	byKey := map[string]*span{}
	var order []*span
	for _, p := range list {
		for _, f := range p.Spent {
			key, took := shortFile(f.File)+" "+f.Function, f.Total+f.Backward
			s := byKey[key]
			if s == nil {
				s = &span{Slow: Slow{f.Function, f.File, f.Line, took, p.Name, took, p.Name}}
				byKey[key] = s
				order = append(order, s)
			}
			s.in++
			if took < s.Least {
				s.Least, s.Fast = took, p.Name
			}
			if took > s.Most {
				s.Most, s.Late = took, p.Name
			}
		}
	}
	out := []Slow{}
	for _, s := range order {
		if s.in == len(list) && shifted(s.Least, s.Most) {
			out = append(out, s.Slow)
		}
	}
	slices.SortStableFunc(out, func(a, b Slow) int {
		return cmp.Or(usersFirst(a.File, b.File), cmp.Compare(b.Most-b.Least, a.Most-a.Least))
	})
	return out
}
