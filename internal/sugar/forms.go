package sugar

import (
	"slices"

	"github.com/thuml/depyf/internal/evidence"
	"github.com/thuml/depyf/internal/pyast"
)

// form is one way to write a test.
type form struct {
	leaf     pyast.Expr // an operand that is no `and` and no `or`; nil for one of these
	op       pyast.BoolOpKind
	items    []form
	not      bool      // with a `not` and brackets around all of it
	own      bool      // an operand in brackets that it does not need
	pos      pyast.Pos // of the `and` or `or`
	from, to place     // of its expressions
	inside   int       // how badly its parts fit
}

// place is a line and a column of the source, 0 where that is not known.
type place struct{ line, col int }

// signed is an expression, or its opposite.
type signed struct {
	pyast.Expr
	negated bool
}

// flat takes `not` off an operand and returns the operands of the `and` or `or` that it is, if it is one.
func (o signed) flat() (op pyast.BoolOpKind, pos pyast.Pos, list []signed) {
	if u, ok := o.Expr.(*pyast.UnaryOp); ok && u.Op == pyast.Not {
		return signed{u.Operand, !o.negated}.flat()
	}
	b, ok := o.Expr.(*pyast.BoolOp)
	if !ok {
		return op, pos, nil
	}
	if op = b.Op; o.negated {
		op = opposite(op)
	}
	for _, v := range b.Values {
		v := signed{v, o.negated}
		if in, _, more := v.flat(); more != nil && in == op {
			list = append(list, more...)
		} else {
			list = append(list, v)
		}
	}
	return op, b.Pos, list
}

func opposite(op pyast.BoolOpKind) pyast.BoolOpKind { return pyast.And + pyast.Or - op }

// weighing holds the forms that are known of the parts of a test.
type weighing struct {
	known map[signed][]form
	first place // of the test's first expression, with so many letters between it and the word that the statement begins with
	front int   // -1 where nothing tells
}

// unfit tells whether an operand of op that the test begins with needs more letters in front than there are.
func (w *weighing) unfit(f *form, op pyast.BoolOpKind) int {
	if w.front < 0 || f.from != w.first {
		return 0
	}
	if over := f.before(op) - w.front; over > 0 {
		return room(-over, f.not)
	}
	return 0
}

// forms returns the ways to write an operand.
func (w *weighing) forms(o signed) []form {
	if known := w.known[o]; known != nil {
		return known
	}
	op, pos, list := o.flat()
	if list == nil {
		e := o.Expr
		if o.negated {
			e = negate(e)
		}
		w.known[o] = leafForms(e)
		return w.known[o]
	}
	plain := w.joined(op, list, true)
	under := w.underNot(op, list, true)
	if n := plain.nots(); n < len(plain.items) || op == pyast.And && n == 2 {
		under.inside += unusual
	} else {
		plain.inside += around + unusual // `not (a and b)`
	}
	plain.pos, under.pos = pos, pos
	w.known[o] = []form{plain, under}
	return w.known[o]
}

// leafForms are the ways to write an operand that is no `and` and no `or`: as it is, and with an operator in it in brackets, too.
func leafForms(e pyast.Expr) []form {
	f := leafForm(e)
	switch e.(type) {
	case *pyast.Compare, *pyast.BinOp, *pyast.UnaryOp:
		own := f
		own.own = true
		own.inside += needless
		return []form{f, own}
	}
	return []form{f}
}

func leafForm(e pyast.Expr) form {
	f := form{leaf: e}
	f.from.line, f.from.col = evidence.Leftmost(e)
	f.to.line, f.to.col = rightmost(e)
	pyast.Inspect(e, func(n pyast.Node) bool {
		if c, ok := n.(*pyast.Compare); ok && c.Sense == pyast.Negated {
			f.inside += impossible
		}
		return true
	})
	return f
}

