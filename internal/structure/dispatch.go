package structure

import (
	"slices"

	"github.com/thuml/depyf/internal/cfg"
	"github.com/thuml/depyf/internal/lift"
	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyast"
)

// Dispatch says what becomes of control flow that no statements are found for.
type Dispatch uint8

// The ways, from the one that reads best.
const (
	Never      Dispatch = iota // it is an error
	Resisting                  // the smallest part that resists becomes a dispatch loop
	Everything                 // the whole function is one
)

// dispatch writes the statements from b on, until the context takes over, as a loop
// over the blocks. It has the contract of build and needs no pattern in the graph:
//
//	state = 0
//	while True:
//	    if state == 0:
//	        a()
//	        state = 1 if … else 2
//	    elif state == 1:
//	        …
//	    else:
//	        break
//
// Only what the language has no jump into or out of stays a statement: `for`,
// `with`, `try` and the test of a case. Each of their parts is a level with a loop
// of its own over the same variable: a number that is none of its arms' leaves it, so
// that nothing has to follow a jump.
func (s *builder) dispatch(b *lift.Block, c ctx, why string) []pyast.Stmt {
	d := &dispatcher{s: s, c: c, state: s.g.NewTempFor("state"), num: map[armKey]int{}, subjects: map[int]string{}, rests: map[restKey]*lift.Block{}, room: 40*len(s.blocks) + 400}
	s.leaveEarly()
	var first, last []pyast.Stmt
	if b == s.g.Entry {
		first, b = d.straight(b)
		last = d.lastOf()
	}
	handles := handled(b)
	d.root = &level{region: c.exc, in: func(x *lift.Block) bool { return handled(x) >= handles }}
	list := d.loop(b, d.root)
	list = append(append(list, d.epilogue()...), last...)
	note := &pyast.Comment{Text: DispatchNote + " (" + why + ")"}
	if len(b.Stmts) > 0 && isExcAs(b.Stmts[0]) {
		return append([]pyast.Stmt{b.Stmts[0], note}, list...)
	}
	return append(append(first, note), list...)
}

// leaveEarly takes blocks out of the with statements that the block in front has left: a
// `return` in one has its place in it, which a statement of its own would enter again.
func (s *builder) leaveEarly() {
	for _, b := range s.g.Blocks {
		if b.Term.Kind != lift.Goto || b.Next == nil || len(b.Next.Preds) != 1 || b.Next.Exc != b.Exc || b.Next.Term.EndBody != nil {
			continue
		}
		for _, st := range b.Stmts {
			if r := b.Next.Exc; isWithExit(st) && r != nil && s.classify(r, s.handlerOf(r)) == opcode.SetupWith {
				b.Next.Exc = r.Parent
			}
		}
	}
}

// DispatchNote begins the comment in front of a dispatch loop; why no statements stand there follows in parentheses.
const DispatchNote = "depyf found no statements for this control flow: each turn runs one block of the bytecode"

// dispatcher writes one dispatch loop.
type dispatcher struct {
	s        *builder
	c        ctx
	root     *level
	state    string // the variable
	num      map[armKey]int
	subjects map[int]string // of match statements, by ID
	rests    map[restKey]*lift.Block
	cont     bool // the context's `continue` is used
	brk      bool
	after    *lift.Block // where the shared finally body that is being written goes on
	final    bool        // a finally body is being written: its end leads on by itself
	outer    *dispatcher // of a finally body: the one around it
	at       *level      // and the level there
	out      bool        // a jump leads out of the finally body
	room     int         // how many more arms are written
}

// maxInline bounds how many blocks are written behind one another in an arm.
const maxInline = 12

// The numbers of the ways out of the whole.
const (
	leaves    = -1
	continues = -2
	breaks    = -3
)

// level is a part of a statement with a dispatch loop of its own.
type level struct {
	up      *level
	region  *cfg.Region              // innermost protected region around all of it
	in      func(b *lift.Block) bool // whether a block of the level around belongs to this one
	head    *lift.Block              // of a for loop
	with    *lift.With               // of a with statement
	shared  *lift.Block              // ≤3.8: the clean-up code that the body falls into
	end     *lift.Block              // where that leads
	handler bool                     // of an except clause
	star    bool                     // of one of `except*`, which no statement leaves

	looped bool // there has to be a loop
	arms   []*lift.Block
	texts  map[*lift.Block][]pyast.Stmt
	jumped map[*lift.Block]bool // by an assignment
}

