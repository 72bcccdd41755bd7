package structure

import (
	"fmt"
	"slices"
	"strings"

	"github.com/thuml/depyf/internal/cfg"
	"github.com/thuml/depyf/internal/lift"
	"github.com/thuml/depyf/internal/pass"
	"github.com/thuml/depyf/internal/pyast"
)

// Build structures g.
func Build(g *lift.Graph, how Dispatch, w *pass.Watch) (out []pyast.Stmt, err error) {
	defer func() {
		if r := recover(); r != nil {
			e, ok := r.(structError)
			if !ok {
				panic(r)
			}
			out, err = nil, e
		}
	}()
	s := &builder{g: g, end: &lift.Block{ID: 1 << 30}, how: how, turned: map[*cfg.Region]bool{}}
	if err := passes.Run(s, w); err != nil {
		return nil, err
	}
	return s.out, nil
}

// passes find out what the graph's blocks are parts of, and write them.
var passes = pass.Table[*builder]{
	Stage: "structure",
	Show:  (*builder).lines,
	Check: (*builder).check,
	Passes: []pass.Pass[*builder]{
		{
			Name: "catchers", Run: on((*builder).findCatchers),
			Why: "nothing says which block the exceptions of a region arrive at",
		},
		{
			Name: "implicit returns", After: []string{"slots", "catchers"}, Run: on((*builder).implicitReturns),
			Why: "the `return None` that the compiler adds at the end stands in the text",
		},
		{
			Name: "unrotate", Run: on((*builder).unrotate),
			Why: "a `while` test that is written twice reads as an `if` around a loop (3.10-3.13)",
		},
		{
			Name: "join heads", After: []string{"unrotate"}, Run: on((*builder).joinHeads),
			Why: "a `while True` with a label for `continue` of its own has two heads, and reads as two loops",
		},
		{
			Name: "shared tests", After: []string{"join heads"}, Run: on((*builder).splitTested),
			Why: "an endless loop that begins with a while loop has the head of that, and reads as one loop around an `if` (3.8, 3.9)",
		},
		{
			Name: "shared heads", After: []string{"join heads"}, Run: on((*builder).splitBroken),
			Why: "two endless loops, of which the one begins with the other, have one head, and read as one loop (3.8-3.10)",
		},
		{
			Name: "split heads", After: []string{"join heads"}, Run: on((*builder).splitFors),
			Why: "a loop that is left in its first turn has been joined with what stands in front of it",
		},
		{
			Name: "heads of one turn", Run: on((*builder).splitTurns),
			Why: "no edge tells of a loop that is left in its first turn (3.7)",
		},
		{
			Name: "split exits", Run: on((*builder).splitExits),
			Why: "what follows a with statement that a `break` leaves stays inside of it",
		},
		{
			Name: "join reraises", After: []string{"implicit returns"}, Run: on((*builder).joinReraises),
			Why: "a finally body whose last statements were copied with the raising of the exception ends in several places",
		},
		{
			Name: "dominators", After: []string{"join heads", "shared tests", "shared heads", "split heads", "heads of one turn", "split exits", "catchers", "join reraises"}, Run: on((*builder).analyse),
			Why: "loops, and the places where ways meet, are read off the finished graph",
		},
		{
			Name: "statements", After: []string{"dominators"}, Run: on((*builder).statements),
			Why: "blocks and branches are no text",
		},
		{
			Name: "match statements", After: []string{"match", "statements"}, Run: on((*builder).joinCases),
			Why: "the cases of a match are a chain of ifs with tests that no text has (3.10+)",
		},
	},
}

// Rows lists the passes.
func Rows() []pass.Row { return passes.Rows() }

func on(f func(*builder)) func(*builder) error {
	return func(s *builder) error {
		f(s)
		return nil
	}
}

// statements writes the blocks as statements.
func (s *builder) statements() {
	s.budget = 4*len(s.blocks) + 200
	if s.how == Everything {
		s.out = s.dispatch(s.g.Entry, ctx{fall: s.end}, "no statements are proven")
	} else {
		s.out = s.build(s.g.Entry, ctx{fall: s.end})
	}
	if s.reraises {
		pyast.InspectOwn(s.out, func(n pyast.Node) bool {
			if _, ok := n.(*reraise); ok {
				fail("an exception is raised again where no clause lets it pass")
			}
			return true
		})
	}
	s.written = true
}

func (s *builder) joinCases() { s.out = matchStatements(s.out, s.g.CFG.Cases, s.g.Indentation) }

// lines shows the graph, and what is known about it, until there are statements.
func (s *builder) lines() []pass.Line {
	if s.written {
		return lift.StatementLines(s.out, s.g.CFG.Func.Code.Version)
	}
	out := s.g.Lines()
	add := func(format string, args ...any) {
		out = append(out, pass.Line{Text: fmt.Sprintf(format, args...)})
	}
	for _, r := range s.g.CFG.Regions {
		if b := s.catcher[r]; b != nil {
			add("r%d is caught by %s", r.ID, s.name(b))
		}
	}
	for i, b := range s.blocks {
		if s.dom == nil || s.dom.Order[i] <= 0 {
			continue
		}
		add("%s is dominated by %s", s.name(b), s.name(s.blocks[s.dom.Idom[i]]))
	}
	for _, b := range s.blocks {
		var body []string
		for _, x := range s.blocks {
			if s.loops[b][x] {
				body = append(body, s.name(x))
			}
		}
		if body != nil {
			add("loop at %s: %s", s.name(b), strings.Join(body, " "))
		}
	}
	for i := range out {
		out[i].Text = strings.ReplaceAll(out[i].Text, s.name(s.end), "end")
	}
	return out
}

func (s *builder) name(b *lift.Block) string { return fmt.Sprintf("b%d", b.ID) }

// check reports what the structurer has broken of the graph or the tree.
func (s *builder) check() error {
	if s.written {
		return pyast.Check(s.out)
	}
	if i := slices.Index(s.g.Blocks, s.end); i >= 0 {
		return fmt.Errorf("the end of the function is block %d of the graph", i)
	}
	return s.g.Check(s.end)
}