// joined joins operands, each in the form in which the whole fits best. With groups, some
// neighbours may stand under a `not` of their own: `a and not (b or c) and d`.
func (w *weighing) joined(op pyast.BoolOpKind, list []signed, groups bool) form {
	const most = 12
	if len(list) > most { // to weigh every way would take long, and nobody writes that many by hand
		f := form{op: op}
		for _, o := range list {
			f.items = append(f.items, least(w.forms(o)))
		}
		f.from, f.to = f.items[0].from, f.items[len(list)-1].to
		return f
	}
	// Of the first so many operands, for each form of the last part: the best forms of the parts in front.
	ends := make([][]form, len(list)+1)
	ends[0] = []form{{op: op}}
	for i := range list {
		add := func(end int, part form) {
			var best form
			for _, before := range ends[i] {
				before.items = append(slices.Clone(before.items), part)
				if best.items == nil || before.misfit() < best.misfit() {
					best = before
				}
			}
			ends[end] = append(ends[end], best)
		}
		for _, f := range w.forms(list[i]) {
			if i == 0 {
				f.inside += w.unfit(&f, op)
			}
			add(i+1, f)
		}
		for j := i + 2; groups && j <= len(list) && j-i < len(list); j++ {
			group := w.underNot(op, list[i:j], false)
			group.inside += 2 * unusual
			if i == 0 {
				group.inside += w.unfit(&group, op)
			}
			add(j, group)
		}
	}
	f := least(ends[len(list)])
	f.from, f.to = f.items[0].from, f.items[len(f.items)-1].to
	return f
}

// least is the form that fits best.
func least(list []form) form {
	best := list[0]
	for _, f := range list[1:] {
		if f.misfit() < best.misfit() {
			best = f
		}
	}
	return best
}

// underNot joins the opposites of operands, with a `not` around all.
func (w *weighing) underNot(op pyast.BoolOpKind, list []signed, groups bool) form {
	f := w.joined(opposite(op), opposites(list), groups)
	f.not = true
	f.inside += around + 2*unusual*f.nots() // `not (not a or b)`
	return f
}

func opposites(list []signed) (out []signed) {
	for _, o := range list {
		out = append(out, signed{o.Expr, !o.negated})
	}
	return out
}

// nots counts the operands that have a `not`.
func (f *form) nots() (n int) {
	for _, i := range f.items {
		if i.not || i.leaf != nil && isNot(i.leaf) {
			n++
		}
	}
	return n
}

// bracketed reports whether f as an operand of op has brackets.
func (f *form) bracketed(op pyast.BoolOpKind) bool {
	return f.leaf == nil && (f.not || f.op == pyast.Or && op == pyast.And)
}

// before and behind are how many letters stand in front of the first expression of an operand of op, and behind its last.
func (f *form) before(op pyast.BoolOpKind) (n int) {
	if f.own {
		n++
	}
	if f.leaf != nil {
		return n + evidence.Nots(f.leaf) + brackets(f.leaf)
	}
	if f.not {
		n += len("not ")
	}
	if f.bracketed(op) {
		n++
	}
	return n + f.items[0].before(f.op)
}

func (f *form) behind(op pyast.BoolOpKind) (n int) {
	if f.own {
		n++
	}
	if f.leaf != nil {
		if _, whole := f.leaf.(*pyast.Compare); whole {
			return n
		}
		return n + brackets(f.leaf)
	}
	if f.bracketed(op) {
		n++
	}
	return n + f.items[len(f.items)-1].behind(f.op)
}

// brackets is 1 for an operand that has brackets in front of its first expression, with a `not` before them or without.
func brackets(e pyast.Expr) int {
	if u, ok := e.(*pyast.UnaryOp); ok && u.Op == pyast.Not {
		e = u.Operand
	}
	line, col := evidence.Leftmost(e)
	for {
		switch x := e.(type) {
		case *pyast.Compare:
			e = x.Left
		case *pyast.BinOp:
			e = x.Left
		case *pyast.Call:
			e = x.Func
		case *pyast.Attribute:
			e = x.Value
		case *pyast.Subscript:
			e = x.Value
		case *pyast.NamedExpr, *pyast.IfExp, *pyast.Lambda, *pyast.Yield:
			if l, c := evidence.Leftmost(x); l == line && c == col { // what is around them begins at the bracket
				return 1
			}
			return 0
		default:
			return 0
		}
	}
}

func (f *form) expr() pyast.Expr {
	if f.leaf != nil {
		return f.leaf
	}
	b := &pyast.BoolOp{Pos: f.pos, Op: f.op}
	for i := range f.items {
		b.Values = append(b.Values, f.items[i].expr())
	}
	if !f.not {
		return b
	}
	n := pyast.NotE(b)
	n.Pos = f.pos
	return n
}

func isNot(e pyast.Expr) bool {
	switch x := e.(type) {
	case *pyast.UnaryOp:
		return x.Op == pyast.Not
	case *pyast.Compare:
		return x.Sense == pyast.Negated // the `not` is in it
	}
	return false
}
