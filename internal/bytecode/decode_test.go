package bytecode

import (
	"errors"
	"math/big"
	"reflect"
	"strings"
	"testing"

	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyc"
)

// assemble builds a code object of v from lines "NAME [operand]"; caches are
// added, and an operand above 255 gets its EXTENDED_ARGs.
func assemble(t *testing.T, v pyc.Version, lines ...string) *pyc.Code {
	t.Helper()
	c := &pyc.Code{
		Version: v, QualName: "f", Name: "f", StackSize: 9,
		Consts: []pyc.Const{pyc.None{}, pyc.NewInt(7), pyc.Tuple{pyc.Str("k")}},
		Names:  []string{"n0", "n1"},
	}
	c.SetVars([]string{"a", "b"}, []string{"c"}, []string{"d"})
	table := opcode.For(v)
	number := func(name string) byte {
		for i, info := range table.Ops {
			if info.Name == name && info.Flags&(opcode.Specialized|opcode.Instrumented) == 0 {
				return byte(i)
			}
		}
		t.Fatalf("%s has no %s", v, name)
		return 0
	}
	for _, line := range lines {
		name, operand, _ := strings.Cut(line, " ")
		n, _ := new(big.Int).SetString("0"+operand, 10)
		arg := int(n.Int64())
		for shift := 24; shift > 0; shift -= 8 {
			if arg>>shift != 0 {
				c.Bytecode = append(c.Bytecode, number("EXTENDED_ARG"), byte(arg>>shift))
			}
		}
		op := number(name)
		c.Bytecode = append(c.Bytecode, op, byte(arg))
		c.Bytecode = append(c.Bytecode, make([]byte, 2*int(table.Ops[op].Caches))...)
	}
	return c
}

// listing returns the decoded instructions in the form of Instr.String, with
// runs of spaces folded.
func listing(f *Func) []string {
	var out []string
	for i := range f.Instrs {
		out = append(out, strings.Join(strings.Fields(f.Instrs[i].String()), " "))
	}
	return out
}

