package cfg

import "github.com/thuml/depyf/internal/opcode"

// findCaught finds where except clauses end normally (≤3.10): behind POP_EXCEPT
// and, for `except E as e`, behind the clearing of e. What follows there is
// code behind the try statement, though no jump may separate it:
//
//	POP_EXCEPT; JUMP_FORWARD end              the clause's end
//	POP_EXCEPT; LOAD_GLOBAL E; RAISE_VARARGS  the same in 3.10, which copies exits
//	ROT_FOUR; POP_EXCEPT; RETURN_VALUE        `return f()` in the clause
//	POP_EXCEPT; LOAD_CONST 1; RETURN_VALUE    `return 1` in the clause
func (bs *blockStack) findCaught() {
	ins := bs.f.Instrs
	bs.targets = map[int]bool{}
	for i := range ins {
		bs.targets[ins[i].Target] = true
	}
	for p := range ins {
		if ins[p].Op != opcode.PopExcept || !bs.live[p] {
			continue
		}
		if p >= 4 && ins[p-1].Op == opcode.Pop && ins[p-4].Op == opcode.Reraise && p+1 < len(ins) && ins[p+1].Op == opcode.Pop {
			bs.caught[p+1] = true // a with block has suppressed the exception
			continue
		}
		end := p
		if k := bs.clearing(p); k > p {
			end = k
		}
		if end+1 >= len(ins) || p > 0 && ins[p-1].Op == opcode.Rot && ins[p-1].Arg == 4 {
			continue
		}
		bs.caught[end] = bs.clauseEnd(p, end+1)
	}
}

// leaps finds the jumps of `break` and `continue` that run a shared finally body on their way
// (3.8): nothing else jumps behind CALL_FINALLY. The iterator of the loop is dropped in between. So it is with the jump of a
// `break` out of the body of a try statement with clauses, which leaves that where it does not end (3.8-3.10).
func (bs *blockStack) leaps() map[int]opcode.Op {
	leaps := map[int]opcode.Op{}
	ins := bs.f.Instrs
	for i, r := range bs.pops {
		k := i + 1
		for k < len(ins) && (ins[k].Op == opcode.PopBlock || ins[k].Op == opcode.Pop) {
			k++
		}
		if r.kind == RegionExcept && bs.ends[i] == nil && k < len(ins) && ins[k].Op == opcode.Jump && ins[k].Target > k {
			leaps[k] = opcode.BreakLoop
		}
	}
	for i := 1; i < len(ins); i++ {
		k := i - 1
		if ins[k].Op == opcode.Pop && k > 0 {
			k--
		}
		switch {
		case ins[i].Op != opcode.Jump || ins[k].Op != opcode.CallFinally:
		case ins[i].Target <= i:
			leaps[i] = opcode.ContinueLoop
		default:
			leaps[i] = opcode.BreakLoop
		}
	}
	return leaps
}

// clearing returns the last instruction of `e = None; del e` around the
// POP_EXCEPT at p: behind it in 3.9 and 3.10, and in 3.7.
func (bs *blockStack) clearing(p int) int {
	ins := bs.f.Instrs
	k := p + 1
	if k < len(ins) && ins[k].Op == opcode.BeginFinally {
		k++
	}
	if k+2 >= len(ins) || ins[k].Op != opcode.LoadConst || ins[k+1].Name == "" || ins[k+1].Name != ins[k+2].Name {
		return p
	}
	if !ins[k+2].Op.Deletes() {
		return p
	}
	if k+3 < len(ins) && ins[k+3].Op == opcode.EndFinally {
		return k + 3
	}
	return k + 2
}