// loop writes the arms of a level, from entry on.
func (d *dispatcher) loop(entry *lift.Block, l *level) []pyast.Stmt {
	l.texts, l.jumped = map[*lift.Block][]pyast.Stmt{}, map[*lift.Block]bool{}
	l.arms = []*lift.Block{entry}
	for i := 0; i < len(l.arms); i++ {
		l.texts[l.arms[i]] = d.arm(l.arms[i], l, 0)
	}
	if len(l.arms) == 1 && !l.jumped[entry] && !l.looped {
		return l.texts[entry]
	}
	slices.SortStableFunc(l.arms, func(a, b *lift.Block) int { return a.ID - b.ID })
	tail := []pyast.Stmt{&pyast.Break{}}
	for _, b := range slices.Backward(l.arms) {
		tail = []pyast.Stmt{&pyast.If{Test: d.is(pyast.Eq, d.number(b, l)), Body: l.texts[b], OrElse: tail}}
	}
	return []pyast.Stmt{d.set(d.number(entry, l)), &pyast.While{Test: pyast.Bool(true), Body: tail}}
}

// number is that of b's arm at level l. The block with which a protected body begins has
// one in front of the statement, too.
func (d *dispatcher) number(b *lift.Block, l *level) int {
	key := armKey{l, b}
	n, ok := d.num[key]
	if !ok {
		n = len(d.num)
		d.num[key] = n
	}
	return n
}

type armKey struct {
	level *level
	block *lift.Block
}

func (d *dispatcher) set(n int) pyast.Stmt {
	return pyast.AssignS(pyast.N(d.state), pyast.Int(int64(n)))
}

func (d *dispatcher) is(op pyast.CmpOpKind, n int) pyast.Expr {
	return pyast.Cmp(pyast.N(d.state), op, pyast.Int(int64(n)))
}

// epilogue follows the loop: what the context's jumps are.
func (d *dispatcher) epilogue() (out []pyast.Stmt) {
	if d.cont {
		out = append(out, &pyast.If{Test: d.is(pyast.Eq, continues), Body: []pyast.Stmt{&pyast.Continue{}}})
	}
	if d.brk {
		out = append(out, &pyast.If{Test: d.is(pyast.Eq, breaks), Body: []pyast.Stmt{&pyast.Break{}}})
	}
	return out
}

// levelOf finds the innermost level at l or around it that b belongs to.
func (d *dispatcher) levelOf(b *lift.Block, l *level) *level {
	var chain []*level
	for x := l; x != nil; x = x.up {
		chain = append(chain, x)
	}
	slices.Reverse(chain)
	k := chain[0]
	for _, x := range chain[1:] {
		if !x.in(b) {
			break
		}
		k = x
	}
	return k
}

// behind is the level around the statement that protects region r, of those around l. Up
// to 3.8 the body falls into its clean-up code, see level.shared.
func (d *dispatcher) behind(r *cfg.Region, l *level) *level {
	if r == nil || d.s.g.CFG.Func.Code.Version.SharesFinallyBody() {
		return l
	}
	for l.up != nil && l.region.Inside(r) {
		l = l.up
	}
	return l
}

// jump leads from level l to b. Nothing may follow it at l.
func (d *dispatcher) jump(b *lift.Block, l *level, depth int) []pyast.Stmt {
	if b == nil {
		fail("control runs off the end of the code")
	}
	if b == noBlock {
		return []pyast.Stmt{&pyast.Pass{}} // the finally clause never comes out
	}
	s := d.s
	for { // past blocks that do nothing
		for x := l; x != nil; x = x.up {
			if x.shared != nil && b == x.shared {
				return d.jump(x.end, x.up, maxInline)
			}
		}
		if s.thru(b) == b {
			break
		}
		b = b.Next
	}
	if out := d.leave(b); out != nil {
		return out
	}
	k := d.levelOf(b, l)
	if k == d.root {
		if d.final && !k.in(b) {
			// A jump out of the clause, which ends what it would raise again.
			if returnsPlainly(b) {
				return []pyast.Stmt{s.writeReturn(b)}
			}
			d.out = true
			return append(d.outer.jump(b, d.at, maxInline), d.set(continues))
		}
		if !b.Exc.Inside(d.c.exc) || !k.in(b) {
			fail("a jump out of the statement around a dispatch loop")
		}
	}
	if !slices.Contains(k.arms, b) {
		if k == l && len(b.Preds) == 1 && depth < maxInline && b.Term.Kind != lift.For {
			return d.arm(b, l, depth+1)
		}
		k.arms = append(k.arms, b)
	}
	if !isHead(b, l, k) {
		k.jumped[b] = true
	}
	return []pyast.Stmt{d.set(d.number(b, k))}
}

