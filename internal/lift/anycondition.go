package lift

import "github.com/thuml/depyf/internal/pyast"

// anyCondition folds tests behind a's that lead to no more than two places: all of them are one
// condition, if the search wants that.
func (r reducer) anyCondition(a *Block) bool {
	if a.Term.Kind != Branch || a.True == a.False || r.g.CFG.Choices == nil {
		return false
	}
	d := r.newDag(a)
	if !d.ends(a) || d.other == nil || len(d.parts) == 0 || !d.closed() || !r.g.CFG.Choices.Other(wholeCondition, a.Term.Offset) {
		return false
	}
	if trueSide(d.other, d.join, a) {
		d.join, d.other = d.other, d.join
	}
	d.more = 0
	cond := d.condition(a)
	if cond == nil {
		return false
	}
	d.take(cond, d.join, d.other)
	return true
}

// ends finds the two places that the tests from b on lead to.
func (d *dag) ends(b *Block) bool {
	if !d.test(b) {
		return false
	}
	for _, n := range [...]*Block{b.True, b.False} {
		n = landing(n)
		if d.seen[n] || n == d.join || n == d.other {
			continue
		}
		if n.Term.Kind == Branch && d.test(n) && n.pure(0) && d.only(n) && d.enter(n) {
			if !d.ends(n) {
				return false
			}
			continue
		}
		switch {
		case d.join == nil:
			d.join = n
		case d.other == nil:
			d.other = n
		default:
			return false
		}
	}
	return true
}

// test reports whether b ends with a test that a condition can have.
func (d *dag) test(b *Block) bool {
	t := &b.Term
	return !t.KeepTrue && !t.KeepFalse && !HasCase(t.Cond) && !isExcTest(t.Cond) && (!hasSlot(t.Cond) || b == d.a)
}

// only reports whether nothing but tests that have been met lead to b.
func (d *dag) only(b *Block) bool {
	for _, p := range b.Preds {
		for p != d.a && !d.seen[p] {
			if len(p.Preds) != 1 || landing(p) != b {
				return false
			}
			p = p.Preds[0]
		}
	}
	return b != d.a
}

// condition is what the tests from b on come to.
func (d *dag) condition(b *Block) pyast.Expr {
	if d.more++; d.more > 4*mostShared {
		return nil
	}
	yes, no := landing(b.True), landing(b.False)
	cond := pyast.Clone(b.Term.Cond)
	switch {
	case yes == no && (yes == d.join || yes == d.other):
		return d.decided(b, yes == d.join)
	case yes == no:
		return d.forNothing(cond, d.condition(yes))
	case yes == d.join && no == d.other:
		return cond
	case yes == d.other && no == d.join:
		return not(cond)
	}
	if yes == d.join || yes == d.other {
		w := d.condition(no)
		switch {
		case w == nil:
			return nil
		case yes == d.join:
			return d.r.boolOp(pyast.Or, b, cond, w)
		}
		return d.r.boolOp(pyast.And, b, not(cond), w)
	}
	v := d.condition(yes)
	switch {
	case v == nil:
		return nil
	case no == d.other:
		return d.r.boolOp(pyast.And, b, cond, v)
	case no == d.join:
		return d.r.boolOp(pyast.Or, b, not(cond), v)
	}
	if w := d.condition(no); w != nil {
		return ifExp(cond, v, w)
	}
	return nil
}
