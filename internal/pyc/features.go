package pyc

// The predicates below are the only place that says which CPython release
// brought what. Everything after internal/bytecode asks them and never compares
// version numbers.

// Encoding of code objects.

// HasPosOnlyArgs: PEP 570 positional-only parameters (3.8).
func (v Version) HasPosOnlyArgs() bool { return v >= V38 }

// HasLocalsPlus: one array of variables with kinds, qualified names in code
// objects, no nlocals field (3.11, bpo-43693 and bpo-44530).
func (v Version) HasLocalsPlus() bool { return v >= V311 }

// HasExceptionTable: "zero cost" exception handling; try blocks are a side
// table instead of SETUP_FINALLY and POP_BLOCK (3.11, bpo-40222).
func (v Version) HasExceptionTable() bool { return v >= V311 }

// HasSliceConstants: slices of constants are constants (3.14, magic 3608).
func (v Version) HasSliceConstants() bool { return v >= V314 }

// BuildsCallMaps: a call with `**a` takes a dict as it is, or one made of several
// by BUILD_MAP_UNPACK_WITH_CALL; later one is filled by DICT_MERGE (3.9).
func (v Version) BuildsCallMaps() bool { return v <= V38 }

// MostPlainArguments is how many positional arguments, none with a star, a call with so many
// keyword arguments, none with `**`, can have before it takes a tuple and a dict as if there
// were stars (3.10, STACK_USE_GUIDELINE).
func (v Version) MostPlainArguments(keywords int) int {
	if v >= V310 {
		return 30 - 2*keywords
	}
	return 1 << 16
}

// FoldsEmptyTuples: a tuple that is built of nothing, as for the positional arguments of `f(**k)`, becomes
// a constant as `()` is one (3.10, where the optimizer goes by blocks).
func (v Version) FoldsEmptyTuples() bool { return v >= V310 }

// HasConstKeyMaps: a dict display whose keys are all constants takes them from a
// tuple (BUILD_CONST_KEY_MAP).
func (v Version) HasConstKeyMaps() bool { return v <= V313 }

// HasFrozenDict: the builtin frozendict (3.15, PEP 814).
func (v Version) HasFrozenDict() bool { return v >= V315 }

// HasDocstringFlag: CO_HAS_DOCSTRING says whether co_consts[0] is the docstring;
// before, a str there always is (3.14).
func (v Version) HasDocstringFlag() bool { return v >= V314 }

// HasArgKinds: localsplus kinds mark arguments (3.14).
func (v Version) HasArgKinds() bool { return v >= V314 }

// Tables on the side.

// HasLnotab: co_lnotab holds byte and line increments (3.7 to 3.9).
func (v Version) HasLnotab() bool { return v <= V39 }

// HasColumns: the location table gives columns and end lines (3.11, PEP 657);
// before, only lines are known.
func (v Version) HasColumns() bool { return v >= V311 }

// Encoding of instructions.

// WordJumps: jump operands count 2-byte units; before, bytes (3.10, bpo-27129).
func (v Version) WordJumps() bool { return v >= V310 }

// RelativeJumps: every jump is relative to the next instruction (3.11).
func (v Version) RelativeJumps() bool { return v >= V311 }

// HasCaches: inline cache entries follow instructions (3.11, PEP 659).
func (v Version) HasCaches() bool { return v >= V311 }

// Meaning of instructions.

// HasBlockStack: SETUP_* and POP_BLOCK keep a stack of blocks (to 3.10).
func (v Version) HasBlockStack() bool { return v <= V310 }

// HasLoopBlocks: loops are blocks too, left by BREAK_LOOP (3.7; bpo-17611).
func (v Version) HasLoopBlocks() bool { return v == V37 }

// SharesFinallyBody: the body of a finally clause exists once and ends with
// END_FINALLY; from 3.9 each way out has its own copy (bpo-33387, magic 3422).
func (v Version) SharesFinallyBody() bool { return v <= V38 }

// ExceptionIsTriple: handlers find type, value and traceback on the stack; from
// 3.11 the exception only (bpo-45711).
func (v Version) ExceptionIsTriple() bool { return v <= V310 }

// HasQualNameOperand: MAKE_FUNCTION pops the qualified name (to 3.10).
func (v Version) HasQualNameOperand() bool { return v <= V310 }

// HasMethodCallees: calls have the two-slot callee of PUSH_NULL (3.11).
func (v Version) HasMethodCallees() bool { return v >= V311 }

// NullAfterCallable: of the two slots the callable comes first and NULL or self
// second; in 3.11 and 3.12 the other way round (3.13, magic 3558).
func (v Version) NullAfterCallable() bool { return v >= V313 }

