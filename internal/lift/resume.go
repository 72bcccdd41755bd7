package lift

import (
	"cmp"
	"slices"
	"sort"

	"github.com/thuml/depyf/internal/cfg"
)

// A block that begins where the ways through an expression meet goes on with what lies
// on the stack:
//
//	LOAD c; POP_JUMP_IF_FALSE f            x[i] += v if c else w
//	   LOAD v; JUMP_FORWARD j
//	f: LOAD w
//	j: BINARY_OP +=; SWAP 3; …; STORE_SUBSCR
//
// It waits until the ways to it have become one expression, and is lifted behind the
// block that holds this one, on the values themselves: an in-place operation finds its
// operand, `a = b[c or d] = v` its duplicate.

// expectPreds notes the predecessors of blocks that are not lifted yet.
func (l *lifter) expectPreds() {
	room := make([]*Block, 2*len(l.g.Blocks)) // few blocks have more
	for i, b := range l.g.Blocks {
		b.Preds = room[2*i : 2*i : 2*i+2]
	}
	for _, b := range l.g.Blocks {
		l.expected(b, func(s *Block) { s.Preds = append(s.Preds, b) })
	}
}

// unexpect removes them: now the block tells by itself.
func (l *lifter) unexpect(b *Block) {
	l.expected(b, func(s *Block) { unpred(s, b) })
}

func (l *lifter) expected(b *Block, f func(*Block)) {
	for _, x := range [...]*cfg.Block{b.Src.Next, b.Src.Taken} {
		if s := l.g.Of(x); s != nil {
			f(s)
		}
	}
}

// resume lifts one of the blocks that wait: behind the expression that leads to it, or,
// where there is none, on placeholders.
func (l *lifter) resume() error {
	sort.Slice(l.waiting, func(i, j int) bool { return l.waiting[i].ID < l.waiting[j].ID })
	for _, anyWays := range []bool{false, true} { // where nothing else goes on
		for i, j := range l.waiting {
			if a := l.expression(j, anyWays); a != nil {
				l.waiting = slices.Delete(l.waiting, i, i+1)
				return l.behind(a, j)
			}
		}
	}
	l.work = append(l.work, l.waiting[0])
	l.waiting = l.waiting[1:]
	return nil
}

// expression folds the ways to j into one, if they can be, and returns the block at
// the end of which j may be lifted. With anyWays, what ways in an unfinished expression come to is a part of it, whatever they are.
func (l *lifter) expression(j *Block, anyWays bool) *Block {
	for {
		if a := cmp.Or(l.only(j), l.decided(j)); a != nil {
			return a
		}
		ways := l.before(j)
		folds := func(fold func(b *Block) bool) bool {
			return slices.ContainsFunc(ways, func(b *Block) bool { return !b.Gone && b.Term.Kind == Branch && fold(b) })
		}
		if !folds(l.r.chain) && !folds(l.r.reduce) && !(anyWays && folds(func(b *Block) bool { return pending(b.Out) && l.r.anyValue(b) })) {
			return nil
		}
	}
}

// only returns the block that j goes on from, if there is but one.
func (l *lifter) only(j *Block) *Block {
	if len(j.Preds) != 1 {
		return nil
	}
	a := j.Preds[0]
	t := &a.Term
	if !a.lifted || a == j || t.Kind != Goto || a.Exc != j.Exc || len(a.Out) != len(j.In) || !pending(a.Out) ||
		t.EndFinally || t.EndExcept || t.EndBody != nil || t.Break || t.Continue || a.leaves {
		return nil
	}
	return a
}

// before lists the blocks that lead to j and that only compute, and those where they
// begin; the last one first.
func (l *lifter) before(j *Block) []*Block {
	var out []*Block
	for b, more := range cfg.Walk(j) {
		if b != j {
			out = append(out, b)
		}
		if b != j && len(b.Stmts) > 0 {
			continue
		}
		for _, p := range b.Preds {
			if p.lifted && !p.Gone {
				more(p)
			}
		}
	}
	sort.Slice(out, func(x, y int) bool { return out[x].ID > out[y].ID })
	return out
}

// behind lifts j at the end of a, on the values that a leaves on the stack.
func (l *lifter) behind(a, j *Block) error {
	m := &machine{g: l.g, b: a, code: l.g.CFG.Func.Code, line: a.line, group: a.group, choices: a.choices}
	a.group = nil
	for _, v := range a.Out {
		m.seq = max(m.seq, v.seq)
	}
	for _, v := range a.Out {
		m.push(v)
	}
	l.unexpect(j)
	j.Preds = nil
	j.Gone, j.Into = true, a
	src := a.Src
	a.Src, a.Term, a.Next, a.True, a.False = j.Src, Term{}, nil, nil, nil
	err := l.run(m)
	a.Src = src
	a.loud = a.loud || !(&Block{Src: j.Src}).quiet()
	return err
}

// holder returns the lifted block that src has become a part of.
func (g *Graph) holder(src *cfg.Block) *Block {
	b := g.Of(src)
	for b != nil && b.Into != nil {
		b = b.Into
	}
	return b
}
