package equiv

import (
	"fmt"
	"slices"

	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyc"
)

// walker builds the bisimulation of one pair of codes.
type walker struct {
	c    *comparer
	a, b *side
	dup  bool // names do not tell the cells apart

	// seen1 holds, for each instruction of a, the first instruction of b it was
	// paired with, plus one; more holds the others. Nearly every instruction has
	// one partner.
	seen1 []int32
	more  map[[2]int32]bool
	work  [][2]int
	agree int
	// tooMany says that the relation was not built to the end.
	tooMany bool
	// The rows of the handler pair pushed last: neighbours share handlers.
	rowA, rowB int32
	reason     string
	at         [2]int
}

func (w *walker) reset(c *comparer, a, b *side) {
	w.c, w.a, w.b = c, a, b
	w.dup = duplicateSlots(a.fn.Code) || duplicateSlots(b.fn.Code)
	n := len(a.in) + 1
	if cap(w.seen1) < n {
		w.seen1 = make([]int32, n, 2*n)
	}
	w.seen1 = w.seen1[:n]
	clear(w.seen1)
	clear(w.more)
	w.work = w.work[:0]
	w.agree, w.tooMany = 0, false
	w.rowA, w.rowB = -1, -1
	w.reason = ""
}

// sameListing reports level E1: equal instructions in equal order.
func (w *walker) sameListing() bool {
	if len(w.a.in) != len(w.b.in) || !slices.Equal(w.a.fn.Handlers, w.b.fn.Handlers) {
		return false
	}
	for i := range w.a.in {
		x, y := &w.a.in[i], &w.b.in[i]
		if x.Target != y.Target || !w.same(x, y) {
			return false
		}
	}
	return true
}

// bisimulate walks both graphs from their entries; nil means bisimilar.
func (w *walker) bisimulate() *Diff {
	i, j, why := w.prologue()
	if why != "" {
		return &Diff{Where: Where{w.a.offset(0), w.b.offset(0)}, Reason: why}
	}
	w.push(i, j)
	for len(w.work) > 0 {
		p := w.work[len(w.work)-1]
		w.work = w.work[:len(w.work)-1]
		i, j := w.a.skip(p[0]), w.b.skip(p[1])
		for w.visit(i, j) {
			ni, nj, res := w.step(i, j)
			if res == differs {
				if w.reason == "" {
					w.explain(i, j)
				}
				return &Diff{Where: Where{w.a.offset(w.at[0]), w.b.offset(w.at[1])}, Reason: w.reason, Agree: w.agree}
			}
			w.agree++
			if res == stops {
				break
			}
			i, j = w.a.skip(ni), w.b.skip(nj)
		}
		if w.tooMany {
			return &Diff{Where: nowhere, Reason: "the code has too many shapes to compare", Agree: w.agree}
		}
	}
	return nil
}

// prologue compares the cell set-up that opens a code of 3.11 and later. The
// compiler emits it in slot order, which means nothing.
func (w *walker) prologue() (i, j int, why string) {
	i, cellsA, freeA := w.a.prologue()
	j, cellsB, freeB := w.b.prologue()
	if !slices.Equal(cellsA, cellsB) {
		return 0, 0, fmt.Sprintf("cells made at entry differ: %v, %v", cellsA, cellsB)
	}
	if !slices.Equal(freeA, freeB) {
		return 0, 0, fmt.Sprintf("closure set-up differs: %v, %v", freeA, freeB)
	}
	return i, j, ""
}

func (s *side) prologue() (i int, cells []string, free []int) {
	for ; i < len(s.in); i++ {
		switch x := &s.in[i]; x.Op {
		case opcode.Nop:
		case opcode.MakeCell:
			cells = append(cells, x.Name)
		case opcode.CopyFreeVars:
			free = append(free, x.Arg)
		default:
			slices.Sort(cells)
			return i, cells, free
		}
	}
	return i, cells, free
}

func (w *walker) push(i, j int) { w.work = append(w.work, [2]int{i, j}) }

