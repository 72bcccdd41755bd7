package equiv

import (
	"testing"

	"github.com/thuml/depyf/internal/pyc"
)

// TestHandedOver compares a resume function, which goes on with what was begun before
// the graph break, with a source that copies that first.
func TestHandedOver(t *testing.T) {
	const (
		append_ = "LoadFast a; ListAppend 1; "
		list    = "BuildList; LoadFast ___stack0; ListExtend 1; "
	)
	for _, c := range []asmCase{
		{"a list", pyc.V312, true, "LoadFast ___stack0; " + append_ + "Return", list + append_ + "Return"},
		{"a list that becomes a tuple", pyc.V312, true, "LoadFast ___stack0; LoadFast a; ListExtend 1; ListToTuple; Return", list + "LoadFast a; ListExtend 1; ListToTuple; Return"},
		{"a set", pyc.V312, true, "LoadFast ___stack0; LoadFast a; SetAdd 1; Return", "BuildSet; LoadFast ___stack0; SetUpdate 1; LoadFast a; SetAdd 1; Return"},
		{"a dict", pyc.V312, true, "LoadFast ___stack0; LoadFast a; DictUpdate 1; Return", "BuildMap; LoadFast ___stack0; DictUpdate 1; LoadFast a; DictUpdate 1; Return"},
		{"keywords", pyc.V312, true, "LoadFast ___stack0; LoadFast a; DictMerge 1; Return", "BuildMap; LoadFast ___stack0; DictMerge 1; LoadFast a; DictMerge 1; Return"},
		{"below what is computed", pyc.V312, true, "LoadFast ___stack0; LoadFast b; LoadAttr c; ListAppend 1; Return", list + "LoadFast b; LoadAttr c; ListAppend 1; Return"},
		{"on one of two ways", pyc.V312, true, "LoadFast ___stack0; LoadFast a; ToBool; PopJumpIfFalse E; " + append_ + "E: Return", list + "LoadFast a; ToBool; PopJumpIfFalse E; " + append_ + "E: Return"},
		{"nothing is added", pyc.V312, false, "LoadFast ___stack0; Return", list + "Return"},
		{"something else is added", pyc.V312, false, "LoadFast ___stack0; " + append_ + "Return", list + "LoadFast b; ListAppend 1; Return"},
		{"another argument", pyc.V312, false, "LoadFast b; " + append_ + "Return", "BuildList; LoadFast b; ListExtend 1; " + append_ + "Return"},
		{"another kind", pyc.V312, false, "LoadFast ___stack0; " + append_ + "Return", "BuildSet; LoadFast ___stack0; SetUpdate 1; LoadFast a; SetAdd 1; Return"},
		{"of no other list", pyc.V312, false, "LoadFast ___stack0; " + append_ + "Return", "LoadFast b; BuildList 1; LoadFast ___stack0; ListExtend 1; " + append_ + "Return"},
		{"the argument is used again", pyc.V312, false, "LoadFast ___stack0; " + append_ + "Pop; LoadFast ___stack0; Return", list + append_ + "Pop; LoadFast ___stack0; Return"},
		{"and was used before", pyc.V312, false, "LoadFast ___stack0; " + append_ + "LoadFast ___stack0; BuildTuple 2; Return", "LoadFast ___stack0; " + list + append_ + "Swap 2; BuildTuple 2; Return"},
		{"two copies", pyc.V312, false, "LoadFast ___stack0; " + append_ + "LoadFast ___stack0; BuildTuple 2; Return", list + append_ + list + "BuildTuple 2; Return"},
		{"a copy of what is done", pyc.V312, false, "LoadFast ___stack0; " + append_ + "Return", list + append_ + "StoreFast x; BuildList; LoadFast x; ListExtend 1; Return"},
		{"copied under its own name", pyc.V312, false, "LoadFast ___stack0; " + append_ + "Return", list + append_ + "StoreFast ___stack0; " + list + "Return"},
		{"the first code copies", pyc.V312, false, list + append_ + "Return", "LoadFast ___stack0; " + append_ + "Return"},

		{"a part of a string", pyc.V312, true, "LoadFast ___stack0; LoadFast a; FormatValue; BuildString 2; Return", "LoadFast ___stack0; FormatValue; LoadFast a; FormatValue; BuildString 2; Return"},
		{"a part of a specification", pyc.V312, true, "LoadFast a; LoadFast ___stack0; FormatValue 4; Return", "LoadFast a; LoadFast ___stack0; FormatValue; FormatValue 4; Return"},
		{"with FORMAT_SIMPLE", pyc.V313, true, "LoadFast ___stack0; LoadFast a; FormatSimple; BuildString 2; Return", "LoadFast ___stack0; FormatSimple; LoadFast a; FormatSimple; BuildString 2; Return"},
		{"repr of one", pyc.V312, false, "LoadFast ___stack0; LoadFast a; FormatValue; BuildString 2; Return", "LoadFast ___stack0; FormatValue 2; LoadFast a; FormatValue; BuildString 2; Return"},
		{"what is no part is formatted", pyc.V312, false, "LoadFast ___stack0; Return", "LoadFast ___stack0; FormatValue; Return"},
		{"what is formatted has a specification", pyc.V312, false, "LoadFast ___stack0; LoadFast a; FormatValue 4; Return", "LoadFast ___stack0; FormatValue; LoadFast a; FormatValue 4; Return"},
		{"another argument is no part", pyc.V312, false, "LoadFast b; LoadFast a; FormatValue; BuildString 2; Return", "LoadFast b; FormatValue; LoadFast a; FormatValue; BuildString 2; Return"},
	} {
		t.Run(c.name, func(t *testing.T) {
			x, y := assemble(t, c.v, 3, "___stack0 a b x", c.a), assemble(t, c.v, 3, "___stack0 a b x", c.b)
			e := &effects{seen: map[[2]*pyc.Code]bool{}}
			if diff := e.funcs(x, y); (diff == nil) != c.equal {
				t.Errorf("got %v, want equal %v", diff, c.equal)
			}
		})
	}
}