func TestDecode(t *testing.T) {
	tests := []struct {
		name    string
		version pyc.Version
		code    []string
		want    []string
	}{
		{"extended operand", pyc.V312, []string{"BUILD_LIST 66051"}, []string{"BuildList 66051"}},
		{"null before", pyc.V312, []string{"LOAD_GLOBAL 3"}, []string{"PushNull", "LoadGlobal n1"}},
		{"null behind", pyc.V313, []string{"LOAD_GLOBAL 3"}, []string{"LoadGlobal n1", "PushNull"}},
		{"no null", pyc.V310, []string{"LOAD_GLOBAL 1"}, []string{"LoadGlobal n1"}},
		{"method", pyc.V312, []string{"LOAD_ATTR 1", "LOAD_ATTR 0"}, []string{"LoadMethod n0", "LoadAttr n0"}},
		{"precall", pyc.V311, []string{"PRECALL 1", "CALL 1"}, []string{"Call 1"}},
		{"return const", pyc.V312, []string{"RETURN_CONST 1"}, []string{"LoadConst 7", "Return"}},
		{"dup two", pyc.V310, []string{"DUP_TOP_TWO"}, []string{"Copy 2", "Copy 2"}},
		{
			"rot", pyc.V310,
			[]string{"ROT_TWO", "ROT_THREE", "ROT_FOUR", "ROT_N 5", "DUP_TOP"},
			[]string{"Swap 2", "Rot 3", "Rot 4", "Rot 5", "Copy 1"},
		},
		{
			"pairs", pyc.V313,
			[]string{"LOAD_FAST_LOAD_FAST 16", "STORE_FAST_STORE_FAST 1", "STORE_FAST_LOAD_FAST 1"},
			[]string{"LoadFast b", "LoadFast a", "StoreFast a", "StoreFast b", "StoreFast a", "LoadFast b"},
		},
		{
			"borrow", pyc.V314,
			[]string{"LOAD_FAST_BORROW 0", "LOAD_FAST_BORROW_LOAD_FAST_BORROW 1", "LOAD_FAST_CHECK 0"},
			[]string{"LoadFast a", "LoadFast a", "LoadFast b", "LoadFast 1 a"},
		},
		{
			"closure by slot", pyc.V313,
			[]string{"LOAD_FAST 2", "LOAD_FAST 3", "LOAD_DEREF 3"},
			[]string{"LoadClosure c", "LoadClosure d", "LoadDeref d"},
		},
		{
			"closure by number", pyc.V310,
			[]string{"LOAD_CLOSURE 0", "LOAD_DEREF 1", "LOAD_CLASSDEREF 1"},
			[]string{"LoadClosure c", "LoadDeref d", "LoadClassDeref d"},
		},
		{
			"exception match", pyc.V39,
			[]string{"JUMP_IF_NOT_EXC_MATCH 2", "NOP"},
			[]string{"ExcMatch", "PopJumpIfFalse -> 2", "Nop"},
		},
		{
			"old compare", pyc.V38,
			[]string{"COMPARE_OP 2", "COMPARE_OP 6", "COMPARE_OP 7", "COMPARE_OP 8", "COMPARE_OP 9", "COMPARE_OP 10"},
			[]string{"Compare 2", "ContainsOp", "ContainsOp 1", "IsOp", "IsOp 1", "ExcMatch"},
		},
		{"compare 3.12", pyc.V312, []string{"COMPARE_OP 40"}, []string{"Compare 2"}},
		{"compare 3.13", pyc.V313, []string{"COMPARE_OP 72", "COMPARE_OP 88"}, []string{"Compare 2", "Compare 2 flag"}},
		{"operators", pyc.V314, []string{"BINARY_OP 0", "BINARY_OP 13", "BINARY_OP 26"}, []string{"BinaryOp", "BinaryOp 256", "Subscr"}},
		{"old operators", pyc.V310, []string{"BINARY_XOR", "INPLACE_XOR", "UNARY_NOT"}, []string{"BinaryOp 12", "BinaryOp 268", "UnaryOp 3"}},
		{
			"intrinsics", pyc.V312,
			[]string{"CALL_INTRINSIC_1 2", "CALL_INTRINSIC_1 1", "CALL_INTRINSIC_1 5", "CALL_INTRINSIC_1 6", "CALL_INTRINSIC_1 7", "CALL_INTRINSIC_2 1", "CALL_INTRINSIC_2 4"},
			[]string{"ImportStar", "LoadConst None", "PrintExpr", "LoadConst None", "UnaryOp", "ListToTuple", "Intrinsic1", "PrepReraiseStar", "Intrinsic2 7"},
		},
		{
			"common constants", pyc.V315,
			[]string{"LOAD_COMMON_CONSTANT 0", "LOAD_COMMON_CONSTANT 6", "LOAD_COMMON_CONSTANT 7", "LOAD_COMMON_CONSTANT 11", "LOAD_SMALL_INT 200"},
			[]string{"LoadCommon", "LoadCommon 6", "LoadConst None", "LoadConst -1", "LoadConst 200"},
		},
		{"assertion error", pyc.V310, []string{"LOAD_ASSERTION_ERROR"}, []string{"LoadCommon"}},
		{"import", pyc.V315, []string{"IMPORT_NAME 5", "IMPORT_NAME 2"}, []string{"ImportName 1 n1", "ImportName 2 n0"}},
		{"old import", pyc.V314, []string{"IMPORT_NAME 1"}, []string{"ImportName n1"}},
		{"super", pyc.V312, []string{"LOAD_SUPER_ATTR 7"}, []string{"LoadSuperAttr 3 n1"}},
		{"make function", pyc.V310, []string{"MAKE_FUNCTION 9"}, []string{"MakeFunction 265"}},
		{"call ex", pyc.V314, []string{"CALL_FUNCTION_EX"}, []string{"CallEx 3"}},
		{"call ex 3.11", pyc.V311, []string{"CALL_FUNCTION_EX 1"}, []string{"CallEx 3"}},
		{"call ex 3.10", pyc.V310, []string{"CALL_FUNCTION_EX 1"}, []string{"CallEx 1"}},
		{"resume", pyc.V313, []string{"RESUME 0", "RESUME 5"}, []string{"Resume", "Resume 1 flag"}},
		{"resume 3.15", pyc.V315, []string{"RESUME 4", "RESUME 9"}, []string{"Resume 4", "Resume 1 flag"}},
		{"yield 3.11", pyc.V311, []string{"YIELD_VALUE", "RESUME 1", "YIELD_VALUE", "RESUME 3"}, []string{"Yield", "Resume 1", "Yield 1", "Resume 3"}},
		{"yield 3.12", pyc.V312, []string{"YIELD_VALUE 3", "RESUME 1", "YIELD_VALUE 3", "RESUME 2"}, []string{"Yield", "Resume 1", "Yield 1", "Resume 2"}},
		{"yield 3.13", pyc.V313, []string{"YIELD_VALUE 0", "YIELD_VALUE 1"}, []string{"Yield", "Yield 1"}},
		{"get iter 3.15", pyc.V315, []string{"GET_ITER 0", "GET_ITER 3", "POP_ITER"}, []string{"GetIter 2", "GetYieldFromIter 2", "PopIter 2"}},
		{"get iter", pyc.V314, []string{"GET_ITER", "GET_YIELD_FROM_ITER", "POP_ITER"}, []string{"GetIter 1", "GetYieldFromIter 1", "PopIter 1"}},
		{
			"for 3.11", pyc.V311,
			[]string{"FOR_ITER 1", "JUMP_BACKWARD 2", "NOP"},
			[]string{"ForIter 1 -> 2", "Jump -> 0", "Nop"},
		},
		{
			"for 3.12", pyc.V312,
			[]string{"FOR_ITER 1", "JUMP_BACKWARD 3", "END_FOR", "NOP"},
			[]string{"ForIter 1 -> 3", "Jump -> 0", "EndFor", "Nop"},
		},
		{
			"for 3.13", pyc.V313,
			[]string{"FOR_ITER 2", "JUMP_BACKWARD 4", "END_FOR", "POP_TOP", "NOP"},
			[]string{"ForIter 1 -> 4", "Jump -> 0", "EndFor", "EndFor", "Nop"},
		},
		{
			"for 3.13, pop shared", pyc.V313,
			[]string{"JUMP_FORWARD 5", "FOR_ITER 2", "JUMP_BACKWARD 4", "END_FOR", "POP_TOP", "NOP"},
			[]string{"Jump -> 4", "ForIter 1 -> 5", "Jump -> 1", "EndFor", "Pop", "Nop"},
		},
		{
			"for 3.15", pyc.V315,
			[]string{"FOR_ITER 2", "JUMP_BACKWARD 4", "END_FOR", "POP_ITER", "NOP"},
			[]string{"ForIter 2 -> 4", "Jump -> 0", "EndFor", "EndFor", "Nop"},
		},
		{"send", pyc.V311, []string{"SEND 1", "NOP", "NOP"}, []string{"Send 1 flag -> 2", "Nop", "Nop"}},
		{"send 3.15", pyc.V315, []string{"SEND 1", "NOP", "END_SEND", "CLEANUP_THROW"}, []string{"Send 2 -> 2", "Nop", "EndSend 2", "CleanupThrow 2"}},
		{"end async for", pyc.V314, []string{"NOP", "END_ASYNC_FOR 2"}, []string{"Nop", "EndAsyncFor"}},
		{"jump units", pyc.V310, []string{"NOP", "JUMP_ABSOLUTE 1"}, []string{"Nop", "Jump -> 1"}},
		{"jump bytes", pyc.V39, []string{"NOP", "JUMP_ABSOLUTE 2"}, []string{"Nop", "Jump -> 1"}},
		{"jump to prefix", pyc.V310, []string{"JUMP_FORWARD 1", "NOP", "BUILD_LIST 300"}, []string{"Jump -> 2", "Nop", "BuildList 300"}},
		{"loop blocks", pyc.V37, []string{"SETUP_LOOP 2", "CONTINUE_LOOP 0", "BREAK_LOOP"}, []string{"SetupLoop -> 2", "ContinueLoop -> 0", "BreakLoop"}},
		{"call finally", pyc.V38, []string{"CALL_FINALLY 0", "POP_FINALLY 1"}, []string{"CallFinally -> 1", "PopFinally 1"}},
		{
			"flags of old forms", pyc.V310,
			[]string{"MATCH_KEYS", "MATCH_CLASS 1", "WITH_EXCEPT_START"},
			[]string{"MatchKeys flag", "MatchClass 1 flag", "WithExceptStart 7"},
		},
		{"map add", pyc.V37, []string{"MAP_ADD 1"}, []string{"MapAdd 1 flag"}},
		{"keywords", pyc.V312, []string{"KW_NAMES 2"}, []string{"KwNames ('k',)"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f, err := Decode(assemble(t, tt.version, tt.code...))
			if err != nil {
				t.Fatal(err)
			}
			if have := listing(f); !reflect.DeepEqual(have, tt.want) {
				t.Errorf("have %q\nwant %q", have, tt.want)
			}
			if msg := invariants(f); msg != "" {
				t.Error(msg)
			}
		})
	}
}

