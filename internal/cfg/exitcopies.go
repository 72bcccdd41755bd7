package cfg

import (
	"cmp"
	"slices"

	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyc"
)

// exitCopies joins the copies of short blocks that leave the function. Since
// 3.10 the compiler puts such a block in place of every jump to it:
//
//	...                       ...
//	LOAD_FAST x               jump r
//	RETURN_VALUE          →
//	...                       ...
//	LOAD_FAST x               r: LOAD_FAST x
//	RETURN_VALUE                 RETURN_VALUE
//
// Copies have the same instructions on the same lines, and begin where a
// statement begins: the instruction in front stands on another line.
func exitCopies(g *Graph) (changed bool) {
	if !g.Func.Code.Version.CopiesExitBlocks() {
		return false
	}
	e := &exits{g: g, v: g.Func.Code.Version, tails: map[*Block]bool{}}
	changed = e.armEnds()
	changed = joinEnds(g) || changed
	changed = e.fallsOff() || changed
	// Only blocks that end on one line can be copies: compared pairwise, all exits
	// of a long function would take quadratic time.
	var ends []lineEnd
	for i, b := range g.Blocks {
		if l := b.Last(); l != nil && !b.Dead && leaves(l.Op) && l.Pos.Line > 0 {
			ends = append(ends, lineEnd{l.Pos.Line, i})
		}
	}
	for _, list := range g.onOneLine(ends) {
		changed = e.join(list) || changed
	}
	if e.v.CopiesLongExits() {
		e.joinClauseEnds()
	}
	return changed
}

// lineEnd is a block, by its number in the graph, that ends on a line.
type lineEnd struct {
	line  int32
	block int
}

// onOneLine lists the blocks that end on one line with others, line by line, as the first of each come. Most functions have
// one way out, or each on a line of its own, so that there is nothing to list.
func (g *Graph) onOneLine(ends []lineEnd) (out [][]*Block) {
	slices.SortStableFunc(ends, func(a, b lineEnd) int { return cmp.Compare(a.line, b.line) })
	var runs [][]lineEnd
	for i := 0; i < len(ends); {
		k := i + 1
		for k < len(ends) && ends[k].line == ends[i].line {
			k++
		}
		if k > i+1 {
			runs = append(runs, ends[i:k])
		}
		i = k
	}
	slices.SortFunc(runs, func(a, b []lineEnd) int { return cmp.Compare(a[0].block, b[0].block) })
	for _, run := range runs {
		var list []*Block
		for _, e := range run {
			list = append(list, g.Blocks[e.block])
		}
		out = append(out, list)
	}
	return out
}

// fallsOff lets what falls off the end of the function lead to one `return None`, the one that has no place (3.12+). Its
// copies bear the place of the test that leads to them, as no written `return` does where columns are known.
func (e *exits) fallsOff() (changed bool) {
	var ends []*Block
	for _, b := range e.g.Blocks {
		if !b.Dead && len(b.Instrs) == 2 && b.Instrs[1].Op == opcode.Return && sameConst(pyc.None{}, b.Instrs[0].Const) {
			ends = append(ends, b)
		}
	}
	i := slices.IndexFunc(ends, func(b *Block) bool { return b.Instrs[0].Pos.Line <= 0 })
	if i < 0 || !e.v.HasColumns() {
		return false
	}
	for _, b := range ends {
		if b.Exc == ends[i].Exc && jumpsFrom(b.Instrs[0].Pos, place{b, 0}) && e.alike(b, ends[i]) {
			b.Instrs, b.Next, changed = nil, ends[i], true
		}
	}
	return changed
}

// exits is what joining the ways out of one function needs to know.
type exits struct {
	g     *Graph
	v     pyc.Version
	tails map[*Block]bool // the ends of statements that were cut off

	joined []*Block // that copies were joined with

	handled  map[*Block]int        // see alike
	levels   map[*Block]outLevels  // see alike
	handlers map[bytecode.Pos]bool // see whole
}

// alike reports whether two blocks handle equally many exceptions, and have equally
// many values on the stack.
func (e *exits) alike(a, b *Block) bool {
	if e.handled == nil {
		e.handled, e.levels = handling(e.g), levels(e.g)
	}
	x, y := e.levels[a].next, e.levels[b].next
	return e.handled[a] == e.handled[b] && (x.from != y.from || x.height == y.height)
}

// whole reports whether the statement that ends with an instruction is there once:
// it belongs to no finally body.
func (e *exits) whole(in *bytecode.Instr) bool {
	switch {
	case !e.g.Func.Code.IsFunction():
		return true
	case e.handlers == nil:
		e.handlers = handlerPlaces(e.g)
	}
	return !e.handlers[in.Pos]
}

