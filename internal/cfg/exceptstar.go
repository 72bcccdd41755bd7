package cfg

import (
	"math"
	"slices"

	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/opcode"
)

// exceptStar gives `except*` the shape of `except`. Its clauses run one after
// the other, each on the part of the group that it matches, with the list of
// what they raise on the stack:
//
//	PUSH_EXC_INFO; BUILD_LIST 0; COPY 2              PUSH_EXC_INFO
//	T; CHECK_EG_MATCH; COPY 1; POP_JUMP_IF_NONE n    T; CHECK_EXC_MATCH; POP_JUMP_IF_FALSE n
//	STORE e; body; jump m                        →   STORE e; body; jump end
//	n: POP_TOP                                       n:
//	m: the next clause …                             m: the next clause …
//	LIST_APPEND 1; PREP_RERAISE_STAR; …              RERAISE
//	end: POP_EXCEPT; jump after                      end: POP_EXCEPT; jump after
//
// The Flag of CHECK_EXC_MATCH says that the clause has the star.
func exceptStar(g *Graph) (changed bool) {
	var tests []*Block
	for _, b := range g.Blocks {
		jumpsOnMiss(b)
		if !b.Dead && egTest(b) >= 0 {
			tests = append(tests, b)
		}
	}
	if len(tests) == 0 {
		return false
	}
	g.splitStarEnds()
	for _, b := range g.Blocks {
		b.Instrs = withoutStarList(b.Instrs)
	}
	// A statement within a clause, which ends before the clause's does, is a plain one when the clause's own ends
	// are looked for.
	slices.SortStableFunc(tests, func(x, y *Block) int { return starList(x) - starList(y) })
	for _, b := range tests {
		rest, end := g.plainClause(b)
		if end == nil {
			return true // the lifter will say so; the clauses before have been rewritten
		}
		if rest == nil {
			continue
		}
		g.ComputePreds()
		g.blockAt(place{end, firstIndex(end) + 1})
		end.Caught = true // the code that follows is behind the statement, a return too: none stands in a clause
		if end.Dead {
			g.noRest(rest, end) // now: it may be the only way on in a clause around
		}
	}
	return true
}

// NoClause is the Arg of a CHECK_EXC_MATCH that belongs to no clause.
const NoClause = 1

// noRest lets the block that raises again what no clause has matched go to the end of the
// statement, too. Where each clause raises, that is the only way there is: what they raise
// is kept until all have run, and the compiler does not know that there is anything.
//
//	try:
//	    return a
//	except* E:
//	    raise b
//	raise c
//
// It takes the shape of one more clause, see NoClause.
func (g *Graph) noRest(r, end *Block) {
	raise := &Block{ID: r.ID, Instrs: r.Instrs, Exc: r.Exc}
	g.insertAfter(r, raise)
	done := &Block{ID: r.ID, Next: end, Exc: r.Exc}
	g.insertAfter(raise, done)
	mk := func(op opcode.Op) bytecode.Instr {
		return bytecode.Instr{Op: op, Target: -1, Offset: raise.Instrs[0].Offset, Pos: raise.Instrs[0].Pos}
	}
	none, test, jump := mk(opcode.LoadConst), mk(opcode.CheckExcMatch), mk(opcode.PopJumpIfFalse)
	none.Const, test.Flag, test.Arg = noneConst, true, NoClause
	r.Instrs, r.Next, r.Taken = []bytecode.Instr{none, test, jump}, raise, done
	done.Instrs = []bytecode.Instr{mk(opcode.Pop)}
}

// jumpsOnMiss turns a test that jumps where the clause matches, as early releases of
// 3.11 write the last one: POP_JUMP_IF_NOT_NONE body; POP_TOP; JUMP m.
func jumpsOnMiss(b *Block) {
	n := len(b.Instrs) - 1
	if n >= 2 && b.Instrs[n].Op == opcode.PopJumpIfNotNone && b.Instrs[n-2].Op == opcode.CheckEgMatch {
		b.own()
		b.Instrs[n].Op = opcode.PopJumpIfNone
		b.Next, b.Taken = b.Taken, b.Next
	}
}

// splitStarEnds gives the LIST_APPEND in front of PREP_RERAISE_STAR a block of its
// own. 3.12+ copies it to the ends of the last clause, behind other instructions:
//
//	LOAD_CONST None; STORE e; DELETE e; LIST_APPEND 1; jump to PREP_RERAISE_STAR
func (g *Graph) splitStarEnds() {
	for k := 0; k < len(g.Blocks); k++ {
		b := g.Blocks[k]
		n := len(b.Instrs) - 1
		if n >= 0 && b.Instrs[n].Op == opcode.Jump {
			n--
		}
		if b.Dead || b.Taken != nil || b.Next == nil || n < 1 || b.Instrs[n].Op != opcode.ListAppend || b.Instrs[n].Arg != 1 {
			continue
		}
		if i := firstIndex(b.Next); i < 0 || b.Next.Instrs[i].Op != opcode.PrepReraiseStar {
			continue
		}
		tail := g.blockAt(place{b, n})
		b.Next = tail
		g.ComputePreds()
	}
}

// egTest returns the index of the CHECK_EG_MATCH that ends b, or -1.
func egTest(b *Block) int {
	n := len(b.Instrs)
	if n < 3 || b.Instrs[n-1].Op != opcode.PopJumpIfNone || b.Instrs[n-2].Op != opcode.Copy || b.Instrs[n-3].Op != opcode.CheckEgMatch {
		return -1
	}
	return n - 3
}

