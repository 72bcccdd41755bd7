package opcode

// Op is one meaning of a bytecode instruction, whatever CPython version and
// number encode it. The comment of each Op is its stack picture: what it pops
// (left, top of stack last), its name, what it pushes.
//
// "Two-slot callee" means the pair under the arguments of a call in 3.11+: one
// of the two is NULL (or the self slot left by LoadMethod), the other the
// callable; which comes first changed in 3.13 and does not matter here.
type Op uint8

// The instruction set.
const (
	Invalid Op = iota // an opcode number that this version does not have

	// Nothing happens (kept for their lines and as comparison anchors).
	Nop             // -- Nop --
	Resume          // -- Resume(where) --            RESUME; Arg: 0 start 1 yield 2 yield from 3 await 4 start of a generator expression (3.15); Flag: only the generator's own handler is around (3.13+)
	ReturnGenerator // -- ReturnGenerator generator
	GenStart        // sent GenStart --               3.10

	// Shuffling the stack.
	Pop      // x Pop --
	Copy     // x ... Copy(n) x ... x                 n=1 duplicates the top
	Swap     // x ... y Swap(n) y ... x               n=2 exchanges the top two
	Rot      // a ... y x Rot(n) x a ... y            top goes down to position n (ROT_THREE = Rot(3))
	PushNull // -- PushNull NULL

	// Reading and writing variables; Name is the variable.
	LoadConst             // -- LoadConst c             Const, never nil
	LoadFast              // -- LoadFast x              Arg=1 when CPython checks for unbound (LOAD_FAST_CHECK)
	LoadFastAndClear      // -- LoadFastAndClear x|NULL inlined comprehension; flag: the slot of a cell, where a variable has its name too
	StoreFast             // x StoreFast -- flag: as above
	DeleteFast            // -- DeleteFast -- flag: as above
	LoadName              // -- LoadName x
	StoreName             // x StoreName --
	DeleteName            // -- DeleteName --
	LoadGlobal            // -- LoadGlobal x            the NULL that may come with it is a PushNull of its own
	StoreGlobal           // x StoreGlobal --
	DeleteGlobal          // -- DeleteGlobal --
	LoadDeref             // -- LoadDeref x             the value in the cell
	StoreDeref            // x StoreDeref --
	DeleteDeref           // -- DeleteDeref --
	LoadClosure           // -- LoadClosure cell        the cell itself (3.13+: LOAD_FAST of a cell slot)
	LoadClassDeref        // -- LoadClassDeref x        locals first, then the cell (3.7-3.11)
	LoadFromDictOrDeref   // d LoadFromDictOrDeref x
	LoadFromDictOrGlobals // d LoadFromDictOrGlobals x
	LoadLocals            // -- LoadLocals d
	LoadBuildClass        // -- LoadBuildClass f
	LoadCommon            // -- LoadCommon(k) x         Arg is a Common constant
	MakeCell              // -- MakeCell --             prologue
	CopyFreeVars          // -- CopyFreeVars --         prologue
	SetupAnnotations      // -- SetupAnnotations --

	// Attributes; Name is the attribute.
	LoadAttr      // o LoadAttr o.x
	LoadMethod    // o LoadMethod f self|NULL         two-slot callee
	StoreAttr     // v o StoreAttr --
	DeleteAttr    // o DeleteAttr --
	LoadSuperAttr // super cls self LoadSuperAttr x   Arg bit0: pushes a two-slot callee; bit1: written super(C, self)
	LoadSpecial   // o LoadSpecial(k) f self          Arg is a Special constant; two-slot callee

	// Operators.
	UnaryOp       // x UnaryOp(k) r                   Arg is a Unary constant
	ToBool        // x ToBool r
	BinaryOp      // x y BinaryOp(k) r                Arg is a Binary constant, plus InPlace
	Subscr        // o i Subscr r
	BinarySlice   // o a b BinarySlice o[a:b]
	StoreSubscr   // v o i StoreSubscr --
	StoreSlice    // v o a b StoreSlice --
	DeleteSubscr  // o i DeleteSubscr --
	Compare       // x y Compare(k) r                 Arg is a Cmp constant; Flag: the result is forced to bool (3.13+)
	IsOp          // x y IsOp(not) r                  Arg=1 for "is not"
	ContainsOp    // x y ContainsOp(not) r            Arg=1 for "not in"
	ExcMatch      // exc type ExcMatch r              3.7-3.10
	CheckExcMatch // exc type CheckExcMatch exc r     3.11+
	CheckEgMatch  // exc type CheckEgMatch rest match

	// Building.
	BuildTuple               // x1..xn BuildTuple(n) t
	BuildList                // x1..xn BuildList(n) l
	BuildSet                 // x1..xn BuildSet(n) s
	BuildMap                 // k1 v1..kn vn BuildMap(n) d
	BuildConstKeyMap         // v1..vn keys BuildConstKeyMap(n) d
	BuildString              // s1..sn BuildString(n) s
	BuildSlice               // a b [c] BuildSlice(2|3) s
	BuildInterpolation       // value text [spec] BuildInterpolation i   Arg: bit0 spec, conversion in Arg>>2 (0 none 1 str 2 repr 3 ascii)
	BuildTemplate            // strings interpolations BuildTemplate t
	BuildTupleUnpack         // i1..in BuildTupleUnpack(n) t      3.7-3.8
	BuildListUnpack          // i1..in BuildListUnpack(n) l       3.7-3.8
	BuildSetUnpack           // i1..in BuildSetUnpack(n) s        3.7-3.8
	BuildMapUnpack           // m1..mn BuildMapUnpack(n) d        3.7-3.8
	BuildTupleUnpackWithCall // i1..in BuildTupleUnpackWithCall(n) t   3.7-3.8
	BuildMapUnpackWithCall   // m1..mn BuildMapUnpackWithCall(n) d     3.7-3.8
	ListAppend               // l ... x ListAppend(i) l ...       i counted after x is popped
	SetAdd                   // s ... x SetAdd(i) s ...
	MapAdd                   // d ... k v MapAdd(i) d ...         3.7: value below key (Flag set)
	ListExtend               // l ... it ListExtend(i) l ...
	SetUpdate                // s ... it SetUpdate(i) s ...
	DictUpdate               // d ... m DictUpdate(i) d ...
	DictMerge                // d ... m DictMerge(i) d ...
	ListToTuple              // l ListToTuple t

	// Calls.
	CallFunction         // f x1..xn CallFunction(n) r             3.7-3.10
	CallMethod           // f self x1..xn CallMethod(n) r          3.7-3.10, two-slot callee
	CallFunctionKw       // f x1..xn names CallFunctionKw(n) r     3.7-3.10
	KwNames              // -- KwNames --                          Const: names for the next Call, a pyc.Tuple (3.11-3.12)
	Call                 // callee2 x1..xn Call(n) r               3.11+
	CallKw               // callee2 x1..xn names CallKw(n) r       3.13+
	CallEx               // f args [kw] CallEx(bits) r             Arg bit0: kw is there (may be NULL in 3.14+); bit1: two-slot callee
	MakeFunction         // [defaults kwdefaults annotations closure] code [qualname] MakeFunction(bits) f  Arg: 1 2 4 8 as CPython, 0x100 qualname is on the stack
	SetFunctionAttribute // value f SetFunctionAttribute(k) f    Arg: 1 2 4 8 16

	// Formatting.
	FormatValue    // x [spec] FormatValue(bits) s           3.7-3.12: conversion in Arg&3, bit2 spec
	ConvertValue   // x ConvertValue(c) r                    1 str 2 repr 3 ascii
	FormatSimple   // x FormatSimple s
	FormatWithSpec // x spec FormatWithSpec s

	// Unpacking and matching.
	UnpackSequence      // s UnpackSequence(n) xn..x1         first item on top
	UnpackEx            // s UnpackEx(a,b) ...                Arg = before | after<<8
	MatchClass          // s cls names MatchClass(n) t|None   3.10: Flag set, pushes t bool
	MatchKeys           // s keys MatchKeys s keys t|None     3.10: Flag set, pushes t bool
	MatchMapping        // s MatchMapping s bool
	MatchSequence       // s MatchSequence s bool
	GetLen              // s GetLen s n
	CopyDictWithoutKeys // s keys CopyDictWithoutKeys s d     3.10

	// Iteration.
	GetIter // it GetIter(slots) iter [index]   Arg is 1, or 2 in 3.15 (two stack slots per iterator)
	ForIter // iter [index] ForIter(slots) iter [index] x   Target: exhausted, with the iterator and its index popped (the decoder skips END_FOR and the pop behind it)
	PopIter // iter [index] PopIter(slots) --
	EndFor  // never reached (the decoder retargets ForIter behind it); also the POP_TOP or POP_ITER behind END_FOR

	// Control.
	Jump             // -- Jump --
	PopJumpIfFalse   // x PopJumpIfFalse --
	PopJumpIfTrue    // x PopJumpIfTrue --
	PopJumpIfNone    // x PopJumpIfNone --
	PopJumpIfNotNone // x PopJumpIfNotNone --
	JumpIfFalseOrPop // x JumpIfFalseOrPop x (taken) | -- (next)   3.7-3.11
	JumpIfTrueOrPop  // x JumpIfTrueOrPop x (taken) | -- (next)    3.7-3.11
	Return           // x Return --
	Raise            // [exc [cause]] Raise(n) --
	Reraise          // ... exc Reraise(n) --     3.9+; 3.9-3.10 pop three

	// Exception handling.
	SetupLoop         // 3.7
	SetupExcept       // 3.7
	SetupFinally      // 3.7-3.10
	SetupWith         // cm SetupWith exit entered         3.7-3.10
	SetupAsyncWith    // entered SetupAsyncWith entered    3.7-3.10
	PopBlock          // 3.7-3.10
	BreakLoop         // 3.7
	ContinueLoop      // 3.7
	BeginFinally      // -- BeginFinally NULL              3.8
	EndFinally        // NULL|... EndFinally --            3.7-3.8
	CallFinally       // -- CallFinally return address     3.8
	PopFinally        // ... PopFinally ...                3.8
	PushExcInfo       // exc PushExcInfo old exc           3.11+
	PopExcept         // old PopExcept --                  3.7-3.10 pop three
	WithCleanupStart  // 3.7-3.8
	WithCleanupFinish // 3.7-3.8
	WithExceptStart   // 3.9+: exit ... WithExceptStart(n) exit ... r   Arg is where exit is from the top: 7 (3.9-3.10), 4 (3.11-3.13), 5 with self at 4 (3.14+)
	BeforeWith        // cm BeforeWith exit entered        3.11-3.13
	BeforeAsyncWith   // cm BeforeAsyncWith exit awaitable 3.7-3.13
	PrepReraiseStar   // orig list PrepReraiseStar exc|None  3.11+

	// Generators and coroutines.
	Yield            // x Yield sent                 Arg=1 for the yield inside await / yield from (3.11+; before, that is a YieldFrom)
	YieldFrom        // iter sent YieldFrom result   3.7-3.10; later what a loop of Sends is made into, flag: with a NULL below sent (3.15)
	GetYieldFromIter // it GetYieldFromIter(slots) iter [null]   slots as for GetIter; 3.15: GET_ITER with an operand
	GetAwaitable     // x GetAwaitable(where) aw     Arg: 0 await 1 aenter 2 aexit
	Send             // recv [null] x Send(slots) recv [null] y   Target: finished, recv [null] result (EndSend is there); 3.11 has no EndSend: Flag set, Target gets only the result
	EndSend          // recv [null] x EndSend(slots) x   3.12+; Arg is 1, or 2 in 3.15, as for Send
	CleanupThrow     // recv [null] last exc CleanupThrow(slots) recv [null] x   3.12+; goes on only for StopIteration, x its value, with None for recv and null
	GetAiter         // x GetAiter aiter
	GetAnext         // aiter GetAnext aiter aw
	EndAsyncFor      // 3.8+
	AsyncGenWrap     // x AsyncGenWrap w

	// The rest.
	ImportName         // level from ImportName m     Arg: 0 default 1 lazy 2 eager (3.15)
	ImportFrom         // m ImportFrom m x
	ImportStar         // m ImportStar --             3.12+ pushes None, which the decoder keeps as LoadConst None
	PrintExpr          // x PrintExpr --              interactive mode; 3.12+ pushes None likewise
	StopIterationError // exc StopIterationError exc
	Intrinsic1         // x Intrinsic1(k) r           Arg is an Intrinsic constant
	Intrinsic2         // x y Intrinsic2(k) r         Arg is an Intrinsic constant

	NumOps
)

