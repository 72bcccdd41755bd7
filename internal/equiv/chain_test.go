package equiv

import (
	"testing"

	"github.com/thuml/depyf/internal/pyc"
)

// asmCase is a pair of hand-written functions.
type asmCase struct {
	name  string
	v     pyc.Version
	equal bool
	a, b  string
}

// TestShapes compares instruction graphs that compilers of different mind, or the
// same one with other line breaks, make of one source, and near misses.
func TestShapes(t *testing.T) {
	for _, c := range []asmCase{
		{
			"or-pop chain threaded to the pop-jump", pyc.V310, true,
			"LoadFast a; JumpIfFalseOrPop L; LoadFast b; L: PopJumpIfFalse M; LoadFast a; Return; M: LoadFast b; Return",
			"LoadFast a; PopJumpIfFalse M; LoadFast b; PopJumpIfFalse M; LoadFast a; Return; M: LoadFast b; Return",
		},
		{
			"or-pop chain threaded with the other outcome", pyc.V310, true,
			"LoadFast a; JumpIfTrueOrPop L; LoadFast b; L: PopJumpIfFalse M; LoadFast a; Return; M: LoadFast b; Return",
			"LoadFast a; PopJumpIfTrue N; LoadFast b; PopJumpIfFalse M; N: LoadFast a; Return; M: LoadFast b; Return",
		},
		{
			"threaded the wrong way", pyc.V310, false,
			"LoadFast a; JumpIfTrueOrPop L; LoadFast b; L: PopJumpIfFalse M; LoadFast a; Return; M: LoadFast b; Return",
			"LoadFast a; PopJumpIfTrue M; LoadFast b; PopJumpIfFalse M; N: LoadFast a; Return; M: LoadFast b; Return",
		},
		{
			"or-pop to or-pop of the same kind", pyc.V310, true,
			"LoadFast a; JumpIfFalseOrPop L; LoadFast b; L: JumpIfFalseOrPop M; LoadFast c; M: Return",
			"LoadFast a; JumpIfFalseOrPop M; LoadFast b; JumpIfFalseOrPop M; LoadFast c; M: Return",
		},
		{
			"or-pop to or-pop of the other kind", pyc.V310, true,
			"LoadFast a; JumpIfFalseOrPop L; LoadFast b; L: JumpIfTrueOrPop M; LoadFast c; M: Return",
			"LoadFast a; PopJumpIfFalse N; LoadFast b; JumpIfTrueOrPop M; N: LoadFast c; M: Return",
		},
		{
			"stored in another order, without a swap", pyc.V312, true,
			"LoadFast a; LoadFast b; Swap 2; StoreFast c; StoreFast x; LoadFast c; Return",
			"LoadFast a; LoadFast b; StoreFast x; StoreFast c; LoadFast c; Return",
		},
		{
			"stored in another order, of which a finalizer can tell", pyc.V312, false,
			"LoadFast a; StoreFast b; LoadFast b; StoreFast c; LoadFast c; Return",
			"LoadFast a; Copy 1; StoreFast c; StoreFast b; LoadFast c; Return",
		},
		{
			"copied and tested", pyc.V312, true,
			"LoadFast a; Copy 1; PopJumpIfFalse L; Pop; LoadFast b; L: Copy 1; PopJumpIfTrue M; Pop; LoadFast c; M: Return",
			"LoadFast a; Copy 1; PopJumpIfFalse N; Pop; LoadFast b; Copy 1; PopJumpIfTrue M; N: Pop; LoadFast c; M: Return",
		},
		{
			"copied and tested, the value lost", pyc.V312, false,
			"LoadFast a; Copy 1; PopJumpIfFalse L; Pop; LoadFast b; L: Return",
			"LoadFast a; PopJumpIfFalse L; LoadFast b; Return; L: LoadFast c; Return",
		},
		{
			"TO_BOOL or a comparison that is one", pyc.V313, true,
			"LoadFast a; LoadFast b; Compare 2 flag; PopJumpIfFalse L; LoadFast a; Return; L: LoadFast b; Return",
			"LoadFast a; LoadFast b; Compare 2; ToBool; PopJumpIfFalse L; LoadFast a; Return; L: LoadFast b; Return",
		},
		{
			"a comparison taken for a bool", pyc.V313, false,
			"LoadFast a; LoadFast b; Compare 2 flag; PopJumpIfFalse L; LoadFast a; Return; L: LoadFast b; Return",
			"LoadFast a; LoadFast b; Compare 2; PopJumpIfFalse L; LoadFast a; Return; L: LoadFast b; Return",
		},
		{
			"not in, branch inverted", pyc.V313, true,
			"LoadFast a; LoadFast b; ContainsOp 1; PopJumpIfFalse L; LoadFast a; Return; L: LoadFast b; Return",
			"LoadFast a; LoadFast b; ContainsOp; PopJumpIfTrue L; LoadFast a; Return; L: LoadFast b; Return",
		},
		{
			"not in, branch not inverted", pyc.V313, false,
			"LoadFast a; LoadFast b; ContainsOp 1; PopJumpIfFalse L; LoadFast a; Return; L: LoadFast b; Return",
			"LoadFast a; LoadFast b; ContainsOp; PopJumpIfFalse L; LoadFast a; Return; L: LoadFast b; Return",
		},
		{
			"NOT before the branch", pyc.V313, true,
			"LoadFast a; ToBool; UnaryOp 3; PopJumpIfFalse L; LoadFast a; Return; L: LoadFast b; Return",
			"LoadFast a; ToBool; PopJumpIfTrue L; LoadFast a; Return; L: LoadFast b; Return",
		},
		{
			"is None in two instructions", pyc.V311, true,
			"LoadFast a; LoadConst None; IsOp 1; PopJumpIfFalse L; LoadFast a; Return; L: LoadFast b; Return",
			"LoadFast a; PopJumpIfNone L; LoadFast a; Return; L: LoadFast b; Return",
		},
		{
			"is None, the other way round", pyc.V311, false,
			"LoadFast a; LoadConst None; IsOp 1; PopJumpIfFalse L; LoadFast a; Return; L: LoadFast b; Return",
			"LoadFast a; PopJumpIfNotNone L; LoadFast a; Return; L: LoadFast b; Return",
		},
		{
			"branch on a constant", pyc.V313, true,
			"N: LoadConst True; PopJumpIfFalse L; LoadFast a; LoadMethod x; Call; Pop; Jump N; L: LoadFast b; Return",
			"N: LoadFast a; LoadMethod x; Call; Pop; Jump N",
		},
		{
			"swapped stores", pyc.V312, true,
			"LoadFast a; LoadFast b; Swap 2; StoreFast a; StoreFast b; LoadFast c; Return",
			"LoadFast a; LoadFast b; StoreFast b; StoreFast a; LoadFast c; Return",
		},
		{
			"stores not swapped", pyc.V312, false,
			"LoadFast a; LoadFast b; Swap 2; StoreFast a; StoreFast b; LoadFast c; Return",
			"LoadFast a; LoadFast b; StoreFast a; StoreFast b; LoadFast c; Return",
		},
		{
			"both stores to one variable", pyc.V312, false,
			"LoadFast a; LoadFast b; Swap 2; StoreFast c; StoreFast c; LoadFast c; Return",
			"LoadFast a; LoadFast b; StoreFast c; StoreFast c; LoadFast c; Return",
		},
		{
			"tuple packed and unpacked", pyc.V312, true,
			"LoadFast a; LoadFast b; BuildTuple 2; UnpackSequence 2; StoreFast b; StoreFast a; LoadFast c; Return",
			"LoadFast a; LoadFast b; Swap 2; StoreFast b; StoreFast a; LoadFast c; Return",
		},
		{
			"a constant, and a tuple that each call builds", pyc.V37, false,
			"LoadConst (1,None); Return", "LoadConst 1; LoadConst None; BuildTuple 2; Return",
		},
		{
			"a tuple built of constants", pyc.V37, true,
			"LoadConst 1; LoadConst None; BuildTuple 2; Return", "LoadConst None; LoadConst 1; Swap 2; BuildTuple 2; Return",
		},
		{
			"a variable that may be unbound is not moved", pyc.V311, false,
			"LoadFast a; LoadFast x; Swap 2; Pop; Return", "LoadFast x; Return",
		},
		{
			"method form, 3.12", pyc.V312, true,
			"PushNull; LoadGlobal m; LoadAttr f; LoadFast a; Call 1; Return",
			"LoadGlobal m; LoadMethod f; LoadFast a; Call 1; Return",
		},
		{
			"method form, 3.13", pyc.V313, true,
			"LoadGlobal m; LoadAttr f; PushNull; LoadFast a; Call 1; Return",
			"LoadGlobal m; LoadMethod f; LoadFast a; Call 1; Return",
		},
		{
			"method form, with a conditional argument", pyc.V313, true,
			"LoadGlobal m; LoadAttr f; PushNull; LoadFast a; PopJumpIfNone L; LoadFast b; Jump M; L: LoadFast c; M: Call 1; Return",
			"LoadGlobal m; LoadMethod f; LoadFast a; PopJumpIfNone L; LoadFast b; Jump M; L: LoadFast c; M: Call 1; Return",
		},
		{
			"method form, another attribute", pyc.V313, false,
			"LoadGlobal m; LoadAttr f; PushNull; LoadFast a; Call 1; Return",
			"LoadGlobal m; LoadMethod g; LoadFast a; Call 1; Return",
		},
		{
			"method form, the slots taken apart", pyc.V313, false,
			"LoadGlobal m; LoadAttr f; PushNull; Pop; Return",
			"LoadGlobal m; LoadMethod f; Pop; Return",
		},
		{
			"method form, NULL shuffled", pyc.V313, false,
			"LoadGlobal m; LoadAttr f; PushNull; Swap 2; LoadFast a; Call 1; Return",
			"LoadGlobal m; LoadMethod f; Swap 2; LoadFast a; Call 1; Return",
		},
		{
			"LOAD_FAST_CHECK", pyc.V312, true,
			"LoadFast a 1; Return", "LoadFast a; Return",
		},
		{
			"an endless loop", pyc.V311, true,
			"L: Nop; Jump L", "Nop; L: Jump L",
		},
		{
			"an endless loop or the end", pyc.V311, false,
			"L: Nop; Jump L", "LoadConst None; Return",
		},
		{
			"an instruction that cannot raise, outside the region", pyc.V311, true,
			"LoadFast a; S: LoadAttr x; Pop; E: LoadConst None; Return; H: PushExcInfo; Reraise; try S E H 0",
			"LoadFast a; S: LoadAttr x; E: Pop; LoadConst None; Return; H: PushExcInfo; Reraise; try S E H 0",
		},
		{
			"one that can raise, outside the region", pyc.V311, false,
			"LoadFast a; S: LoadAttr x; LoadAttr y; E: Return; H: PushExcInfo; Reraise; try S E H 0",
			"LoadFast a; S: LoadAttr x; E: LoadAttr y; Return; H: PushExcInfo; Reraise; try S E H 0",
		},
		{
			"handlers at another depth", pyc.V311, false,
			"LoadFast a; LoadFast a; S: LoadAttr x; E: Return; H: PushExcInfo; Reraise; try S E H 0",
			"LoadFast a; LoadFast a; S: LoadAttr x; E: Return; H: PushExcInfo; Reraise; try S E H 1",
		},
		{
			"another handler", pyc.V311, false,
			"LoadFast a; S: LoadAttr x; E: Return; H: PushExcInfo; Reraise; try S E H 0",
			"LoadFast a; S: LoadAttr x; E: Return; H: PushExcInfo; Pop; PopExcept; LoadConst None; Return; try S E H 0",
		},
		{
			"the return is copied", pyc.V310, true,
			"LoadFast a; PopJumpIfFalse L; LoadFast a; StoreFast b; L: LoadConst None; Return",
			"LoadFast a; PopJumpIfFalse L; LoadFast a; StoreFast b; LoadConst None; Return; L: LoadConst None; Return",
		},
		{
			"code runs off its end", pyc.V310, false,
			"LoadFast a; Return", "LoadFast a",
		},
		{"host object read by its name", pyc.V313, false, "LoadConst <h>; Return", "LoadGlobal h; Return"},
	} {
		t.Run(c.name, func(t *testing.T) {
			x, y := assemble(t, c.v, 3, "a b c x", c.a), assemble(t, c.v, 3, "a b c x", c.b)
			for range 2 {
				cmp := &comparer{seen: map[[2]*pyc.Code]bool{}}
				if _, diff := cmp.funcs(x, y); (diff == nil) != c.equal {
					t.Errorf("got %v, want equal %v", diff, c.equal)
				}
				x, y = y, x
			}
		})
	}
	x, y := assemble(t, pyc.V313, 0, "", "LoadConst <h>; Return"), assemble(t, pyc.V313, 0, "", "LoadGlobal h; Return")
	cmp := &comparer{opt: Options{OpaqueNames: true}, seen: map[[2]*pyc.Code]bool{}}
	if _, diff := cmp.funcs(x, y); diff != nil {
		t.Errorf("OpaqueNames: %v", diff)
	}
}
