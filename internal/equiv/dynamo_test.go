package equiv

import (
	"strings"
	"testing"

	"github.com/thuml/depyf/internal/pyc"
)

// TestEffects compares hand-written functions: what Dynamo emits on one side,
// what a person would write on the other.
func TestEffects(t *testing.T) {
	const v = pyc.V313
	for _, c := range []asmCase{
		// Conversions that are not formatted.
		{
			"a conversion that is passed on", v, true,
			"LoadGlobal f; PushNull; LoadFast a; ConvertValue 2; Call 1; Return",
			"LoadGlobal f; PushNull; LoadGlobal __builtin_repr; PushNull; LoadFast a; Call 1; Call 1; Return",
		},
		{
			"another conversion", v, false,
			"LoadGlobal f; PushNull; LoadFast a; ConvertValue 2; Call 1; Return",
			"LoadGlobal f; PushNull; LoadGlobal __builtin_str; PushNull; LoadFast a; Call 1; Call 1; Return",
		},
		{
			"of something else", v, false,
			"LoadGlobal f; PushNull; LoadFast a; ConvertValue 2; Call 1; Return",
			"LoadGlobal f; PushNull; LoadGlobal __builtin_repr; PushNull; LoadFast b; Call 1; Call 1; Return",
		},
		{
			"formatted as well", v, false,
			"LoadGlobal f; PushNull; LoadFast a; ConvertValue 2; Call 1; Return",
			"LoadGlobal f; PushNull; LoadFast a; ConvertValue 2; FormatSimple; Call 1; Return",
		},
		{
			"formatted later", v, true,
			"LoadFast a; ConvertValue 3; FormatSimple; Return",
			"LoadGlobal __builtin_ascii; PushNull; LoadFast a; Call 1; FormatSimple; Return",
		},
		{
			"by a function that the module binds", v, false,
			"LoadFast a; ConvertValue 2; Return",
			"LoadGlobal repr; PushNull; LoadFast a; Call 1; Return",
		},
		// Lists that nobody sees.
		{
			"list and CALL_FUNCTION_EX, or a call", v, true,
			"LoadGlobal f; PushNull; LoadFast a; LoadFast b; BuildList 2; CallEx 2; Return",
			"LoadGlobal f; PushNull; LoadFast a; LoadFast b; Call 2; Return",
		},
		{
			"slices stored and items deleted", v, true,
			`BuildList; LoadFast a; BuildList 1; Copy 2; LoadConst 0; LoadConst 0; StoreSlice
			 LoadFast b; BuildList 1; Copy 2; LoadConst 1; LoadConst None; StoreSlice
			 Copy 1; Copy 1; LoadConst -1; Subscr; Swap 2; LoadConst -1; DeleteSubscr
			 StoreFast x; StoreFast c; LoadGlobal f; PushNull; LoadFast c; LoadFast x; Call 2; Return`,
			"LoadGlobal f; PushNull; LoadFast a; BuildList 1; LoadFast b; Call 2; Return",
		},
		{
			"a dict of keywords", v, true,
			"LoadGlobal f; PushNull; LoadFast a; BuildTuple 1; LoadConst 'k'; LoadFast b; BuildMap 1; CallEx 3; Return",
			"LoadGlobal f; PushNull; LoadFast a; LoadFast b; LoadConst ('k'); CallKw 2; Return",
		},
		{
			"another keyword", v, false,
			"LoadGlobal f; PushNull; LoadFast a; BuildTuple 1; LoadConst 'l'; LoadFast b; BuildMap 1; CallEx 3; Return",
			"LoadGlobal f; PushNull; LoadFast a; LoadFast b; LoadConst ('k'); CallKw 2; Return",
		},
		{
			"keywords of what is not known", v, true,
			"LoadGlobal f; PushNull; LoadConst (); LoadFast a; CallEx 3; Return",
			"LoadGlobal f; PushNull; LoadConst (); BuildMap; LoadFast a; DictMerge 1; CallEx 3; Return",
		},
		{
			"of something else", v, false,
			"LoadGlobal f; PushNull; LoadConst (); LoadFast a; CallEx 3; Return",
			"LoadGlobal f; PushNull; LoadConst (); BuildMap; LoadFast b; DictMerge 1; CallEx 3; Return",
		},
		{
			"merged into a dict that is kept", v, false,
			"LoadGlobal f; PushNull; LoadConst (); LoadFast a; CallEx 3; Pop; BuildMap; Return",
			"LoadGlobal f; PushNull; LoadConst (); BuildMap; StoreFast x; LoadFast x; LoadFast a; DictMerge 1; CallEx 3; Pop; LoadFast x; Return",
		},
		{
			"merged before another effect", v, false,
			"LoadGlobal f; PushNull; LoadConst (); LoadFast a; LoadGlobal g; Pop; CallEx 3; Return",
			"LoadGlobal f; PushNull; LoadConst (); BuildMap; LoadFast a; DictMerge 1; LoadGlobal g; Pop; CallEx 3; Return",
		},
		{
			"merged and not passed", v, false,
			"LoadGlobal f; PushNull; LoadConst (); LoadFast a; CallEx 3; Return",
			"LoadGlobal f; PushNull; LoadConst (); BuildMap; LoadFast a; DictMerge 1; Pop; LoadFast a; CallEx 3; Return",
		},
		{
			"merged into the dict of one keyword", v, true,
			"LoadGlobal f; PushNull; LoadConst (); LoadFast a; LoadFast b; BuildMap 1; LoadFast c; DictMerge 1; CallEx 3; Return",
			"LoadGlobal f; PushNull; LoadConst (); BuildMap; LoadFast a; LoadFast b; BuildMap 1; DictMerge 1; LoadFast c; DictMerge 1; CallEx 3; Return",
		},
		{
			"not one that is kept", v, false,
			"LoadFast a; LoadFast b; BuildMap 1; StoreFast x; LoadFast x; LoadFast c; DictUpdate 1; Pop; LoadFast x; Return",
			"LoadFast a; LoadFast b; BuildMap 1; StoreFast x; BuildMap; LoadFast x; DictUpdate 1; LoadFast c; DictUpdate 1; Pop; LoadFast x; Return",
		},
		{
			"nor one of two items", v, false,
			"LoadFast a; LoadFast b; LoadFast c; LoadFast c; BuildMap 2; Return",
			"BuildMap; LoadFast a; LoadFast b; LoadFast c; LoadFast c; BuildMap 2; DictUpdate 1; Return",
		},
		{
			"nor into one that has an item", v, false,
			"LoadConst 'k'; LoadFast c; LoadFast a; LoadFast b; BuildMap 2; Return",
			"LoadConst 'k'; LoadFast c; BuildMap 1; LoadFast a; LoadFast b; BuildMap 1; DictUpdate 1; Return",
		},
		{
			"arguments swapped", v, false,
			"LoadGlobal f; PushNull; LoadFast a; LoadFast b; BuildList 2; CallEx 2; Return",
			"LoadGlobal f; PushNull; LoadFast b; LoadFast a; Call 2; Return",
		},
		{
			"a list is an argument", v, false,
			"LoadGlobal f; PushNull; LoadFast a; LoadFast b; BuildList 2; Call 1; Return",
			"LoadGlobal f; PushNull; LoadFast a; LoadFast b; Call 2; Return",
		},
		{
			"a list is no tuple", v, false,
			"LoadFast a; BuildList 1; Return", "LoadFast a; BuildTuple 1; Return",
		},
		{
			"a tuple of constants is one", v, true,
			"LoadConst (1,2); Return", "LoadConst 1; LoadConst 2; BuildTuple 2; Return",
		},
		{"True is not 1", v, false, "LoadConst (1,2); Return", "LoadConst (True,2); Return"},
		// Sets of constants.
		{
			"a set of strings, from a frozen set or not", v, true,
			"LoadConst 'a'; LoadConst 'b'; LoadConst 'c'; BuildSet 3; Return",
			"BuildSet; LoadConst {'c','a','b'}; SetUpdate 1; Return",
		},
		{
			"another string", v, false,
			"LoadConst 'a'; LoadConst 'b'; LoadConst 'c'; BuildSet 3; Return",
			"BuildSet; LoadConst {'c','a','d'}; SetUpdate 1; Return",
		},
		{
			"small numbers have places of their own", v, true,
			"LoadConst 3; LoadConst 1; LoadConst 2; BuildSet 3; Return",
			"BuildSet; LoadConst {1,2,3}; SetUpdate 1; Return",
		},
		{
			"numbers that share a place", v, false,
			"LoadConst 8; LoadConst 0; LoadConst 16; BuildSet 3; Return",
			"BuildSet; LoadConst {8,0,16}; SetUpdate 1; Return",
		},
		{
			"the same in the order of a tuple", v, true,
			"LoadConst 8; LoadConst 0; LoadConst 16; BuildSet 3; Return",
			"BuildSet; LoadConst (8,0,16); SetUpdate 1; Return",
		},
		{
			"in another order", v, false,
			"LoadConst 8; LoadConst 0; LoadConst 16; BuildSet 3; Return",
			"BuildSet; LoadConst (0,8,16); SetUpdate 1; Return",
		},
		{
			"frozen sets have no order", v, true,
			"BuildSet; LoadConst {8,0,16}; SetUpdate 1; Return",
			"BuildSet; LoadConst {0,16,8}; SetUpdate 1; Return",
		},
		{"True is not 1 in a set", v, false, "LoadConst 1; BuildSet 1; Return", "LoadConst True; BuildSet 1; Return"},
		{"an empty set without a name", v, true, "BuildSet; Return", "BuildSet; LoadConst (); SetUpdate 1; Return"},
		{
			"a set of what is not known", v, false,
			"LoadFast a; LoadFast b; BuildSet 2; Return", "LoadFast b; LoadFast a; BuildSet 2; Return",
		},
		{
			"one list twice", v, false,
			"BuildList; StoreFast x; LoadFast x; LoadFast x; BuildTuple 2; Return",
			"BuildList; BuildList; BuildTuple 2; Return",
		},
		{
			"one list twice on both sides", v, true,
			"BuildList; StoreFast x; LoadFast x; LoadFast x; BuildTuple 2; Return",
			"BuildList; Copy 1; BuildTuple 2; Return",
		},
		{
			"changed before it is seen", v, true,
			"BuildList; StoreFast x; LoadFast a; LoadFast x; LoadConst 0; LoadConst 0; LoadFast a; Pop; Pop; Pop; Pop; Pop; LoadFast x; LoadFast a; ListAppend 1; Return",
			"LoadFast a; BuildList 1; Return",
		},
		{
			"changed after it was seen", v, false,
			"BuildList; StoreFast x; LoadGlobal f; PushNull; LoadFast x; Call 1; Pop; LoadFast x; LoadFast a; ListAppend 1; Return",
			"LoadFast a; BuildList 1; StoreFast x; LoadGlobal f; PushNull; LoadFast x; Call 1; Pop; LoadFast x; Return",
		},
		{
			"seen as one object, then as another", v, false,
			"BuildList; StoreFast x; LoadGlobal f; PushNull; LoadFast x; Call 1; Pop; LoadFast x; Return",
			"BuildList; StoreFast x; LoadGlobal f; PushNull; BuildList; Call 1; Pop; LoadFast x; Return",
		},
		{
			"seen inside another", v, false,
			"BuildList; StoreFast x; LoadGlobal f; PushNull; LoadFast x; BuildTuple 1; Call 1; Pop; LoadFast x; LoadConst 0; Subscr; Return",
			"BuildList; StoreFast x; LoadGlobal f; PushNull; LoadFast x; BuildTuple 1; Call 1; Pop; LoadConst 0; Return",
		},
		{
			"an index out of range", v, false,
			"LoadFast a; BuildList 1; LoadConst 1; Subscr; Pop; LoadConst None; Return", "LoadConst None; Return",
		},
		{
			"unpacked", v, true,
			"LoadFast a; LoadFast b; BuildList 2; UnpackSequence 2; BuildTuple 2; Return",
			"LoadFast b; LoadFast a; BuildTuple 2; Return",
		},
		{
			"starred", v, true,
			"LoadFast a; LoadFast b; LoadFast c; BuildTuple 3; UnpackEx 257; StoreFast x; Pop; Return",
			"LoadFast c; Return",
		},
		{
			"of an unknown sequence", v, false,
			"LoadFast a; UnpackSequence 2; Pop; Return", "LoadFast a; LoadConst 1; Subscr; Return",
		},
		{
			"extended by what is not known", v, true,
			"BuildList; LoadFast a; ListExtend 1; ListToTuple; Return",
			"BuildList; StoreFast x; LoadFast x; LoadFast a; ListExtend 1; ListToTuple; Return",
		},
		{
			"iteration is an effect", v, false,
			"BuildList; LoadFast a; ListExtend 1; Pop; LoadConst None; Return", "LoadConst None; Return",
		},

		// Order.
		{
			"a value waits on the stack", v, true,
			"LoadGlobal f; PushNull; LoadGlobal g; PushNull; Call; Call 1; Return",
			"LoadGlobal f; StoreFast x; LoadGlobal g; PushNull; Call; StoreFast b; LoadFast x; PushNull; LoadFast b; Call 1; Return",
		},
		{
			"globals read in another order", v, false,
			"LoadGlobal f; PushNull; LoadGlobal g; PushNull; Call; Call 1; Return",
			"LoadGlobal g; PushNull; Call; StoreFast b; LoadGlobal f; PushNull; LoadFast b; Call 1; Return",
		},
		{
			"calls in another order", v, false,
			"LoadFast a; PushNull; Call; LoadFast b; PushNull; Call; BuildTuple 2; Return",
			"LoadFast b; PushNull; Call; LoadFast a; PushNull; Call; Swap 2; BuildTuple 2; Return",
		},
		{
			"attributes in another order", v, false,
			"LoadFast a; LoadAttr x; LoadFast b; LoadAttr y; BuildTuple 2; Return",
			"LoadFast b; LoadAttr y; LoadFast a; LoadAttr x; Swap 2; BuildTuple 2; Return",
		},
		{
			"method form", v, true,
			"LoadFast a; LoadMethod x; LoadFast b; Call 1; Return",
			"LoadFast a; LoadAttr x; StoreFast c; LoadFast c; PushNull; LoadFast b; Call 1; Return",
		},
		{
			"half a method", v, false,
			"LoadFast a; LoadMethod x; Pop; Return", "LoadFast a; LoadAttr x; Return",
		},
		{
			"a dead store", v, true,
			"LoadFast a; StoreFast x; LoadFast b; Return", "LoadFast b; Return",
		},
		{
			"slices", v, true,
			"LoadFast a; LoadConst 1; LoadConst None; BinarySlice; Return",
			"LoadFast a; LoadConst 1; LoadConst None; BuildSlice 2; Subscr; Return",
		},

		{
			"an iterator passed on", v, true,
			"LoadFast b; PushNull; LoadFast a; GetIter 1; Call 1; Return",
			"LoadFast b; PushNull; LoadGlobal __builtin_iter; PushNull; LoadFast a; Call 1; Call 1; Return",
		},
		{
			"an iterator of something else", v, false,
			"LoadFast b; PushNull; LoadFast a; GetIter 1; Call 1; Return",
			"LoadFast b; PushNull; LoadGlobal __builtin_iter; PushNull; LoadFast c; Call 1; Call 1; Return",
		},
		{
			"iter with a sentinel", v, false,
			"LoadFast a; GetIter 1; Return",
			"LoadGlobal __builtin_iter; PushNull; LoadFast a; LoadFast b; Call 2; Return",
		},
		{
			"a global that is only called iter", v, false,
			"LoadFast a; GetIter 1; Return",
			"LoadGlobal iter; PushNull; LoadFast a; Call 1; Return",
		},
		{
			"a loop over a running iterator", v, true,
			"LoadFast a; N: ForIter 1 E; Pop; Jump N; E: LoadConst None; Return",
			"LoadFast a; GetIter 1; N: ForIter 1 E; Pop; Jump N; E: LoadConst None; Return",
		},
		{
			"a loop over another running iterator", v, false,
			"LoadFast a; N: ForIter 1 E; Pop; Jump N; E: LoadConst None; Return",
			"LoadFast b; GetIter 1; N: ForIter 1 E; Pop; Jump N; E: LoadConst None; Return",
		},
		{
			"an iterator made and dropped", v, false,
			"LoadFast a; N: ForIter 1 E; Pop; Jump N; E: LoadConst None; Return",
			"LoadFast a; GetIter 1; Pop; LoadConst None; Return",
		},
		{
			"a slice passed on", v, true,
			"LoadConst 1; LoadFast a; BuildSlice 2; Return",
			"LoadGlobal __builtin_slice; PushNull; LoadConst 1; LoadFast a; Call 2; Return",
		},
		{
			"a slice the other way round", v, false,
			"LoadConst 1; LoadFast a; BuildSlice 2; Return",
			"LoadGlobal __builtin_slice; PushNull; LoadFast a; LoadConst 1; Call 2; Return",
		},
		// Attributes whose names cannot stand behind a dot.
		{
			"setattr stores an attribute", v, true,
			"LoadFast a; LoadFast b; StoreAttr class; LoadConst None; Return",
			"LoadGlobal __builtin_setattr; PushNull; LoadFast b; LoadConst 'class'; LoadFast a; Call 3; Pop; LoadConst None; Return",
		},
		{
			"setattr of the object in the value's place", v, false,
			"LoadFast a; LoadFast b; StoreAttr class; LoadConst None; Return",
			"LoadGlobal __builtin_setattr; PushNull; LoadFast a; LoadConst 'class'; LoadFast b; Call 3; Pop; LoadConst None; Return",
		},
		{
			"setattr returns None", v, false,
			"LoadFast a; LoadFast b; StoreAttr class; LoadFast a; Return",
			"LoadGlobal __builtin_setattr; PushNull; LoadFast b; LoadConst 'class'; LoadFast a; Call 3; Return",
		},
		{
			"getattr loads one", v, true,
			"LoadFast a; LoadAttr class; Return",
			"LoadGlobal __builtin_getattr; PushNull; LoadFast a; LoadConst 'class'; Call 2; Return",
		},
		{
			"getattr of another name", v, false,
			"LoadFast a; LoadAttr class; Return",
			"LoadGlobal __builtin_getattr; PushNull; LoadFast a; LoadConst 'pass'; Call 2; Return",
		},
		{
			"delattr deletes one", v, true,
			"LoadFast a; DeleteAttr class; LoadConst None; Return",
			"LoadGlobal __builtin_delattr; PushNull; LoadFast a; LoadConst 'class'; Call 2; Return",
		},
		{
			"getattr with a default looks up no attribute alone", v, false,
			"LoadFast a; LoadAttr class; Return",
			"LoadGlobal __builtin_getattr; PushNull; LoadFast a; LoadConst 'class'; LoadFast b; Call 3; Return",
		},

		// Branches.
		{
			"a branch with a value waiting", v, true,
			`LoadGlobal f; PushNull; LoadFast a; ToBool; PopJumpIfFalse L
			 LoadGlobal g; PushNull; Call; Pop; L: LoadFast b; Call 1; Return`,
			`LoadGlobal f; StoreFast x; LoadFast a; ToBool; PopJumpIfFalse L
			 LoadGlobal g; PushNull; Call; Pop; L: LoadFast x; PushNull; LoadFast b; Call 1; Return`,
		},
		{
			"the branch inverted", v, true,
			"LoadFast a; ToBool; PopJumpIfFalse L; LoadFast b; Return; L: LoadFast c; Return",
			"LoadFast a; ToBool; UnaryOp 3; PopJumpIfFalse L; LoadFast c; Return; L: LoadFast b; Return",
		},
		{
			"the branch inverted, the arms not", v, false,
			"LoadFast a; ToBool; PopJumpIfFalse L; LoadFast b; Return; L: LoadFast c; Return",
			"LoadFast a; ToBool; UnaryOp 3; PopJumpIfFalse L; LoadFast b; Return; L: LoadFast c; Return",
		},
		{
			"tested early, branched on late", v, true,
			"LoadFast a; ToBool; PopJumpIfFalse L; LoadGlobal f; LoadFast b; BuildTuple 2; Return; L: LoadGlobal f; LoadFast c; BuildTuple 2; Return",
			"LoadFast a; ToBool; StoreFast x; LoadGlobal f; LoadFast x; PopJumpIfFalse L; LoadFast b; BuildTuple 2; Return; L: LoadFast c; BuildTuple 2; Return",
		},
		{
			"not tested at all", v, false,
			"LoadFast a; ToBool; PopJumpIfFalse L; L: LoadFast b; Return", "LoadFast b; Return",
		},
		{
			"is None needs no test", v, true,
			"LoadFast a; PopJumpIfNone L; L: LoadFast b; Return", "LoadFast b; Return",
		},
		{
			"is None, both ways", v, true,
			"LoadFast a; PopJumpIfNone L; LoadFast b; Return; L: LoadFast c; Return",
			"LoadFast a; LoadConst None; IsOp 1; PopJumpIfFalse L; LoadFast b; Return; L: LoadFast c; Return",
		},
		{
			"is a literal, both ways", v, true,
			"LoadFast a; LoadConst 2; IsOp; PopJumpIfFalse L; LoadFast b; Return; L: LoadFast c; Return",
			"LoadFast a; LoadConst 2; IsOp 1; PopJumpIfFalse L; LoadFast c; Return; L: LoadFast b; Return",
		},
		{
			"is another literal", v, false,
			"LoadFast a; LoadConst 2; IsOp; PopJumpIfFalse L; LoadFast b; Return; L: LoadFast c; Return",
			"LoadFast a; LoadConst 3; IsOp; PopJumpIfFalse L; LoadFast b; Return; L: LoadFast c; Return",
		},
		{
			"arms swapped", v, false,
			"LoadFast a; PopJumpIfNone L; LoadFast b; Return; L: LoadFast c; Return",
			"LoadFast a; PopJumpIfNone L; LoadFast c; Return; L: LoadFast b; Return",
		},
		{
			"values that meet", v, true,
			"LoadFast a; PopJumpIfNone L; LoadFast b; Jump M; L: LoadFast c; M: StoreFast x; LoadGlobal f; PushNull; LoadFast x; Call 1; Return",
			"LoadFast a; PopJumpIfNone L; LoadFast b; StoreFast x; Jump M; L: LoadFast c; StoreFast x; M: LoadGlobal f; PushNull; LoadFast x; Call 1; Return",
		},
		{
			"values that meet crosswise", v, false,
			"LoadFast a; PopJumpIfNone L; LoadFast b; Jump M; L: LoadFast c; M: StoreFast x; LoadGlobal f; PushNull; LoadFast x; Call 1; Return",
			"LoadFast a; PopJumpIfNone L; LoadFast c; Jump M; L: LoadFast b; M: StoreFast x; LoadGlobal f; PushNull; LoadFast x; Call 1; Return",
		},
		{
			"a test of truth taken for one of None", v, false,
			"LoadFast a; ToBool; PopJumpIfFalse L; LoadFast b; Return; L: LoadFast c; Return",
			"LoadFast a; PopJumpIfNone L; LoadFast b; Return; L: LoadFast c; Return",
		},

		// Loops.
		{
			"a loop", v, true,
			"LoadFast a; GetIter 1; N: ForIter 1 E; StoreFast x; LoadFast b; PushNull; LoadFast x; Call 1; Pop; Jump N; E: LoadConst None; Return",
			"LoadFast a; GetIter 1; N: ForIter 1 E; LoadFast b; Swap 2; PushNull; Swap 2; Call 1; Pop; Jump N; E: LoadConst None; Return",
		},
		{
			"the last value, not this one", v, false,
			"LoadConst None; StoreFast c; LoadFast a; GetIter 1; N: ForIter 1 E; StoreFast x; LoadFast b; PushNull; LoadFast c; Call 1; Pop; LoadFast x; StoreFast c; Jump N; E: LoadConst None; Return",
			"LoadConst None; StoreFast c; LoadFast a; GetIter 1; N: ForIter 1 E; StoreFast x; LoadFast b; PushNull; LoadFast x; Call 1; Pop; LoadFast x; StoreFast c; Jump N; E: LoadConst None; Return",
		},
		{
			"a list that grows", v, true,
			"BuildList; LoadFast a; GetIter 1; N: ForIter 1 E; ListAppend 2; Jump N; E: Return",
			"BuildList; StoreFast c; LoadFast a; GetIter 1; N: ForIter 1 E; LoadFast c; Swap 2; ListAppend 1; Pop; Jump N; E: LoadFast c; Return",
		},
		{
			"a list that does not grow", v, false,
			"BuildList; LoadFast a; GetIter 1; N: ForIter 1 E; ListAppend 2; Jump N; E: Return",
			"BuildList; LoadFast a; GetIter 1; N: ForIter 1 E; Pop; Jump N; E: Return",
		},
		{
			"a loop left too early", v, false,
			"LoadFast a; GetIter 1; N: ForIter 1 E; Pop; Jump N; E: LoadConst None; Return",
			"LoadFast a; GetIter 1; ForIter 1 E; Pop; Pop; E: LoadConst None; Return",
		},

		// Variables.
		{
			"a variable that is unbound", v, false,
			"LoadFast x 1; Pop; LoadConst None; Return", "LoadConst None; Return",
		},
		{
			"a variable that may be unbound", v, false,
			"LoadFast a; PopJumpIfNone L; LoadConst 1; StoreFast x; L: LoadFast x 1; Pop; LoadConst None; Return",
			"LoadFast a; PopJumpIfNone L; LoadConst 1; StoreFast x; L: LoadConst None; Return",
		},
		{
			"deleted", v, false,
			"LoadFast a; StoreFast x; DeleteFast x; LoadFast x 1; Return", "LoadFast a; Return",
		},
		{
			"code that looks at its variables before there are more", v, true,
			"LoadGlobal locals; PushNull; Call; Return", "LoadGlobal locals; PushNull; Call; StoreFast x; LoadFast x; Return",
		},

		// Exceptions.
		{
			"a handler that only passes on", v, true,
			"S: LoadFast a; PushNull; Call; E: Return; H: PushExcInfo; Reraise; C: Copy 3; PopExcept; Reraise 1; try S E H 0; try H C C 1 lasti",
			"LoadFast a; PushNull; Call; Return",
		},
		{
			"a handler that does something", v, false,
			"S: LoadFast a; PushNull; Call; E: Return; H: PushExcInfo; LoadFast b; PushNull; Call; Pop; Reraise; try S E H 0",
			"LoadFast a; PushNull; Call; Return",
		},
		{
			"matched", v, true,
			"S: LoadFast a; PushNull; Call; E: Return; H: PushExcInfo; LoadFast b; CheckExcMatch; PopJumpIfFalse N; Pop; PopExcept; LoadConst 1; Return; N: Reraise; try S E H 0",
			"LoadConst None; StoreFast x; S: LoadFast a; PushNull; Call; StoreFast x; E: LoadFast x; Return; H: PushExcInfo; LoadFast b; CheckExcMatch; PopJumpIfTrue N; Reraise; N: Pop; PopExcept; LoadConst 1; Return; try S E H 0",
		},
		{
			"a call outside the region", v, false,
			"S: LoadFast a; PushNull; Call; LoadFast b; PushNull; Call; E: Return; H: PushExcInfo; Pop; PopExcept; LoadConst 1; Return; try S E H 0",
			"S: LoadFast a; PushNull; Call; E: LoadFast b; PushNull; Call; Return; H: PushExcInfo; Pop; PopExcept; LoadConst 1; Return; try S E H 0",
		},
		{
			"done while the exception is handled, or after", v, false,
			"S: LoadFast a; PushNull; Call; E: Return; H: PushExcInfo; Pop; LoadFast b; PushNull; Call; Swap 2; PopExcept; Return; try S E H 0",
			"S: LoadFast a; PushNull; Call; E: Return; H: PushExcInfo; Pop; PopExcept; LoadFast b; PushNull; Call; Return; try S E H 0",
		},

		// Functions and host objects.
		{
			"a new function", v, true,
			"LoadConst code:one; MakeFunction; StoreFast x; LoadFast x; Return", "LoadConst code:same; MakeFunction; Return",
		},
		{
			"a function with defaults", v, false,
			"LoadFast a; BuildTuple 1; LoadConst code:one; MakeFunction; SetFunctionAttribute 1; Return", "LoadConst code:same; MakeFunction; Return",
		},
		{"the same host object", v, true, "LoadConst <host>; Return", "LoadGlobal host; Return"},
		{"another host object", v, false, "LoadConst <host>; Return", "LoadGlobal other; Return"},
		{"returned or not", v, false, "LoadFast a; Return", "LoadFast a; Pop; LoadConst None; Return"},
		{"unknown operations", v, false, "LoadFast a; EndFinally; Return", "LoadFast a; EndFinally; Return"},

		// 3.10 keeps blocks on a stack of its own.
		{
			"a block", pyc.V310, true,
			"SetupFinally H; LoadFast a; CallFunction; PopBlock; Return; H: Pop; Pop; Pop; PopExcept; LoadConst 1; Return",
			"SetupFinally H; LoadFast a; CallFunction; StoreFast x; PopBlock; LoadFast x; Return; H: Pop; StoreFast x; Pop; PopExcept; LoadConst 1; Return",
		},
		{
			"a block that ends too late", pyc.V310, false,
			"SetupFinally H; LoadFast a; CallFunction; PopBlock; LoadAttr x; Return; H: Pop; Pop; Pop; PopExcept; LoadConst 1; Return",
			"SetupFinally H; LoadFast a; CallFunction; LoadAttr x; PopBlock; Return; H: Pop; Pop; Pop; PopExcept; LoadConst 1; Return",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			x, y := assemble(t, c.v, 3, "a b c x", c.a), assemble(t, c.v, 3, "a b c x", c.b)
			for k := range 2 {
				if k == 1 && c.name == "the same host object" {
					break // only the original has host objects
				}
				builtin := func(name string) bool { return strings.HasPrefix(name, BuiltinPrefix) }
				e := &effects{opt: Options{OpaqueNames: true, StableGlobal: builtin}, seen: map[[2]*pyc.Code]bool{}}
				if diff := e.funcs(x, y); (diff == nil) != c.equal {
					t.Errorf("got %v, want equal %v", diff, c.equal)
				}
				x, y = y, x
			}
		})
	}
}
