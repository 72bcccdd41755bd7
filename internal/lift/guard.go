package lift

import (
	"slices"

	"github.com/thuml/depyf/internal/cfg"
	"github.com/thuml/depyf/internal/pyast"
)

// guard folds the guard of a case into its test: nothing else joins that. b is the first test of the guard. All tests
// behind it that lead to the body or to the next case belong to it, in any order.
//
// A constant decides some of them. What the compiler leaves out then is the other way: tests of which both sides lead to
// one place. Only a guard finds the subject on the stack, so that no statement of the body has them.
//
//	case 1 if a or 1:        CASE 1; POP_JUMP_IF_FALSE F       case 1 if a and 0:     CASE 1; POP_JUMP_IF_FALSE F
//	    body                 LOAD a; POP_JUMP_IF_TRUE n            body               LOAD a; POP_JUMP_IF_FALSE F
//	case 2:                  n: body                           case 2:                F: the next case
//	    …                    F: the next case                      …
func (r reducer) guard(a, b *Block) bool {
	if !own(a, b) || b.Term.Kind != Branch || !b.pure(0) || b.Term.KeepFalse || b.Term.KeepTrue || HasCase(b.Term.Cond) || !r.isGuard(a, b) {
		return false
	}
	if landing(b.True) != landing(b.False) {
		if b.True == a.False {
			b.flip()
		}
		if b.False == a.False {
			return r.fold(a, b, r.boolOp(pyast.And, a, a.Term.Cond, b.Term.Cond))
		}
	}
	d := r.newDag(a)
	d.other = landing(a.False)
	if !d.enter(b) || !d.ends(b) || !d.closed() {
		return false
	}
	cond := d.whole(b)
	if cond == nil {
		return false
	}
	body := d.join
	if body == nil {
		body = a.False // it is left out
	}
	d.take(pyast.Join(pyast.And, a.Term.Cond, cond), body, a.False)
	return true
}

// decidedGuard is guard for a case that matches anything: a ends with the first test of its guard, which a constant decides.
func (r reducer) decidedGuard(a *Block) bool {
	c := r.g.caseAtEnd(a)
	if c == nil || !c.Always && !c.Never || decides(a.Term.Cond) {
		return false
	}
	d := r.newDag(a)
	if !d.ends(a) || d.other != nil || d.join == nil || !d.closed() {
		return false
	}
	if c.Never {
		d.join, d.other = nil, d.join
	}
	end := d.join
	if end == nil {
		end = d.other
	}
	cond := d.whole(a)
	if cond == nil {
		return false
	}
	d.take(cond, end, end)
	return true
}

// caseAtEnd is the case that matches anything and whose guard b's test begins; nil if there is none.
func (g *Graph) caseAtEnd(b *Block) *cfg.Case {
	if len(b.Stmts) == 0 {
		return nil
	}
	if m, ok := b.Stmts[len(b.Stmts)-1].(*Marker); ok && m.Kind == MarkCase {
		return &g.CFG.Cases[m.ID]
	}
	return nil
}

// take makes a's test the whole condition, which leads to one of two places.
func (d *dag) take(cond pyast.Expr, yes, no *Block) {
	a, r := d.a, d.r
	before := [...]*Block{a.True, a.False}
	a.Term.Cond, a.True, a.False = cond, yes, no
	a.Succs(func(s *Block) { s.Preds = append(s.Preds, a) })
	for _, s := range before {
		r.leaveAlone(s, a)
	}
	for _, b := range d.parts {
		a.loud = a.loud || !b.quiet()
		r.remove(b)
		b.Succs(func(s *Block) { r.leaveAlone(s, b) })
	}
}

// whole is the condition of the tests from b on, with the constant behind them where they lead to one place.
func (d *dag) whole(b *Block) pyast.Expr {
	list := append([]*Block{b}, d.parts...)
	reached := func(end *Block) bool {
		return end != nil && slices.ContainsFunc(list, func(x *Block) bool { return landing(x.True) == end || landing(x.False) == end })
	}
	if d.more = 0; reached(d.join) && reached(d.other) {
		return d.condition(b)
	}
	return d.decided(b, reached(d.join))
}

// decided is a condition with the tests from b on, which all lead to one place, where a constant behind them decides it.
func (d *dag) decided(b *Block, truth bool) pyast.Expr {
	if d.more++; d.more > 4*mostShared {
		return nil
	}
	op, end := pyast.And, d.other
	if truth {
		op, end = pyast.Or, d.join
	}
	yes, no := landing(b.True), landing(b.False)
	cond := pyast.Clone(b.Term.Cond)
	if yes != end && no != end {
		if yes == no {
			return d.forNothing(cond, d.decided(yes, truth))
		}
		v, w := d.decided(yes, truth), d.decided(no, truth)
		if v == nil || w == nil {
			return nil
		}
		return ifExp(cond, v, w)
	}
	goesOn, ends := yes, no
	if truth {
		goesOn, ends = no, yes
	}
	if ends != end {
		goesOn, cond = ends, not(cond)
	}
	var rest pyast.Expr = pyast.Bool(truth)
	if goesOn != end {
		if rest = d.decided(goesOn, truth); rest == nil {
			return nil
		}
	}
	return pyast.Join(op, cond, rest)
}

// forNothing is a condition that is computed in front of the rest and decides nothing.
func (d *dag) forNothing(cond, rest pyast.Expr) pyast.Expr {
	if rest == nil {
		return nil
	}
	return d.beside(cond, false, rest)
}
