package lift

import (
	"github.com/thuml/depyf/internal/cfg"
	"github.com/thuml/depyf/internal/pass"
)

// Job is a graph on its way from instructions to statements.
type Job struct {
	CFG *cfg.Graph
	Options
	Wrapper bool   // of a generic function, class or alias: its result is wanted, no statements
	Graph   *Graph // nil until it is lifted
}

// Passes turn instructions into statements and expressions.
var Passes = pass.Table[*Job]{
	Stage: "lift",
	Show: func(j *Job) []pass.Line {
		if j.Graph == nil {
			return j.CFG.Lines()
		}
		return j.Graph.Lines()
	},
	Check: func(j *Job) error { return j.Graph.Check() },
	Passes: []pass.Pass[*Job]{
		{
			Name: "lift", After: []string{"send loops", "async for", "uninline"},
			Why: "instructions on a stack are no expressions; each of them must have a meaning of its own by then",
			Run: func(j *Job) (err error) {
				j.Graph, err = lift(j.CFG, j.Options)
				return err
			},
		},
		{
			Name: "reduce", After: []string{"lift"}, Run: on(reduce),
			Why: "`and`, `or` and conditional expressions that no value on the stack waits for are left as branches",
		},
		{
			Name: "slots", After: []string{"reduce"}, When: statements, Run: on(fillSlots),
			Why: "a value that is alive from one block to another has no name, and the text would not hold it",
		},
		{
			Name: "unread values", After: []string{"slots"}, When: statements, Run: on(dropUnread),
			Why: "names and constants that were only dropped from the stack stand in the text as statements",
		},
	},
}

func statements(j *Job) bool { return !j.Wrapper }

func on(f func(*Graph)) func(*Job) error {
	return func(j *Job) error {
		f(j.Graph)
		return nil
	}
}
