package decompile

import (
	"cmp"

	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/cfg"
	"github.com/thuml/depyf/internal/lift"
	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pass"
	"github.com/thuml/depyf/internal/pyast"
	"github.com/thuml/depyf/internal/structure"
	"github.com/thuml/depyf/internal/sugar"
)

// Passes lists all passes in the order in which they run: one code object through the
// stages code, graph, lift, structure, sugar and spelling, and a function
// or module that is written as a text of its own through the stage text. A wrong order
// ends the program as it starts.
var Passes []pass.Row

func init() {
	// Here and not where they are declared: their passes write nested code, which goes
	// through these tables too.
	spelling, whole = spellingPasses(), wholePasses()
	Passes = pass.Must(fromCode.Rows(), cfg.Passes.Rows(), lift.Passes.Rows(), structure.Rows(),
		sugar.Rows(), spelling.Rows(), whole.Rows())
}

// fromCode leads to the graph.
var fromCode = pass.Table[*unit]{
	Stage: "code",
	Show: func(u *unit) []pass.Line {
		if u.made == nil {
			return listingLines(u.fn)
		}
		return append(u.made.Lines(), u.reachedLines()...)
	},
	Check: func(u *unit) error {
		if u.made == nil {
			return nil
		}
		return cmp.Or(u.unchanged(), u.made.Check())
	},
	Passes: []pass.Pass[*unit]{
		{
			Name: "decode", Run: (*unit).decode,
			Why: "each CPython encodes its instructions in a way of its own",
		},
		{
			Name: "private names", After: []string{"decode"}, Run: func(u *unit) error {
				u.unmangle(u.fn)
				u.instrs = u.fn.Instrs
				return nil
			},
			Why: "the compiler would mangle `_C__x` in the class C once more",
		},
		{
			Name: "short names", After: []string{"private names"}, Run: plain(func(u *unit) { u.rename(u.fn) }),
			When: func(u *unit) bool { return len(u.opt.Rename) > 0 },
			Why:  "globals that Dynamo has named after an address or a UUID differ from run to run",
		},
		{
			Name: "blocks", After: []string{"decode", "short names"}, Run: func(u *unit) (err error) {
				build := cfg.Build
				if u.copies {
					build = cfg.BuildAsRun
				}
				if u.made, err = build(u.fn); err == nil {
					u.made.Choices = u.choices()
				}
				return err
			},
			Why: "jumps and protected ranges are numbers; what comes behind reads edges and regions",
		},
		{
			Name: "unbound at entry", After: []string{"blocks"}, When: (*unit).byDynamo, Run: onGraph(cfg.UnboundAtEntry),
			Why: "a resume function stores NULL to variables, which no statement does",
		},
		{
			Name: "first sent", After: []string{"blocks"}, When: (*unit).byDynamo, Run: onGraph(cfg.DropFirstSent),
			Why: "what a coroutine is first sent lies on the stack in every loop, and where the function's own code begins",
		},
		{
			Name: "unshuffle", After: []string{"unbound at entry", "first sent"}, When: func(u *unit) bool { return u.spill != never }, Run: (*unit).unshuffle,
			Why: "code that no compiler made keeps values on the stack where only an expression can be, and packs them into lists",
		},
		{
			Name: "reached", After: []string{"unshuffle"}, Run: plain(func(u *unit) { u.noteReached(u.made) }),
			Why: "variables that only unreachable code captures are no cells in the text; later passes drop reads and stores",
		},
	},
}

var (
	spelling pass.Table[*body] // what the statements go through behind the rewrites
	whole    pass.Table[*page] // what a text goes through before it is printed
)

// body is the statements of a unit.
type body struct {
	*unit
	list []pyast.Stmt
	ops  opcode.Ops // of the code; Dynamo's passes on what stands in other code
}

func bodyTable(stage string, passes ...pass.Pass[*body]) pass.Table[*body] {
	return pass.Table[*body]{
		Stage:  stage,
		Show:   func(b *body) []pass.Line { return lift.StatementLines(b.list, b.code.Version) },
		Check:  func(b *body) error { return pyast.Check(b.list) },
		Passes: passes,
	}
}