// visit adds a pair to the relation and reports whether it is new. Pairs beyond
// the end of a code or in an endless empty loop are not worth remembering:
// step ends at them.
func (w *walker) visit(i, j int) bool {
	if i < 0 || j < 0 {
		return true
	}
	switch w.seen1[i] {
	case int32(j) + 1:
		return false
	case 0:
		w.seen1[i] = int32(j) + 1
		return true
	}
	k := [2]int32{int32(i), int32(j)}
	if w.more[k] {
		return false
	}
	if w.more == nil {
		w.more = map[[2]int32]bool{}
	}
	// Code that a compiler made pairs an instruction with a few copies.
	if len(w.more) > 1000+64*len(w.a.in) {
		w.tooMany = true
		return false
	}
	w.more[k] = true
	return true
}

// verdict is the outcome of one step.
type verdict uint8

const (
	differs verdict = iota
	goesOn          // continue at the pair returned
	stops           // this path ends; other pairs may have been pushed
)

// step compares what happens at a pair and pushes the pairs that follow. The
// instructions are ones that skip stopped at.
func (w *walker) step(i, j int) (ni, nj int, v verdict) {
	w.at = [2]int{i, j}
	if i < 0 || j < 0 {
		if i < 0 && j < 0 && w.handlers(^i, ^j) {
			return 0, 0, stops
		}
		return 0, 0, differs
	}
	if i >= len(w.a.in) || j >= len(w.b.in) {
		if i >= len(w.a.in) && j >= len(w.b.in) {
			return 0, 0, stops
		}
		return 0, 0, differs
	}
	if (w.a.leadsTest(i) || w.b.leadsTest(j)) && w.stepTest(i, j) {
		return 0, 0, stops
	}
	x, y := &w.a.in[i], &w.b.in[j]
	if w.same(x, y) {
		if !w.handlersOf(i, j) {
			return 0, 0, differs
		}
		untaken := w.a.untaken[i] && w.b.untaken[j]
		if x.Target >= 0 && x.Op != opcode.EndAsyncFor && !untaken {
			w.push(x.Target, y.Target)
		}
		if ends(x.Op) || untaken && x.Op == opcode.EndFinally {
			return 0, 0, stops
		}
		return i + 1, j + 1, goesOn
	}
	// The instructions differ: try the known ways to spell one thing in two.
	if w.stepTest(i, j) {
		return 0, 0, stops
	}
	for _, try := range [...]func(i, j int) (int, int, bool){w.methodForm, w.classConst, w.opaqueName, w.qualName, w.shuffle} {
		if ni, nj, ok := try(i, j); ok {
			return ni, nj, goesOn
		}
	}
	return 0, 0, differs
}

// same compares two instructions, their targets and handlers apart.
func (w *walker) same(x, y *bytecode.Instr) bool {
	if x.Op != y.Op || x.Flag != y.Flag || x.Name != y.Name || (x.Target < 0) != (y.Target < 0) {
		return false
	}
	if x.Arg != y.Arg && !argIgnored[x.Op] {
		return false
	}
	if w.dup && derefs[x.Op] && x.RawArg != y.RawArg {
		return false
	}
	if (x.Const != nil || y.Const != nil) && !constEqual(x.Const, y.Const, w.c.pairNested) {
		return false
	}
	return x.Op != opcode.Invalid
}

// handlersOf pairs the handlers of two equal instructions. One that cannot raise
// may be covered on one side and not on the other: compilers draw the borders of
// a region as it suits them. Where both are covered, the handlers are compared
// all the same, although nothing reaches them from there: else a try statement
// whose body cannot raise could lose its clauses unnoticed.
func (w *walker) handlersOf(i, j int) bool {
	if w.a.exc == nil && w.b.exc == nil {
		return true
	}
	if (w.a.handler(i) == nil || w.b.handler(j) == nil) && !w.raises(i, j) {
		return true
	}
	return w.handlers(i, j)
}

