package cfg

import (
	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyc"
)

// statementTail returns how many instructions at the ends of a and b are copies
// of the end of one statement, in the middle of an expression that branches; 0 for
// none:
//
//	return f(a, b if c else d)    CALL; RETURN_VALUE
//	f(a, b if c else d)           CALL; POP_TOP; LOAD_CONST None; RETURN_VALUE
//	a[b if c else d] = e          STORE_SUBSCR; LOAD_CONST None; RETURN_VALUE
//	x = a * (b if c else d)       BINARY_OP *; STORE_FAST x; LOAD_FAST x; RETURN_VALUE
//
// Two statements have no such copies: these take from the stack what was pushed
// before the expression branched, and begin where each arm has pushed its one
// value. With columns known, that they are of one place says as much, where the
// instructions in front are not, and no finally body is copied. The two sides of one test are arms:
// they may push the same value.
func (e *exits) statementTail(a, b *Block) int {
	v, la, lb := e.v, a.Instrs, b.Instrs
	longest := maxExitCopy
	if v.CopiesLongExits() {
		longest = max(len(la), len(lb)) // the end of a call with many keywords begins with a MAP_ADD without a line
	}
	most := commonSuffix(a, b, longest, true, func(int) bool { return true })
	if dropsModule(la, len(la)-most) || dropsModule(lb, len(lb)-most) {
		return 0
	}
	if n := e.linelessTail(a, b, most); n > 0 {
		return n
	}
	if behindStatement(la, most) && behindStatement(lb, most) {
		return 0 // whole statements are the same: see commonExit
	}
	end, stores, whole := statementEnd(la[len(la)-most:])
	if end == 0 || most > end && callsExit(v, la[:len(la)-end]) || behindExit(v, a) || behindExit(v, b) {
		return 0
	}
	n := end + stores
	for n < most && !endsStatement(la[len(la)-1-n].Op) && !callsExit(v, la[:len(la)-n]) {
		n++
	}
	belowA, belowB := ofOneChain(v, la, lb)
	apart := n == most && n < len(la) && n < len(lb) // where the arms' own code ends
	if n == len(la) && n == len(lb) && sides(a, b) {
		n--
	}
	raises := la[len(la)-1].Op == opcode.Raise && la[len(la)-1].Arg > 0 // no line has two such
	for ; n > end || n == end && (whole || raises || belowA > 0); n-- {
		// Where the arms' own code ends.
		known := apart && (e.beginsWhole(&la[len(la)-n]) || raises || belowA > 0 || e.whole(&la[len(la)-n]) && begunAbove(v, la, lb, n))
		// A block that begins with the store goes on with an expression; two statements
		// may store one variable.
		known = known || n == end && (n == len(la)) != (n == len(lb))
		// A block that is nothing else, and takes a value from before, is no statement.
		known = known || n == len(la) && takesBelow(v, la) >= 0 || n == len(lb) && takesBelow(v, lb) >= 0
		if n == end && !known {
			break
		}
		if e.begins(a, n, belowA, known) && e.begins(b, n, belowB, known) {
			return n
		}
		apart = false
	}
	return 0
}

// behindStatement reports whether the last n instructions of list begin a statement on a line of its own, behind the end of another.
func behindStatement(list []bytecode.Instr, n int) bool {
	i := len(list) - n
	return i > 0 && n > 0 && startsStatement(&list[i]) && endsStatement(list[i-1].Op) && list[i-1].Pos.Line != list[i].Pos.Line
}

// sides reports whether a and b are the two sides of one test.
func sides(a, b *Block) bool {
	return len(a.Preds) == 1 && len(b.Preds) == 1 && a.Preds[0] == b.Preds[0]
}

// begins reports whether a tail begins n instructions in front of the end of b: see beginsTail.
func (e *exits) begins(b *Block, n, below int, known bool) bool {
	if e.tails[b] && n == len(b.Instrs) {
		return true
	}
	list := b.Instrs
	if left := returnLeaves(list); left > 1 && left < n {
		list, n = list[:len(list)-left], n-left // it takes an iterator from below, as arms do that return their own
	}
	return beginsTail(e.v, list, n, below, known)
}

