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
func uninline(g *Graph) error {
	if !g.Func.Code.Version.InlinesComprehensions() {
		return nil
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
			return nil
		}
		if !g.outline(p, at) {
			if p.Instrs[at].Op == opcode.LoadFastAndClear {
				return nil // the lifter will say so
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
	start := at
	for start > 0 {
		op := p.Instrs[start-1].Op
		if op != opcode.LoadFastAndClear && op != opcode.MakeCell && op != opcode.Nop {
			break
		}
		start--
	}
	for p.Instrs[start].Op == opcode.Nop {
		start++
	}
	// From the saving of the variables to the loop.
	st := []saved{{kind: 'i'}}
	kind := ""
	var head *Block
	var pos bytecode.Pos
	b, i := p, start
	for steps := 0; head == nil; steps++ {
		for ; i < len(b.Instrs); i++ {
			in := &b.Instrs[i]
			n := len(st)
			switch in.Op {
			case opcode.Nop, opcode.MakeCell:
			case opcode.LoadFastAndClear:
				st = append(st, saved{'s', in.Name})
			case opcode.Swap:
				if in.Arg > n || in.Arg < 2 {
					return false
				}
				st[n-1], st[n-in.Arg] = st[n-in.Arg], st[n-1]
			case opcode.BuildList, opcode.BuildSet, opcode.BuildMap:
				if in.Arg != 0 || kind != "" {
					return false
				}
				kind = map[opcode.Op]string{opcode.BuildList: "<listcomp>", opcode.BuildSet: "<setcomp>", opcode.BuildMap: "<dictcomp>"}[in.Op]
				st = append(st, saved{kind: 'r'})
				pos = in.Pos
			case opcode.GetIter, opcode.GetAiter:
			case opcode.ForIter:
				head = b
			case opcode.Jump:
			default:
				return false
			}
		}
		if head == nil {
			if b.Taken != nil || b.Next == nil || steps > 8 {
				return false
			}
			b, i = b.Next, 0
		}
	}
	n := len(st)
	if kind == "" || n < 2 || st[n-1].kind != 'i' || st[n-2].kind != 'r' {
		return false
	}
	st = st[:n-1]
	exit := head.Taken
	for firstWork(exit) == opcode.Jump && exit.Taken == nil && len(exit.Preds) == 1 && len(exit.Next.Preds) == 1 {
		exit = exit.Next // the clean-up handler lies in between
	}
	if len(exit.Preds) != 1 {
		if len(st) != 1 {
			return false
		}
		// Nothing is restored: the loop ends where another arm of an expression does.
		meet := exit
		exit = &Block{ID: meet.ID, Next: meet, Exc: meet.Exc}
		head.Taken = exit
		g.Blocks = slices.Insert(g.Blocks, slices.Index(g.Blocks, meet), exit)
		g.ComputePreds()
	}
	keep, rest, ok := restore(st, exit.Instrs)
	if !ok {
		return false
	}
	inside := map[*Block]bool{head: true}
	for x, more := range Walk(head.Next) {
		if x == head {
			continue
		}
		if x == exit || x == p || len(x.HandlerOf) > 0 {
			return false
		}
		inside[x] = true
		x.Succs(more)
	}
	// The loop may share its block with what came before.
	loop := head
	if k := len(head.Instrs) - 1; k > 0 {
		loop = &Block{ID: head.ID, Instrs: head.Instrs[k:], Next: head.Next, Taken: head.Taken}
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
	}
	code := *g.Func.Code
	code.Name, code.QualName = kind, kind
	code.Flags |= pyc.FlagOptimized
	fn := &bytecode.Func{Code: &code}
	mk := func(op opcode.Op, arg int) bytecode.Instr {
		return bytecode.Instr{Op: op, Arg: arg, Target: -1, Offset: pos0(head), Pos: pos}
	}
	entry := &Block{ID: p.ID - 1, Next: loop, Instrs: []bytecode.Instr{mk(opcode.BuildList, 0), mk(opcode.LoadFast, 0)}}
	entry.Instrs[1].Name = ".0"
	if last := loop.Last(); last.Arg == 2 {
		entry.Instrs = append(entry.Instrs, mk(opcode.GetIter, 2))
	}
	done := &Block{ID: exit.ID, Instrs: []bytecode.Instr{mk(opcode.Return, 0)}}
	loop.Taken = done
	sub := &Graph{Func: fn, Entry: entry, Blocks: []*Block{entry}, Inlined: g.Inlined, Choices: g.Choices}
	for _, x := range st {
		if x.kind == 's' {
			sub.Saved = append(sub.Saved, x.name)
		}
	}
	var out []*Block
	for _, x := range append([]*Block(nil), g.Blocks...) {
		if inside[x] || x == head && loop != head {
			y := x
			if x == head {
				y = loop
			}
			y.Exc = nil
			sub.Blocks = append(sub.Blocks, y)
			fn.Instrs = append(fn.Instrs, y.Instrs...)
		}
		if !inside[x] {
			out = append(out, x)
		}
	}
	if loop != head && head != p {
		// What stood before the loop in its block has been consumed.
		for k, x := range out {
			if x == head {
				out = append(out[:k:k], out[k+1:]...)
				break
			}
		}
	}
	sub.Blocks = append(sub.Blocks, done)
	sub.ComputePreds()
	if g.Inlined == nil {
		g.Inlined = map[*pyc.Code]*Graph{}
	}
	g.Inlined[&code] = sub
	load, call := mk(opcode.LoadConst, 0), mk(opcode.Call, 0)
	load.Const = &code
	p.Instrs = append(p.Instrs[:start:start], load, mk(opcode.MakeFunction, 0), mk(opcode.Swap, 2), call)
	p.Next, p.Taken = exit, nil
	exit.Instrs = append(keep, rest...)
	if len(exit.Instrs) == 0 {
		exit.Instrs = []bytecode.Instr{mk(opcode.Nop, 0)}
	}
	g.Blocks = out
	g.ComputePreds()
	return true
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