// join joins those of the leaving blocks that are copies of each other: the ends
// of statements first, which whole statements would cut in two.
func (e *exits) join(leave []*Block) bool {
	all := len(leave)
	leave = e.joinPairs(leave, e.statementTail, func(k *Block) { e.tails[k] = true })
	leave = e.joinPairs(leave, e.commonExit, func(*Block) {})
	return len(leave) < all
}

// joinBefore joins what leads to k, too, if all of the block a was a copy of it: the copies may begin in front of the region they end in.
//
//	BEFORE_WITH; STORE y; RAISE        with a if b else c as y: raise
func (e *exits) joinBefore(a, k *Block) {
	if len(a.Instrs) > 0 || !e.v.HasColumns() {
		return
	}
	var arm *Block
	for _, b := range e.g.Blocks {
		switch {
		case b.Dead || b.Next != k && b.Next != a || b.Taken != nil || len(b.Instrs) == 0:
		case arm == nil:
			arm = b
		case arm.Exc == b.Exc:
			if n := e.commonEnd(arm, b); n > 0 {
				e.meet(arm, b, n)
				return
			}
		}
	}
}

// meet lets a and b go on with one block of their last n instructions.
func (e *exits) meet(a, b *Block, n int) *Block {
	k := e.g.blockAt(place{b, len(b.Instrs) - n})
	if e.handled != nil {
		e.handled[k], e.levels[k] = e.handled[b], e.levels[b]
	}
	a.Instrs, a.Next, a.Taken = a.Instrs[:len(a.Instrs)-n:len(a.Instrs)-n], k, nil
	return k
}

// joinPairs joins the ends of two blocks, as many instructions as common says, and
// tells joined what stays. It returns the blocks that still leave.
func (e *exits) joinPairs(leave []*Block, common func(a, b *Block) int, joined func(k *Block)) []*Block {
	for i := 0; i < len(leave); i++ {
		for j := i + 1; j < len(leave); j++ {
			a, b := leave[i], leave[j]
			n := common(a, b)
			if n == 0 || a.Last().Op != opcode.Return && !e.alike(a, b) {
				continue // the copies of `finally: raise` are not alike
			}
			if e.g.Choices.Other(copiedExit, a.Last().Offset) {
				continue
			}
			// The later one stays: that is where the statement stands, unless it
			// is the copy behind a jump out of a protected statement.
			stays, goes := j, i
			switch {
			case a.Exc == b.Exc, a.Exc.Inside(b.Exc):
			case b.Exc.Inside(a.Exc):
				a, b, stays, goes = b, a, i, j
			default:
				continue
			}
			leave[stays] = e.meet(a, b, n)
			joined(leave[stays])
			e.joined = append(e.joined, leave[stays])
			e.joinBefore(a, leave[stays])
			leave = append(leave[:goes], leave[goes+1:]...)
			if goes == i {
				i--
				break
			}
			j--
		}
	}
	return leave
}

// joinEnds lets all ends of one protected body lead to the same code, where
// they lead to copies of it. A return of what was computed in the body is no end that it shares with another.
func joinEnds(g *Graph) bool {
	changed := false
	to := map[*Region]*Block{}
	for i := len(g.Blocks) - 1; i >= 0; i-- {
		b := g.Blocks[i]
		if b.Ends == nil || b.Dead || b.Next == nil {
			continue
		}
		n := to[b.Ends]
		switch {
		case n == nil:
			to[b.Ends] = b.Next
		case n != b.Next && sameEnd(place{n, 0}, place{b.Next, 0}) && !returnsWaiting(g.Func.Code.Version, n):
			b.Next = n
			changed = true
		}
	}
	return changed
}

// returnsWaiting reports whether what begins with b comes to a return of a value that was on the stack before.
func returnsWaiting(v pyc.Version, b *Block) bool {
	var made []bool // whether each of the values on top was computed here; those below were not
	for n := 0; n < 20 && b != nil && b.Taken == nil; n++ {
		for i := range b.Instrs {
			in := &b.Instrs[i]
			pop, push := bytecode.StackEffect(v, in, false)
			moves := in.Op == opcode.Rot || in.Op == opcode.Swap
			if moves {
				pop = in.Arg
			}
			for len(made) < pop {
				made = slices.Insert(made, 0, false)
			}
			top := len(made) - 1
			switch {
			case in.Op == opcode.Return:
				return !made[top]
			case in.Op == opcode.Swap:
				made[top], made[top+1-pop] = made[top+1-pop], made[top]
			case moves:
				made = slices.Insert(made[:top], top+1-pop, made[top])
			default:
				made = append(made[:top+1-pop], slices.Repeat([]bool{true}, push)...)
			}
		}
		b = b.Next
	}
	return false
}

