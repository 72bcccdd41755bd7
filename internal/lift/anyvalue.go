package lift

import (
	"slices"

	"github.com/thuml/depyf/internal/cfg"
	"github.com/thuml/depyf/internal/pyast"
)

// What no rule for one shape folds: expressions whose tests lead to each other in any way. A
// test with everything behind it, up to where all ways meet, is an expression of its own; what
// two ways share is written twice, which is the same to the proof.

// mostShared bounds how many blocks are written once more.
const mostShared = 12

// dag is such a part of the graph while it is read.
type dag struct {
	r     reducer
	a     *Block // the test that it begins with
	join  *Block // where all ways meet, or the one where a condition is true
	other *Block // of a condition: where it is false
	parts []*Block
	seen  map[*Block]bool
	more  int                 // blocks that were written once more
	kept  map[pyast.Expr]bool // values that are tested and stay on the stack, and their truth
}

func (r reducer) newDag(a *Block) *dag {
	return &dag{r: r, a: a, seen: map[*Block]bool{}}
}

// own is a copy of an expression of the graph's: a value that is not found in the end must leave that as it is.
func (d *dag) own(e pyast.Expr) pyast.Expr {
	c := pyast.Clone(e)
	if b, ok := e.(*pyast.BoolOp); ok && d.r.g.brackets[b] {
		d.r.g.brackets[c.(*pyast.BoolOp)] = true
	}
	return c
}

// closed reports whether nothing else leads into the parts.
func (d *dag) closed() bool {
	return !slices.ContainsFunc(d.parts, func(b *Block) bool { return !d.only(b) })
}

// value is what the ways from b on come to where they meet, in d.join. b finds on the stack what
// the ways to it have pushed behind what a leaves there.
func (d *dag) value(b *Block, pushed []pyast.Expr) pyast.Expr {
	if b == d.join {
		if len(pushed) != 1 {
			return nil
		}
		return pushed[0]
	}
	if b == nil {
		return nil
	}
	if w := d.copied(b, pushed); w != nil {
		return w
	}
	if !d.enter(b) || len(b.In) != len(d.a.Out)+len(pushed) {
		return nil
	}
	return d.behind(b, pushed)
}

// copied is the value of which b, a copy of the block where all ways meet, makes the same use: from 3.10 on the compiler
// copies short exits, and what drops or stores a value with them. A constant that is only dropped is not loaded.
//
//	if a: c else b                       x = a and b
//	b: x = v; return None             →  return None
//	c: x = <kept>; return None
func (d *dag) copied(b *Block, pushed []pyast.Expr) (w pyast.Expr) {
	j, at := d.join, len(d.a.Out)
	if len(j.Stmts) == 0 || IsMarker(j.Stmts[0]) || len(b.Out) != len(j.Out) {
		return nil
	}
	if x := landing(b); isDropOf(j.Stmts[0], at) && len(pushed) == 0 && len(x.Out) == len(j.Out) && sameTail(j.Stmts[1:], j, x) {
		return pyast.None()
	}
	switch {
	case len(b.Stmts) != len(j.Stmts) || !sameEnding(b, j) || !pyast.EqualStmts(j.Stmts[1:], b.Stmts[1:]) || !d.enter(b):
	case len(pushed) == 0:
		w = filling(j.Stmts[0], at, b.Stmts[0])
	case len(pushed) == 1 && pyast.EqualStmts(j.Stmts[:1], b.Stmts[:1]):
		return pushed[0]
	}
	if w == nil || hasSlot(w) {
		return nil
	}
	return d.own(w)
}

// enter counts a block behind a as a part.
func (d *dag) enter(b *Block) bool {
	if d.seen[b] {
		d.more++
		return d.more <= mostShared
	}
	if b == d.a || !b.lifted || b.entry || len(b.HandlerOf) > 0 || !sameExc(d.a, b) || len(b.group) > 0 {
		return false
	}
	d.seen[b] = true
	d.parts = append(d.parts, b)
	return len(d.parts) < 100
}

// behind is value for a block that has been entered, or for a itself.
func (d *dag) behind(b *Block, pushed []pyast.Expr) pyast.Expr {
	f := blockFill{d: d, b: b, base: len(d.a.Out), pushed: pushed, taken: make([]int, len(pushed))}
	out, ok := f.stack()
	if !ok {
		return nil
	}
	t := &b.Term
	var value pyast.Expr
	switch {
	case t.Kind == Goto && !t.Break && !t.Continue && t.EndBody == nil && !t.EndExcept && !t.EndFinally:
		value = d.value(b.Next, out)
	case t.Kind == Branch && !HasCase(t.Cond) && !isExcTest(t.Cond) && !(t.KeepTrue && t.KeepFalse):
		value = d.choice(b, f.fill(t.Cond), out)
	}
	if !f.once() {
		return nil
	}
	return value
}

// blockFill puts what was pushed before into the expressions of one block.
type blockFill struct {
	d      *dag
	b      *Block
	base   int // the height of the stack at which the pushed values begin
	pushed []pyast.Expr
	taken  []int // how often each is used
	below  bool  // what lies below them is used, too
}

