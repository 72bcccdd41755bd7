package structure

import (
	"cmp"
	"fmt"
	"iter"
	"slices"

	"github.com/thuml/depyf/internal/cfg"
	"github.com/thuml/depyf/internal/lift"
	"github.com/thuml/depyf/internal/pyast"
)

type structError struct{ msg string }

func (e structError) Error() string { return e.msg }

func fail(format string, args ...any) { panic(structError{fmt.Sprintf(format, args...)}) }

// ctx is the continuation context.
type ctx struct {
	fall *lift.Block // reached: emit nothing
	cont *lift.Block // reached: continue
	brk  *lift.Block // reached: break
	exc  *cfg.Region // the region whose statements are being written
	busy *loopStack  // loops being written, so that their head is not entered again
	stop *stopSet    // blocks that end the list (where a protected body is left)

	final *finalEnd // ≤3.8: the shared finally body being written
}

type loopStack struct {
	head *lift.Block
	up   *loopStack
}

type stopSet struct {
	block *lift.Block
	up    *stopSet
}

func (s *stopSet) has(b *lift.Block) bool {
	for ; s != nil; s = s.up {
		if s.block == b {
			return true
		}
	}
	return false
}

func (l *loopStack) has(b *lift.Block) bool {
	for ; l != nil; l = l.up {
		if l.head == b {
			return true
		}
	}
	return false
}

type builder struct {
	g      *lift.Graph
	end    *lift.Block // stands for the end of the function
	blocks []*lift.Block
	dom    *cfg.Tree
	pdom   *cfg.Tree                            // over normal edges, with one node more for the end
	loops  map[*lift.Block]map[*lift.Block]bool // natural loop of each head
	heads  map[*lift.Block]bool
	budget int
	how    Dispatch

	places   places
	bodyEnds map[*cfg.Region][]*lift.Block // the blocks that end each region's body
	entries  map[*lift.With]*lift.Block    // where each with statement is entered
	tested   map[*lift.Block]*lift.Block   // the heads of loops whose test stood at their end, too, and where their bodies begin
	catcher  map[*cfg.Region]*lift.Block   // where each region's exceptions arrive

	// Of long functions, by block number: see barrier.go.
	exitsOf      []exitSet
	below        []int // blocks dominated
	enter, leave []int // the dominator tree, numbered

	turned map[*cfg.Region]bool       // statements in a loop without edges, see brokenTo
	turns  map[*lift.Block]*cfg.Block // 3.7: the heads of loops without edges, and their SETUP_LOOPs, see splitTurns

	out      []pyast.Stmt
	written  bool // out is there
	reraises bool // out may have a reraise left in it

	reraise map[*cfg.Region]*lift.Block // where the handler of a finally clause raises its exception again
}

// implicitReturns turns every `return None` that the compiler added at the end
// of the function into a jump to the end. It carries no line of its own: the
// compiler gives it that of the statement before.
func (s *builder) implicitReturns() {
	code := s.g.CFG.Func.Code
	maxID := -1
	for _, b := range s.g.Blocks {
		if b.ID > maxID {
			maxID = b.ID
		}
	}
	for _, b := range s.g.Blocks {
		t := &b.Term
		if t.Kind != lift.Return {
			continue
		}
		if t.Value != nil {
			c, ok := t.Value.(*pyast.Constant)
			if !ok || !isNone(c) {
				continue
			}
		}
		if !code.Version.CopiesExitBlocks() && code.IsFunction() {
			// Until 3.9 there is one, at the end of the code.
			if s.g.CFG.Func.EndsAt(b.Term.Offset) && t.Line <= s.lastLineBefore(b) {
				*t = lift.Term{Kind: lift.Goto, Line: t.Line, Offset: t.Offset}
				b.Next = s.end
			}
			continue
		}
		implicit := t.Line <= 0 || !code.IsFunction()
		implicit = implicit || t.Col > 0 && s.writtenReturn(b) == notWritten
		if list := beforeClear(b.Stmts); len(list) > 0 && !implicit {
			implicit = lastLine(list[len(list)-1]) >= t.Line
		} else if !implicit && t.Col <= 0 {
			// Reached by a test alone: on the test's line it is the end.
			implicit = true
			for _, p := range b.Preds {
				if p.Term.Line != t.Line && lineOf(p) != t.Line {
					implicit = false
				}
			}
			if len(b.Preds) == 0 {
				implicit = b == s.g.Entry
			}
		}
		if b.ID == maxID && len(b.Preds) > 0 {
			implicit = implicit || len(b.Stmts) == 0 && t.Line <= 0
		}
		if !code.IsFunction() || s.either(functionEnd, b, implicit && !s.suppressedGoesOn(b)) {
			end := lift.Term{Kind: lift.Goto, Line: t.Line, Offset: t.Offset}
			if t.EndCol-t.Col == len("pass") && s.ownPlace(t) {
				end.Col, end.EndCol, end.At = t.Col, t.EndCol, t.At
			}
			*t = end
			b.Next = s.end
		}
	}
}