// beginsWhole reports whether in is the first of an expression that columns tell to be whole.
func (e *exits) beginsWhole(in *bytecode.Instr) bool {
	return e.v.HasColumns() && in.Pos.Col >= 0 && e.whole(in)
}

// linelessTail returns how many instructions at the ends of a and b, of which most are the same, are copies of an exit
// that begins with an instruction without a line, 0 for none: 3.10 copies all of such a block. It stands in the middle of a
// statement, where the ways through a value meet: the MAP_ADD of a call with many keywords, or the POP_TOP of what is no more
// than an expression.
//
//	x = f(a=1, …, p=b or c)     MAP_ADD; CALL_FUNCTION_EX; STORE_FAST x; … RETURN_VALUE
//	…
//	return x
//
//	with a:                     POP_TOP; POP_BLOCK; (call of __exit__); LOAD_CONST None; RETURN_VALUE
//	    b() if c else d()
//	    return
//
// The arms have at most the loading of one value in common. A finally body begins with
// a statement.
func (e *exits) linelessTail(a, b *Block, most int) int {
	la, lb := a.Instrs, b.Instrs
	switch {
	case !e.v.CopiesLongExits() || most == 0 || most == len(la) && most == len(lb):
		return 0
	case la[len(la)-most].Op == opcode.Pop && (most == len(la) || most == len(lb)):
		if e.whole(&la[len(la)-most]) && !dropsExit(e.v, a, len(la)-most) && !dropsExit(e.v, b, len(lb)-most) {
			return most
		}
	}
	for n := most; n > 0 && n >= most-1; n-- {
		if la[len(la)-n].Op == opcode.MapAdd {
			return n
		}
	}
	return 0
}

// dropsModule reports whether instruction k of list drops the module whose names an import statement has stored: no value of an
// expression.
func dropsModule(list []bytecode.Instr, k int) bool {
	return k > 1 && k < len(list) && list[k].Op == opcode.Pop && list[k-1].Op.Stores() && list[k-2].Op == opcode.ImportFrom
}

// behindExit reports whether b returns a value that was computed before the call of __exit__ in
// front of it, or drops first what that has returned: behind a with statement all of its returns bear the place of the statement.
func behindExit(v pyc.Version, b *Block) bool {
	if len(b.Instrs) > 0 && dropsExit(v, b, 0) {
		return true
	}
	if len(b.Preds) != 1 || takesBelow(v, b.Instrs) < 0 {
		return false
	}
	p := b.Preds[0]
	n := len(p.Instrs)
	for n > 0 && p.Instrs[n-1].Op == opcode.Swap {
		n--
		if n > 1 && p.Instrs[n-1].Op == opcode.Pop && p.Instrs[n-2].Op == opcode.Swap {
			n-- // the exception that a finally clause around is run for
		}
	}
	return dropsExit(v, p, n-1)
}

// statementEnd returns how many of the last instructions end the function when
// the statement's expressions are computed, 0 where they do not, whether the one in
// front stores, and whether they drop or store the statement's value themselves.
func statementEnd(list []bytecode.Instr) (end, stores int, whole bool) {
	n := len(list)
	if n == 0 || !leaves(list[n-1].Op) {
		return 0, 0, false
	}
	left := 1 // the instructions that leave
	if list[n-1].Op == opcode.Return && n >= 3 && startsStatement(&list[n-2]) {
		left = 2
	}
	bare := list[n-1].Op == opcode.Reraise || list[n-1].Op == opcode.Raise && list[n-1].Arg == 0
	if n > left && (left == 2 || bare) {
		switch op := list[n-left-1].Op; {
		case op == opcode.Pop, op.Stores():
			return left + 1, 0, true
		case op == opcode.StoreAttr, op == opcode.StoreSubscr:
			return left, 1, false
		}
	}
	return max(1, returnLeaves(list)), 0, false
}

// returnLeaves returns how many instructions at the end are a RETURN_VALUE and, in front of it, what that leaves; 0 if there is none.
func returnLeaves(list []bytecode.Instr) int {
	n := len(list)
	if n == 0 || list[n-1].Op != opcode.Return {
		return 0
	}
	for left := 1; ; {
		switch {
		case left < n && list[n-left-1].Op == opcode.PopBlock:
			left++ // ≤3.10: a protected body
		case left+1 < n && list[n-left-1].Op == opcode.Pop && list[n-left-2].Op == opcode.Swap:
			left += 2 // a for loop, whose iterator lies below the value
		default:
			return left
		}
	}
}

