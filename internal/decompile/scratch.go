package decompile

import (
	"github.com/thuml/depyf/internal/lazyregexp"
	"github.com/thuml/depyf/internal/pyc"
)

// scratchName is a local variable that Dynamo invents for its bookkeeping.
var scratchName = lazyregexp.New(`^(tmp_\d+|___context_manager_\d+(_\d+)?)$`)

// scratch returns what tells the variables of Dynamo's code that Dynamo invented.
// Arguments keep their names, whatever they are, and so do variables that others
// see, and those that the original code has too, where it is known.
func scratch(code, original *pyc.Code) func(name string) bool {
	keep := map[string]bool{}
	for i, n := range code.LocalsPlusNames {
		if i < code.ArgCount+code.KwOnlyArgCount {
			keep[n] = true
		}
	}
	for _, n := range append(code.CellVars(), code.FreeVars()...) {
		keep[n] = true
	}
	if original != nil {
		for _, n := range original.LocalsPlusNames {
			keep[n] = true
		}
	}
	return func(name string) bool { return scratchName.MatchString(name) && !keep[name] }
}
