package main

import "strings"

// meaning is the hand-written part of a table row: what a CPython name means.
type meaning struct {
	op    string // Op constant
	kind  string // ArgKind constant without "Arg"
	fixed string // Go expression for Info.Fixed
}

// meaningOf returns the meaning of a CPython instruction in 3.minor, or false
// for one that this table does not know, which stops the generator.
func meaningOf(name string, minor int) (meaning, bool) {
	if m, ok := versionMeaning(name, minor); ok {
		return m, true
	}
	if op, ok := strings.CutPrefix(name, "BINARY_"); ok && operators[op] != "" {
		return meaning{"BinaryOp", "None", operators[op]}, true
	}
	if op, ok := strings.CutPrefix(name, "INPLACE_"); ok && operators[op] != "" {
		return meaning{"BinaryOp", "None", operators[op] + " | InPlace"}, true
	}
	row, ok := meanings[name]
	if !ok {
		return meaning{}, false
	}
	f := strings.Fields(row)
	m := meaning{op: f[0], kind: "None"}
	if len(f) > 1 {
		m.kind = f[1]
	}
	if len(f) > 2 {
		m.fixed = strings.Join(f[2:], " ")
	}
	return m, true
}

// versionMeaning holds the names whose meaning changed between versions.
func versionMeaning(name string, minor int) (meaning, bool) {
	since := func(first int, then, before meaning) (meaning, bool) {
		if minor >= first {
			return then, true
		}
		return before, true
	}
	// From 3.15 an iterator has two stack slots, and so has what SEND sends to.
	slots := "1"
	if minor >= 15 {
		slots = "2"
	}
	switch name {
	case "LOAD_GLOBAL":
		return since(11, meaning{"LoadGlobal", "Global", ""}, meaning{"LoadGlobal", "Name", ""})
	case "LOAD_ATTR":
		return since(12, meaning{"LoadAttr", "Attr", ""}, meaning{"LoadAttr", "Name", ""})
	case "IMPORT_NAME":
		return since(15, meaning{"ImportName", "Import", ""}, meaning{"ImportName", "Name", ""})
	case "COMPARE_OP":
		return since(9, meaning{"Compare", "Compare", ""}, meaning{"Compare", "OldCompare", ""})
	case "END_ASYNC_FOR":
		return since(14, meaning{"EndAsyncFor", "Monitor", ""}, meaning{"EndAsyncFor", "None", ""})
	case "RERAISE":
		return since(10, meaning{"Reraise", "Int", ""}, meaning{"Reraise", "None", ""})
	case "GET_AWAITABLE":
		return since(11, meaning{"GetAwaitable", "Int", ""}, meaning{"GetAwaitable", "None", ""})
	case "MAKE_FUNCTION":
		if minor <= 10 {
			return meaning{"MakeFunction", "MakeFunction", "0x100"}, true
		}
		return since(13, meaning{"MakeFunction", "None", ""}, meaning{"MakeFunction", "MakeFunction", ""})
	case "CALL_FUNCTION_EX":
		// Bit 0: a mapping is there, always from 3.14; bit 1: two-slot callee.
		if minor <= 10 {
			return meaning{"CallEx", "CallEx", ""}, true
		}
		return since(14, meaning{"CallEx", "None", "3"}, meaning{"CallEx", "CallEx", "2"})
	case "WITH_EXCEPT_START":
		// Where __exit__ is, counted from the top.
		switch {
		case minor <= 10:
			return meaning{"WithExceptStart", "None", "7"}, true
		case minor <= 13:
			return meaning{"WithExceptStart", "None", "4"}, true
		}
		return meaning{"WithExceptStart", "None", "5"}, true
	case "GET_ITER":
		return since(15, meaning{"GetIter", "GetIter", slots}, meaning{"GetIter", "None", slots})
	case "FOR_ITER":
		return meaning{"ForIter", "Jump", slots}, true
	case "SEND":
		return meaning{"Send", "Jump", slots}, true
	case "POP_ITER":
		return meaning{"PopIter", "None", slots}, true
	case "END_SEND":
		return meaning{"EndSend", "None", slots}, true
	case "CLEANUP_THROW":
		return meaning{"CleanupThrow", "None", slots}, true
	}
	return meaning{}, false
}

