package opcode

// Effect is what an operation does to the stack, as its comment says: it takes Pop
// values from the top, looks at Read values below those, which stay, and puts Push
// values there.
type Effect struct{ Pop, Read, Push int }

// Change is by how much the depth of the stack changes.
func (e Effect) Change() int { return e.Push - e.Pop }

// Reach is how many values from the top the operation needs.
func (e Effect) Reach() int { return e.Pop + e.Read }

// effects are those that the operation alone decides, in the order of the operations.
var effects = map[Op]Effect{
	Nop: {}, Resume: {}, ReturnGenerator: {Push: 1}, GenStart: {Pop: 1},

	Pop: {Pop: 1}, PushNull: {Push: 1},

	LoadConst: {Push: 1}, LoadFast: {Push: 1}, LoadFastAndClear: {Push: 1}, StoreFast: {Pop: 1}, DeleteFast: {},
	LoadName: {Push: 1}, StoreName: {Pop: 1}, DeleteName: {},
	LoadGlobal: {Push: 1}, StoreGlobal: {Pop: 1}, DeleteGlobal: {},
	LoadDeref: {Push: 1}, StoreDeref: {Pop: 1}, DeleteDeref: {},
	LoadClosure: {Push: 1}, LoadClassDeref: {Push: 1}, LoadFromDictOrDeref: {Pop: 1, Push: 1}, LoadFromDictOrGlobals: {Pop: 1, Push: 1},
	LoadLocals: {Push: 1}, LoadBuildClass: {Push: 1}, LoadCommon: {Push: 1}, MakeCell: {}, CopyFreeVars: {}, SetupAnnotations: {},

	LoadAttr: {Pop: 1, Push: 1}, LoadMethod: {Pop: 1, Push: 2}, StoreAttr: {Pop: 2}, DeleteAttr: {Pop: 1}, LoadSpecial: {Pop: 1, Push: 2},

	UnaryOp: {Pop: 1, Push: 1}, ToBool: {Pop: 1, Push: 1}, BinaryOp: {Pop: 2, Push: 1}, Subscr: {Pop: 2, Push: 1},
	BinarySlice: {Pop: 3, Push: 1}, StoreSubscr: {Pop: 3}, StoreSlice: {Pop: 4}, DeleteSubscr: {Pop: 2},
	Compare: {Pop: 2, Push: 1}, IsOp: {Pop: 2, Push: 1}, ContainsOp: {Pop: 2, Push: 1}, ExcMatch: {Pop: 2, Push: 1},
	CheckExcMatch: {Pop: 2, Push: 2}, CheckEgMatch: {Pop: 2, Push: 2},

	BuildTemplate: {Pop: 2, Push: 1}, ListToTuple: {Pop: 1, Push: 1}, KwNames: {}, SetFunctionAttribute: {Pop: 2, Push: 1},
	ConvertValue: {Pop: 1, Push: 1}, FormatSimple: {Pop: 1, Push: 1}, FormatWithSpec: {Pop: 2, Push: 1},

	MatchMapping: {Read: 1, Push: 1}, MatchSequence: {Read: 1, Push: 1}, GetLen: {Read: 1, Push: 1}, CopyDictWithoutKeys: {Pop: 1, Read: 1, Push: 1},

	Jump: {}, PopJumpIfFalse: {Pop: 1}, PopJumpIfTrue: {Pop: 1}, PopJumpIfNone: {Pop: 1}, PopJumpIfNotNone: {Pop: 1}, Return: {Pop: 1},

	SetupWith: {Pop: 1, Push: 2}, PushExcInfo: {Pop: 1, Push: 2}, BeforeWith: {Pop: 1, Push: 2}, BeforeAsyncWith: {Pop: 1, Push: 2},
	PrepReraiseStar: {Pop: 2, Push: 1},

	Yield: {Pop: 1, Push: 1}, YieldFrom: {Pop: 2, Push: 1}, GetAwaitable: {Pop: 1, Push: 1}, GetAiter: {Pop: 1, Push: 1},
	GetAnext: {Read: 1, Push: 1}, AsyncGenWrap: {Pop: 1, Push: 1},

	ImportName: {Pop: 2, Push: 1}, ImportFrom: {Read: 1, Push: 1}, ImportStar: {Pop: 1}, PrintExpr: {Pop: 1},
	StopIterationError: {Pop: 1, Push: 1}, Intrinsic1: {Pop: 1, Push: 1}, Intrinsic2: {Pop: 2, Push: 1},
}

// effectOf is effects by number; looking up costs nothing.
var effectOf = func() (list [NumOps]struct {
	Effect
	known bool
},
) {
	for op, e := range effects {
		list[op].Effect, list[op].known = e, true
	}
	return list
}()

// Effect returns what the operation does to the stack; not ok where the operand, the
// version or the way it goes on decides.
func (op Op) Effect() (e Effect, ok bool) { return effectOf[op].Effect, effectOf[op].known }