// HasResume: RESUME marks the start and each resumption (3.11, magic 3474).
func (v Version) HasResume() bool { return v >= V311 }

// FoldsAnnotationText: of an annotation that `from __future__ import annotations` makes a
// text, a tuple of constants is one constant by then and has the text of its repr: `A[..., 1]`
// is A[(Ellipsis, 1)] (≤3.8).
func (v Version) FoldsAnnotationText() bool { return v <= V38 }

// HasSend: await and yield from are a SEND loop; before, YIELD_FROM (3.11).
func (v Version) HasSend() bool { return v >= V311 }

// SendKeepsReceiver: SEND's finished edge leaves the receiver on the stack for
// END_SEND to remove; in 3.11 SEND removes it itself (3.12, magic 3519).
func (v Version) SendKeepsReceiver() bool { return v >= V312 }

// YieldSaysKind: the operand of YIELD_VALUE is 1 inside await and yield from
// (3.13, magic 3565).
func (v Version) YieldSaysKind() bool { return v >= V313 }

// ResumeMask selects the bits of RESUME's operand that say what is resumed; the
// bit above them says that only the generator's own handler is around (3.13).
func (v Version) ResumeMask() int {
	if v >= V315 {
		return 7 // 4 is the start of a generator expression
	}
	return 3
}

// CompareShift is where the operator is in COMPARE_OP's operand: bits below it
// hold a mask for specialised forms (3.12, magic 3515) and, at 16, whether the
// result is turned into a bool (3.13, magic 3557).
func (v Version) CompareShift() int {
	switch {
	case v >= V313:
		return 5
	case v == V312:
		return 4
	}
	return 0
}

// MatchPushesBool: MATCH_CLASS and MATCH_KEYS push a bool above their result;
// later the result is None when there is no match (3.10; magic 3462).
func (v Version) MatchPushesBool() bool { return v == V310 }

// HasEndFor: FOR_ITER of an exhausted iterator goes to an END_FOR (3.12, magic
// 3510).
func (v Version) HasEndFor() bool { return v >= V312 }

// EndForPop is the instruction that follows END_FOR to drop the iterator: none
// in 3.12, POP_TOP in 3.13 (magic 3568), POP_ITER from 3.14 (magic 3612).
func (v Version) EndForPop() string {
	switch {
	case v >= V314:
		return "POP_ITER"
	case v == V313:
		return "POP_TOP"
	}
	return ""
}

// IteratorSlots is how many stack slots a loop's iterator takes: from 3.15 on an
// index slot lies above it (virtual iterators, magic 3652).
func (v Version) IteratorSlots() int {
	if v >= V315 {
		return 2
	}
	return 1
}

// GenexprCallsIter: a generator expression's own code calls iter() on its
// argument; before, the enclosing code does (3.15).
func (v Version) GenexprCallsIter() bool { return v >= V315 }

// StoresValueFirst: MAP_ADD finds the value below the key, because dict
// comprehensions evaluated the value first (3.7; bpo-35224 changed it in 3.8).
func (v Version) StoresValueFirst() bool { return v <= V37 }

// JumpsForwardOnly: conditional jumps go forward only; a loop's test that fails
// backwards is a conditional jump over an unconditional one (3.12).
func (v Version) JumpsForwardOnly() bool { return v >= V312 }

// JumpsTestBools: POP_JUMP_IF_* takes an exact bool, which a TO_BOOL in front
// makes; before, it tests the truth of any object, which may raise (3.13).
func (v Version) JumpsTestBools() bool { return v >= V313 }

// FoldsLate: constants are computed when jumps have been decided, so that what a conditional expression
// comes to may be computed with (3.14; Python/flowgraph.c).
func (v Version) FoldsLate() bool { return v >= V314 }

// InvertsBools: the compiler computes `~True`; later it leaves that to the program, which warns of it (3.14).
func (v Version) InvertsBools() bool { return v <= V313 }

// LosesThreadedRows: a jump that leads to another test of the same value and is sent past it is
// made anew, without its row of the exception table (3.14; jump_thread in Python/flowgraph.c).
func (v Version) LosesThreadedRows() bool { return v == V314 }

// KeepsNotNone: of `not a is None` as a value both operations are left; other comparisons are
// turned, and before so was this one (3.14).
func (v Version) KeepsNotNone() bool { return v >= V314 }

// ChecksEveryLoad: LOAD_FAST raises if the variable is unbound; from 3.12 only
// LOAD_FAST_CHECK does, where the compiler cannot prove that it is bound.
func (v Version) ChecksEveryLoad() bool { return v < V312 }

