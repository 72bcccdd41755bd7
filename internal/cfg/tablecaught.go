package cfg

import (
	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/opcode"
)

// tableCaught finds where except clauses end normally (3.11+), see findCaught.
// The POP_EXCEPT there is the compiler's own and takes the place of what runs
// before it, while that of a jump out of the clause stands where the jump does:
//
//	x = 1             STORE_FAST x         9:8-9:13
//	                  POP_EXCEPT           9:8-9:13
//
//	x = 1             STORE_FAST x         9:8-9:13
//	continue          POP_EXCEPT          10:8-10:16
//
// jumps has the ends of what a `break` or `continue` does when it leaves a
// clause.
func tableCaught(f *bytecode.Func) (caught []bool, jumps map[int]opcode.Op) {
	caught = make([]bool, len(f.Instrs))
	jumps = map[int]opcode.Op{}
	var from []origin
	for p := range f.Instrs {
		if f.Instrs[p].Op != opcode.PopExcept || p+1 >= len(f.Instrs) {
			continue
		}
		if from == nil {
			from = sources(f)
		}
		if k := suppresses(f, p); k > p {
			caught[k] = true
		} else if endsClause(f, from, p) {
			caught[clearsName(f, p)] = true
		} else if op := loopJump(f, from, p); op != opcode.Nop {
			jumps[clearsName(f, p)] = op
		}
	}
	return caught, jumps
}

// loopJump tells by the width of its place whether the POP_EXCEPT at p, which
// ends no clause, belongs to `break` or `continue`, and is the last.
func loopJump(f *bytecode.Func, from []origin, p int) opcode.Op {
	at := f.Instrs[p].Pos
	next := &f.Instrs[clearsName(f, p)+1]
	if at.Line != at.EndLine || next.Pos == at && next.Op != opcode.Jump {
		return opcode.Nop
	}
	i := p
	for n := 0; f.Instrs[i].Pos == at && from[i].ways > 0 && n < 1000; n++ {
		i = from[i].first
	}
	if beginsBehind(f, i, at) {
		return opcode.Nop
	}
	switch at.EndCol - at.Col {
	case 5:
		return opcode.BreakLoop
	case 8:
		return opcode.ContinueLoop
	}
	return opcode.Nop
}

// origin is where control comes from to an instruction: from how many others, and which is the first of them.
type origin struct{ ways, first int }

// sources finds the origin of each instruction.
func sources(f *bytecode.Func) []origin {
	from := make([]origin, len(f.Instrs))
	add := func(to, i int) {
		if from[to].ways++; from[to].ways == 1 {
			from[to].first = i
		}
	}
	skipped := false // what drops the iterator of a loop, which FOR_ITER itself does when it jumps (3.12+)
	for i := range f.Instrs {
		in := &f.Instrs[i]
		drops := in.Op == opcode.EndFor || skipped && (in.Op == opcode.Pop || in.Op == opcode.PopIter)
		if skipped = drops && from[i].ways == 0; skipped {
			continue
		}
		if in.Target >= 0 && in.Target < len(from) {
			add(in.Target, i)
		}
		if in.Op != opcode.Jump && !in.Op.Exits() && i+1 < len(from) {
			add(i+1, i)
		}
	}
	return from
}