// beforeClear leaves out the `e = None; del e` that ends a clause `except E as e`:
// it bears the line of the return behind it.
func beforeClear(list []pyast.Stmt) []pyast.Stmt {
	if n := len(list); n >= 2 {
		if d, ok := list[n-1].(*pyast.Delete); ok && len(d.Targets) == 1 {
			if x, ok := d.Targets[0].(*pyast.Name); ok && isClear(list[n-2], d, x.Id) {
				return list[:n-2]
			}
		}
	}
	return list
}

// What the source says where a function returns None.
type written uint8

const (
	notWritten written = iota
	returnOnly         // return
	returnNone         // return None
)

// writtenReturn reads it from the columns (3.11+): the constant None stands at
// its own place, or at that of `return`. A return that the compiler added stands
// where the instruction in front stands, or at a `pass`: as wide as `None`, but at
// an indentation, where `return None` has its None seven columns further.
func (s *builder) writtenReturn(b *lift.Block) written {
	t := &b.Term
	oneLine := t.Line == s.g.CFG.Func.Code.FirstLine
	width := t.EndCol - t.Col
	if width > len("return None") || !s.ownPlace(t) { // cheap first
		return notWritten
	}
	switch width {
	case len("None"):
		sameLine := false
		for _, p := range b.Preds {
			sameLine = sameLine || p.Term.Line == t.Line
		}
		if !oneLine && (s.g.Indentation.Returned(t.Col) || sameLine) {
			return returnNone
		}
	case len("return"):
		return returnOnly
	case len("return None"):
		return returnNone // where a `with` is left first
	}
	return notWritten
}

// lastLineBefore is the last source line of the code in front of b.
func (s *builder) lastLineBefore(b *lift.Block) int {
	line := 0
	instrs := s.g.CFG.Func.Instrs
	for i := range instrs {
		if b.Src != nil && len(b.Src.Instrs) > 0 && instrs[i].Offset >= b.Src.Instrs[0].Offset {
			break
		}
		line = max(line, int(instrs[i].Pos.Line))
	}
	return line
}

func lineOf(b *lift.Block) int {
	if n := len(b.Stmts); n > 0 {
		return lastLine(b.Stmts[n-1])
	}
	return b.Term.Line
}

func lastLine(st pyast.Stmt) int {
	l := st.Position().Line
	pyast.Inspect(st, func(n pyast.Node) bool {
		if p := n.Position(); p.Line > l {
			l = p.Line
		}
		return true
	})
	return l
}

func isNone(e pyast.Expr) bool { return lift.IsNone(e) }

// findCatchers tells where each region's exceptions arrive.
func (s *builder) findCatchers() {
	s.catcher = map[*cfg.Region]*lift.Block{}
	for _, b := range s.g.Blocks {
		for _, r := range b.HandlerOf {
			if s.catcher[r] == nil {
				s.catcher[r] = b
			}
		}
	}
}

// number is the place of b among the builder's blocks, if it has one.
func number(b *lift.Block) (k int, ok bool) {
	if b == nil || b.Num == 0 {
		return 0, false
	}
	return b.Num - 1, true
}

// numberOf is number for what has one.
func numberOf(b *lift.Block) int {
	k, _ := number(b)
	return k
}

// analyse numbers the blocks and computes dominators and natural loops, with
// exception edges included.
func (s *builder) analyse() {
	s.blocks = append(append([]*lift.Block(nil), s.g.Blocks...), s.end)
	for i, b := range s.blocks {
		b.Num = i + 1
	}
	succs := func(i int, f func(int)) {
		b := s.blocks[i]
		b.Succs(func(n *lift.Block) {
			if k, ok := number(n); ok {
				f(k)
			}
		})
		for r := b.Exc; r != nil; r = r.Parent {
			if h := s.catcher[r]; h != nil {
				f(numberOf(h))
			}
		}
	}
	s.dom = cfg.Dominators(len(s.blocks), numberOf(s.g.Entry), succs)
	s.findLoops(succs)
	s.pdom = nil // of use where there are branches
	s.heads = map[*lift.Block]bool{}
	for h := range s.loops {
		s.heads[h] = true
	}
	for h := range s.turns {
		s.heads[h] = true
	}
	s.findExits()
}

// findTurns finds the loops that never go round: what their heads dominate, up to the jump back that nothing reaches.
func (s *builder) findTurns() {
	for i, h := range s.blocks {
		if h.DeadTurn == 0 || s.dom.Order[i] < 0 {
			continue
		}
		body := map[*lift.Block]bool{}
		for k, b := range s.blocks {
			if b.ID >= h.ID && b.ID <= h.DeadTurn && s.dom.Order[k] >= 0 && s.dom.Dominates(i, k) {
				body[b] = true
			}
		}
		s.loops[h] = body
	}
}