// HasGenStart: a generator begins with GEN_START, which pops the None that the
// first send pushes (3.10 only).
func (v Version) HasGenStart() bool { return v == V310 }

// SpellsOutOrPop: JUMP_IF_X_OR_POP is COPY, POP_JUMP_IF_X, POP_TOP (3.12, magic
// 3518).
func (v Version) SpellsOutOrPop() bool { return v >= V312 }

// What the compiler does.

// LoopTestDuplicated: the test of a while loop is emitted at the top and again
// at the bottom (3.10 to 3.13; undone in 3.14, magic 3604).
func (v Version) LoopTestDuplicated() bool { return v >= V310 && v <= V313 }

// LoopHasOneLabel: `continue` and the end of a while loop jump to the same place, the NOP of
// `while True` (3.14, magic 3604). From 3.10 to 3.13 the end jumps behind it; until 3.9 there is no NOP.
func (v Version) LoopHasOneLabel() bool { return v >= V314 }

// DeadCodeRemoved: unreachable blocks are deleted (3.10); before, code after
// while True or return may remain.
func (v Version) DeadCodeRemoved() bool { return v >= V310 }

// PairsAtOnce is how many pairs of a dict display are added in one go: as many as
// fit into an operand, and fewer since the stack is spared (3.10).
func (v Version) PairsAtOnce() int {
	if v < V310 {
		return 0xFFFF
	}
	return 17
}

// CopiesExitBlocks: short blocks that leave the function are copied to each
// predecessor (3.10).
func (v Version) CopiesExitBlocks() bool { return v >= V310 }

// CopiesLongExits: of these a block whose first instruction has no line is copied whatever its
// length (is_exit_without_lineno in compile.c; since 3.11 none of its instructions may have one).
func (v Version) CopiesLongExits() bool { return v == V310 }

// DecidesConstantTests: of `1 and x` only x is left, the test of a constant being
// decided by the compiler. Before, the peephole optimizer left some of them (3.10).
func (v Version) DecidesConstantTests() bool { return v >= V310 }

// TestsTuples: what a tuple of constants decides is tested when the program runs, since
// it is a constant only once tests are decided (3.14).
func (v Version) TestsTuples() bool { return v >= V314 }

// MovesColdBlocks: exception handlers are moved to the end of the code (3.12).
func (v Version) MovesColdBlocks() bool { return v >= V312 }

// FormatsPercent: `"%s" % (x,)` compiles to an f-string (3.11, bpo-28307).
func (v Version) FormatsPercent() bool { return v >= V311 }

// InlinesComprehensions: list, set and dict comprehensions run in the frame of
// the enclosing code (3.12, PEP 709).
func (v Version) InlinesComprehensions() bool { return v >= V312 }

// PutsAsideEveryName: an inlined comprehension in a class body puts aside each name that it
// mentions, and not only those that it binds (3.12 and 3.13).
func (v Version) PutsAsideEveryName() bool { return v == V312 || v == V313 }

// InlinesAllAny: all, any and tuple of a generator expression are expanded into
// a loop next to the call (3.14, magic 3620).
func (v Version) InlinesAllAny() bool { return v >= V314 }

// InlinesListSet: list and set of a generator expression likewise (3.15).
func (v Version) InlinesListSet() bool { return v >= V315 }

// AnnotationsAreTuple: a function's annotations are built as a tuple of names
// and values; before, a dict (3.10, bpo-42202).
func (v Version) AnnotationsAreTuple() bool { return v >= V310 }

// OverlooksAnnotationsInMatch: annotations in a match statement make no room for
// annotations in a module or class (3.10, and the first releases of 3.11: find_ann in Python/compile.c
// has no case for it).
func (v Version) OverlooksAnnotationsInMatch() bool { return v == V310 || v == V311 }

// ModulesAnnotateGlobals: a module may declare a variable global and annotate it (3.8; before, it was an error, as in a class
// and a function).
func (v Version) ModulesAnnotateGlobals() bool { return v >= V38 }

// AlwaysOverlooksAnnotationsInMatch: that goes for every release of the version (3.10).
func (v Version) AlwaysOverlooksAnnotationsInMatch() bool { return v == V310 }

// HasStaticAttributes: a class body ends by storing __static_attributes__ (3.13,
// gh-115775).
func (v Version) HasStaticAttributes() bool { return v >= V313 }

// AnnotationsAreLazy: annotations are computed by an __annotate__ function
// (3.14, PEP 649).
func (v Version) AnnotationsAreLazy() bool { return v >= V314 }

// AnnotateNamesOwner: the qualified name of a function's __annotate__ begins with that of the
// function (3.15).
func (v Version) AnnotateNamesOwner() bool { return v >= V315 }