func spellingPasses() pass.Table[*body] {
	return bodyTable(
		"spelling",
		pass.Pass[*body]{
			Name: "future annotations", After: []string{"annotations"}, Run: plain(func(b *body) { b.futureAnnotations(b.list) }),
			When: func(b *body) bool { return b.code.FutureAnnotations() },
			Why:  "under `from __future__ import annotations` they are strings, which would be quoted twice",
		},
		pass.Pass[*body]{
			Name: "slices", When: func(b *body) bool { return b.opt.Dynamo || b.ops.Slices() }, Run: plain(func(b *body) { b.spellSlices(b.list) }),
			Why: "a slice outside a subscript is no expression; Dynamo passes them around",
		},
		pass.Pass[*body]{
			Name: "conversions", After: []string{"percent"}, When: func(b *body) bool { return b.opt.Dynamo || b.ops.Formats() }, Run: plain(func(b *body) { b.spellConversions(b.list) }),
			Why: "`!r` outside an f-string is no expression; a graph may break between a conversion and its formatting",
		},
		pass.Pass[*body]{
			Name: "iterators", When: func(b *body) bool { return b.opt.Dynamo || b.ops.Iterates() }, Run: plain(func(b *body) { spellIterated(b.list, b.code.Version) }),
			Why: "a comprehension over what is an iterator already would ask for one again",
		},
		pass.Pass[*body]{
			Name: "finished", After: []string{"lift", "match statements"}, Run: func(b *body) error { return b.finished(b.list) },
			Why: "what no pass has understood would be printed as a name",
		},
		pass.Pass[*body]{
			Name: "lost annotations", After: []string{"annotations", "finished"}, Run: plain(func(b *body) { b.list = b.unannotated(b.list) }),
			Why: "a body whose only annotations are those of attributes, or never reached, makes no room for them when it is compiled again",
		},
	)
}

// page is a text that is printed: that of a module, or of one function.
type page struct {
	*unit
	list    []pyast.Stmt
	makes   *pyast.FunctionDef // nil for a module
	naming  sugar.Naming
	renames map[string]string
}

func wholePasses() pass.Table[*page] {
	module := func(p *page) bool { return p.makes == nil }
	return pass.Table[*page]{
		Stage: "text",
		Show:  func(p *page) []pass.Line { return lift.StatementLines(p.list, p.code.Version) },
		Check: func(p *page) error { return pyast.Check(p.list) },
		Passes: []pass.Pass[*page]{
			{
				Name: "module docstring", When: module, Run: plain(func(p *page) { p.list = moduleDocstring(p.list, p.code.Version) }),
				Why: "the docstring reads as an assignment to `__doc__`",
			},
			{
				Name: "module declarations", After: []string{"module docstring"}, When: module,
				Run: plain(func(p *page) { p.list = p.withDeclarations(p.list) }),
				Why: "a module's own `global` statements change how its names are stored; they stand behind docstring and future imports",
			},
			{
				Name: "names of temporaries", After: []string{"temporaries", "finished"}, When: func(p *page) bool { return p.opt.Dynamo || *p.temps },
				Run: plain(func(p *page) { sugar.NameTemps(p.list, p.naming) }),
				Why: "temporaries have names that are no identifiers",
			},
			{
				Name: "places in the source", After: []string{"names of temporaries"}, When: func(p *page) bool { return p.opt.Dynamo && p.makes != nil },
				Run: plain(func(p *page) { annotate(p.makes, p.code.Version, p.opt.Origin) }),
				Why: "nobody sees which of the user's lines a statement of Dynamo's comes from",
			},
			{
				Name: "built-ins", After: []string{"names of temporaries", "slices", "conversions"}, When: func(p *page) bool { return p.makes != nil },
				Run: plain(func(p *page) { shortBuiltins(p.makes, p.code, p.renames) }),
				Why: "built-in functions that only the text calls stand under names that no program can hide",
			},
		},
	}
}

// plain makes a pass of what cannot fail.
func plain[S any](f func(S)) func(S) error {
	return func(s S) error {
		f(s)
		return nil
	}
}

func onGraph(f func(*cfg.Graph)) func(*unit) error {
	return plain(func(u *unit) { f(u.made) })
}

func (u *unit) byDynamo() bool { return u.opt.Dynamo }

// listingLines shows instructions before there are blocks.
func listingLines(f *bytecode.Func) []pass.Line {
	if f == nil {
		return nil
	}
	g := cfg.Graph{Blocks: []*cfg.Block{{Instrs: f.Instrs}}}
	return g.Lines()[1:] // there is no block yet to name
}