// findLoops finds the natural loop of each head: what leads back to it, without passing it.
func (s *builder) findLoops(succs func(int, func(int))) {
	s.loops = map[*lift.Block]map[*lift.Block]bool{}
	s.findTurns()
	back := false // mostly no edge leads back
	for _, i := range s.dom.RPO {
		succs(i, func(k int) { back = back || s.dom.Order[k] <= s.dom.Order[i] })
	}
	if !back {
		return
	}
	preds := make([][]int, len(s.blocks))
	for i := range s.blocks {
		if s.dom.Order[i] >= 0 {
			succs(i, func(k int) { preds[k] = append(preds[k], i) })
		}
	}
	for i, b := range s.blocks {
		if s.dom.Order[i] < 0 {
			continue
		}
		var tails []int
		for _, p := range preds[i] {
			if s.dom.Dominates(i, p) {
				tails = append(tails, p)
			}
		}
		if len(tails) == 0 {
			continue
		}
		body := map[*lift.Block]bool{b: true}
		for len(tails) > 0 {
			k := tails[len(tails)-1]
			tails = tails[:len(tails)-1]
			if body[s.blocks[k]] {
				continue
			}
			body[s.blocks[k]] = true
			tails = append(tails, preds[k]...)
		}
		s.loops[b] = body
	}
}

// thru follows blocks that do nothing.
func (s *builder) thru(b *lift.Block) *lift.Block {
	for i := 0; b != nil && i < 1000; i++ {
		if b == s.end || s.heads[b] || len(b.Stmts) > 0 || b.Term.Kind != lift.Goto || b.Term.EndFinally || b.Term.EndBody != nil || b.OpensBody || b.Term.Continue || b.Term.Break || b.Next == nil || b.Next == b {
			return b
		}
		b = b.Next
	}
	return b
}

// walkThru is cfg.Walk that passes over blocks that do nothing. start is visited
// as it is.
func (s *builder) walkThru(start *lift.Block) iter.Seq2[*lift.Block, func(*lift.Block)] {
	return func(yield func(*lift.Block, func(*lift.Block)) bool) {
		for x, more := range cfg.Walk(start) {
			if !yield(x, func(n *lift.Block) { more(s.thru(n)) }) {
				return
			}
		}
	}
}

// at reports whether b is the context's block c. A protected body may end in several places
// of the code, which are one of the text.
func (s *builder) at(b, c *lift.Block) bool {
	if b == c || c == nil {
		return c != nil
	}
	x, y := s.thru(b), s.thru(c)
	if x != nil && y != nil && x != s.end && y.Term.EndBody != nil && len(y.Stmts) == 0 && s.thru(y.Next) == x && !x.Exc.Inside(y.Term.EndBody) {
		return true // what ended the body held statements, too
	}
	return x == y || x != nil && y != nil && x.Term.EndBody != nil && x.Term.EndBody == y.Term.EndBody &&
		len(x.Stmts) == 0 && len(y.Stmts) == 0 && s.thru(x.Next) == s.thru(y.Next)
}

// order is b's place in reverse post-order.
func (s *builder) order(b *lift.Block) int {
	k, ok := number(b)
	if !ok {
		return 1 << 30
	}
	if b == s.end {
		return 1 << 29
	}
	return s.dom.Order[k]
}

// reach is the set of blocks that lie behind b without passing a block of the
// context. Context blocks that are reached are in the set but not passed. The
// handlers of statements on the way are passed but not in the set: no way goes
// on inside of them.
func (s *builder) reach(b *lift.Block, c ctx, stops ...*lift.Block) map[*lift.Block]bool {
	set := map[*lift.Block]bool{}
	if b == nil {
		return set
	}
	level := handled(b)
	for x, more := range s.walkThru(s.thru(b)) {
		if handled(x) <= level {
			set[x] = true
		}
		if s.ctxBlock(x, c) {
			continue
		}
		stop := false
		for _, m := range stops {
			stop = stop || s.at(x, m)
		}
		if stop {
			continue
		}
		x.Succs(more)
		// What an exception clause of a statement on the way leads to.
		s.raisesTo(x, c.exc, more)
	}
	return set
}

// handled counts the stack slots that exceptions take while b handles them.
func handled(b *lift.Block) int {
	return slotsOf(b.In, lift.KExc, lift.KOldExc)
}

func (s *builder) ctxBlock(x *lift.Block, c ctx) bool {
	return s.at(x, c.fall) || s.at(x, c.cont) || s.at(x, c.brk) || c.busy.has(x) || c.stop.has(x)
}

// first returns the block of the set that comes first in reverse post-order,
// or nil; skip excludes blocks.
func (s *builder) first(set map[*lift.Block]bool, skip func(*lift.Block) bool) *lift.Block {
	var list []*lift.Block
	for b := range set {
		if skip == nil || !skip(b) {
			list = append(list, b)
		}
	}
	if len(list) == 0 {
		return nil
	}
	return slices.MinFunc(list, s.byOrder)
}

// byOrder compares two blocks by their place in reverse post-order; where they have none, or share one, by
// their numbers, so that the order in which a set is walked decides nothing.
func (s *builder) byOrder(a, b *lift.Block) int {
	return cmp.Or(cmp.Compare(s.order(a), s.order(b)), cmp.Compare(a.ID, b.ID), cmp.Compare(a.Term.Offset, b.Term.Offset))
}

func intersect(a, b map[*lift.Block]bool) map[*lift.Block]bool {
	out := map[*lift.Block]bool{}
	for x := range a {
		if b[x] {
			out[x] = true
		}
	}
	return out
}
