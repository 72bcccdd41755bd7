package sugar

import (
	"github.com/thuml/depyf/internal/lift"
	"github.com/thuml/depyf/internal/pass"
	"github.com/thuml/depyf/internal/pyast"
)

// Body applies all rewrites to a body.
func Body(list []pyast.Stmt, o Options, w *pass.Watch) ([]pyast.Stmt, error) {
	b := &body{list, o}
	err := passes.Run(b, w)
	return b.list, err
}

// Rows lists the passes.
func Rows() []pass.Row { return passes.Rows() }

// body is a list of statements, and whose it is.
type body struct {
	list []pyast.Stmt
	Options
}

var passes = pass.Table[*body]{
	Stage: "sugar",
	Show:  func(b *body) []pass.Line { return lift.StatementLines(b.list, b.Version) },
	Check: func(b *body) error { return pyast.Check(b.list) },
	Passes: []pass.Pass[*body]{
		{
			Name: "last deletes", When: func(b *body) bool { return b.Dynamo }, Run: list(lastDeletes),
			Why: "Dynamo's `del` of a graph's results right before the end says nothing, and keeps a temporary from its use",
		},
		{
			Name: "temporaries", After: []string{"last deletes"}, When: func(b *body) bool { return b.Temps },
			Run: func(b *body) error { b.list = inlineTemps(b.list, b.Shared, false); return nil },
			Why: "values that the stack has kept stand in variables that nobody wrote",
		},
		{
			Name: "unseen deletes", After: []string{"temporaries"}, When: func(b *body) bool { return b.Unseen },
			Run: func(b *body) error { b.list = withoutDeletes(b.list, b.Options); return nil },
			Why: "the `del` of a result is a statement, so that the result has to be in a variable that the program sees",
		},
		{
			Name: "unseen temporaries", After: []string{"unseen deletes"}, When: func(b *body) bool { return b.Unseen },
			Run: func(b *body) error { b.list = inlineTemps(b.list, b.Shared, true); return nil },
			Why: "`locals()` shows what is left of the temporaries",
		},
		{
			Name: "kept beside arguments", After: []string{"unseen temporaries"}, When: func(b *body) bool { return b.Unseen },
			Run: func(b *body) error { b.list = besideArguments(b.list, b.Options); return nil },
			Why: "a statement that is no expression stands between a temporary and its use, and `locals()` shows it",
		},
		{
			Name: "chained assignments", After: []string{"temporaries"}, Run: plain(chained),
			Why: "`x = a[b and c] = v` reads as an assignment expression, which 3.7 does not have",
		},
		{
			Name: "not", When: func(b *body) bool { return b.Dynamo }, Run: list(simplifyNot),
			Why: "`not a is None` is not what is written for `a is not None`, and the rewrites of tests know one form",
		},
		{
			Name: "percent", When: func(b *body) bool { return b.Version.FormatsPercent() && (b.Dynamo || b.Ops.Formats()) }, Run: plain(percent),
			Why: "`\"%s\" % a` compiles to what an f-string does, and reads as one (3.11+)",
		},
		{
			Name: "trailing jumps", Run: trailingJumps,
			Why: "`return` and `continue` stand where control ends or turns anyway, and an arm that seems to leave is given no `else`",
		},
		{
			Name: "try and with", Run: list(joinTry),
			Why: "`try … except … finally` and `with a, b` read as two statements, one in the other",
		},
		{
			Name: "assert", After: []string{"not"},
			Run: func(b *body) error {
				b.list = asserts(b.list, b.Function && !b.Version.HasAssertionOp() && !b.Optimized)
				return nil
			},
			Why: "an assert reads as an `if` that raises, which `python -O` would not leave out",
		},
		{
			Name: "conditions", After: []string{"assert"}, When: branches, Run: func(b *body) error { conditions(b.list, b.Indentation); return nil },
			Why: "`not (a or b)` and `not a and not b` compile alike, and the one that was not written stands there",
		},
		{
			Name: "else", After: []string{"trailing jumps", "try and with", "assert", "conditions"}, When: branches,
			Run: func(b *body) error { b.list = elses(b.list, b.Options); return nil },
			Why: "the arm behind one that leaves loses its `else:`; an assert would be taken for such an arm",
		},
		{
			Name: "else of try", After: []string{"else"},
			When: func(b *body) bool { return b.Function && b.Version.CopiesExitBlocks() && !b.Version.HasColumns() },
			Run:  list(elsesOfTry),
			Why:  "an except clause that is a `pass` reads as `return`, with the else clause behind the statement (3.10)",
		},
		{
			Name: "jumps behind else", After: []string{"else", "else of try"}, When: branches, Run: trailingJumps,
			Why: "a jump that had code behind it says what happens anyway once that code is in an `else`",
		},
		{
			Name: "return None", After: []string{"jumps behind else"}, When: func(b *body) bool { return b.Function }, Run: plain(returnNone),
			Why: "a function that returns values ends with a bare `return` on some of its ways (≤3.10)",
		},
		{
			Name: "conditional assignments", After: []string{"else"}, When: branches, Run: list(conditionalAssign),
			Why: "`x = a if c else b` in front of a copied exit reads as an `if` with two assignments (3.10+)",
		},
		{
			Name: "only cases", After: []string{"else", "conditions"},
			When: func(b *body) bool { return b.Version.HasMatch() && branches(b) }, Run: list(onlyCases),
			Why: "`match x: case 1: …` reads as `if x == 1: …`, and a guard of the last case as an `if` in it (3.10+)",
		},
		{
			Name: "constants not computed", After: []string{"percent", "conditions"},
			Run: func(b *body) error { unfolded(b.list, b.Version); return nil },
			Why: "`(\"\" if True else y) + \"x\"` reads as `\"\" + \"x\"`, which the compiler would compute",
		},
		{
			Name: "one line", Run: list(oneLine),
			Why: "`import a, b` and `del a, b` read as a statement for each name",
		},
		{
			Name: "annotations", When: func(b *body) bool { return !b.Function }, Run: list(annotations),
			Why: "`x: int = 1` reads as an assignment and a store to `__annotations__` (≤3.13)",
		},
		{
			Name: "names left behind", After: []string{"temporaries", "conditional assignments"}, When: func(b *body) bool { return !b.Function }, Run: list(deleteTemps),
			Why: "a temporary of a module or class body stays in its namespace",
		},
	},
}

// list makes a pass of a rewriting that returns the new list.
func list(f func([]pyast.Stmt) []pyast.Stmt) func(*body) error {
	return func(b *body) error {
		b.list = f(b.list)
		return nil
	}
}

// plain makes a pass of a rewriting in place.
func plain(f func([]pyast.Stmt)) func(*body) error {
	return func(b *body) error {
		f(b.list)
		return nil
	}
}

func trailingJumps(b *body) error {
	b.list = trailing(b.list, b.Function, b.Version.HasExceptionTable())
	return nil
}

// branches reports whether there can be an arm, a loop, a case or a test at all.
func branches(b *body) bool { return b.Dynamo || b.Ops.Branches() }