func TestDecodeErrors(t *testing.T) {
	tests := []struct {
		name    string
		version pyc.Version
		code    []string
		offset  int
		want    string
	}{
		{"constant", pyc.V312, []string{"NOP", "LOAD_CONST 3"}, 2, "constant 3 of 3"},
		{"name", pyc.V312, []string{"LOAD_NAME 2"}, 0, "name 2 of 2"},
		{"variable", pyc.V310, []string{"LOAD_FAST 4"}, 0, "variable 4 of 4"},
		{"cell", pyc.V310, []string{"LOAD_DEREF 2"}, 0, "cell 2 of 2"},
		{"jump out", pyc.V312, []string{"JUMP_FORWARD 1", "NOP"}, 0, "where no instruction begins"},
		{"jump before", pyc.V312, []string{"NOP", "JUMP_BACKWARD 9"}, 2, "where no instruction begins"},
		{"jump into caches", pyc.V312, []string{"JUMP_FORWARD 1", "BINARY_OP 0"}, 0, "where no instruction begins"},
		{"comparison", pyc.V310, []string{"COMPARE_OP 6"}, 0, "comparison 6"},
		{"operator", pyc.V313, []string{"BINARY_OP 26"}, 0, "operator 26 of 26"},
		{"intrinsic", pyc.V312, []string{"CALL_INTRINSIC_1 0"}, 0, "CALL_INTRINSIC_1 0"},
		{"for without end", pyc.V312, []string{"FOR_ITER 0", "NOP"}, 0, "there is no END_FOR"},
		{"for without pop", pyc.V314, []string{"FOR_ITER 0", "END_FOR", "NOP"}, 0, "no POP_ITER"},
		{"for at the end", pyc.V312, []string{"FOR_ITER 0", "END_FOR"}, 0, "nothing follows"},
		{"huge operand", pyc.V312, []string{"BUILD_LIST 4294967295"}, 6, "31 bits"},
		{"swap", pyc.V312, []string{"SWAP 0"}, 0, "operand 0"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Decode(assemble(t, tt.version, tt.code...))
			var e *Error
			if !errors.As(err, &e) {
				t.Fatalf("error %v", err)
			}
			if e.Offset != tt.offset || !strings.Contains(e.Msg, tt.want) {
				t.Errorf("%v, want offset %d, %q", err, tt.offset, tt.want)
			}
		})
	}
	for _, cut := range [][]byte{{9}, {144, 1}, {116, 0, 0, 0}} {
		c := assemble(t, pyc.V312)
		c.Bytecode = cut
		if _, err := Decode(c); err == nil {
			t.Errorf("% x: no error", cut)
		}
	}
}