// commonSuffix counts the instructions at the ends of a and b that are the same on
// the same line, with places of the same place, as long as more says of the number
// of those behind that the next one may belong to them.
func commonSuffix(a, b *Block, most int, places bool, more func(n int) bool) int {
	n := 0
	for n < min(len(a.Instrs), len(b.Instrs), most) && more(n) {
		i, j := len(a.Instrs)-1-n, len(b.Instrs)-1-n
		x, y := &a.Instrs[i], &b.Instrs[j]
		same := x.Pos.Line > 0 && x.Pos.Line == y.Pos.Line && (!places || x.Pos == y.Pos) && sameInstr(x, y)
		if !same && !bothPlaceless(a, b, i, j) {
			break
		}
		n++
	}
	return n
}

// placeless reports whether an instruction may have no place of its own, so that it bears that of the one
// in front: the MAP_ADD of a call with many keywords (compiler_subkwargs in compile.c).
func placeless(list []bytecode.Instr, i int) bool {
	return list[i].Op == opcode.MapAdd && (i == 0 || list[i].Pos == list[i-1].Pos) // 0: the ways through a value meet
}

// bothPlaceless reports whether the i-th instruction of a is the j-th of b, without a place of its own.
func bothPlaceless(a, b *Block, i, j int) bool {
	return placeless(a.Instrs, i) && placeless(b.Instrs, j) && a.Instrs[i].Arg == b.Instrs[j].Arg
}

// maxExitCopy is the longest block the compiler copies (MAX_COPY_SIZE in
// compile.c), with room for instructions that decode to two.
const maxExitCopy = 8

// commonExit returns how many instructions at the ends of a and b are copies of
// one exit, 0 for none.
// With columns known, instructions of equal place are copies for certain, and a
// copy may begin within a statement: `raise E(a if c else b)`. (A `return` may
// not: what stands before its RETURN_VALUE can be the end of a `with`.) Whole
// statements in front of the exit are copied with it; they are told from the
// copies of a finally body by not being in a handler.
func (e *exits) commonExit(a, b *Block) int {
	columns := e.v.HasColumns() && b.Last().Op == opcode.Raise
	statement := func(k int) bool {
		if dropsExit(e.v, b, k) {
			return false
		}
		return b.Last().Op == opcode.Reraise || b.Last().Op == opcode.Return && e.whole(&b.Instrs[k])
	}
	n := commonSuffix(a, b, maxExitCopy, columns, func(n int) bool {
		k := len(b.Instrs) - 1 - n
		return n == 0 || !endsStatement(b.Instrs[k].Op) || statement(k)
	})
	if columns {
		return n
	}
	begins := func(b *Block) bool {
		k := len(b.Instrs) - n
		return k == 0 || b.Instrs[k-1].Pos.Line != b.Instrs[k].Pos.Line
	}
	for ; n > 0; n-- {
		if k := len(b.Instrs) - n; begins(a) && begins(b) && (startsStatement(&b.Instrs[k]) || b.Instrs[k].Op.Deletes() && statement(k)) {
			break
		}
	}
	return n
}

// dropsExit reports whether instruction k of b drops what __exit__ returned, or, awaited in front of the block, __aexit__.
func dropsExit(v pyc.Version, b *Block, k int) bool {
	if k < 0 || b.Instrs[k].Op != opcode.Pop {
		return false
	}
	if k == 0 && len(b.Preds) == 1 {
		awaits := b.Preds[0].Last()
		return awaits != nil && awaits.Op == opcode.YieldFrom
	}
	return callsExit(v, b.Instrs[:k])
}

// endsStatement reports whether op ends a statement, so that what is returned
// behind it was computed before it.
func endsStatement(op opcode.Op) bool {
	switch op {
	case opcode.Pop, opcode.PopBlock, opcode.StoreAttr, opcode.StoreSubscr, opcode.StoreSlice, opcode.DeleteAttr, opcode.DeleteSubscr:
		return true
	}
	return op.Stores() || op.Deletes()
}

// startsStatement reports whether a statement, most often a `return`, may begin
// with the instruction: it needs nothing from the stack. Two statements that
// return values from before a finally body share their RETURN_VALUE's line.
func startsStatement(in *bytecode.Instr) bool {
	switch in.Op {
	case opcode.LoadConst, opcode.LoadCommon, opcode.LoadClosure, opcode.PushNull:
		return true
	case opcode.Raise, opcode.BuildList, opcode.BuildMap, opcode.BuildTuple:
		return in.Arg == 0
	}
	return in.Op.Loads()
}
