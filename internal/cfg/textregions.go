package cfg

import (
	"slices"

	"github.com/thuml/depyf/internal/opcode"
)

// textRegions assigns to each instruction the protected statement in whose body
// it stands in the source text. From 3.8 on that is more than what the handler
// covers at run time: a `return` inside a `with` leaves the block first, calls
// __exit__ and returns then, all on behalf of a statement in the body.
//
//	SETUP_WITH end
//	...
//	LOAD_FAST x; POP_BLOCK; (call of __exit__); RETURN_VALUE   return x
//	...
//	POP_BLOCK; (call of __exit__); JUMP_FORWARD                the body's end
//	end: WITH_EXCEPT_START
//
// Until 3.10 the layout follows the source, so the body is the stretch from the
// SETUP to the last POP_BLOCK if that is the body's normal end, else up to the
// handler.
//
// asRun keeps to what the handlers cover, see BuildAsRun.
func (bs *blockStack) textRegions(asRun bool) []*protRegion {
	if v := bs.f.Code.Version; v.HasLoopBlocks() || asRun && !v.SharesFinallyBody() {
		for i, r := range bs.pops {
			bs.ends[i] = r
		}
		return bs.exact // 3.7 unwinds in the interpreter, without instructions
	}
	out := make([]*protRegion, len(bs.exact))
	// Outer statements first, so that inner ones overwrite them.
	order := slices.Clone(bs.setups)
	slices.SortStableFunc(order, func(x, y *protRegion) int { return x.setup - y.setup })
	for _, r := range order {
		r.parent = out[r.setup]
		end, holes := bs.bodyEnd(r)
		for k := r.setup + 1; k < end; k++ {
			if !holes[k] && out[k] == r.parent { // a hole of the statement around it is one here too
				out[k] = r
			}
		}
	}
	return out
}

// bodyEnd is the index behind the last instruction of r's body. The holes are
// instructions in front of it that stand behind the statement all the same:
// 3.10 copies the code behind a body's end to each way that leads there when
// that code leaves the function soon.
func (bs *blockStack) bodyEnd(r *protRegion) (end int, holes map[int]bool) {
	var pops []int
	for i, x := range bs.pops {
		if x == r && i < r.target {
			pops = append(pops, i)
		}
	}
	if len(pops) == 0 {
		return r.target, nil
	}
	slices.Sort(pops)
	last := pops[len(pops)-1]
	if r.kind == RegionFinally && !bs.f.Code.Version.SharesFinallyBody() {
		// A copy of the finally body follows (see finallyCopies), and behind it
		// perhaps more of the body: the end of a loop that never ends.
		holes = map[int]bool{}
		for k := last + 1; k < r.target; k++ {
			holes[k] = !bs.exactly(k, r)
		}
		return r.target, holes
	}
	holes = map[int]bool{}
	if bs.f.Code.Version.CopiesExitBlocks() {
		for _, p := range pops {
			stop := p + 1
			for stop < r.target-1 && !bs.f.Instrs[stop].Op.Exits() && bs.f.Instrs[stop].Op != opcode.Jump {
				stop++
			}
			for k := bs.behindBreak(r, p, stop); k <= stop; k++ {
				holes[k] = true
			}
			if p == last && stop == r.target-1 {
				break // no handler of a statement in the body follows
			}
			if bs.normalEnd(r, p, stop) {
				bs.ends[p] = r
				for k := p + 1; k <= stop; k++ {
					holes[k] = true
				}
			}
		}
	}
	if bs.live[r.target-1] && bs.normalEnd(r, last, r.target-1) {
		bs.ends[last] = r
		return last + 1, holes
	}
	return r.target, holes
}

// behindBreak returns where the copied exit behind a loop begins to which a `break` leads that leaves r at p, by a with statement;
// stop is its last instruction. It is behind stop where there is none:
//
//	with a:            NOP             line 3
//	    break          POP_BLOCK; (call of __exit__)
//	return b           LOAD_GLOBAL b; RETURN_VALUE
func (bs *blockStack) behindBreak(r *protRegion, p, stop int) int {
	ins, none := bs.f.Instrs, stop+1
	if !ins[stop].Op.Exits() {
		return none
	}
	k := p
	if r.kind != RegionWith && r.kind != RegionAsyncWith {
		q, inner := bs.innerWith(p)
		if inner == nil {
			return none
		}
		r, k = inner, q
	}
	if !bs.leavesWith(r, k) || bs.opensNext(r) {
		return none
	}
	for k++; k <= stop; {
		if m := bs.behindExitCall(k, stop); m > k {
			k = m // of this with statement, or of one around
			continue
		}
		first := &ins[k]
		unwinds := first.Pos.Line == ins[k-1].Pos.Line
		switch {
		case first.Op == opcode.PopBlock && bs.pops[k] != nil && bs.pops[k].kind == RegionFinally:
			return none
		case first.Op == opcode.PopBlock || first.Op == opcode.Pop && unwinds:
			k++
		case startsStatement(first) && !unwinds:
			return k
		default:
			return none // the constant that a `return` in the body returns
		}
	}
	return none
}

// behindExitCall is behind the call of __exit__ that begins at k, and k if none does; stop is the last instruction to look at.
func (bs *blockStack) behindExitCall(k, stop int) int {
	for m := k + 5; m <= min(k+8, stop); m++ {
		if first, ok := bs.exitCall(m); ok && first == k {
			return m
		}
	}
	return k
}

// exactly reports whether r covers instruction k at run time.
func (bs *blockStack) exactly(k int, r *protRegion) bool {
	for x := bs.exact[k]; x != nil; x = x.parent {
		if x == r {
			return true
		}
	}
	return false
}