func (f *blockFill) fill(e pyast.Expr) pyast.Expr {
	return pyast.RewriteExpr(f.d.own(e), func(x pyast.Expr) pyast.Expr {
		k, is := slotOf(x)
		switch {
		case !is || f.b == f.d.a:
			return x // what a finds on the stack is not what it leaves there
		case k < f.base:
			f.below = true
			return x
		}
		f.taken[k-f.base]++
		return f.pushed[k-f.base]
	})
}

// stack is what the block leaves on top of what was there before. It may drop values that were
// tested and kept, and nothing else. Of a itself it is nothing.
func (f *blockFill) stack() (out []pyast.Expr, ok bool) {
	if f.b == f.d.a {
		return nil, true
	}
	for _, s := range f.b.Stmts {
		drop, is := s.(*pyast.ExprStmt)
		if !is {
			return nil, false
		}
		k, is := slotOf(drop.Value)
		if !is || k < f.base || !f.d.isKept(f.pushed[k-f.base]) {
			return nil, false
		}
	}
	if len(f.b.Out) < f.base {
		return nil, false
	}
	for k, v := range f.b.Out {
		switch {
		case k < f.base:
			if v != f.b.In[k] {
				return nil, false
			}
		case v.Kind != KExpr || v.Aug() != nil || len(v.Targets()) > 0:
			return nil, false
		default:
			out = append(out, f.fill(v.E))
		}
	}
	return out, true
}

// once reports whether no value is computed twice in the text, nor anything used that lies below.
func (f *blockFill) once() bool {
	for k, n := range f.taken {
		if n > 1 && !Simple(f.pushed[k]) {
			return false
		}
	}
	return !f.below
}

// choice is the value of a test and what is behind it.
func (d *dag) choice(b *Block, cond pyast.Expr, out []pyast.Expr) pyast.Expr {
	t := &b.Term
	if truth, kept := d.kept[cond]; kept {
		// A value is tested again that a jump has not been sent past.
		next, keeps := b.False, t.KeepFalse
		if truth {
			next, keeps = b.True, t.KeepTrue
		}
		if keeps {
			out = append(out[:len(out):len(out)], cond)
		}
		return d.value(next, out)
	}
	kept := &pyast.Hole{Kind: pyast.StackItem, N: -1}
	side := func(next *Block, keeps, truth bool) pyast.Expr {
		if !keeps {
			return d.value(next, out)
		}
		if d.kept == nil {
			d.kept = map[pyast.Expr]bool{}
		}
		d.kept[kept] = truth
		return d.value(next, append(out[:len(out):len(out)], kept))
	}
	v := side(b.True, t.KeepTrue, true)
	if v == nil {
		return nil
	}
	w := side(b.False, t.KeepFalse, false)
	if w == nil {
		return nil
	}
	switch {
	case t.KeepTrue:
		return d.joined(b, pyast.Or, cond, kept, v, w)
	case t.KeepFalse:
		return d.joined(b, pyast.And, cond, kept, w, v)
	}
	if e := d.passed(b, pyast.Or, cond, v, w); e != nil {
		return e
	}
	if e := d.passed(b, pyast.And, cond, w, v); e != nil {
		return e
	}
	if e := first(v, w, func(v, w pyast.Expr) pyast.Expr { return ifExp(cond, v, w) }); e != nil {
		return e
	}
	return ifExp(cond, v, w)
}

// isKept reports whether e stands for a value that was tested and kept.
func (d *dag) isKept(e pyast.Expr) bool {
	_, kept := d.kept[e]
	return kept
}

// anyValue folds a test whose ways all come to one value where they meet.
func (r reducer) anyValue(a *Block) bool {
	if a.Term.Kind != Branch || a.True == a.False || HasCase(a.Term.Cond) || isExcTest(a.Term.Cond) {
		return false
	}
	for n, j := range r.meetings(a) {
		if n == mostMeetings {
			break
		}
		d := r.newDag(a)
		d.join = j
		e := d.behind(a, nil)
		if e == nil || !d.closed() {
			continue
		}
		r.setGoto(a, e, push{e, len(a.Out), j}, d.parts...)
		return true
	}
	return false
}

// keptFor reports whether b finds a value on the stack that the test in front has kept.
func keptFor(b *Block) bool {
	return slices.ContainsFunc(b.Preds, func(p *Block) bool { return p.Term.KeepTrue && p.True == b || p.Term.KeepFalse && p.False == b })
}

// mostMeetings bounds the places where a value is looked for.
const mostMeetings = 4

// meetings are blocks behind a that begin with one more value on the stack, and that more ways than
// one lead to, or copies of such, in the order of the code.
func (r reducer) meetings(a *Block) []*Block {
	var out []*Block
	n := 0
	for b, more := range cfg.Walk(a) {
		if n++; n > 60 {
			break
		}
		if n := len(b.In); b != a && n == len(a.Out)+1 && (len(b.Preds) > 1 || keptFor(b)) && (b.In[n-1] == nil || b.In[n-1].Kind == KExpr) { // nil: b waits
			out = append(out, b)
		}
		if b == a || len(b.In) > len(a.Out) || b.pure(1) || b.pure(0) {
			b.Succs(more)
		}
	}
	slices.SortFunc(out, func(x, y *Block) int { return y.ID - x.ID })
	return out
}
