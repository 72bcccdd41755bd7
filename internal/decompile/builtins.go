package decompile

import (
	"strings"

	"github.com/thuml/depyf/internal/cfg"
	"github.com/thuml/depyf/internal/pyast"
	"github.com/thuml/depyf/internal/pyc"
)

// shortBuiltins shows the built-in functions that only the source needs under
// their usual names, unless the code means something by such a name itself.
// The host binds the real name (renames) when it swaps the code.
func shortBuiltins(def *pyast.FunctionDef, code *pyc.Code, renames map[string]string) {
	var taken map[string]bool
	pyast.Inspect(def, func(n pyast.Node) bool {
		x, ok := n.(*pyast.Name)
		if !ok || !strings.HasPrefix(x.Id, cfg.BuiltinPrefix) {
			return true
		}
		if taken == nil {
			taken = map[string]bool{}
			mentioned(code, taken)
		}
		short := strings.TrimPrefix(x.Id, cfg.BuiltinPrefix)
		if real := renames[short]; taken[short] || real != "" && real != x.Id {
			return true
		}
		renames[short] = x.Id
		x.Id = short
		return true
	})
}

// mentioned collects every name that code uses, for whatever.
func mentioned(code *pyc.Code, names map[string]bool) {
	for _, list := range [][]string{code.Names, code.LocalsPlusNames} {
		for _, n := range list {
			names[n] = true
		}
	}
	for _, k := range code.Consts {
		if c, ok := k.(*pyc.Code); ok {
			mentioned(c, names)
		}
	}
}