// plainClause rewrites the clause whose test ends b. It returns the end of the statement, nil if there is none, and for the
// last clause the block that raises what is left.
func (g *Graph) plainClause(b *Block) (rest, end *Block) {
	at := egTest(b)
	miss := b.Taken
	next, pops := g.behindPop(miss)
	if !pops {
		return nil, nil
	}
	next = skip(place{next, 0}).b
	if end = g.starEnd(next); end == nil {
		return nil, nil
	}
	// The body goes to the end instead of the next clause.
	// 3.12+ copies the LIST_APPEND to the end of the last clause.
	leaves := func(x *Block) bool { return x == next || endsStar(x) >= 0 }
	body := map[*Block]bool{}
	for x, more := range Walk(b.Next) {
		if leaves(x) || x == end {
			continue
		}
		body[x] = true
		x.Succs(more)
		for r := x.Exc; r != nil && r != b.Exc && r.Inside(b.Exc); r = r.Parent {
			more(r.Handler)
		}
	}
	seen := map[*Region]bool{}
	for x := range body {
		if x.Next != nil && leaves(x.Next) {
			x.Next = end
		}
		if x.Taken != nil && leaves(x.Taken) {
			x.Taken = end
		}
		// The list and the rest of the group are gone from the stack.
		for r := x.Exc; r != nil && r != b.Exc && r.Inside(b.Exc) && !seen[r]; r = r.Parent {
			seen[r] = true
			if r.Depth >= 3 {
				r.Depth -= 3
			}
		}
	}
	test := b.Instrs[at]
	test.Op, test.Flag = opcode.CheckExcMatch, true
	jump := b.Instrs[at+2]
	jump.Op = opcode.PopJumpIfFalse
	b.Instrs = append(b.Instrs[:at:at], test, jump)
	b.Taken = next
	if i := endsStar(next); i >= 0 {
		// Nothing has matched: what is left is raised again.
		in := next.Instrs[i]
		in.Op, in.Arg = opcode.Reraise, 0
		rest = &Block{ID: next.ID, Instrs: []bytecode.Instr{in}, Exc: b.Exc}
		g.insertAfter(next, rest)
		b.Taken = rest
	}
	return rest, end
}

// withoutStarList leaves out the list that a handler begins, of what the clauses raise.
func withoutStarList(ins []bytecode.Instr) []bytecode.Instr {
	i := slices.IndexFunc(ins, func(in bytecode.Instr) bool { return in.Op == opcode.PushExcInfo }) + 1
	is := func(k int, op opcode.Op, arg int) bool {
		return i+k < len(ins) && ins[i+k].Op == op && ins[i+k].Arg == arg
	}
	switch {
	case i == 0:
		return ins
	case is(0, opcode.BuildList, 0) && is(1, opcode.Copy, 2):
		return slices.Delete(slices.Clone(ins), i, i+2)
	case is(0, opcode.Copy, 1) && is(1, opcode.BuildList, 0) && is(2, opcode.Swap, 2): // 3.11
		return slices.Delete(slices.Clone(ins), i, i+3)
	}
	return ins
}

// endsStar returns the index of the LIST_APPEND with which b begins if that hands the
// rest of the group to PREP_RERAISE_STAR, else -1: a list display may begin a block
// with one too.
func endsStar(b *Block) int {
	i := firstIndex(b)
	if i < 0 || b.Instrs[i].Op != opcode.ListAppend || b.Instrs[i].Arg != 1 {
		return -1
	}
	if at := skip(place{b, i + 1}); at.i < len(at.b.Instrs) && at.b.Instrs[at.i].Op == opcode.PrepReraiseStar {
		return i
	}
	return -1
}

// starEnd finds the POP_EXCEPT behind the last clause.
func (g *Graph) starEnd(b *Block) *Block {
	b, at := starPrep(b)
	if at < 0 || b.Taken == nil {
		return nil
	}
	end, pops := g.behindPop(b.Next)
	if !pops {
		return nil
	}
	return end
}

// starList is where in the code the list of what the clauses have raised is used, which is behind all of them.
func starList(b *Block) int {
	b, at := starPrep(b)
	if at < 0 {
		return math.MaxInt
	}
	return b.Instrs[at].Offset
}

// starPrep finds the PREP_RERAISE_STAR of the statement of which b is a test, or lies behind one; at < 0: there is none.
// The type of a clause may be an asynchronous comprehension, which ends by an exception.
func starPrep(b *Block) (prep *Block, at int) {
	for x, more := range Walk(b) {
		at := slices.IndexFunc(x.Instrs, func(in bytecode.Instr) bool { return in.Op == opcode.PrepReraiseStar })
		switch {
		case at >= 0:
			return x, at
		case egTest(x) >= 0:
			more(x.Taken)
			continue
		}
		x.Succs(more)
		for r := x.Exc; r != nil && r != b.Exc && r.Inside(b.Exc); r = r.Parent {
			more(r.Handler)
		}
	}
	return nil, -1
}

// starHandler recognises the handler around the body of an `except*` clause,
// which puts what the body raises on the list.
func starHandler(h *Block) bool {
	in := make([]*bytecode.Instr, 0, 5)
	for i := range h.Instrs {
		if x := &h.Instrs[i]; x.Op != opcode.Nop && len(in) < cap(in) {
			in = append(in, x)
		}
	}
	if len(in) > 3 && in[0].Op == opcode.LoadConst && in[1].Op.Stores() && in[2].Op.Deletes() {
		in = in[3:]
	}
	return len(in) >= 2 && in[0].Op == opcode.ListAppend && in[0].Arg == 3 && in[1].Op == opcode.Pop
}