// callsExit reports whether the instructions end with the call of __exit__ behind
// a with block, which takes its function from the stack too. It is told by its
// arguments: they bear the place of the call, where columns are known, or are
// copies of None.
func callsExit(v pyc.Version, list []bytecode.Instr) bool {
	n := len(list)
	if n < 2 {
		return false
	}
	call, arg := &list[n-1], &list[n-2]
	switch call.Op {
	case opcode.Call, opcode.CallFunction:
		return arg.Pos == call.Pos && (arg.Op == opcode.Copy || arg.Op == opcode.LoadConst && v.HasColumns())
	}
	return false
}

// beginsTail reports whether one value has been pushed where the last n
// instructions of the list begin, and whether these take more than that, unless
// they are known to be a tail. A block that is nothing else is entered with its
// value on the stack; how many one has pushed that takes older values itself cannot
// be told, but for the links of a comparison chain, which find so many below. No value of an expression waits at
// POP_EXCEPT: one that is returned lies below the exception, and what is dropped behind it was there before.
func beginsTail(v pyc.Version, list []bytecode.Instr, n, below int, known bool) bool {
	for i := max(len(list)-n-1, 0); i < len(list) && i <= len(list)-n; i++ {
		if list[i].Op == opcode.PopExcept {
			return false
		}
	}
	depth := below
	if n == len(list) {
		depth = 1
	}
	for i := range list {
		if i == len(list)-n && (depth != 1 || known) {
			return depth == 1
		}
		pop, push := bytecode.StackEffect(v, &list[i], false)
		if depth -= pop; depth < 0 {
			return known || i >= len(list)-n
		}
		depth += push
	}
	return false
}

// begunAbove reports whether the expression that takes the value in front of the last n instructions begins on a line above what
// pushes it, in a as in b: it is no part of an arm.
//
//	return {"a": (b
//	              if c else d), "e": f}
func begunAbove(v pyc.Version, a, b []bytecode.Instr, n int) bool {
	i := takesBelow(v, a[len(a)-n:])
	if i < 0 {
		return false
	}
	line := a[len(a)-n+i].Pos.Line
	return line > 0 && line < a[len(a)-n-1].Pos.Line && line < b[len(b)-n-1].Pos.Line
}

// takesBelow returns the first of the instructions that takes more from the stack than those in front of it have pushed, -1 if none does.
func takesBelow(v pyc.Version, list []bytecode.Instr) int {
	depth := 0
	for i := range list {
		pop, push := bytecode.StackEffect(v, &list[i], false)
		if depth -= pop; depth < 0 {
			return i
		}
		depth += push
	}
	return -1
}

// ofOneChain returns how many values of a comparison chain a and b find on the
// stack if one is the chain's last link and the other its clean-up, else 0:
//
//	a < b < c    LOAD c; COMPARE_OP <    ROT_TWO; POP_TOP
func ofOneChain(v pyc.Version, a, b []bytecode.Instr) (belowA, belowB int) {
	x, y := chainDepth(v, a), chainDepth(v, b)
	if x == 1 && y == 2 || x == 2 && y == 1 {
		return x, y
	}
	return 0, 0
}

// chainDepth returns how many values of a comparison chain lie on the stack where
// the block begins: the operand that two links share, for the clean-up also the
// result. It is 0 for a block that belongs to no chain.
func chainDepth(v pyc.Version, list []bytecode.Instr) int {
	if len(list) > 1 && list[1].Op == opcode.Pop && list[0].Arg == 2 && (list[0].Op == opcode.Rot || list[0].Op == opcode.Swap) {
		return 2
	}
	depth := 0
	for i := range list {
		pop, push := bytecode.StackEffect(v, &list[i], false)
		if depth -= pop; depth < 0 {
			switch list[i].Op {
			case opcode.Compare, opcode.IsOp, opcode.ContainsOp:
				return -depth
			}
			return 0
		}
		depth += push
	}
	return 0
}