// operators maps the endings of BINARY_* and INPLACE_* (to 3.10) and NB_* (from
// 3.11) to Binary constants.
var operators = map[string]string{
	"ADD":             "Add",
	"AND":             "And",
	"FLOOR_DIVIDE":    "FloorDivide",
	"LSHIFT":          "LShift",
	"MATRIX_MULTIPLY": "MatMul",
	"MULTIPLY":        "Multiply",
	"MODULO":          "Remainder",
	"REMAINDER":       "Remainder",
	"OR":              "Or",
	"POWER":           "Power",
	"RSHIFT":          "RShift",
	"SUBTRACT":        "Subtract",
	"TRUE_DIVIDE":     "TrueDivide",
	"XOR":             "Xor",
}

// meanings maps each CPython name that means the same in all versions to
// "Op [ArgKind [Fixed]]".
var meanings = map[string]string{
	// Nothing, and what never occurs in a code object's co_code.
	"CACHE":            "Invalid",
	"RESERVED":         "Invalid",
	"INTERPRETER_EXIT": "Invalid",
	"EXIT_INIT_CHECK":  "Invalid",
	"ENTER_EXECUTOR":   "Invalid Int",
	"TRACE_RECORD":     "Invalid",
	"EXTENDED_ARG":     "Nop Extend",
	"PRECALL":          "Nop Drop",
	"NOP":              "Nop",
	"NOT_TAKEN":        "Nop",
	"RESUME":           "Resume Resume",
	"RETURN_GENERATOR": "ReturnGenerator",
	"GEN_START":        "GenStart Int",

	// The stack.
	"POP_TOP":     "Pop",
	"ROT_TWO":     "Swap None 2",
	"ROT_THREE":   "Rot None 3",
	"ROT_FOUR":    "Rot None 4",
	"ROT_N":       "Rot Int",
	"DUP_TOP":     "Copy None 1",
	"DUP_TOP_TWO": "Copy DupTwo 2",
	"COPY":        "Copy Int",
	"SWAP":        "Swap Int",
	"PUSH_NULL":   "PushNull",

	// Constants and variables.
	"LOAD_CONST":                        "LoadConst Const",
	"RETURN_CONST":                      "LoadConst Return",
	"LOAD_SMALL_INT":                    "LoadConst SmallInt",
	"LOAD_COMMON_CONSTANT":              "LoadCommon Common",
	"LOAD_ASSERTION_ERROR":              "LoadCommon None CommonAssertionError",
	"LOAD_FAST":                         "LoadFast Local",
	"LOAD_FAST_BORROW":                  "LoadFast Local",
	"LOAD_FAST_CHECK":                   "LoadFast Local 1",
	"LOAD_FAST_AND_CLEAR":               "LoadFastAndClear Local",
	"LOAD_FAST_LOAD_FAST":               "LoadFast LoadLoad",
	"LOAD_FAST_BORROW_LOAD_FAST_BORROW": "LoadFast LoadLoad",
	"STORE_FAST":                        "StoreFast Local",
	"STORE_FAST_LOAD_FAST":              "StoreFast StoreLoad",
	"STORE_FAST_STORE_FAST":             "StoreFast StoreStore",
	"DELETE_FAST":                       "DeleteFast Local",
	"LOAD_NAME":                         "LoadName Name",
	"STORE_NAME":                        "StoreName Name",
	"DELETE_NAME":                       "DeleteName Name",
	"STORE_GLOBAL":                      "StoreGlobal Name",
	"DELETE_GLOBAL":                     "DeleteGlobal Name",
	"LOAD_DEREF":                        "LoadDeref Deref",
	"STORE_DEREF":                       "StoreDeref Deref",
	"DELETE_DEREF":                      "DeleteDeref Deref",
	"LOAD_CLOSURE":                      "LoadClosure Deref",
	"LOAD_CLASSDEREF":                   "LoadClassDeref Deref",
	"LOAD_FROM_DICT_OR_DEREF":           "LoadFromDictOrDeref Deref",
	"LOAD_FROM_DICT_OR_GLOBALS":         "LoadFromDictOrGlobals Name",
	"LOAD_LOCALS":                       "LoadLocals",
	"LOAD_BUILD_CLASS":                  "LoadBuildClass",
	"MAKE_CELL":                         "MakeCell Deref",
	"COPY_FREE_VARS":                    "CopyFreeVars Int",
	"SETUP_ANNOTATIONS":                 "SetupAnnotations",

	// Attributes.
	"LOAD_METHOD":     "LoadMethod Name",
	"STORE_ATTR":      "StoreAttr Name",
	"DELETE_ATTR":     "DeleteAttr Name",
	"LOAD_SUPER_ATTR": "LoadSuperAttr Super",
	"LOAD_SPECIAL":    "LoadSpecial Int",

	// Operators.
	"UNARY_POSITIVE": "UnaryOp None UnaryPos",
	"UNARY_NEGATIVE": "UnaryOp None UnaryNeg",
	"UNARY_INVERT":   "UnaryOp None UnaryInvert",
	"UNARY_NOT":      "UnaryOp None UnaryNot",
	"TO_BOOL":        "ToBool",
	"BINARY_OP":      "BinaryOp Binary",
	"BINARY_SUBSCR":  "Subscr",
	"BINARY_SLICE":   "BinarySlice",
	"STORE_SUBSCR":   "StoreSubscr",
	"STORE_SLICE":    "StoreSlice",
	"DELETE_SUBSCR":  "DeleteSubscr",
	"IS_OP":          "IsOp Int",
	"CONTAINS_OP":    "ContainsOp Int",

	// Building.
	"BUILD_TUPLE":                  "BuildTuple Int",
	"BUILD_LIST":                   "BuildList Int",
	"BUILD_SET":                    "BuildSet Int",
	"BUILD_MAP":                    "BuildMap Int",
	"BUILD_CONST_KEY_MAP":          "BuildConstKeyMap Int",
	"BUILD_STRING":                 "BuildString Int",
	"BUILD_SLICE":                  "BuildSlice Int",
	"BUILD_INTERPOLATION":          "BuildInterpolation Int",
	"BUILD_TEMPLATE":               "BuildTemplate",
	"BUILD_TUPLE_UNPACK":           "BuildTupleUnpack Int",
	"BUILD_LIST_UNPACK":            "BuildListUnpack Int",
	"BUILD_SET_UNPACK":             "BuildSetUnpack Int",
	"BUILD_MAP_UNPACK":             "BuildMapUnpack Int",
	"BUILD_TUPLE_UNPACK_WITH_CALL": "BuildTupleUnpackWithCall Int",
	"BUILD_MAP_UNPACK_WITH_CALL":   "BuildMapUnpackWithCall Int",
	"LIST_APPEND":                  "ListAppend Int",
	"SET_ADD":                      "SetAdd Int",
	"MAP_ADD":                      "MapAdd Int",
	"LIST_EXTEND":                  "ListExtend Int",
	"SET_UPDATE":                   "SetUpdate Int",
	"DICT_UPDATE":                  "DictUpdate Int",
	"DICT_MERGE":                   "DictMerge Int",
	"LIST_TO_TUPLE":                "ListToTuple",

	// Calls.
	"CALL_FUNCTION":          "CallFunction Int",
	"CALL_METHOD":            "CallMethod Int",
	"CALL_FUNCTION_KW":       "CallFunctionKw Int",
	"KW_NAMES":               "KwNames Const",
	"CALL":                   "Call Int",
	"CALL_KW":                "CallKw Int",
	"SET_FUNCTION_ATTRIBUTE": "SetFunctionAttribute Int",

	// Formatting.
	"FORMAT_VALUE":     "FormatValue Int",
	"CONVERT_VALUE":    "ConvertValue Int",
	"FORMAT_SIMPLE":    "FormatSimple",
	"FORMAT_WITH_SPEC": "FormatWithSpec",

	// Unpacking and matching.
	"UNPACK_SEQUENCE":        "UnpackSequence Int",
	"UNPACK_EX":              "UnpackEx Int",
	"MATCH_CLASS":            "MatchClass Int",
	"MATCH_KEYS":             "MatchKeys",
	"MATCH_MAPPING":          "MatchMapping",
	"MATCH_SEQUENCE":         "MatchSequence",
	"GET_LEN":                "GetLen",
	"COPY_DICT_WITHOUT_KEYS": "CopyDictWithoutKeys",

	// Jumps.
	"END_FOR":                       "EndFor",
	"JUMP_FORWARD":                  "Jump Jump",
	"JUMP_ABSOLUTE":                 "Jump Jump",
	"JUMP_BACKWARD":                 "Jump Jump",
	"JUMP_BACKWARD_NO_INTERRUPT":    "Jump Jump",
	"POP_JUMP_IF_FALSE":             "PopJumpIfFalse Jump",
	"POP_JUMP_IF_TRUE":              "PopJumpIfTrue Jump",
	"POP_JUMP_IF_NONE":              "PopJumpIfNone Jump",
	"POP_JUMP_IF_NOT_NONE":          "PopJumpIfNotNone Jump",
	"POP_JUMP_FORWARD_IF_FALSE":     "PopJumpIfFalse Jump",
	"POP_JUMP_FORWARD_IF_TRUE":      "PopJumpIfTrue Jump",
	"POP_JUMP_FORWARD_IF_NONE":      "PopJumpIfNone Jump",
	"POP_JUMP_FORWARD_IF_NOT_NONE":  "PopJumpIfNotNone Jump",
	"POP_JUMP_BACKWARD_IF_FALSE":    "PopJumpIfFalse Jump",
	"POP_JUMP_BACKWARD_IF_TRUE":     "PopJumpIfTrue Jump",
	"POP_JUMP_BACKWARD_IF_NONE":     "PopJumpIfNone Jump",
	"POP_JUMP_BACKWARD_IF_NOT_NONE": "PopJumpIfNotNone Jump",
	"JUMP_IF_FALSE_OR_POP":          "JumpIfFalseOrPop Jump",
	"JUMP_IF_TRUE_OR_POP":           "JumpIfTrueOrPop Jump",
	"JUMP_IF_NOT_EXC_MATCH":         "ExcMatch MatchJump",
	"RETURN_VALUE":                  "Return",
	"RAISE_VARARGS":                 "Raise Int",

	// Exception handling.
	"SETUP_LOOP":          "SetupLoop Jump",
	"SETUP_EXCEPT":        "SetupExcept Jump",
	"SETUP_FINALLY":       "SetupFinally Jump",
	"SETUP_WITH":          "SetupWith Jump",
	"SETUP_ASYNC_WITH":    "SetupAsyncWith Jump",
	"POP_BLOCK":           "PopBlock",
	"BREAK_LOOP":          "BreakLoop",
	"CONTINUE_LOOP":       "ContinueLoop Jump",
	"BEGIN_FINALLY":       "BeginFinally",
	"END_FINALLY":         "EndFinally",
	"CALL_FINALLY":        "CallFinally Jump",
	"POP_FINALLY":         "PopFinally Int",
	"PUSH_EXC_INFO":       "PushExcInfo",
	"POP_EXCEPT":          "PopExcept",
	"CHECK_EXC_MATCH":     "CheckExcMatch",
	"CHECK_EG_MATCH":      "CheckEgMatch",
	"WITH_CLEANUP_START":  "WithCleanupStart",
	"WITH_CLEANUP_FINISH": "WithCleanupFinish",
	"BEFORE_WITH":         "BeforeWith",
	"BEFORE_ASYNC_WITH":   "BeforeAsyncWith",
	"PREP_RERAISE_STAR":   "PrepReraiseStar",

	// Generators and coroutines.
	"YIELD_VALUE":         "Yield Yield",
	"YIELD_FROM":          "YieldFrom",
	"GET_YIELD_FROM_ITER": "GetYieldFromIter None 1",
	"GET_AITER":           "GetAiter",
	"GET_ANEXT":           "GetAnext",
	"ASYNC_GEN_WRAP":      "AsyncGenWrap",

	// The rest.
	"IMPORT_FROM":      "ImportFrom Name",
	"IMPORT_STAR":      "ImportStar",
	"PRINT_EXPR":       "PrintExpr",
	"CALL_INTRINSIC_1": "Intrinsic1 Intrinsic1",
	"CALL_INTRINSIC_2": "Intrinsic2 Intrinsic2",
}
