package equiv

import (
	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyc"
)

// effect is what an instruction does to the depth of the stack: how many slots
// from the top it reads or replaces, and by how much the depth changes on the way
// to the next instruction and to the target.
type effect struct{ reach, next, taken int }

// stackEffect gives the effect of an instruction of CPython 3.11 or later, where
// nothing but the instruction decides it; not ok if it is not known.
func stackEffect(x *bytecode.Instr, v pyc.Version) (e effect, ok bool) {
	if !v.HasExceptionTable() {
		return e, false
	}
	if f, ok := x.Op.Effect(); ok {
		return effect{f.Reach(), f.Change(), f.Change()}, true
	}
	same := func(reach, change int) (effect, bool) { return effect{reach, change, change}, reach >= 0 }
	build := func(n int) (effect, bool) { return same(n, 1-n) }
	n := x.Arg
	bit := func(b int) int { return n >> b & 1 }
	iter := v.IteratorSlots()
	switch x.Op {
	case opcode.Copy:
		return same(n, 1)
	case opcode.Swap, opcode.Rot:
		return same(n, 0)
	case opcode.LoadSuperAttr:
		return same(3, -2+bit(0))
	case opcode.BuildTuple, opcode.BuildList, opcode.BuildSet, opcode.BuildString, opcode.BuildSlice:
		return build(n)
	case opcode.BuildMap:
		return build(2 * n)
	case opcode.BuildConstKeyMap:
		return build(n + 1)
	case opcode.BuildInterpolation:
		return build(2 + bit(0))
	case opcode.ListAppend, opcode.SetAdd, opcode.ListExtend, opcode.SetUpdate, opcode.DictUpdate, opcode.DictMerge:
		return same(n+1, -1)
	case opcode.MapAdd:
		return same(n+2, -2)
	case opcode.Call:
		return build(n + 2)
	case opcode.CallKw:
		return build(n + 3)
	case opcode.CallEx:
		return build(2 + bit(0) + bit(1))
	case opcode.MakeFunction:
		return build(1 + bit(0) + bit(1) + bit(2) + bit(3) + bit(8))
	case opcode.FormatValue:
		return build(1 + bit(2))
	case opcode.UnpackSequence:
		return same(1, n-1)
	case opcode.UnpackEx:
		return same(1, n&0xff+n>>8)
	case opcode.MatchClass:
		return same(3, -2)
	case opcode.MatchKeys:
		return same(2, 1)
	case opcode.GetIter, opcode.GetYieldFromIter:
		return same(1, max(n, 1)-1)
	case opcode.ForIter:
		return effect{iter, 1, -iter}, true
	case opcode.PopIter:
		return same(iter, -iter)
	case opcode.JumpIfFalseOrPop, opcode.JumpIfTrueOrPop:
		return effect{1, -1, 0}, true
	case opcode.PopExcept:
		return same(1, -1)
	case opcode.Raise:
		return same(n, -n)
	case opcode.Reraise:
		return same(n+1, -1)
	case opcode.Send:
		if v.SendKeepsReceiver() {
			return effect{iter + 1, 0, 0}, true
		}
		return effect{2, 0, -1}, true
	case opcode.CleanupThrow:
		return same(iter+2, -1)
	case opcode.WithExceptStart:
		return same(n, 1)
	case opcode.EndAsyncFor:
		return same(2, -2)
	case opcode.EndSend:
		return same(iter+1, -iter)
	}
	return e, false
}

// calleeDepth says, for a call, how deep under the top its callee begins.
func calleeDepth(x *bytecode.Instr) (int, bool) {
	switch x.Op {
	case opcode.Call:
		return x.Arg + 2, true
	case opcode.CallKw:
		return x.Arg + 3, true
	case opcode.CallEx:
		return 3 + x.Arg&1, x.Arg&2 != 0
	}
	return 0, false
}

// depths computes the depth of the stack before each instruction, -1 where
// control does not come; nil if the code is beyond stackEffect or the depths
// disagree.
func (s *side) depths() []int {
	if s.depth != nil || s.noDepth {
		return s.depth
	}
	s.noDepth = true
	depth := make([]int, len(s.in))
	for i := range depth {
		depth[i] = -1
	}
	type place struct{ i, d int }
	work := []place{{0, 0}}
	for len(work) > 0 {
		p := work[len(work)-1]
		work = work[:len(work)-1]
		if p.i < 0 || p.i >= len(s.in) || p.d < 0 {
			return nil
		}
		if depth[p.i] >= 0 {
			if depth[p.i] != p.d {
				return nil
			}
			continue
		}
		depth[p.i] = p.d
		x := &s.in[p.i]
		if h := s.handler(p.i); h != nil {
			d := h.Depth + 1
			if h.Lasti {
				d++
			}
			work = append(work, place{h.Target, d})
		}
		e, ok := stackEffect(x, s.v)
		if !ok || e.reach > p.d {
			return nil
		}
		if !ends(x.Op) {
			work = append(work, place{p.i + 1, p.d + e.next})
		}
		if x.Target >= 0 && x.Op != opcode.EndAsyncFor {
			work = append(work, place{x.Target, p.d + e.taken})
		}
	}
	s.depth = depth
	return depth
}