// InPlace is added to a Binary operator for the augmented form.
const InPlace = 0x100

// Operators of UnaryOp.
const (
	UnaryPos = iota
	UnaryNeg
	UnaryInvert
	UnaryNot
)

// Operators of BinaryOp.
const (
	Add = iota
	And
	FloorDivide
	LShift
	MatMul
	Multiply
	Remainder
	Or
	Power
	RShift
	Subtract
	TrueDivide
	Xor
)

// Operators of Compare.
const (
	Lt = iota
	Le
	Eq
	Ne
	Gt
	Ge
)

// Operands of LoadCommon (None, True, False, ” and -1 decode to LoadConst).
const (
	CommonAssertionError = iota
	CommonNotImplementedError
	CommonTuple
	CommonAll
	CommonAny
	CommonList
	CommonSet
)

// Operands of LoadSpecial.
const (
	SpecialEnter = iota
	SpecialExit
	SpecialAenter
	SpecialAexit
)

// Operands of Intrinsic1 and Intrinsic2, those with no Op of their own.
const (
	IntrinsicTypeVar = iota
	IntrinsicParamSpec
	IntrinsicTypeVarTuple
	IntrinsicSubscriptGeneric
	IntrinsicTypeAlias
	IntrinsicTypeVarWithBound
	IntrinsicTypeVarWithConstraints
	IntrinsicSetFunctionTypeParams
	IntrinsicSetTypeparamDefault
)
