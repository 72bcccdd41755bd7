package cfg

import (
	"slices"

	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyc"
)

// namedEnd is one copy of the end of a named clause, with the exit of the function behind the statement.
type namedEnd struct {
	pop   *Block   // ends with the clause's POP_BLOCK
	parts []*Block // what runs from there up to the exit
	exit  *Block
}

// joinClauseEnds joins the ends of one named clause in front of copies of the exit that follows its statement: they
// have no line, and 3.10 copies all of an exit that begins with such an instruction.
//
//	POP_BLOCK; POP_EXCEPT; (e = None; del e); LOAD_FAST x; RETURN_VALUE
func (e *exits) joinClauseEnds() {
	kept := map[*Region][]*namedEnd{}
	for _, b := range slices.Backward(e.g.Blocks) {
		r := b.Leaves
		if b.Dead || r == nil || b.Last() == nil || b.Last().Op != opcode.PopBlock || !takesLine(b) {
			continue
		}
		end := endOfNamed(b)
		if len(end.parts) == 0 || !slices.Contains(e.joined, end.exit) {
			continue
		}
		i := slices.IndexFunc(kept[r], func(k *namedEnd) bool {
			return k.exit == end.exit && slices.EqualFunc(end.parts, k.parts, sameOps)
		})
		if i < 0 {
			kept[r] = append(kept[r], end)
			continue
		}
		to := kept[r][i]
		to.pop = e.meet(b, to.pop, 1)
		b.Leaves = nil
		for n, x := range end.parts {
			x.Instrs, x.Next, x.Caught = nil, to.parts[n], false
		}
	}
}

// endOfNamed follows the end of a clause from b on.
func endOfNamed(b *Block) *namedEnd {
	const most = 20 // blocks; those of a ring are all empty
	end := &namedEnd{pop: b, exit: b.Next}
	for n := 0; end.exit != nil && n < most && (len(end.exit.Instrs) == 0 || isClauseEnd(end.exit)); n++ {
		if len(end.exit.Instrs) > 0 {
			end.parts = append(end.parts, end.exit)
		}
		end.exit = end.exit.Next
	}
	return end
}

// sameOps reports whether two parts of a clause's end do the same, on whatever lines.
func sameOps(a, b *Block) bool {
	return a.Caught == b.Caught && slices.EqualFunc(a.Instrs, b.Instrs, func(p, q bytecode.Instr) bool { return p.Op == q.Op && p.Name == q.Name })
}

// takesLine reports whether the last instruction of b stands on the line of what runs before, as code without a line does.
func takesLine(b *Block) bool {
	n := len(b.Instrs) - 1
	line := b.Instrs[n].Pos.Line
	if n > 0 {
		return b.Instrs[n-1].Pos.Line == line
	}
	return len(b.Preds) > 0 && !slices.ContainsFunc(b.Preds, func(p *Block) bool {
		l := p.Last()
		return l == nil || l.Pos.Line != line
	})
}

// isClauseEnd reports whether b is nothing but the end of an except clause, or a part of that.
func isClauseEnd(b *Block) bool {
	for i := range b.Instrs {
		in := &b.Instrs[i]
		switch {
		case in.Op == opcode.PopBlock, in.Op == opcode.PopExcept:
		case in.Op.Deletes() && i > 0 && b.Instrs[i-1].Op.Stores() && b.Instrs[i-1].Name == in.Name:
		case in.Op.Stores() && i > 0 && b.Instrs[i-1].Op == opcode.LoadConst && sameConst(pyc.None{}, b.Instrs[i-1].Const):
		case in.Op == opcode.LoadConst && i+2 < len(b.Instrs) && b.Instrs[i+2].Op.Deletes():
		default:
			return false
		}
	}
	return len(b.Instrs) > 0
}
