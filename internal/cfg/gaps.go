package cfg

import (
	"slices"

	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyc"
)

// closeGaps gives conditional jumps in the middle of a statement the region of
// the instruction in front, which computes what they test. When the assembler
// turns a jump around, because conditional jumps go forward only, the new jump
// is in no row of the table: it cannot raise.
//
//	TO_BOOL                 r0
//	POP_JUMP_IF_TRUE        -       →  r0
//	NOT_TAKEN; JUMP         r0
//
// The result says of tests whether they had lost their row, see strayTest, where that can be seen.
func closeGaps(f *bytecode.Func, exc []*protRegion) map[int]bool {
	var stray map[int]bool
	found := func(test int, lost bool) {
		if stray == nil {
			stray = map[int]bool{}
		}
		stray[f.Instrs[test].Offset] = lost
	}
	for i := 1; i < len(f.Instrs); i++ {
		if exc[i] == exc[i-1] {
			if _, known := stray[f.Instrs[i].Offset]; !known && coveredTest(f, exc, i) {
				found(i, false)
			}
			continue
		}
		if n := strayTest(f, exc, i); n > 0 {
			for k := i; k < i+n; k++ {
				exc[k] = exc[i-1]
				if f.Instrs[k].Op.Tests() {
					found(k, true)
				}
			}
			continue
		}
		if !f.Instrs[i-1].Op.FallsThrough() {
			continue // control comes from elsewhere
		}
		quiet, tests := quietJump(f.Code.Version, f.Instrs[i].Op)
		if !tests {
			continue
		}
		switch f.Instrs[i-1].Op {
		case opcode.IsOp, opcode.ContainsOp:
			quiet = true // the result is a bool
		case opcode.ToBool, opcode.Compare:
		default:
			if f.Instrs[i].Op != opcode.PopJumpIfNone && f.Instrs[i].Op != opcode.PopJumpIfNotNone {
				continue
			}
		}
		if quiet {
			exc[i] = exc[i-1]
		}
	}
	return stray
}

// strayTest counts the instructions from i on that test an operand of `and` or `or` and are
// in no row of the table, though what computes the operand and what follows are in one: see
// LosesThreadedRows.
//
//	LOAD_FAST b; CALL           r0        a and (b() or c()) or d()
//	COPY 1; TO_BOOL             -
//	POP_JUMP_IF_TRUE            -      →  r0
//	NOT_TAKEN                   -
//	POP_TOP; …                  r0
func strayTest(f *bytecode.Func, exc []*protRegion, i int) int {
	if !f.Code.Version.LosesThreadedRows() || exc[i-1] == nil {
		return 0
	}
	k := behindNops(f.Instrs, i) // of tests that stand on lines of their own
	if k < len(f.Instrs) && f.Instrs[k].Op == opcode.Copy && f.Instrs[k].Arg == 1 {
		k++
	}
	if k+1 >= len(f.Instrs) || f.Instrs[k].Op != opcode.ToBool || !f.Instrs[k+1].Op.Tests() {
		return 0
	}
	next := behindNops(f.Instrs, k+2)
	if next+1 < len(f.Instrs) && f.Instrs[next].Op == opcode.Jump && exc[next] == exc[i] {
		next++ // the test was turned around
	}
	if next == len(f.Instrs) || exc[next] != exc[i-1] {
		return 0
	}
	return next - i
}

// coveredTest reports whether instruction i tests an operand of `and` or `or` in the row of what computes it, where
// strayTest would tell the contrary.
func coveredTest(f *bytecode.Func, exc []*protRegion, i int) bool {
	return exc[i] != nil && f.Instrs[i].Op.Tests() && f.Code.Version.LosesThreadedRows() &&
		i > 1 && f.Instrs[i-1].Op == opcode.ToBool && f.Instrs[i-2].Op == opcode.Copy
}

