package lift

import (
	"slices"

	"github.com/thuml/depyf/internal/evidence"
	"github.com/thuml/depyf/internal/pyast"
)

// lineLength is how long most people let a line become before they break it.
const lineLength = 79

// brokenForNothing reports whether the tests a and b, on different lines, would have had
// room on one line: who writes `a and b` breaks the line where it is too long, so that these
// are two `if` statements (≤3.10, where no columns tell). All tests count that the two would
// be one with. The test of a loop is one, wherever its lines end.
func (r reducer) brokenForNothing(a, b *Block) bool {
	if r.loopHead(a) || r.repeated(a, b) {
		return false
	}
	_, end := evidence.Lines(a.Term.Cond)
	if next, _ := evidence.Lines(b.Term.Cond); end >= next {
		return false
	}
	exit := a.True
	if exit != b.True && exit != b.False {
		exit = a.False
	}
	body := b.True
	if body == exit {
		body = b.False
	}
	if exit != b.True && exit != b.False || body == a.True || body == a.False {
		return false
	}
	if exit.ID > a.ID && exit.ID < body.ID {
		return false // of `a or b` the exit comes first: it is the body
	}
	if slices.ContainsFunc(body.Preds, func(p *Block) bool { return p.ID < a.ID }) {
		return false // of `x or (a and b)` the body is x's, too
	}
	if r.jumpedOver(exit) {
		return false // an else clause, which two statements cannot have together
	}
	width := 8 + len("if ") + a.width(b) + len(" and ") + b.width(body) + len(":")
	for x, n := body, 0; n < 20 && x.Term.Kind == Branch && len(x.Stmts) == 0 && (x.True == exit || x.False == exit); n++ {
		next := x.True
		if next == exit {
			next = x.False
		}
		width += len(" and ") + x.width(next)
		x = next
	}
	for x, n := a, 0; n < 20 && len(x.Stmts) == 0 && len(x.Preds) == 1; n++ {
		next := x
		if x = x.Preds[0]; x.Term.Kind != Branch || x.True != exit && x.False != exit {
			break
		}
		if r.loopHead(x) {
			return false
		}
		width += len(" and ") + x.width(next)
	}
	return width <= lineLength
}

// otherwiseMade reports whether a test, as an `if` statement has it, is `is` or `in` with another instruction: nobody writes
// `if not a is b`, whereas of `a is b or c` the jump goes the other way.
func otherwiseMade(e pyast.Expr) bool {
	c, ok := e.(*pyast.Compare)
	return ok && c.Sense == pyast.Negated
}

// firstOfSeveral reports whether the test that ends a is the first operand of one that is broken over lines: its jump has the
// line of the statement, in front of its own, and no other test on that line comes before it.
//
//	if (
//	    a
//	    or b
func firstOfSeveral(a *Block) bool {
	first, _ := evidence.Lines(a.Term.Cond)
	if _, joined := a.Term.Cond.(*pyast.BoolOp); joined || a.Term.Line == 0 || first <= a.Term.Line {
		return false
	}
	return !slices.ContainsFunc(a.Preds, func(p *Block) bool { return p.Term.Kind == Branch && p.Term.Line == a.Term.Line })
}

// jumpedOver reports whether the code in front of x jumps to behind it, as an arm does in
// front of the else clause.
func (r reducer) jumpedOver(x *Block) bool {
	before := r.before(x)
	return before != nil && before.Term.Kind == Goto && before.Term.Jump && before.Next != nil && before.Next.ID > x.ID && landing(before.Next) != landing(x)
}

// fallenInto reports whether the code in front of x goes on to it.
func (r reducer) fallenInto(x *Block) bool {
	before := r.before(x)
	if before == nil {
		return true
	}
	switch t := &before.Term; t.Kind {
	case Goto:
		return !t.Jump
	case Return, Raise, Reraise:
		return false
	}
	return true
}

// before is the block that stands in front of x.
func (r reducer) before(x *Block) (before *Block) {
	for _, b := range r.g.Blocks {
		if b.ID < x.ID && !b.Gone && (before == nil || b.ID > before.ID) {
			before = b
		}
	}
	return before
}

// width is that of the test of b in an `if` whose body is x. Operands of `and` and `or` give up their `not` where the whole
// has one, and an assert statement has the test the other way.
func (b *Block) width(x *Block) int {
	e, ok := b.Term.Cond.(*pyast.BoolOp)
	if x.assertion() != nil || ok && slices.ContainsFunc(e.Values, func(v pyast.Expr) bool { return evidence.Nots(v) > 0 }) {
		return pyast.Width(b.Term.Cond)
	}
	return pyast.Width(b.onward(x))
}
