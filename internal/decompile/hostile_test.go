package decompile

import (
	"strings"
	"testing"

	"github.com/thuml/depyf/internal/pyc"
)

// Opcodes of CPython 3.12.
const (
	opPop, opPushNull, opNot, opReturn, opStoreName, opLoadConst, opLoadName = 1, 2, 12, 83, 90, 100, 101
	opBuildTuple, opLoadAttr, opBinaryOp, opMakeFunction, opExtended         = 102, 106, 122, 132, 144
	opResume, opCall, opJumpIfFalse, opListAppend                            = 151, 171, 114, 145
)

// module312 is a module's code of the given instructions, caches included.
func module312(code []byte, consts ...pyc.Const) *pyc.Code {
	return &pyc.Code{
		Version: pyc.V312, Name: "<module>", QualName: "<module>", Filename: "hostile.py", FirstLine: 1, StackSize: 10,
		Bytecode: append([]byte{opResume, 0}, code...), Consts: append([]pyc.Const{pyc.None{}}, consts...), Names: []string{"a", "b"},
	}
}

var ends = []byte{opLoadConst, 0, opReturn, 0}

// hostile are code objects whose decompilation would cost far more than they do.
func hostile() map[string]*pyc.Code {
	rep := func(n int, b ...byte) []byte { return []byte(strings.Repeat(string(b), n)) }
	cat := func(parts ...[]byte) []byte {
		var out []byte
		for _, p := range parts {
			out = append(out, p...)
		}
		return out
	}
	store := append([]byte{opStoreName, 0}, ends...)
	attr := append([]byte{opLoadAttr, 0}, make([]byte, 18)...)
	call := append([]byte{opCall, 0}, make([]byte, 6)...)
	out := map[string]*pyc.Code{
		"nested operators":     module312(cat([]byte{opLoadName, 0}, rep(50_000, opNot, 0), store)),
		"long attribute chain": module312(cat([]byte{opLoadName, 0}, rep(20_000, attr...), store)),
		"call of a call":       module312(cat([]byte{opPushNull, 0, opLoadName, 0}, rep(20_000, call...), store)),
		"deep tuple":           module312(cat([]byte{opLoadName, 0}, rep(50_000, opBuildTuple, 1), store)),
		"deep sum":             module312(cat([]byte{opLoadName, 0}, rep(20_000, opLoadName, 1, opBinaryOp, 0, 0, 0), store)),
		"sum of sums":          module312(cat(rep(20_000, opLoadName, 1), rep(19_999, opBinaryOp, 0, 0, 0), store)),
	}
	big := pyc.Str(strings.Repeat("x", 1<<20))
	out["one long string loaded often"] = module312(cat(rep(20_000, opLoadConst, 1, opStoreName, 0), ends), big)
	wide := pyc.Tuple{pyc.NewInt(1)}
	for range 20 {
		wide = pyc.Tuple{wide, wide}
	}
	out["one wide tuple loaded often"] = module312(cat(rep(1000, opLoadConst, 1, opStoreName, 0), ends), wide)
	body := module312(cat(rep(20_000, opLoadConst, 0, opStoreName, 0), ends))
	body.Name, body.QualName, body.Flags = "f", "f", pyc.FlagOptimized|pyc.FlagNewLocals
	out["one function made often"] = module312(cat(rep(20_000, opLoadConst, 1, opMakeFunction, 0, opStoreName, 0), ends), body)
	return out
}

// TestHostile: memory and time stay within bounds, and something is printed.
func TestHostile(t *testing.T) {
	for name, code := range hostile() {
		t.Run(name, func(t *testing.T) {
			survives(t, code)
		})
	}
}