// leave writes a jump to what lies behind the loop, or around it; nil where b is none of that.
func (d *dispatcher) leave(b *lift.Block) []pyast.Stmt {
	s := d.s
	switch {
	case b == s.end && d.c.fall != s.end && s.g.CFG.Func.Code.IsFunction():
		return []pyast.Stmt{&pyast.Return{}}
	case s.at(b, d.c.fall) || d.c.stop.has(b) || d.c.stop.has(s.thru(b)):
		return []pyast.Stmt{d.set(leaves)}
	case d.c.cont != nil && s.at(b, d.c.cont):
		d.cont = true
		return []pyast.Stmt{d.set(continues)}
	case d.c.brk != nil && s.at(b, d.c.brk):
		d.brk = true
		return []pyast.Stmt{d.set(breaks)}
	case b == s.end, d.c.busy.has(b):
		fail("a jump out of a dispatch loop that no statement makes")
	}
	return nil
}

// returnsPlainly reports whether b does nothing but return what needs no computing.
func returnsPlainly(b *lift.Block) bool {
	return len(b.Stmts) == 0 && b.Term.Kind == lift.Return && (b.Term.Value == nil || lift.Simple(b.Term.Value))
}

// isHead reports whether b is the head of the outermost loop between two levels: to
// go there is to take its next turn.
func isHead(b *lift.Block, l, k *level) bool {
	for ; l != nil && l != k; l = l.up {
		if l.head == b && l.up == k {
			return true
		}
	}
	return false
}

// arm writes what block b does.
func (d *dispatcher) arm(b *lift.Block, l *level, depth int) []pyast.Stmt {
	if d.room--; d.room < 0 {
		fail("the control flow needs too many copies of its blocks")
	}
	if !b.Exc.Inside(l.region) && !l.region.Inside(b.Exc) {
		fail("a block of another protected statement")
	}
	if b.Exc != l.region && b.Exc.Inside(l.region) {
		return d.protected(b, l)
	}
	if b.Term.Kind == lift.For && len(b.Stmts) == 0 {
		return d.forLoop(b, l)
	}
	var out []pyast.Stmt
	for i, st := range b.Stmts {
		if i > 0 && i+1 < len(b.Stmts) && clears(b.Stmts[i-1], st) {
			// The clause ends here.
			rest := d.rest(b, i+1, cutHandling(b.In))
			return append(append(out, st), d.jump(rest, l, depth)...)
		}
		m, ok := st.(*lift.Marker)
		if !ok {
			out = append(out, st)
			continue
		}
		switch m.Kind {
		case lift.MarkExcAs:
			if i > 0 {
				fail("an exception is named in the middle of a clause")
			}
		case lift.MarkWithExit:
			if within(m.With, b, l) {
				continue // what is returned was computed in the body
			}
			in := slices.DeleteFunc(slices.Clone(b.In), func(v *lift.Value) bool { return v.Kind == lift.KExit && v.With() == m.With })
			rest := d.rest(b, i+1, in)
			if e := d.s.entryOf(m); e != nil && e.Next != nil && e.Next.Exc != nil && b.Exc.Inside(e.Next.Exc) {
				rest.Exc = e.Exc // a block may begin in the body that it leaves (≤3.10)
			}
			return append(out, d.jump(rest, l, depth)...)
		case lift.MarkWithEnter:
			next := b.Next
			if i+1 < len(b.Stmts) || b.Term.Kind != lift.Goto {
				next = d.rest(b, i+1, append(slices.Clone(b.In), lift.ExitOf(m.With)))
			}
			return append(out, d.with(m, next, l)...)
		case lift.MarkMatch:
			t := d.s.g.NewTempFor("subject")
			d.subjects[m.ID] = t
			out = append(out, pyast.AssignS(pyast.N(t), m.Args[0]))
		case lift.MarkCase:
			out = append(out, d.match(m.ID, nil, []pyast.Stmt{&pyast.Pass{}}, nil))
		default:
			out = append(out, st)
		}
	}
	return append(out, d.end(b, l, depth)...)
}

// within reports whether block b is part of the body of with statement w.
func within(w *lift.With, b *lift.Block, l *level) bool {
	for ; l != nil; l = l.up {
		if l.with == w {
			return l.region != l.up.region && b.Exc.Inside(l.region)
		}
	}
	return false
}

// clears reports whether two statements are the `e = None; del e` that ends a clause.
func clears(a, b pyast.Stmt) bool {
	del, ok := b.(*pyast.Delete)
	if !ok || len(del.Targets) != 1 {
		return false
	}
	n, ok := del.Targets[0].(*pyast.Name)
	return ok && isClear(a, b, n.Id)
}

// cutHandling is a stack without the exception that is handled last.
func cutHandling(in []*lift.Value) []*lift.Value {
	k := len(in)
	for k > 0 && in[k-1].Kind != lift.KExc && in[k-1].Kind != lift.KOldExc {
		k--
	}
	if k == 0 {
		return in
	}
	for k--; k > 0 && (in[k-1].Kind == lift.KExc || in[k-1].Kind == lift.KOldExc); k-- {
	}
	return in[:k:k]
}

