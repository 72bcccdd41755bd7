package cfg

import (
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
func exceptStar(g *Graph) error {
	var tests []*Block
	for _, b := range g.Blocks {
		if !b.Dead && egTest(b) >= 0 {
			tests = append(tests, b)
		}
	}
	if len(tests) == 0 {
		return nil
	}
	for _, b := range tests {
		if !g.plainClause(b) {
			return nil // the lifter will say so
		}
	}
	g.ComputePreds()
	return nil
}

// egTest returns the index of the CHECK_EG_MATCH that ends b, or -1.
func egTest(b *Block) int {
	n := len(b.Instrs)
	if n < 3 || b.Instrs[n-1].Op != opcode.PopJumpIfNone || b.Instrs[n-2].Op != opcode.Copy || b.Instrs[n-3].Op != opcode.CheckEgMatch {
		return -1
	}
	return n - 3
}

// plainClause rewrites the clause whose test ends b.
func (g *Graph) plainClause(b *Block) bool {
	at := egTest(b)
	miss := b.Taken
	next, pops := g.behindPop(miss)
	if !pops {
		return false
	}
	end := g.starEnd(next)
	if end == nil {
		return false
	}
	// The body goes to the end instead of the next clause.
	leaves := func(x *Block) bool {
		if x == next {
			return true
		}
		// 3.12+ copies the LIST_APPEND to the end of the last clause.
		i := firstIndex(x)
		return i >= 0 && x.Instrs[i].Op == opcode.ListAppend && x.Instrs[i].Arg == 1
	}
	body := map[*Block]bool{}
	work := []*Block{b.Next}
	for len(work) > 0 {
		x := work[len(work)-1]
		work = work[:len(work)-1]
		if body[x] || leaves(x) || x == end {
			continue
		}
		body[x] = true
		x.Succs(func(s *Block) { work = append(work, s) })
		for r := x.Exc; r != nil && r != b.Exc && r.Inside(b.Exc); r = r.Parent {
			work = append(work, r.Handler)
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
	var ins []bytecode.Instr
	for i := 0; i < at; i++ {
		if i+1 < at && b.Instrs[i].Op == opcode.BuildList && b.Instrs[i].Arg == 0 && b.Instrs[i+1].Op == opcode.Copy && b.Instrs[i+1].Arg == 2 {
			i++
			continue
		}
		if i+2 < at && b.Instrs[i].Op == opcode.Copy && b.Instrs[i+1].Op == opcode.BuildList && b.Instrs[i+2].Op == opcode.Swap {
			i += 2 // 3.11: COPY 1; BUILD_LIST 0; SWAP 2
			continue
		}
		ins = append(ins, b.Instrs[i])
	}
	b.Instrs = append(ins, test, jump)
	b.Taken = next
	if i := firstIndex(next); i >= 0 && next.Instrs[i].Op == opcode.ListAppend && next.Instrs[i].Arg == 1 {
		// Nothing has matched: what is left is raised again.
		in := next.Instrs[i]
		in.Op, in.Arg = opcode.Reraise, 0
		r := &Block{ID: next.ID, Instrs: []bytecode.Instr{in}, Exc: b.Exc}
		g.insertAfter(next, r)
		b.Taken = r
	}
	return true
}

// starEnd finds the POP_EXCEPT behind the last clause.
func (g *Graph) starEnd(b *Block) *Block {
	for steps := 0; b != nil && steps < 1000; steps++ {
		for i := range b.Instrs {
			if b.Instrs[i].Op != opcode.PrepReraiseStar {
				continue
			}
			end, pops := g.behindPop(b.Next)
			if !pops || b.Taken == nil {
				return nil
			}
			return end
		}
		if egTest(b) >= 0 || b.Taken != nil {
			b = b.Taken
			continue
		}
		b = b.Next
	}
	return nil
}

// starHandler recognises the handler around the body of an `except*` clause,
// which puts what the body raises on the list.
func starHandler(h *Block) bool {
	var in []bytecode.Instr
	for _, x := range h.Instrs {
		if x.Op != opcode.Nop {
			in = append(in, x)
		}
	}
	if len(in) > 3 && in[0].Op == opcode.LoadConst && isStore(in[1].Op) && isDelete(in[2].Op) {
		in = in[3:]
	}
	return len(in) >= 2 && in[0].Op == opcode.ListAppend && in[0].Arg == 3 && in[1].Op == opcode.Pop
}
