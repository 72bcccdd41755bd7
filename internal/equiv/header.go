package equiv

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/thuml/depyf/internal/pyc"
)

// nowhere is the place of a difference that belongs to no instruction.
var nowhere = Where{-1, -1}

// headerDiff compares what a code object says about itself outside its
// instructions, as far as a program can notice; "" means equal. Positions, file
// name, stack size, constants and names that no instruction uses, and locals
// that no instruction uses are not compared.
func headerDiff(a, b *pyc.Code, opt Options) string {
	switch {
	case a.Version != b.Version:
		return fmt.Sprintf("versions differ: %v, %v", a.Version, b.Version)
	case a.Name != b.Name:
		return fmt.Sprintf("names differ: %q, %q", a.Name, b.Name)
	case a.QualName != b.QualName && !opt.AnyQualName:
		return fmt.Sprintf("qualified names differ: %q, %q", a.QualName, b.QualName)
	case a.Flags != b.Flags && !(opt.AnyQualName && a.Flags&^pyc.FlagNested == b.Flags&^pyc.FlagNested):
		return fmt.Sprintf("flags differ: %#x, %#x", uint32(a.Flags), uint32(b.Flags))
	case a.ArgCount != b.ArgCount:
		return fmt.Sprintf("argument counts differ: %d, %d", a.ArgCount, b.ArgCount)
	case a.PosOnlyArgCount != b.PosOnlyArgCount:
		return fmt.Sprintf("positional-only argument counts differ: %d, %d", a.PosOnlyArgCount, b.PosOnlyArgCount)
	case a.KwOnlyArgCount != b.KwOnlyArgCount:
		return fmt.Sprintf("keyword-only argument counts differ: %d, %d", a.KwOnlyArgCount, b.KwOnlyArgCount)
	}
	if why := slotsDiff(a, b); why != "" {
		return why
	}
	da, db := docstring(a), docstring(b)
	if !constEqual(da, db, nil) {
		return "docstrings differ"
	}
	return ""
}

// slotsDiff compares the variables. Arguments and free variables are bound by
// position, so their order counts; cell variables are bound by name only.
func slotsDiff(a, b *pyc.Code) string {
	// Same slots, as nearly always: nothing to look at.
	if slices.Equal(a.LocalsPlusNames, b.LocalsPlusNames) && slices.Equal(a.LocalsPlusKinds, b.LocalsPlusKinds) {
		return ""
	}
	args := argSlots(a) // equal counts and flags: the same number in b
	if len(a.LocalsPlusNames) < args || len(b.LocalsPlusNames) < args {
		return "there are fewer variables than arguments"
	}
	if x, y := a.LocalsPlusNames[:args], b.LocalsPlusNames[:args]; !slices.Equal(x, y) {
		return fmt.Sprintf("argument names differ: %v, %v", x, y)
	}
	if x, y := a.FreeVars(), b.FreeVars(); !slices.Equal(x, y) {
		return fmt.Sprintf("free variables differ: %v, %v", x, y)
	}
	x, y := a.CellVars(), b.CellVars()
	slices.Sort(x)
	slices.Sort(y)
	if !slices.Equal(x, y) {
		return fmt.Sprintf("cell variables differ: %v, %v", x, y)
	}
	if n := hiddenInOne(a, b); n != "" {
		return fmt.Sprintf("the variable %s is hidden on one side", n)
	}
	if duplicateSlots(a) || duplicateSlots(b) {
		// Names then do not tell variables apart, and instructions are compared
		// by name.
		return "two variables share a name and the slots differ"
	}
	return ""
}

func argSlots(c *pyc.Code) int {
	n := c.ArgCount + c.KwOnlyArgCount
	if c.Flags&pyc.FlagVarArgs != 0 {
		n++
	}
	if c.Flags&pyc.FlagVarKeywords != 0 {
		n++
	}
	return n
}

// hiddenInOne finds a local variable of both that is hidden in one: those of inlined
// comprehensions outside functions do not show in locals(). One that is missing on a side
// is used there by no instruction that can be reached: dead code declares it.
func hiddenInOne(a, b *pyc.Code) string {
	hides := map[string]bool{}
	for i, n := range a.LocalsPlusNames {
		if !isCell(a, i) {
			hides[n] = isHidden(a, i)
		}
	}
	for i, n := range b.LocalsPlusNames {
		if was, both := hides[n]; both && !isCell(b, i) && was != isHidden(b, i) {
			return n
		}
	}
	return ""
}

func isHidden(c *pyc.Code, i int) bool {
	return i < len(c.LocalsPlusKinds) && c.LocalsPlusKinds[i]&pyc.KindHidden != 0
}

// duplicateSlots reports whether two slots that the same operations reach have
// one name. (Up to 3.10 a captured argument is in two lists on purpose, but fast
// and cell operations are distinct.)
func duplicateSlots(c *pyc.Code) bool {
	names := c.LocalsPlusNames
	for i, n := range names {
		for k := range i {
			if names[k] == n && isCell(c, i) == isCell(c, k) {
				return true
			}
		}
	}
	return false
}

// isCell reports whether cell operations, rather than fast ones, reach slot i.
func isCell(c *pyc.Code, i int) bool {
	return i < len(c.LocalsPlusKinds) && c.LocalsPlusKinds[i]&(pyc.KindCell|pyc.KindFree) != 0
}

// docstring is the __doc__ that a function made from the code gets; nil for
// code that makes no function of its own. Modules and classes store theirs with
// ordinary instructions, and nobody can see that of a comprehension's function.
func docstring(c *pyc.Code) pyc.Const {
	if c.Flags&pyc.FlagNewLocals == 0 || c.Flags&pyc.FlagOptimized == 0 || len(c.Consts) == 0 {
		return nil
	}
	switch c.Name {
	case "<genexpr>", "<listcomp>", "<setcomp>", "<dictcomp>":
		return nil
	}
	if c.Version.HasDocstringFlag() && c.Flags&pyc.FlagHasDocstring == 0 {
		return nil
	}
	if s, ok := c.Consts[0].(pyc.Str); ok {
		return s
	}
	return nil
}

// sameBytes reports level E0: the same instructions, tables and constants.
func sameBytes(a, b *pyc.Code, nested func(a, b *pyc.Code) bool) bool {
	return bytes.Equal(a.Bytecode, b.Bytecode) &&
		bytes.Equal(a.ExceptionTable, b.ExceptionTable) &&
		slices.Equal(a.Names, b.Names) &&
		slices.Equal(a.LocalsPlusNames, b.LocalsPlusNames) &&
		slices.Equal(a.LocalsPlusKinds, b.LocalsPlusKinds) &&
		listEqual(a.Consts, b.Consts, nested)
}