// raises reports whether equal instructions can raise.
func (w *walker) raises(i, j int) bool {
	x, y := &w.a.in[i], &w.b.in[j]
	switch x.Op {
	case opcode.LoadFast:
		// A load that one compiler run proved bound is bound in both, for the
		// same stores and deletions lie on every path to it.
		return w.a.checked(x) && w.b.checked(y)
	case opcode.PopJumpIfFalse, opcode.PopJumpIfTrue:
		return w.a.testsTruthInJump()
	}
	return !x.Op.Silent()
}

// handlers compares where an exception in i and one in j go, and pushes the pair
// of their handlers. The stacks agree slot by slot, so they must be cut to the
// same depth. Before 3.11 there is no table: SETUP and POP_BLOCK are compared
// like any other instruction.
func (w *walker) handlers(i, j int) bool {
	x, y := w.a.handler(i), w.b.handler(j)
	if x == nil && y == nil {
		return true
	}
	if x == nil || y == nil {
		w.at, w.reason = [2]int{i, j}, "an exception handler is missing on one side"
		return false
	}
	if x.Depth != y.Depth || x.Lasti != y.Lasti {
		w.at, w.reason = [2]int{i, j}, "exception handlers start with different stacks"
		return false
	}
	if r, q := w.a.exc[i], w.b.exc[j]; r != w.rowA || q != w.rowB {
		w.rowA, w.rowB = r, q
		w.push(x.Target, y.Target)
	}
	return true
}

// stepTest compares two tests, see test.
func (w *walker) stepTest(i, j int) bool {
	t, ok := w.a.parseTest(i)
	if !ok {
		return false
	}
	u, ok := w.b.parseTest(j)
	if !ok {
		return false
	}
	if t.lead != u.lead || t.cmp != u.cmp || t.isNone != u.isNone || t.raw != u.raw ||
		(t.truthAt < 0) != (u.truthAt < 0) ||
		t.out[0].kept != u.out[0].kept || t.out[1].kept != u.out[1].kept {
		return false
	}
	if t.leadAt >= 0 && !t.lead.Silent() && !w.handlers(t.leadAt, u.leadAt) {
		return false
	}
	if t.truthAt >= 0 && !w.handlers(t.truthAt, u.truthAt) {
		return false
	}
	w.push(t.out[0].at, u.out[0].at)
	w.push(t.out[1].at, u.out[1].at)
	return true
}

// opaqueName lets the second side read a host object by the name under which the
// host publishes it.
func (w *walker) opaqueName(i, j int) (ni, nj int, ok bool) {
	x, y := &w.a.in[i], &w.b.in[j]
	if !w.c.opt.OpaqueNames || x.Op != opcode.LoadConst {
		return 0, 0, false
	}
	o, ok := x.Const.(*pyc.Opaque)
	if !ok || o.Name != y.Name || (y.Op != opcode.LoadGlobal && y.Op != opcode.LoadName) {
		return 0, 0, false
	}
	return i + 1, j + 1, true
}

// qualName ignores the qualified name that MAKE_FUNCTION finds on the stack up to
// 3.10, if qualified names are not to be compared.
func (w *walker) qualName(i, j int) (ni, nj int, ok bool) {
	if !w.c.opt.AnyQualName {
		return 0, 0, false
	}
	for _, k := range [...]struct {
		*side
		i int
	}{{w.a, i}, {w.b, j}} {
		next := k.skip(k.i + 1)
		if !k.isOp(k.i, opcode.LoadConst) || !k.isOp(next, opcode.MakeFunction) || k.in[next].Arg&qualNameAttr == 0 {
			return 0, 0, false
		}
		if _, isStr := k.in[k.i].Const.(pyc.Str); !isStr {
			return 0, 0, false
		}
	}
	return i + 1, j + 1, true
}

// explain says what differs at a pair for which no step worked.
func (w *walker) explain(i, j int) {
	w.reason = "instructions differ: " + w.a.describe(i) + " | " + w.b.describe(j)
}
