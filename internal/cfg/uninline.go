package cfg

import (
	"slices"

	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyc"
)

// uninline undoes PEP 709 (3.12+): the loop of a comprehension that runs in the
// frame of the code around it becomes a function of its own again, as up to
// 3.11, which everything behind this pass knows how to read.
//
//	iterable; GET_ITER                          iterable; GET_ITER
//	LOAD_FAST_AND_CLEAR i; SWAP 2               LOAD_CONST <listcomp>; MAKE_FUNCTION
//	BUILD_LIST 0; SWAP 2                   →    SWAP 2; CALL 0
//	L: FOR_ITER E; …; LIST_APPEND 2; JUMP L     E: …
//	E: SWAP 2; STORE_FAST i; …
//
// The loop's blocks move to a graph of their own, g.Inlined[code]. The handler
// that restores i was hidden before (hideRegions).
func uninline(g *Graph) {
	if !g.Func.Code.Version.InlinesComprehensions() {
		return
	}
	tried := map[place]bool{}
	for {
		// The last one in the layout holds no other.
		var p *Block
		at := -1
		for _, b := range g.Blocks {
			if b.Dead {
				continue
			}
			for i := range b.Instrs {
				if b.Instrs[i].Op == opcode.LoadFastAndClear || b.savesNothing(i) && !tried[place{b, i}] {
					p, at = b, i
				}
			}
		}
		if p == nil {
			return
		}
		if !g.outline(p, at) {
			if p.Instrs[at].Op == opcode.LoadFastAndClear {
				return // the lifter will say so
			}
			tried[place{p, at}] = true // some other display
		}
	}
}

// savesNothing reports whether instruction i may begin a comprehension whose targets
// are no variables: [x for a[0] in b].
func (b *Block) savesNothing(i int) bool {
	in := b.Instrs
	switch in[i].Op {
	case opcode.BuildList, opcode.BuildSet, opcode.BuildMap:
	default:
		return false
	}
	if in[i].Arg != 0 || i+1 >= len(in) || in[i+1].Op != opcode.Swap || in[i+1].Arg != 2 {
		return false
	}
	// Behind a saved variable there is a SWAP in front.
	before := []*Block{b}
	if i == 0 {
		before = b.Preds
	}
	for _, p := range before {
		k := i - 1
		if i == 0 {
			k = len(p.Instrs) - 1
		}
		if k >= 0 && p.Instrs[k].Op == opcode.Swap {
			return false
		}
	}
	if i+2 < len(in) && (in[i+2].Op == opcode.GetIter || in[i+2].Op == opcode.GetAiter) {
		return true // 3.15
	}
	return i > 0 && (in[i-1].Op == opcode.GetIter || in[i-1].Op == opcode.GetAiter)
}

// saved is an abstract stack slot of the code around an inlined comprehension.
type saved struct {
	kind byte   // 'i' the iterable, 's' a saved variable, 'r' the result
	name string // 's'
}

// outline moves the comprehension whose last LOAD_FAST_AND_CLEAR is p.Instrs[at].
func (g *Graph) outline(p *Block, at int) bool {
	start := savingFrom(p, at)
	c, ok := readInlined(p, start)
	if !ok {
		return false
	}
	exit, ok := g.inlinedExit(c)
	if !ok {
		return false
	}
	keep, rest, ok := restore(c.saved, exit.Instrs)
	if !ok {
		return false
	}
	inside := map[*Block]bool{c.head: true}
	for x, more := range Walk(c.head.Next) {
		if x == c.head {
			continue
		}
		if x == exit || x == p || len(x.HandlerOf) > 0 {
			return false
		}
		inside[x] = true
		x.Succs(more)
	}
	for x := range inside {
		if x != c.head && slices.ContainsFunc(x.Preds, func(b *Block) bool { return !inside[b] }) {
			return false // no compiler jumps into a comprehension
		}
	}
	loop := loopAlone(c.head, inside)
	code := *g.Func.Code
	code.Name, code.QualName = c.name, c.name
	code.Flags |= pyc.FlagOptimized
	if g.Inlined == nil {
		g.Inlined = map[*pyc.Code]*Graph{}
	}
	g.Inlined[&code] = g.moveOut(p, exit, loop, inside, c, &code)
	load, call := c.instr(opcode.LoadConst, 0), c.instr(opcode.Call, 0)
	load.Const = &code
	p.Instrs = append(p.Instrs[:start:start], load, c.instr(opcode.MakeFunction, 0), c.instr(opcode.Swap, 2), call)
	p.Next, p.Taken = exit, nil
	exit.Instrs = append(keep, rest...)
	if len(exit.Instrs) == 0 {
		exit.Instrs = []bytecode.Instr{c.instr(opcode.Nop, 0)}
	}
	g.ComputePreds()
	return true
}