func TestInvalidOpcodes(t *testing.T) {
	c := assemble(t, pyc.V312, "NOP")
	c.Bytecode = append(c.Bytecode, 255, 3)
	f, err := Decode(c)
	if err != nil {
		t.Fatal(err)
	}
	if in := f.Instrs[1]; in.Op != opcode.Invalid || in.Raw != 255 || in.Arg != 3 {
		t.Errorf("%+v", in)
	}
}

// TestCommonConstants compares the hand-written values with what 3.15 says.
func TestCommonConstants(t *testing.T) {
	names := opcode.For(pyc.V315).Commons[opcode.CommonSet+1:]
	if len(names) != len(commonConsts) {
		t.Fatalf("%d values, 3.15 has %d", len(commonConsts), len(names))
	}
	for i, k := range commonConsts {
		if pyc.Repr(k) != names[i] {
			t.Errorf("%d: %s, 3.15 has %s", i, pyc.Repr(k), names[i])
		}
	}
}

func TestHandlers(t *testing.T) {
	c := assemble(t, pyc.V312, "NOP", "RETURN_CONST 0", "PUSH_EXC_INFO", "BUILD_LIST 300", "NOP")
	// Units: 0 NOP, 1 RETURN_CONST, 2 PUSH_EXC_INFO, 3-4 BUILD_LIST, 5 NOP.
	c.ExceptionTable = []byte{
		0x80, 2, 2, 0, // 0..2 -> 2
		0x80 | 2, 9, 3, 1<<1 | 1, // 2.. beyond the end -> 3, depth 1, lasti
		0x80 | 3, 0, 3, 0, // covers nothing
	}
	f, err := Decode(c)
	if err != nil {
		t.Fatal(err)
	}
	want := []Handler{{0, 3, 3, 0, false}, {3, 6, 4, 1, true}}
	if !reflect.DeepEqual(f.Handlers, want) {
		t.Errorf("have %+v, want %+v", f.Handlers, want)
	}
	for _, bad := range [][]byte{{0}, {0x80}, {0x80, 1, 9, 0}, {0x80, 1, 4, 0}, {0xff, 0x7f, 0x7f, 0x7f, 0x7f, 0x7f, 0x7f}} {
		c.ExceptionTable = bad
		if _, err := Decode(c); err == nil {
			t.Errorf("% x: no error", bad)
		}
	}
}
