package cfg

import (
	"slices"

	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyc"
)

// matchExits joins what the compiler copies into each alternative of an
// or-pattern where the body leaves the function at once: the end of the pattern
// together with the body.
//
//	DUP_TOP; first; POP_TOP; return v        DUP_TOP; first; jump end
//	DUP_TOP; second; POP_TOP; return v   →   DUP_TOP; second; jump end
//	                                         end: POP_TOP; return v
//
// Both stand on the side of a test that goes on when it holds, and are the same
// to the line, and the body computes what it returns: `return 1 if a else 2 if b else c` drops an iterator in front of each
// return. Where a pattern fails, nothing is joined but what an alternative `_` in a line of its own
// leaves: its place, and the end of the pattern.
func matchExits(g *Graph) {
	if !g.Func.Code.Version.CopiesExitBlocks() {
		return
	}
	var leave []*Block
	for _, b := range g.Blocks {
		if g.matched(b) {
			leave = append(leave, b)
		}
	}
	e := &exits{g: g, v: g.Func.Code.Version}
	changed := false
	for i, a := range leave {
		next, least := 0, maxExitCopy
		for j := i + 1; j < len(leave); j++ {
			b := leave[j]
			n := sameExit(a, b)
			if a.Exc != b.Exc || n == 0 || returnsWaiting(e.v, &Block{Instrs: a.Instrs[len(a.Instrs)-n:]}) || !takesApart(a.Instrs[:len(a.Instrs)-n]) || !takesApart(b.Instrs[:len(b.Instrs)-n]) || !e.alike(a, b) {
				continue
			}
			if next == 0 {
				next = j
			}
			least = min(least, n) // alternatives end in one place: two may share more than the last, which has less to drop
		}
		if next > 0 {
			leave[next], changed = e.meet(a, leave[next], least), true
		}
	}
	if changed {
		g.ComputePreds()
	}
}

// matched reports whether the block leaves the function and is reached only where a
// test of a copied value holds, or behind what a pattern takes apart there.
func (g *Graph) matched(b *Block) bool {
	l := b.Last()
	return !b.Dead && l != nil && (l.Op == opcode.Return || l.Op == opcode.Raise) && (g.holds(b, 4) || placeOfWildcard(b))
}

// placeOfWildcard reports whether b begins with what the compiler leaves of `_`, its place or, up to 3.11, a copy that is
// dropped, and only tests that fail lead there.
func placeOfWildcard(b *Block) bool {
	switch first := &b.Instrs[0]; {
	case first.Op == opcode.Nop && first.Pos.Line > 0:
	case first.Op == opcode.Copy && first.Arg == 1 && len(b.Instrs) > 1 && b.Instrs[1].Op == opcode.Pop:
	default:
		return false
	}
	for _, p := range b.Preds {
		if !p.Dead && (p.Taken != b || p.Last().Op != opcode.PopJumpIfFalse) {
			return false
		}
	}
	return len(b.Preds) > 0
}

// holds reports whether every way to b is that of a test that holds, through as many
// blocks as said that are a part of the pattern.
func (g *Graph) holds(b *Block, most int) bool {
	for _, p := range b.Preds {
		switch l := p.Last(); {
		case p.Dead:
		case p.Taken != nil:
			if !testsSubject(g.Func.Code.Version, p) || p.Next != b || l.Op != opcode.PopJumpIfFalse && l.Op != opcode.PopJumpIfNotNone && l.Op != opcode.PopJumpIfNone {
				return false
			}
		case most == 0 || !takesApart(p.Instrs) || !g.holds(p, most-1):
			return false
		}
	}
	return len(b.Preds) > 0
}

// testsSubject reports whether what the block tests is made of a copy, or of a value that was there before, as the subject of a
// match and its parts are: `if a < 1` makes both of its operands.
func testsSubject(v pyc.Version, b *Block) bool {
	var of []bool // for each of the values on top; those below were there before
	for i := range b.Instrs {
		in := &b.Instrs[i]
		pop, push := bytecode.StackEffect(v, in, false)
		from := pop > len(of)
		switch in.Op {
		case opcode.Copy, opcode.GetLen, opcode.MatchSequence, opcode.MatchMapping, opcode.MatchKeys, opcode.MatchClass:
			from = true // they look at what they leave on the stack
		}
		for n := 0; n < pop && len(of) > 0; n++ {
			from = from || of[len(of)-1]
			of = of[:len(of)-1]
		}
		if i == len(b.Instrs)-1 {
			return from
		}
		of = append(of, slices.Repeat([]bool{from}, push)...)
	}
	return false
}

// takesApart reports whether the instructions may be the end of a pattern.
func takesApart(list []bytecode.Instr) bool {
	for i := range list {
		switch op := list[i].Op; op {
		case opcode.Nop, opcode.Jump, opcode.Pop, opcode.Copy, opcode.Swap, opcode.Rot, opcode.LoadConst, opcode.Subscr, opcode.UnpackSequence, opcode.UnpackEx,
			opcode.GetLen, opcode.BinaryOp, opcode.CopyDictWithoutKeys:
		default:
			if !op.Stores() {
				return false
			}
		}
	}
	return true
}

// sameExit returns how many instructions at the end of both blocks are the same,
// from where the subject is dropped or a capture is stored, or 0.
func sameExit(a, b *Block) int {
	n := 0
	for n < len(a.Instrs) && n < len(b.Instrs) && n < maxExitCopy {
		x, y := &a.Instrs[len(a.Instrs)-1-n], &b.Instrs[len(b.Instrs)-1-n]
		if x.Pos.Line <= 0 || x.Pos.Line != y.Pos.Line || !sameInstr(x, y) {
			break
		}
		n++
	}
	for ; n > 0; n-- {
		if op := a.Instrs[len(a.Instrs)-n].Op; op == opcode.Pop || op.Stores() {
			return n
		}
	}
	return 0
}
