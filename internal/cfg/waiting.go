package cfg

import (
	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyc"
)

// waitingConstants finds the constants that wait on the stack while a statement is left.
// The compiler leaves it first where a literal is returned (compiler_return in compile.c,
// preserve_tos), so that these were no literals to it: an f-string without fields, from 3.14
// on any operation on constants.
//
//	try:                      SETUP_FINALLY
//	    return f"x"           LOAD_CONST "x"; POP_BLOCK; RETURN_VALUE
//	except:
//
// A finally clause that returns leaves a statement on one of its ways alone, but all its copies are of one text.
func waitingConstants(g *Graph) {
	type source struct {
		line int32 // the instruction that returns a constant, too, has the place of the statement (3.12, 3.13)
		arg  int32 // of the constant
	}
	loads := func(f func(b *Block, i int, s source)) {
		for _, b := range g.Blocks {
			for i := range b.Instrs {
				in := &b.Instrs[i]
				if _, code := in.Const.(*pyc.Code); in.Op == opcode.LoadConst && !code && !b.Dead {
					f(b, i, source{in.Pos.Line, in.RawArg})
				}
			}
		}
	}
	var written map[source]bool
	loads(func(b *Block, i int, s source) {
		if waits(b, i+1) {
			if written == nil {
				written, g.Waiting = map[source]bool{}, map[int]bool{}
			}
			written[s], g.Waiting[b.Instrs[i].Offset] = true, true
		}
	})
	if written == nil {
		return
	}
	loads(func(b *Block, i int, s source) {
		if written[s] && returns(b, i+1) {
			g.Waiting[b.Instrs[i].Offset] = true
		}
	})
}

// waits reports whether a statement is left where the i-th instruction of b begins, a value
// being on top of the stack.
func waits(b *Block, i int) bool {
	moved, dropped := false, false
	for from := b; ; {
		for ; i < len(b.Instrs); i++ {
			switch b.Instrs[i].Op {
			case opcode.Nop:
				continue
			case opcode.Swap, opcode.Rot:
				moved = true
				continue
			case opcode.PopExcept, opcode.PopBlock, opcode.PopFinally:
				return true
			case opcode.Pop, opcode.PopIter: // an iterator, or the exception that a finally clause drops
				if !moved {
					return false
				}
				dropped = true
				continue
			case opcode.Return:
				return dropped || behindBody(from, b) // both loaded and returned behind it where a literal is
			case opcode.LoadConst:
				// The call of __exit__; or a body left the try statement that covers it.
				return moved && callsWithNone(b, i) || behindBody(from, b)
			}
			return behindBody(from, b)
		}
		if b.Taken != nil || b.Next == nil || len(b.Next.Preds) != 1 {
			return false
		}
		b, i = b.Next, 0
	}
}

// behindBody reports whether b lies behind a statement that covers the block from.
func behindBody(from, b *Block) bool { return b.Exc != from.Exc && from.Exc.Inside(b.Exc) }

// returns reports whether nothing but moving and dropping of values is between the i-th
// instruction of b and a return.
func returns(b *Block, i int) bool {
	for ; i < len(b.Instrs); i++ {
		switch b.Instrs[i].Op {
		case opcode.Nop, opcode.Swap, opcode.Rot, opcode.Pop, opcode.PopIter:
			continue
		case opcode.Return:
			return true
		}
		break
	}
	return false
}

// callsWithNone reports whether the i-th instruction of b loads the first None of three.
func callsWithNone(b *Block, i int) bool {
	for k := range 3 {
		if i+k >= len(b.Instrs) || b.Instrs[i+k].Op != opcode.LoadConst && b.Instrs[i+k].Op != opcode.Copy {
			return false
		}
	}
	return sameConst(pyc.None{}, b.Instrs[i].Const)
}
