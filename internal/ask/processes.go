package ask

import (
	"github.com/thuml/depyf/internal/answers"
	"github.com/thuml/depyf/internal/recorded"
	"github.com/thuml/depyf/internal/report"
)

// matched is a process of two runs; one of both sides may be nil.
type matched struct {
	name          string
	before, after *recorded.Session
}

// match finds the processes of two runs that are the same ones, in the order of the later run, and behind them those that it no longer
// has. They are known by their names. Names other than those of ranks may be made of numbers that a system gives: such processes
// are matched by their order, and a run of one process with another of one, whatever the two are called.
func match(before, after []recorded.Session) []matched {
	var out []matched
	taken := map[string]bool{}
	for i := range after {
		m := matched{name: after[i].Name, after: &after[i], before: named(before, after[i].Name)}
		if m.before != nil {
			taken[m.name] = true
		}
		out = append(out, m)
	}
	var rest []*recorded.Session
	for i := range before {
		if !taken[before[i].Name] {
			rest = append(rest, &before[i])
		}
	}
	single := len(before) == 1 && len(after) == 1
	isRank := func(name string) bool { return report.OfRank(name) && !single }
	for i := range out {
		if out[i].before != nil || isRank(out[i].name) {
			continue
		}
		for j, s := range rest {
			if s != nil && !isRank(s.Name) {
				out[i].before, rest[j] = s, nil
				break
			}
		}
	}
	for _, s := range rest {
		if s != nil {
			out = append(out, matched{name: s.Name, before: s})
		}
	}
	return out
}

// named is the session of a process, nil if there is none.
func named(list []recorded.Session, name string) *recorded.Session {
	for i := range list {
		if list[i].Name == name {
			return &list[i]
		}
	}
	return nil
}

// difference is what became of a process.
func (m matched) difference() answers.Difference {
	switch {
	case m.before == nil:
		return answers.Alone(m.after.Facts().Session(), answers.InAfter)
	case m.after == nil:
		return answers.Alone(m.before.Facts().Session(), answers.InBefore)
	}
	return answers.Compare(m.before.Facts().Session(), m.after.Facts().Session())
}