type restKey struct {
	b  *lift.Block
	at int
}

// rest is the end of block b from a statement on, as a block with a stack of its own.
func (d *dispatcher) rest(b *lift.Block, at int, in []*lift.Value) *lift.Block {
	k := restKey{b, at}
	if r := d.rests[k]; r != nil {
		return r
	}
	r := *b
	r.Num, r.Stmts, r.In, r.Preds, r.HandlerOf = 0, b.Stmts[at:], in, []*lift.Block{b}, nil
	d.rests[k] = &r
	return &r
}

// end writes how block b ends.
func (d *dispatcher) end(b *lift.Block, l *level, depth int) []pyast.Stmt {
	t := &b.Term
	switch t.Kind {
	case lift.Goto:
		if t.EndFinally && d.final && d.atRoot(l) {
			d.after = b.Next
			return []pyast.Stmt{d.set(leaves)}
		}
		if out := d.behind(t.EndBody, l); out != l {
			return d.jump(b.Next, out, maxInline) // a loop may lead back into the body
		}
		return d.jump(b.Next, l, depth)
	case lift.Return:
		if l.star {
			return []pyast.Stmt{d.set(leaves)} // what stands behind the statement returns, see protected
		}
		return []pyast.Stmt{d.s.writeReturn(b)}
	case lift.Raise:
		return []pyast.Stmt{&pyast.Raise{Pos: t.Pos(), Exc: t.Value, Cause: t.Cause}}
	case lift.Reraise, lift.Stop:
		for x := l; x != nil; x = x.up {
			if x.handler {
				return []pyast.Stmt{&pyast.Raise{}}
			}
		}
		if !d.final {
			fail("an exception is raised again outside of its handler")
		}
		return []pyast.Stmt{d.set(leaves)}
	case lift.For:
		// Statements stand in front of the loop's head.
		r := d.rest(b, len(b.Stmts), b.Out)
		return d.jump(r, l, depth)
	}
	if k, guard, neg, ok := d.caseTest(t.Cond); ok {
		then, els := b.True, b.False
		if neg {
			then, els = els, then
		}
		return []pyast.Stmt{d.match(k, guard, d.jump(then, l, depth), d.jump(els, l, depth))}
	}
	if lift.IsExcTest(t.Cond) {
		fail("an except test outside of its statement")
	}
	return []pyast.Stmt{&pyast.If{Pos: pyast.At(t.Line, t.Offset), Test: t.Cond, Body: d.jump(b.True, l, depth), OrElse: d.jump(b.False, l, depth)}}
}

// atRoot reports whether no statement of the dispatch loop is around level l that
// would take the end of a finally body for its own.
func (d *dispatcher) atRoot(l *level) bool {
	for ; l != nil; l = l.up {
		if l.shared != nil {
			return false
		}
	}
	return true
}

// caseTest takes a condition apart that begins with the test of a case.
func (d *dispatcher) caseTest(e pyast.Expr) (k int, guard pyast.Expr, neg, ok bool) {
	if u, isNot := e.(*pyast.UnaryOp); isNot && u.Op == pyast.Not {
		k, guard, neg, ok = d.caseTest(u.Operand)
		return k, guard, !neg, ok
	}
	if b, isBool := e.(*pyast.BoolOp); isBool && b.Op == pyast.And && len(b.Values) > 1 {
		e, guard = b.Values[0], b.Values[1]
		if len(b.Values) > 2 {
			guard = &pyast.BoolOp{Op: pyast.And, Values: b.Values[1:]}
		}
	}
	k, ok = lift.CaseOf(e)
	return k, guard, false, ok && k < len(d.s.g.CFG.Cases)
}

// match writes the test of one case as a statement of its own.
func (d *dispatcher) match(k int, guard pyast.Expr, then, els []pyast.Stmt) pyast.Stmt {
	cs := d.s.g.CFG.Cases[k]
	subject := d.subjects[cs.ID]
	if subject == "" {
		fail("a case without its match statement")
	}
	m := &pyast.Match{Subject: pyast.N(subject)}
	m.Cases = append(m.Cases, &pyast.MatchCase{Pattern: cs.Pattern, Guard: guard, Body: then})
	if len(els) > 0 {
		m.Cases = append(m.Cases, &pyast.MatchCase{Pattern: &pyast.MatchAs{}, Body: els})
	}
	return m
}

func isExcAs(st pyast.Stmt) bool {
	m, ok := st.(*lift.Marker)
	return ok && m.Kind == lift.MarkExcAs
}
