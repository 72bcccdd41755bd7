package lift

import (
	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyast"
)

// decidedTest folds a test inside a condition that a constant behind it decides. The compiler leaves out one way, so that
// both sides lead to the next test:
//
//	if a and (b or 1) and c:      LOAD b; POP_JUMP_IF_TRUE n; n: LOAD c; POP_JUMP_IF_FALSE …
//
// Two statements do not share a line. On two lines they are guessed to be statements: `if b: pass` in front of `if c`.
func (r reducer) decidedTest(b *Block) bool {
	n := landing(b.True)
	d := r.newDag(b)
	if n == b || n != landing(b.False) || n.Term.Kind != Branch || !d.test(b) || hasSlot(b.Term.Cond) || !d.test(n) || !n.pure(0) || !d.only(n) || !d.enter(n) {
		return false
	}
	oneLine := b.Term.Line > 0 && b.Term.Line == n.Term.Line && !r.loopHead(b)
	if !r.g.CFG.Choices.Either(joinedTests, n.Term.Offset, oneLine) {
		return false
	}
	truth := b.Src != nil && b.Src.Last() != nil && b.Src.Last().Op == opcode.PopJumpIfTrue
	cond := d.beside(b.Term.Cond, truth, n.Term.Cond)
	t := n.Term
	d.take(cond, n.True, n.False)
	b.Term.madeOf(&b.Term, &t)
	b.Term.Offset = t.Offset
	return true
}

// beside is a condition that decides nothing, with the constant that does, in front of the rest: `c or True` if its jump
// leads on where it is true, else `c and False`.
func (d *dag) beside(cond pyast.Expr, truth bool, rest pyast.Expr) pyast.Expr {
	inner, outer := pyast.And, pyast.Or
	if truth {
		inner, outer = outer, inner
	}
	both := pyast.Join(inner, cond, pyast.Bool(truth))
	span(both, cond, cond)
	whole := pyast.Join(outer, both, rest)
	span(whole, cond, rest)
	return whole
}

// Decided is the constant that decides a condition whatever its tests say: its last operand. Known is false for none.
func Decided(e pyast.Expr) (truth, known bool) {
	b, ok := e.(*pyast.BoolOp)
	if !ok {
		truth = pyast.Equal(e, pyast.Bool(true))
		return truth, truth || pyast.Equal(e, pyast.Bool(false))
	}
	truth, known = Decided(b.Values[len(b.Values)-1])
	return truth, known && truth == (b.Op == pyast.Or)
}

func decides(e pyast.Expr) bool {
	_, known := Decided(e)
	return known
}