// inlined is a comprehension whose code stands in the function around it.
type inlined struct {
	name  string   // of the function that it is without
	saved []saved  // the stack below its iterator
	names []string // the variables among them, as they are saved
	cells []string // those that get a cell
	plain []string // those that have a slot of their own, beside a cell of that name
	head  *Block   // ends with its FOR_ITER
	pos   bytecode.Pos
}

// instr is an instruction of the function that the comprehension becomes, or of its call.
func (c *inlined) instr(op opcode.Op, arg int) bytecode.Instr {
	return bytecode.Instr{Op: op, Arg: arg, Target: -1, Offset: pos0(c.head), Pos: c.pos}
}

// savingFrom is where the saving of variables begins that the LOAD_FAST_AND_CLEAR at that place is part of.
func savingFrom(p *Block, at int) int {
	start := at
	for start > 0 {
		op := p.Instrs[start-1].Op
		if op != opcode.LoadFastAndClear && op != opcode.MakeCell && op != opcode.Nop {
			break
		}
		start--
	}
	return behindNops(p.Instrs, start)
}

var displayNames = map[opcode.Op]string{opcode.BuildList: "<listcomp>", opcode.BuildSet: "<setcomp>", opcode.BuildMap: "<dictcomp>"}

// readInlined reads a comprehension from the saving of its variables to the head of its loop.
func readInlined(b *Block, i int) (*inlined, bool) {
	c := &inlined{}
	st := []saved{{kind: 'i'}}
	for steps := 0; c.head == nil; steps++ {
		for ; i < len(b.Instrs); i++ {
			in := &b.Instrs[i]
			n := len(st)
			switch in.Op {
			case opcode.Nop, opcode.GetIter, opcode.GetAiter, opcode.Jump:
			case opcode.MakeCell:
				c.cells = append(c.cells, in.Name)
			case opcode.LoadFastAndClear:
				st = append(st, saved{'s', in.Name})
				c.names = append(c.names, in.Name)
				if !in.Flag {
					c.plain = append(c.plain, in.Name)
				}
			case opcode.Swap:
				if in.Arg > n || in.Arg < 2 {
					return nil, false
				}
				st[n-1], st[n-in.Arg] = st[n-in.Arg], st[n-1]
			case opcode.BuildList, opcode.BuildSet, opcode.BuildMap:
				if in.Arg != 0 || c.name != "" {
					return nil, false
				}
				c.name, c.pos = displayNames[in.Op], in.Pos
				st = append(st, saved{kind: 'r'})
			case opcode.ForIter:
				c.head = b
			default:
				return nil, false
			}
		}
		if c.head == nil {
			if b.Taken != nil || b.Next == nil || steps > 8 {
				return nil, false
			}
			b, i = b.Next, 0
		}
	}
	n := len(st)
	c.saved = st[:n-1]
	return c, c.name != "" && n >= 2 && st[n-1].kind == 'i' && st[n-2].kind == 'r'
}

// inlinedExit is the block behind the loop, in which variables are restored. Where none is, the loop ends where
// another arm of an expression does, and gets a block of its own.
func (g *Graph) inlinedExit(c *inlined) (*Block, bool) {
	exit := c.head.Taken
	for firstWork(exit) == opcode.Jump && exit.Taken == nil && len(exit.Preds) == 1 && len(exit.Next.Preds) == 1 {
		exit = exit.Next // the clean-up handler lies in between
	}
	if len(exit.Preds) == 1 {
		return exit, true
	}
	if len(c.saved) != 1 {
		return nil, false
	}
	meet := exit
	exit = &Block{ID: meet.ID, Next: meet, Exc: meet.Exc}
	c.head.Taken = exit
	g.Blocks = slices.Insert(g.Blocks, slices.Index(g.Blocks, meet), exit)
	g.ComputePreds()
	return exit, true
}

// loopAlone is the head of the loop without what came before in its block. The blocks inside lead there.
func loopAlone(head *Block, inside map[*Block]bool) *Block {
	k := len(head.Instrs) - 1
	if k <= 0 {
		return head
	}
	loop := &Block{ID: head.ID, Instrs: head.Instrs[k:], Next: head.Next, Taken: head.Taken}
	for x := range inside {
		if x.Next == head {
			x.Next = loop
		}
		if x.Taken == head {
			x.Taken = loop
		}
	}
	delete(inside, head)
	inside[loop] = true
	return loop
}

