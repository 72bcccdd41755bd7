package equiv

import (
	"slices"
	"strings"
	"testing"

	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/cases"
	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyc"
)

// turnIntrinsic exchanges two kinds of intrinsic.
func turnIntrinsic(a, b int) func(in *bytecode.Instr) bool {
	return func(in *bytecode.Instr) bool {
		switch in.Arg {
		case a:
			in.Arg = b
		case b:
			in.Arg = a
		default:
			return false
		}
		return true
	}
}

// dropIntrinsic2 keeps the lower operand of one kind of intrinsic.
func dropIntrinsic2(kind int) func(in *bytecode.Instr) bool {
	return func(in *bytecode.Instr) bool {
		if in.Arg != kind {
			return false
		}
		in.Op, in.Arg = opcode.Pop, 0
		return true
	}
}

// newSyntax are mutants of what 3.12 to 3.15 brought. None of them is a no-op
// anywhere: both comparisons must reject each.
var newSyntax = []struct {
	since pyc.Version
	m     mutant
}{
	{pyc.V314, on("t-string: another conversion", func(in *bytecode.Instr) bool { in.Arg ^= 1 << 2; return true }, opcode.BuildInterpolation)},
	{pyc.V314, on("t-string: a conversion more or less", func(in *bytecode.Instr) bool { in.Arg ^= 2 << 2; return true }, opcode.BuildInterpolation)},
	{pyc.V314, on("t-string: specification taken for the text", func(in *bytecode.Instr) bool { in.Arg ^= 1; return true }, opcode.BuildInterpolation)},
	{pyc.V314, mutant{"t-string: strings for fields", func(f *bytecode.Func, i int) bool {
		if f.Instrs[i].Op != opcode.BuildTemplate {
			return false
		}
		exchange(f, i)
		return true
	}}},
	{pyc.V314, on("t-string: no template", func(in *bytecode.Instr) bool { in.Op, in.Arg = opcode.BuildTuple, 2; return true }, opcode.BuildTemplate)},
	{pyc.V315, on("import: lazy or not", func(in *bytecode.Instr) bool { in.Arg ^= 1; return true }, opcode.ImportName)},
	{pyc.V315, on("import: eager or not", func(in *bytecode.Instr) bool { in.Arg ^= 2; return true }, opcode.ImportName)},
	{pyc.V315, on("comprehension: an item or all of them, list", turn(opcode.ListAppend, opcode.ListExtend))},
	{pyc.V315, on("comprehension: an item or all of them, set", turn(opcode.SetAdd, opcode.SetUpdate))},
	{pyc.V315, on("comprehension: a key twice is an error", func(in *bytecode.Instr) bool { in.Op = opcode.DictMerge; return true }, opcode.DictUpdate)},
	{pyc.V312, on("type parameter: TypeVar or ParamSpec", turnIntrinsic(opcode.IntrinsicTypeVar, opcode.IntrinsicParamSpec), opcode.Intrinsic1)},
	{pyc.V312, on("type parameter: TypeVar or TypeVarTuple", turnIntrinsic(opcode.IntrinsicTypeVar, opcode.IntrinsicTypeVarTuple), opcode.Intrinsic1)},
	{pyc.V312, on("type parameter: bound or constraints", turnIntrinsic(opcode.IntrinsicTypeVarWithBound, opcode.IntrinsicTypeVarWithConstraints), opcode.Intrinsic2)},
	{pyc.V312, on("type parameters of a function dropped", dropIntrinsic2(opcode.IntrinsicSetFunctionTypeParams), opcode.Intrinsic2)},
	{pyc.V313, on("default of a type parameter dropped", dropIntrinsic2(opcode.IntrinsicSetTypeparamDefault), opcode.Intrinsic2)},
	{pyc.V312, on("type alias not made", func(in *bytecode.Instr) bool {
		if in.Arg != opcode.IntrinsicTypeAlias {
			return false
		}
		in.Op, in.Arg = opcode.Nop, 0
		return true
	}, opcode.Intrinsic1)},
}

// TestNewSyntaxMutants applies them to the cases that show that syntax.
func TestNewSyntaxMutants(t *testing.T) {
	for v := pyc.V312; v <= pyc.V315; v++ {
		codes, err := cases.Compiled("../../testdata/cases", v)
		if err != nil {
			t.Fatal(err)
		}
		found := map[string]int{}
		var visit func(name string, c *pyc.Code)
		visit = func(name string, c *pyc.Code) {
			orig, err := bytecode.Decode(c)
			if err != nil {
				t.Fatal(err)
			}
			for _, n := range newSyntax {
				if v < n.since {
					continue
				}
				for i := range orig.Instrs {
					f := &bytecode.Func{Code: c, Instrs: slices.Clone(orig.Instrs), Handlers: slices.Clone(orig.Handlers)}
					if !n.m.change(f, i) {
						continue
					}
					found[n.m.kind]++
					if _, diff := (&comparer{seen: map[[2]*pyc.Code]bool{}}).funcs(orig, f); diff == nil {
						t.Errorf("%v %s: %s at %d is taken as equal", v, name, n.m.kind, orig.Instrs[i].Offset)
					}
					if (&effects{seen: map[[2]*pyc.Code]bool{}}).funcs(orig, f) == nil {
						t.Errorf("%v %s: %s at %d is taken as equal in its effects", v, name, n.m.kind, orig.Instrs[i].Offset)
					}
				}
			}
			for _, k := range c.Consts {
				if inner, ok := k.(*pyc.Code); ok {
					visit(name+" "+inner.Name, inner)
				}
			}
		}
		for name, c := range codes {
			switch topic, _, _ := strings.Cut(name, "/"); topic {
			case "fstring", "imports", "comp", "generic":
				visit(name, c)
			}
		}
		for _, n := range newSyntax {
			if v >= n.since && found[n.m.kind] == 0 {
				t.Errorf("%v: %q applies nowhere", v, n.m.kind)
			}
		}
	}
}
