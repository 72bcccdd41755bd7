package sugar

import (
	"math"

	"github.com/thuml/depyf/internal/evidence"

	"github.com/thuml/depyf/internal/pyast"
)

// Before 3.11 nothing of the code tells whether what follows an arm that leaves stands in an
// else clause: with one and without, code and lines are the same. What people write is not
// random, though. These are the weights of two logistic regressions over the functions of
// CPython 3.10's library and of forty large packages. On other packages they err in one of
// five and one of ten cases, a fixed answer in one of two and one of seven.

// elseWeights speak for an `else:` where one line is free between the arm and one `return` or
// `raise` behind it, and for a blank line or a comment where they are negative.
var elseWeights = struct{ bias, close, raise, raises, tight, own float64 }{
	bias:   1.9,
	close:  0.6,  // the `if` stands right below the statement in front
	raise:  -2.0, // the arm raises
	raises: 1.2,  // what follows raises
	tight:  1.1,  // of the logarithm: how much more often the file leaves no line behind a `return`
	own:    -2.4, // what follows ends the function
}

// elifWeights speak for an `elif` where an `if` stands right below the arm.
var elifWeights = struct{ bias, more, orElse, raise, jumps, leaves, subject, own, lines, inElse float64 }{
	bias:    -2.7,
	more:    -1.4, // more follows
	orElse:  2.2,  // the other `if` has an else clause
	raise:   -1.1, // the arm raises
	jumps:   -0.6, // the arm ends with `continue` or `break`
	leaves:  0.7,  // the other `if`'s arm leaves, too
	subject: 1.3,  // both tests ask the same thing
	own:     -0.5, // the statements are the function's own
	lines:   0.35, // of each line of the arm, up to ten
	inElse:  2.2,  // they are in an else clause
}

// beside says where a list of statements stands.
type beside struct {
	own    bool // it is the function's
	inElse bool // it is an else clause of an `if`
}

// elseByLines guesses from lines alone (before 3.11) how many of the statements behind l[i],
// an `if` whose arm leaves, are in its else clause.
func elseByLines(l []pyast.Stmt, i int, o Options, at beside) int {
	n, rest := l[i].(*pyast.If), l[i+1:]
	returns, raise, jumps := false, false, false
	switch n.Body[len(n.Body)-1].(type) {
	case *pyast.Return:
		returns = true
	case *pyast.Raise:
		raise = true
	case *pyast.Continue, *pyast.Break:
		jumps = true
	}
	if !returns && !o.Version.DeadCodeRemoved() {
		return 0 // a jump over the else clause would have been left
	}
	if raise == (returns || jumps) {
		return 0
	}
	end, next := evidence.LastLine(n.Body), evidence.StartLine(rest[0])
	if end == 0 || next == 0 {
		return 0
	}
	if !o.Version.DeadCodeRemoved() && at.own && leavesAtOnce(rest) {
		if o.DeadEnd && next-end > 1 {
			return len(rest)
		}
		return 0
	}
	sum := 0.0
	given := func(yes bool, weight float64) {
		if yes {
			sum += weight
		}
	}
	if other, ok := rest[0].(*pyast.If); ok && next-end == 1 {
		w := &elifWeights
		sum = w.bias + w.lines*float64(min(end-evidence.StartLine(n), 10))
		given(len(rest) > 1, w.more)
		given(len(other.OrElse) > 0, w.orElse)
		given(raise, w.raise)
		given(jumps, w.jumps)
		given(!fallsOff(other.Body), w.leaves)
		given(pyast.Equal(subject(n.Test), subject(other.Test)), w.subject)
		given(at.own, w.own)
		given(at.inElse, w.inElse)
		if sum > 0 {
			return 1
		}
		return 0
	}
	if jumps || len(rest) > 1 || next-end != 2 {
		return 0
	}
	w := &elseWeights
	switch rest[0].(type) {
	case *pyast.Return, *pyast.Raise:
	default:
		return 0
	}
	_, raises := rest[0].(*pyast.Raise)
	sum = w.bias + w.tight*math.Log(float64(o.Spacing.Tight+1)/float64(o.Spacing.Loose+1))
	given(raises, w.raises)
	given(raise, w.raise)
	given(at.own, w.own)
	given(i > 0 && evidence.StartLine(n)-evidence.LastLine(l[max(i-1, 0):i]) == 1, w.close)
	if sum > 0 {
		return 1
	}
	return 0
}

// leavesAtOnce reports whether a list ends with a `return` or `raise` that is not in another statement.
func leavesAtOnce(l []pyast.Stmt) bool {
	switch l[len(l)-1].(type) {
	case *pyast.Return, *pyast.Raise:
		return true
	}
	return false
}

// subject is what a test asks something of: `x` of `x == 1`, `isinstance(x, A)` and `not x`.
func subject(e pyast.Expr) pyast.Expr {
	switch x := e.(type) {
	case *pyast.BoolOp:
		return subject(x.Values[0])
	case *pyast.UnaryOp:
		return subject(x.Operand)
	case *pyast.Compare:
		return x.Left
	case *pyast.Call:
		if len(x.Args) > 0 {
			return x.Args[0]
		}
		return x.Func
	}
	return e
}

// elseClauses are the first statements of all else clauses of `if` statements in the list.
func elseClauses(list []pyast.Stmt) map[pyast.Stmt]bool {
	first := map[pyast.Stmt]bool{}
	pyast.InspectStmts(list, func(n pyast.Node) bool {
		if n, ok := n.(*pyast.If); ok && len(n.OrElse) > 0 {
			first[n.OrElse[0]] = true
		}
		return true
	})
	return first
}
