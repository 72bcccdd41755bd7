package equiv

import (
	"testing"

	"github.com/thuml/depyf/internal/pyc"
)

// effectsOf compares two pieces of assembled code; those of a module have names only.
func effectsOf(t *testing.T, module bool, a, b string) *Diff {
	t.Helper()
	x, y := assemble(t, pyc.V312, 1, "a s", a), assemble(t, pyc.V312, 1, "a s", b)
	if module {
		for _, f := range []*pyc.Code{x.Code, y.Code} {
			f.Flags, f.ArgCount, f.LocalsPlusNames, f.LocalsPlusKinds = 0, 0, nil, nil
		}
		for i := range x.Instrs {
			if n := x.Instrs[i].Name; n != "" {
				x.Code.Names = append(x.Code.Names, n)
			}
		}
	}
	e := &effects{seen: map[[2]*pyc.Code]bool{}}
	return e.funcs(x, y)
}

// A module's text may have a variable that the module has not, if nobody can find it there afterwards.
func TestOwnVariablesOfModules(t *testing.T) {
	const straight = "LoadName a; LoadAttr x; Pop; LoadConst 0; Return"
	for _, c := range []struct {
		name  string
		equal bool
		a, b  string
	}{
		{"deleted", true, straight, "LoadConst 1; StoreName s; LoadName a; LoadAttr x; Pop; DeleteName s; LoadConst 0; Return"},
		{"decides", true, straight, "LoadConst 1; StoreName s; LoadName a; LoadAttr x; Pop; LoadName s; LoadConst 1; Compare 2; PopJumpIfTrue E; LoadName a; LoadAttr y; Pop; E: DeleteName s; LoadConst 0; Return"},
		{"stays", false, straight, "LoadConst 1; StoreName s; LoadName a; LoadAttr x; Pop; LoadConst 0; Return"},
		{"unbound where it is read", false, straight, "LoadName s; Pop; LoadName a; LoadAttr x; Pop; LoadConst 0; Return"},
		{"deleted twice", false, straight, "LoadConst 1; StoreName s; DeleteName s; LoadName a; LoadAttr x; Pop; DeleteName s; LoadConst 0; Return"},
		{"a name of the module", false, "LoadName s; Pop; " + straight, "LoadConst 1; StoreName s; LoadName s; Pop; LoadName a; LoadAttr x; Pop; DeleteName s; LoadConst 0; Return"},
		{"a module that lists its names", false, "LoadName dir; Pop; LoadConst 0; Return", "LoadConst 1; StoreName s; LoadName dir; Pop; DeleteName s; LoadConst 0; Return"},
	} {
		if diff := effectsOf(t, true, c.a, c.b); (diff == nil) != c.equal {
			t.Errorf("%s: got %v, want equal %v", c.name, diff, c.equal)
		}
	}
}

// Loops without an effect and without an end are equal, however many instructions they have.
func TestEndlessLoops(t *testing.T) {
	const pass = "LoadFast a; LoadAttr x; Pop; L: Jump L"
	for _, c := range []struct {
		name  string
		equal bool
		b     string
	}{
		{"the same loop", true, pass},
		{"with a variable", true, "LoadFast a; LoadAttr x; Pop; L: LoadConst 3; StoreFast s; Nop; Jump L"},
		{"it ends", false, "LoadFast a; LoadAttr x; Pop; LoadConst 0; Return"},
		{"with an effect", false, "LoadFast a; LoadAttr x; Pop; L: LoadFast a; LoadAttr x; Pop; Jump L"},
	} {
		if diff := effectsOf(t, false, pass, c.b); (diff == nil) != c.equal {
			t.Errorf("%s: got %v, want equal %v", c.name, diff, c.equal)
		}
	}
}
