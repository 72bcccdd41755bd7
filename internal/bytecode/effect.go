package bytecode

import (
	"math/bits"

	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyc"
)

// StackEffect returns how many values in pops and pushes, as the comments of the Ops
// say, when it goes on with the next instruction or, taken, with its Target. What the
// operation alone decides is in opcode's table; here is what the operand, the version or
// the way it goes on decides.
func StackEffect(v pyc.Version, in *Instr, taken bool) (pop, push int) {
	if e, ok := in.Op.Effect(); ok {
		if in.Op == opcode.YieldFrom && in.Flag {
			e.Pop++
		}
		return e.Pop, e.Push
	}
	n := in.Arg
	switch in.Op {
	case opcode.ListAppend, opcode.SetAdd, opcode.ListExtend, opcode.SetUpdate, opcode.DictUpdate, opcode.DictMerge:
		return 1, 0
	case opcode.MapAdd:
		return 2, 0
	case opcode.Copy, opcode.WithExceptStart:
		return 0, 1
	case opcode.LoadSuperAttr:
		return 3, 1 + n&1
	case opcode.BuildTuple, opcode.BuildList, opcode.BuildSet, opcode.BuildString, opcode.BuildSlice,
		opcode.BuildTupleUnpack, opcode.BuildListUnpack, opcode.BuildSetUnpack, opcode.BuildMapUnpack,
		opcode.BuildTupleUnpackWithCall, opcode.BuildMapUnpackWithCall:
		return n, 1
	case opcode.BuildMap:
		return 2 * n, 1
	case opcode.BuildConstKeyMap, opcode.CallFunction:
		return n + 1, 1
	case opcode.CallMethod, opcode.CallFunctionKw, opcode.Call:
		return n + 2, 1
	case opcode.CallKw:
		return n + 3, 1
	case opcode.CallEx:
		return 2 + n&1 + n>>1, 1
	case opcode.MakeFunction:
		return 1 + bits.OnesCount(uint(n)), 1
	case opcode.BuildInterpolation:
		return 2 + n&1, 1
	case opcode.FormatValue:
		return 1 + n>>2&1, 1
	case opcode.UnpackSequence:
		return 1, n
	case opcode.UnpackEx:
		return 1, n&0xff + 1 + n>>8
	case opcode.MatchClass:
		if in.Flag {
			return 3, 2
		}
		return 3, 1
	case opcode.MatchKeys:
		if in.Flag {
			return 0, 2
		}
		return 0, 1
	case opcode.GetIter, opcode.GetYieldFromIter:
		return 1, n
	case opcode.PopIter:
		return n, 0
	case opcode.ForIter:
		if taken {
			return n, 0
		}
		return 0, 1
	case opcode.JumpIfFalseOrPop, opcode.JumpIfTrueOrPop:
		if taken {
			return 0, 0
		}
		return 1, 0
	case opcode.Raise, opcode.Reraise:
		return n, 0
	case opcode.PopExcept:
		if v.ExceptionIsTriple() {
			return 3, 0
		}
		return 1, 0
	case opcode.EndAsyncFor:
		if v.ExceptionIsTriple() {
			return 7, 0
		}
		return 2, 0
	case opcode.Send:
		if taken && in.Flag {
			return 2, 1
		}
	case opcode.EndSend:
		return n + 1, 1
	case opcode.CleanupThrow:
		return n + 2, n + 1
	}
	return 0, 0
}