// AnnotatesInOrder: the annotations of positional-only parameters are computed first (3.15);
// before, those that keywords can name, too, came in front of them (codegen_annotations).
func (v Version) AnnotatesInOrder() bool { return v >= V315 }

// HasClassFirstLine: class bodies set __firstlineno__ and __static_attributes__
// (3.13).
func (v Version) HasClassFirstLine() bool { return v >= V313 }

// Syntax.

// HasWalrus: assignment expressions (3.8, PEP 572).
func (v Version) HasWalrus() bool { return v >= V38 }

// FoldsNamedValues: in the value of an assignment expression, too, the compiler computes constants (3.10; before,
// Python/ast_optimize.c has no case for it).
func (v Version) FoldsNamedValues() bool { return v >= V310 }

// HasFStringEquals: f"{x=}" (3.8).
func (v Version) HasFStringEquals() bool { return v >= V38 }

// HasFreeReturnStar: return and yield take a starred tuple without parentheses
// (3.8, bpo-32117).
func (v Version) HasFreeReturnStar() bool { return v >= V38 }

// ContinueInFinally: continue is allowed in a finally clause (3.8, bpo-32489).
func (v Version) ContinueInFinally() bool { return v >= V38 }

// IteratesTuple: of a list display with so many items that a loop goes over, or `in` looks through, the compiler makes a
// tuple: before it knows which conditions are constant (3.8), or later, where the items are on the stack together (3.14).
func (v Version) IteratesTuple(items int) bool { return v >= V38 && (v <= V313 || items <= 30) }

// FoldsDisplays: the items of a list or set display of three or more constants are one
// constant, which LIST_EXTEND or SET_UPDATE adds (3.9).
func (v Version) FoldsDisplays() bool { return v >= V39 }

// AssignsSingleItem: a clause of a comprehension over a display of one item, behind the first
// clause, is an assignment and no loop (3.9, bpo-32856).
func (v Version) AssignsSingleItem() bool { return v >= V39 }

// HasAnyDecorator: any expression can be a decorator (3.9, PEP 614).
func (v Version) HasAnyDecorator() bool { return v >= V39 }

// HasParenthesizedWith: with items in parentheses (3.9 accepts them, 3.10
// documents them).
func (v Version) HasParenthesizedWith() bool { return v >= V39 }

// HasMatch: match statements (3.10, PEP 634).
func (v Version) HasMatch() bool { return v >= V310 }

// HasExceptStar: except* (3.11, PEP 654).
func (v Version) HasExceptStar() bool { return v >= V311 }

// HasStarredIndex: a[*b] (3.11, PEP 646).
func (v Version) HasStarredIndex() bool { return v >= V311 }

// HasTypeParams: def f[T](), class C[T], type X = ... (3.12, PEP 695).
func (v Version) HasTypeParams() bool { return v >= V312 }

// HasNestedFStrings: replacement fields hold any expression, with the quotes of
// the string and backslashes (3.12, PEP 701).
func (v Version) HasNestedFStrings() bool { return v >= V312 }

// MangledBehindGenericClass: behind a generic class private names are mangled with its name, outside of it, too (3.12: compiler_class
// in Python/compile.c leaves it as that of the class at hand).
func (v Version) MangledBehindGenericClass() bool { return v == V312 }

// ComprehensionsKeepScopes: what a comprehension whose code stands in the code around it reads as a global variable is
// one, though another comprehension in front has made the name a variable of that code (3.13; 3.12 reads that variable).
func (v Version) ComprehensionsKeepScopes() bool { return v >= V313 }

// HasTypeParamDefaults: [T = int] (3.13, PEP 696).
func (v Version) HasTypeParamDefaults() bool { return v >= V313 }

// HasTemplateStrings: t"..." (3.14, PEP 750).
func (v Version) HasTemplateStrings() bool { return v >= V314 }

// HasBareExceptList: except A, B without parentheses (3.14, PEP 758).
func (v Version) HasBareExceptList() bool { return v >= V314 }

// HasLazyImports: lazy import (3.15, PEP 810).
func (v Version) HasLazyImports() bool { return v >= V315 }

// HasStarComprehensions: [*x for x in y] (3.15, PEP 798).
func (v Version) HasStarComprehensions() bool { return v >= V315 }

// HasLabels reports whether dis lists the targets of jumps by labels, and no offsets.
func (v Version) HasLabels() bool { return v >= V313 }

// HasAssertionOp says that assert loads AssertionError by an instruction of its
// own, not as a global (bpo-34880, 3.9).
func (v Version) HasAssertionOp() bool { return v >= V39 }
