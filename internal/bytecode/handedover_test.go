package bytecode

import (
	"maps"
	"testing"

	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyc"
)

// TestHandedOver follows the values that a resume function is given on the stack to
// what goes on with them.
func TestHandedOver(t *testing.T) {
	const first, second = "___stack0", "___stack1"
	op := func(o opcode.Op, arg int) Instr { return Instr{Op: o, Arg: arg, Target: -1} }
	load := func(name string) Instr { return Instr{Op: opcode.LoadFast, Name: name, Target: -1} }
	jump := func(o opcode.Op, to int) Instr { return Instr{Op: o, Target: to} }
	for _, c := range []struct {
		name string
		code []Instr
		want map[string]opcode.Op
	}{
		{"a list below a value", []Instr{load(first), load(second), op(opcode.ListAppend, 1), op(opcode.Return, 0)}, map[string]opcode.Op{first: opcode.BuildList}},
		{"a dict below a key and a value", []Instr{load(first), load(second), load("a"), op(opcode.MapAdd, 1), op(opcode.Return, 0)}, map[string]opcode.Op{first: opcode.BuildMap}},
		{"a set below another value", []Instr{load(first), load(second), load("a"), op(opcode.SetAdd, 2), op(opcode.Pop, 0), op(opcode.Return, 0)}, map[string]opcode.Op{first: opcode.BuildSet}},
		{"after an exchange", []Instr{load(first), load(second), op(opcode.Swap, 2), op(opcode.ListExtend, 1), op(opcode.Return, 0)}, map[string]opcode.Op{second: opcode.BuildList}},
		{"a result of something with it", []Instr{load(first), op(opcode.UnaryOp, 0), load(second), op(opcode.ListAppend, 1), op(opcode.Return, 0)}, nil},
		{"behind a jump", []Instr{load(first), jump(opcode.Jump, 3), op(opcode.Pop, 0), load("a"), op(opcode.ListAppend, 1), op(opcode.Return, 0)}, map[string]opcode.Op{first: opcode.BuildList}},
		{"one of two values", []Instr{load(second), jump(opcode.PopJumpIfTrue, 4), load(first), jump(opcode.Jump, 5), load("a"), load("a"), op(opcode.ListAppend, 1), op(opcode.Return, 0)}, nil},
		{"parts of a string", []Instr{load(first), load("a"), load(second), op(opcode.BuildString, 3), op(opcode.Return, 0)}, map[string]opcode.Op{first: opcode.BuildString, second: opcode.BuildString}},
		{"a specification", []Instr{load(first), load(second), op(opcode.FormatValue, 4), op(opcode.Return, 0)}, map[string]opcode.Op{second: opcode.BuildString}},
		{"nothing", []Instr{load(first), op(opcode.Return, 0)}, nil},
	} {
		f := &Func{Instrs: c.code, Code: &pyc.Code{
			Version: pyc.V312, ArgCount: 3, LocalsPlusNames: []string{first, second, "a"},
			LocalsPlusKinds: []pyc.LocalKind{pyc.KindLocal, pyc.KindLocal, pyc.KindLocal},
		}}
		if got := HandedOver(f); !maps.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}