// clauseEnd reports whether the instruction at next, behind the POP_EXCEPT at
// p, stands behind the try statement.
func (bs *blockStack) clauseEnd(p, next int) bool {
	ins := bs.f.Instrs
	q, written := bs.wayOut(p)
	if ins[next].Op == opcode.Jump {
		if bs.f.Code.Version.DeadCodeRemoved() {
			// `continue` has a line of its own; the clause's end has none and
			// takes that of the instruction before. `pass` has one too.
			return !bs.startsLine(q) || bs.sameTurn(p, ins[next].Target)
		}
		// Behind `continue` the clause's own end stands, never reached.
		return next+1 >= len(ins) || bs.live[next+1] || ins[next+1].Op != opcode.PopExcept && ins[next+1].Op != opcode.PopBlock
	}
	if !bs.f.Code.Version.CopiesExitBlocks() || ins[next].Op == opcode.Return || ins[next].Op == opcode.Rot || ins[next].Op == opcode.Swap {
		return false
	}
	end := next
	for end < len(ins) && end < next+5 && !ins[end].Op.Exits() {
		switch op := ins[end].Op; {
		case op == opcode.Pop && end == next:
			return false // a jump out of the clause: `break`
		case op == opcode.Jump:
			return true // a statement stands in front of it
		case op == opcode.PopBlock || op == opcode.PopExcept:
			return end > next // it leaves other statements too, if no statement stands between
		}
		end++
	}
	if end >= len(ins) || !ins[end].Op.Exits() || ins[end].Op != opcode.Return || end > next+1 || ins[next].Op != opcode.LoadConst {
		return true
	}
	return ins[end].Pos.Line != ins[p].Pos.Line || !written && !bs.startsLine(q)
}

// wayOut returns the first of the instructions that end with the POP_EXCEPT at p and leave
// statements: a `return` or a jump leaves those around it as well, and clears the names of
// clauses. written says that its own place stands in front, since a with statement gives its
// own to what is behind.
func (bs *blockStack) wayOut(p int) (first int, written bool) {
	ins := bs.f.Instrs
	for q := p; ; {
		if q == 0 || bs.targets[q] {
			return q, written
		}
		switch exit, exits := bs.exitCall(q); {
		case exits:
			q = exit
			written = written || q > 1 && ins[q-1].Op == opcode.PopBlock && ins[q-2].Op == opcode.Nop
		case ins[q-1].Op == opcode.PopExcept || ins[q-1].Op == opcode.PopBlock:
			q--
		case q > 3 && ins[q].Op == opcode.PopExcept && ins[q-1].Op == opcode.Pop && ins[q-2].Op == opcode.Pop && ins[q-3].Op == opcode.Pop && ins[q-4].Op == opcode.PopExcept:
			q -= 3 // the exception that a finally clause around is run for
		case q > 3 && ins[q-1].Op.Deletes() && bs.clearing(q-4) == q-1:
			q -= 3
		default:
			return q, written
		}
	}
}

// sameTurn reports whether a jump from p to target stays in one turn of the
// innermost loop around p, or no loop is there: it is neither `break` nor
// `continue`.
func (bs *blockStack) sameTurn(p, target int) bool {
	ins := bs.f.Instrs
	head, last, before := -1, -1, -1
	for i := range ins {
		switch t := ins[i].Target; {
		case t < 0 || t > i || t > p:
		case i < p:
			if ins[t].Op != opcode.ForIter || ins[t].Target > p {
				before = max(before, t) // p may be in a loop whose last turn ends here
			}
		case t > head:
			head, last = t, i
		case t == head:
			last = i
		}
	}
	return before <= head && target > p && (head < 0 || target <= last)
}

// startsLine reports whether a new source line begins with instruction i: no
// instruction that runs before it stands on the same line. Instructions that
// the compiler adds have no line and take that of what runs before them.
func (bs *blockStack) startsLine(i int) bool {
	ins := bs.f.Instrs
	l := ins[i].Pos.Line
	if l <= 0 {
		return false
	}
	if i > 0 && ins[i-1].Pos.Line == l && ins[i-1].Op != opcode.Jump && !ins[i-1].Op.Exits() {
		return false
	}
	for k := range ins {
		if ins[k].Target == i && ins[k].Pos.Line == l {
			return false
		}
	}
	return true
}