// innerWith returns the with statement that ends right in front of the
// POP_BLOCK at p, and its own POP_BLOCK: nothing but the call of __exit__ stands between.
func (bs *blockStack) innerWith(p int) (int, *protRegion) {
	q, ok := bs.exitCall(p)
	if q--; !ok || bs.f.Instrs[q].Op != opcode.PopBlock {
		return 0, nil
	}
	if r := bs.pops[q]; r != nil && (r.kind == RegionWith || r.kind == RegionAsyncWith) {
		return q, r
	}
	return 0, nil
}

// exitCall returns where the call of __exit__ begins that ends in front of p, with the drop of its result: three times None, the
// call, and in an async with statement the three instructions that await it.
func (bs *blockStack) exitCall(p int) (first int, ok bool) {
	ins, k := bs.f.Instrs, p-1
	if k < 0 || ins[k].Op != opcode.Pop {
		return 0, false
	}
	if k > 3 && ins[k-3].Op == opcode.GetAwaitable {
		k -= 3
	}
	if first = k - 4; first <= 0 || !callsExit(bs.f.Code.Version, ins[:k]) {
		return 0, false
	}
	return first, true
}

// normalEnd reports whether the POP_BLOCK at p is where r's body ends, as
// opposed to a jump out of the body. end is the instruction that ends the code
// behind it, the one in front of the handler for the last POP_BLOCK.
func (bs *blockStack) normalEnd(r *protRegion, p, end int) bool {
	ins, t := bs.f.Instrs, end+1
	if p+1 >= t {
		return true
	}
	line := func(i int) int32 { return ins[i].Pos.Line }
	copies := bs.f.Code.Version.CopiesExitBlocks()
	next := p + 1
	switch r.kind {
	case RegionFinally:
		return ins[next].Op == opcode.BeginFinally && next+1 == r.target
	case RegionWith, RegionAsyncWith:
		return bs.withEnd(r, p, end)
	}
	if q, inner := bs.innerWith(p); inner != nil && copies && !bs.startsLine(p) {
		return bs.normalEnd(inner, q, end) // a jump out of a with statement goes on here
	}
	switch op := ins[next].Op; {
	case op == opcode.Jump:
		return !copies || !bs.startsLine(p) || bs.sameTurn(p, ins[next].Target) // `pass`, or a constant as a statement
	case op == opcode.Swap || op == opcode.Rot || op == opcode.Return || !copies || p+4 < end:
		return false
	case ins[end].Op != opcode.Return:
		return ins[end].Op.Exits() // a copied `raise`
	}
	// A copied `return` has a line of its own; the implicit one that of the
	// body's last statement. A `return` in the body starts a new line, with the drops
	// of the iterators around it.
	q := p
	for q > 0 && ins[q-1].Op == opcode.Pop && line(q-1) == line(p) {
		q--
	}
	return line(end) != line(p) || !bs.startsLine(q)
}

// withEnd is normalEnd of a with statement.
func (bs *blockStack) withEnd(r *protRegion, p, end int) bool {
	ins, t, next := bs.f.Instrs, end+1, p+1
	line := func(i int) int32 { return ins[i].Pos.Line }
	copies := bs.f.Code.Version.CopiesExitBlocks()
	if ins[next].Op == opcode.Swap || ins[next].Op == opcode.Rot {
		return false // the returned value makes room for __exit__
	}
	if bs.f.Code.Version.SharesFinallyBody() {
		return ins[next].Op == opcode.BeginFinally && next+1 == r.target
	}
	if q, inner := bs.innerWith(p); inner != nil && copies && line(p) == line(r.setup) {
		return bs.normalEnd(inner, q, end) // `with a, b`: they end together
	}
	for next < t && ins[next].Op != opcode.Pop {
		next++
	}
	next++ // behind the call of __exit__
	if next < t && ins[next].Op == opcode.Jump && copies {
		return line(p) != line(r.setup) || !bs.startsLine(p)
	}
	if next >= t || ins[next].Op == opcode.Jump {
		return true
	}
	for k := next; k < end; k++ {
		if ins[k].Op.Exits() {
			return false // a `return`, and more of the body behind it
		}
	}
	if !copies || next+3 < end || !ins[end].Op.Exits() {
		return false
	}
	return line(p) != line(r.setup) || line(end) != line(r.setup) && !bs.leavesWith(r, p) || bs.opensNext(r)
}

// leavesWith reports whether the POP_BLOCK at p belongs to a jump out of the with statement, whose place it bears: where the body
// ends it bears that of the last statement. Of a statement in a finally clause, which is there more than once, the copies end each in
// a way of its own.
func (bs *blockStack) leavesWith(r *protRegion, p int) bool {
	at := bs.f.Instrs[r.setup].Pos
	return bs.f.Instrs[p].Pos.Line == at.Line && bs.startsLine(p) && !slices.ContainsFunc(bs.setups, func(x *protRegion) bool {
		return x != r && x.kind == r.kind && bs.f.Instrs[x.setup].Pos == at
	})
}

// opensNext reports whether r is a with statement of several items, and not the last of them: another opens in it on
// its line, where no statement of its body could. It ends where that one ends.
func (bs *blockStack) opensNext(r *protRegion) bool {
	return slices.ContainsFunc(bs.setups, func(x *protRegion) bool {
		return bs.exact[x.setup] == r && (x.kind == RegionWith || x.kind == RegionAsyncWith) &&
			bs.f.Instrs[x.setup].Pos.Line == bs.f.Instrs[r.setup].Pos.Line
	})
}
