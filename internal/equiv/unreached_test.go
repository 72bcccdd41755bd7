package equiv

import (
	"testing"

	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyc"
)

// Functions whose making cannot be reached are the original's, too, where both sides have them.
func TestUnreached(t *testing.T) {
	for _, c := range []struct {
		name string
		want bool
		a, b []string // what the functions load
	}{
		{"the same", true, []string{"x"}, []string{"x"}},
		{"another", false, []string{"x"}, []string{"y"}},
		{"in another order", true, []string{"x", "y"}, []string{"y", "x"}},
		{"one of two", false, []string{"x", "y"}, []string{"y", "y"}},
		{"left out by one compiler", true, []string{"x", "y"}, []string{"z"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			decoded := map[*pyc.Code]*bytecode.Func{}
			a := codeWith(t, decoded, "LoadFast c; Return", c.a)
			b := codeWith(t, decoded, "LoadConst False; PopJumpIfTrue L; LoadFast c; Return; L: LoadConst None; Return", c.b)
			if got := Compare(a, b, Options{Lowered: decoded}); got.Equal != c.want {
				t.Errorf("equal is %v: %s", got.Equal, got.Diff.String())
			}
		})
	}
}

// Where the bytes are the same, constants that nothing loads may be of two kinds: dead code of the original's, and what stands
// for it in the text. As with other bytes, that is no difference; what is loaded is one.
func TestUnreachedOfTheSameBytes(t *testing.T) {
	for _, loaded := range []bool{false, true} {
		decoded := map[*pyc.Code]*bytecode.Func{}
		a, b := codeWith(t, decoded, "LoadFast c; Return", []string{"x"}), codeWith(t, decoded, "LoadFast c; Return", []string{"x"})
		for inner := range b.Inner() {
			inner.Name = "<listcomp>"
		}
		b.Bytecode = a.Bytecode
		if loaded {
			for _, code := range []*pyc.Code{a, b} {
				in := &decoded[code].Instrs[0]
				in.Op, in.Name, in.Const = opcode.LoadConst, "", code.Consts[len(code.Consts)-1]
			}
		}
		if got := Compare(a, b, Options{Lowered: decoded}); got.Equal == loaded {
			t.Errorf("loaded is %v, equal is %v: %s", loaded, got.Equal, got.Diff.String())
		}
	}
}

// The functions of two that differ are compared, too, and their order is none of the differences.
func TestLeftovers(t *testing.T) {
	for _, c := range []struct {
		name string
		want int // differences in the functions
		a, b []string
	}{
		{"in another order", 0, []string{"x", "y", "z"}, []string{"y", "z", "x"}},
		{"one of two", 1, []string{"x", "y"}, []string{"y", "z"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			decoded := map[*pyc.Code]*bytecode.Func{}
			a := codeWith(t, decoded, "LoadFast c; Return", c.a)
			b := codeWith(t, decoded, "LoadConst None; Return", c.b)
			if got := Compare(a, b, Options{All: true, Lowered: decoded}); len(got.Diffs) != 1+c.want {
				t.Errorf("%d differences, with that of the code itself: %v", len(got.Diffs), got.Diffs)
			}
		})
	}
}

// codeWith is the code of a function that has lambdas, each of which loads a global.
func codeWith(t *testing.T, decoded map[*pyc.Code]*bytecode.Func, text string, inner []string) *pyc.Code {
	f := assemble(t, pyc.V37, 0, "c", text)
	f.Code.Bytecode = []byte(text) // never read, and not the other's
	for _, name := range inner {
		g := assemble(t, pyc.V37, 0, "", "LoadGlobal "+name+"; Return")
		g.Code.Name, g.Code.Bytecode = "<lambda>", []byte(name)
		decoded[g.Code] = g
		f.Code.Consts = append(f.Code.Consts, g.Code)
	}
	decoded[f.Code] = f
	return f.Code
}