// moveOut makes the graph of the comprehension's function of the blocks inside, which leave g.
func (g *Graph) moveOut(p, exit, loop *Block, inside map[*Block]bool, c *inlined, code *pyc.Code) *Graph {
	fn := &bytecode.Func{Code: code}
	entry := &Block{ID: p.ID - 1, Next: loop, Instrs: []bytecode.Instr{c.instr(opcode.BuildList, 0), c.instr(opcode.LoadFast, 0)}}
	entry.Instrs[1].Name = ".0"
	if loop.Last().Arg == 2 {
		entry.Instrs = append(entry.Instrs, c.instr(opcode.GetIter, 2))
	}
	done := &Block{ID: exit.ID, Instrs: []bytecode.Instr{c.instr(opcode.Return, 0)}}
	loop.Taken = done
	sub := &Graph{Func: fn, Entry: entry, Blocks: []*Block{entry}, Inlined: g.Inlined, Choices: g.Choices, Stray: g.Stray, Saved: c.names, Cells: c.cells}
	var out []*Block
	for _, x := range g.Blocks {
		switch y := x; {
		case inside[x] || x == c.head && loop != c.head:
			if x == c.head {
				y = loop
			}
			y.Exc = nil
			c.readVariables(g, y, nil)
			sub.Blocks = append(sub.Blocks, y)
			fn.Instrs = append(fn.Instrs, y.Instrs...)
			if x == c.head && loop != c.head && x == p {
				out = append(out, x) // what stands before the loop in its block stays
			}
		default:
			out = append(out, x)
		}
	}
	sub.Blocks = append(sub.Blocks, done)
	sub.ComputePreds()
	g.Blocks = out
	return sub
}

// readVariables makes a LOAD_FAST of each LOAD_CLOSURE in b that reads a variable of the
// comprehension: the decoder cannot know that the slot of a cell holds one. Where the
// variable has a cell of its own, MAKE_CELL has made it. What the comprehensions inside read is
// in graphs of their own by then; hidden are the variables that these have themselves.
func (c *inlined) readVariables(g *Graph, b *Block, hidden []string) {
	code, own := g.Func.Code, false
	for i := range b.Instrs {
		in := &b.Instrs[i]
		if k, ok := in.Const.(*pyc.Code); ok && g.Inlined[k] != nil {
			for _, inner := range g.Inlined[k].Blocks {
				c.readVariables(g, inner, append(slices.Clip(hidden), g.Inlined[k].Saved...))
			}
		}
		if in.Op != opcode.LoadClosure || !slices.Contains(c.names, in.Name) || slices.Contains(c.cells, in.Name) || slices.Contains(hidden, in.Name) {
			continue
		}
		if !slices.Contains(c.plain, in.Name) || !code.SharesName(in.Name) {
			if !own {
				b.own()
				own = true
			}
			b.Instrs[i].Op = opcode.LoadFast
		}
	}
}

// firstWork is the first operation of a block that does something.
func firstWork(b *Block) opcode.Op {
	if i := firstIndex(b); i >= 0 {
		return b.Instrs[i].Op
	}
	return opcode.Jump
}

func pos0(b *Block) int { return b.Instrs[0].Offset }

// restore follows the stores behind the loop that give the saved variables back
// their values. It returns the instructions among them that belong to the code
// around, and those that follow.
func restore(st []saved, ins []bytecode.Instr) (keep, rest []bytecode.Instr, ok bool) {
	st = append([]saved(nil), st...)
	left := len(st) - 1
	for i := range ins {
		if left == 0 {
			// With the result not on top anything else would be out of place.
			return keep, ins[i:], true
		}
		in := ins[i]
		n := len(st)
		switch in.Op {
		case opcode.Nop, opcode.EndFor:
		case opcode.Swap:
			if in.Arg > n || in.Arg < 2 {
				return nil, nil, false
			}
			st[n-1], st[n-in.Arg] = st[n-in.Arg], st[n-1]
		case opcode.StoreFast, opcode.Pop, opcode.StoreName, opcode.StoreGlobal, opcode.StoreDeref:
			if n == 0 {
				return nil, nil, false
			}
			top := st[n-1]
			st = st[:n-1]
			if top.kind == 's' {
				if in.Op != opcode.StoreFast || in.Name != top.name {
					return nil, nil, false
				}
				left--
				break
			}
			keep = append(keep, in)
		default:
			return nil, nil, false
		}
	}
	return keep, nil, left == 0
}