// quietBlocks puts blocks that do nothing into the protected region that is all
// around them. A `try:` is a NOP, which no row of the table covers, and where
// the copy of a finally body stands in front of it, it is on its own:
//
//	if a:           LOAD_FAST a; POP_JUMP_IF_FALSE L     r0
//	    return b    LOAD_FAST b; copy; RETURN_VALUE      r0, -
//	try:         L: NOP                                  -    →  r0
//	    c           LOAD_GLOBAL c; …                     r1 in r0
//
// Only blocks that are reached from nowhere else count: the NOP of a `try:` at
// the head of a loop stands before its statement. So does a test that cannot raise, `case None:`,
// where both of its ways go on in the region.
func quietBlocks(g *Graph) {
	if !g.Func.Code.Version.HasExceptionTable() {
		return
	}
	quietReturns(g)
	for _, b := range g.Blocks {
		if b.Dead || b == g.Entry || b.Next == nil || len(b.Preds) == 0 || !g.quiet(b) {
			continue
		}
		r := regionBehind(b.Next)
		for r != nil && !b.Exc.Inside(r) {
			if inside(b.Preds, r) && (b.Taken == nil || regionBehind(b.Taken).Inside(r)) {
				b.Exc = r
				break
			}
			r = r.Parent
		}
	}
}

// regionBehind is the region of b, or where b does nothing, that of the block it leads to.
func regionBehind(b *Block) *Region {
	if b.Exc == nil && b.Next != nil && b.Taken == nil && idle(b) {
		return b.Next.Exc
	}
	return b.Exc
}

// quiet reports whether b does no more than to test what is on the stack, in a way that cannot raise.
func (g *Graph) quiet(b *Block) bool {
	if b.Taken == nil {
		return idle(b)
	}
	n := len(b.Instrs) - 1
	if n < 0 || !onlyNops(b.Instrs[:n]) || len(b.HandlerOf) > 0 {
		return false
	}
	quiet, _ := quietJump(g.Func.Code.Version, b.Instrs[n].Op)
	return quiet
}

// quietJump reports whether op jumps by a test of what it pops, and whether that test cannot raise.
func quietJump(v pyc.Version, op opcode.Op) (quiet, tests bool) {
	switch op {
	case opcode.PopJumpIfNone, opcode.PopJumpIfNotNone:
		return true, true
	case opcode.PopJumpIfFalse, opcode.PopJumpIfTrue:
		return v.JumpsTestBools(), true
	}
	return false, false
}

// quietReturns puts a `return` of a constant that only ways in the body of a try
// lead to into its region: it cannot raise, so that no row of the table covers it,
// but stands in front of the handler in the source.
func quietReturns(g *Graph) {
	for _, b := range g.Blocks {
		l := b.Last()
		if b.Dead || l == nil || l.Op != opcode.Return || len(b.Instrs) > 2 || b.Instrs[0].Op != opcode.LoadConst || l.Pos.Line <= 0 {
			continue
		}
		var r *Region
		for _, p := range b.Preds {
			if p.Exc != nil && p.Exc != b.Exc && p.Exc.Inside(b.Exc) {
				r = p.Exc
				break
			}
		}
		if r == nil || r.Parent != b.Exc || !leadFrom(b, r) {
			continue
		}
		if first, last := textLines(g, r); first < l.Pos.Line && l.Pos.Line < last {
			b.Exc = r
		}
	}
}

// leadFrom reports whether all ways to b come from region r, but for blocks
// that do nothing.
func leadFrom(b *Block, r *Region) bool {
	for _, p := range b.Preds {
		if !p.Dead && !p.Exc.Inside(r) && (!idle(p) || !inside(p.Preds, r)) {
			return false
		}
	}
	return true
}

// idle reports whether a block has no effect and cannot raise.
func idle(b *Block) bool {
	return onlyNops(b.Instrs) && len(b.HandlerOf) == 0
}

// onlyNops reports whether a list has nothing but NOPs and unconditional jumps.
func onlyNops(list []bytecode.Instr) bool {
	return !slices.ContainsFunc(list, func(in bytecode.Instr) bool { return in.Op != opcode.Nop && in.Op != opcode.Jump })
}

func inside(list []*Block, r *Region) bool {
	for _, b := range list {
		if !b.Dead && !b.Exc.Inside(r) {
			return false
		}
	}
	return true
}
