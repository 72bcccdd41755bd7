package cfg

import (
	"slices"

	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyc"
)

// hideRegions removes protected regions that no statement of the source stands
// for:
//
//   - COPY 3; POP_EXCEPT; RERAISE restores the previous exception behind every
//     handler (3.11+);
//   - CALL_INTRINSIC_1 STOPITERATION_ERROR; RERAISE wraps a generator's body
//     (3.12+);
//   - e = None; del e; RERAISE behind `except E as e` (the copy on the normal
//     path says the same);
//   - CLEANUP_THROW belongs to an await or yield from (3.12+);
//   - LIST_APPEND 3; POP_TOP collects what an except* clause raises (3.11+);
//   - SWAP; POP_TOP; SWAP; STORE_FAST …; RERAISE gives variables back that an
//     inlined comprehension has saved (3.12+).
func hideRegions(g *Graph) (changed bool) {
	hidden := map[*Region]bool{}
	for _, r := range g.Regions {
		if hiddenHandler(r.Handler, g) {
			hidden[r] = true
			if r.Handler.Last().Op == opcode.EndFinally {
				// ≤3.8: the normal way runs through it too; there it only
				// drops what BEGIN_FINALLY pushed.
				r.Handler.own()
				r.Handler.Last().Op = opcode.Pop
				if r.Setup != nil {
					r.Setup.ClauseEnd = clauseEnd(r.Handler)
				}
			}
		}
	}
	if len(hidden) == 0 {
		return false
	}
	up := func(r *Region) *Region {
		for r != nil && hidden[r] {
			r = r.Parent
		}
		return r
	}
	for _, b := range g.Blocks {
		b.Exc = up(b.Exc)
		if hidden[b.Ends] {
			b.Ends = nil
		}
	}
	for _, r := range g.Regions {
		r.Parent = up(r.Parent)
	}
	return true
}

// clauseEnd follows the code behind the clearing of e to the end of the try
// statement, even if the clause's body never comes out.
func clauseEnd(b *Block) *Block {
	for n := 0; b != nil && n < 4; n++ {
		if b.Taken != nil {
			return nil
		}
		if last := b.Last(); last != nil && last.Op == opcode.Jump {
			return b.Next
		}
		b = b.Next
	}
	return nil
}

func hiddenHandler(h *Block, g *Graph) bool {
	var ops []opcode.Op
	var names []string
	clears := false // loads None first
	for i := range h.Instrs {
		in := &h.Instrs[i]
		switch in.Op {
		case opcode.Nop, opcode.EndFor:
			continue
		}
		if _, none := in.Const.(pyc.None); none && len(ops) == 0 {
			clears = true
		}
		ops, names = append(ops, in.Op), append(names, in.Name)
	}
	match := func(want ...opcode.Op) bool { return slices.Equal(ops, want) }
	if len(ops) == 0 {
		return false
	}
	switch {
	case match(opcode.Copy, opcode.PopExcept, opcode.Reraise),
		match(opcode.StopIterationError, opcode.Reraise):
		return true
	case ops[0] == opcode.CleanupThrow:
		return true
	case restoresVars(ops), starHandler(h):
		return true
	}
	if !clears || len(names) < 3 || names[1] != names[2] {
		return false
	}
	if len(ops) == 4 && ops[0] == opcode.LoadConst && ops[1].Stores() && ops[2].Deletes() && (ops[3] == opcode.Reraise || ops[3] == opcode.EndFinally) {
		return g.Func.Code.Version.HasExceptionTable() || h.Instrs[0].Op == opcode.LoadConst
	}
	return false
}

// restoresVars recognises the handler around an inlined comprehension.
func restoresVars(ops []opcode.Op) bool {
	n := len(ops)
	if n < 4 || ops[0] != opcode.Swap || ops[1] != opcode.Pop || ops[n-1] != opcode.Reraise || ops[n-2] != opcode.StoreFast {
		return false
	}
	return !slices.ContainsFunc(ops[2:n-1], func(op opcode.Op) bool { return op != opcode.Swap && op != opcode.StoreFast })
}