// endsClause reports whether an except clause ends normally with the POP_EXCEPT
// at p. It goes back over what a jump out of several statements does on its way,
// all of it at the jump's place.
func endsClause(f *bytecode.Func, from []origin, p int) bool {
	at := f.Instrs[p].Pos
	if f.Instrs[p+1].Op == opcode.Reraise {
		return false // the handler that restores the exception before
	}
	if at.Line <= 0 {
		return true // several ways meet in it
	}
	for i, n := p, 0; from[i].ways == 1 && n < 1000; n++ {
		i = from[i].first
		in := &f.Instrs[i]
		if in.Pos != at {
			// `pass`, `...` and other constants leave nothing but their place.
			if beginsBehind(f, i, at) {
				return false
			}
			next := clearsName(f, p) + 1
			for next+1 < len(f.Instrs) && f.Instrs[next].Op == opcode.PopExcept && f.Instrs[next].Pos == at {
				next = clearsName(f, next) + 1
			}
			return at.Line == at.EndLine && !jumpWide(at) && !returnsAt(f.Instrs[next:], at)
		}
		switch op := in.Op; {
		case op == opcode.Pop, op == opcode.PopIter, op == opcode.Nop, op == opcode.PopExcept, op == opcode.EndFor:
		case op.Deletes():
			if i < 2 || clearsName(f, i-3) != i || f.Instrs[i-2].Pos != at {
				return true
			}
			i -= 2
		case op == opcode.Swap:
			return false // a value is returned
		case op == opcode.Send, op == opcode.EndSend, callsExit(f.Code.Version, f.Instrs[:i+1]):
			// A with statement is left: by `return`, if the function is left as well.
			return !returnsAt(f.Instrs[clearsName(f, p)+1:], at)
		default:
			return true
		}
	}
	return false
}

// returnsAt reports whether the instructions begin with those of a return, of a constant if of any, that stands at a place.
func returnsAt(ins []bytecode.Instr, at bytecode.Pos) bool {
	if len(ins) > 1 && ins[0].Op == opcode.LoadConst && ins[1].Pos == at {
		return true
	}
	return ins[0].Pos == at && (ins[0].Op == opcode.LoadConst || ins[0].Op == opcode.Return)
}

// jumpWide reports whether a place is as wide as `break`, `return` or `continue`, or has no known width.
func jumpWide(at bytecode.Pos) bool {
	switch at.EndCol - at.Col {
	case 0, 5, 6, 8:
		return true
	}
	return false
}

// beginsBehind reports whether the place at, on a line behind that of instruction i, begins to
// the right of where a statement there does. So does that of `return None`, which is the place
// of its value.
func beginsBehind(f *bytecode.Func, i int, at bytecode.Pos) bool {
	in := f.Instrs[i].Pos
	if in.Line <= 0 || in.Line >= at.Line {
		return false
	}
	begin := in.Col
	for k := i; k >= 0 && f.Instrs[k].Pos.Line == in.Line; k-- {
		if c := f.Instrs[k].Pos.Col; c > 0 {
			begin = min(begin, c)
		}
	}
	switch {
	case in.EndLine >= at.Line:
		begin += 8 // the head of the clause, which is less indented
	case f.Instrs[i].Op.Tests():
		begin += 4 // behind `if x:`, whose test stands three to the right, a body is one to five
	}
	return at.Col > begin
}

// suppresses returns the last instruction of what a with statement does when
// its context manager suppresses the exception, if the POP_EXCEPT at p belongs
// to that, else p:
//
//	WITH_EXCEPT_START; TO_BOOL; POP_JUMP_IF_TRUE s; RERAISE
//	s: POP_TOP; POP_EXCEPT; POP_TOP; POP_TOP
func suppresses(f *bytecode.Func, p int) int {
	ins := f.Instrs
	if p < 2 || ins[p-1].Op != opcode.Pop || ins[p-2].Op != opcode.Reraise {
		return p
	}
	k := p
	for k+1 < len(ins) && ins[k+1].Op == opcode.Pop && ins[k+1].Pos == ins[p].Pos {
		k++
	}
	return k
}

// clearsName returns the last instruction of `e = None; del e` behind the
// POP_EXCEPT at p, or p.
func clearsName(f *bytecode.Func, p int) int {
	ins := f.Instrs
	if p < 0 || p+4 >= len(ins) || ins[p+1].Op != opcode.LoadConst || ins[p+2].Name == "" || ins[p+2].Name != ins[p+3].Name {
		return p
	}
	if ins[p+3].Op.Deletes() {
		return p + 3
	}
	return p
}
