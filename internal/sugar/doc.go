// Package sugar rewrites a correct syntax tree into the one a person would
// have written. Every rewrite keeps the meaning; the proof checks it.
//
// Input and output: a statement list of one function, class or module body.
// Each rewrite has a file of its own with a before/after picture.
package sugar

import (
	"github.com/thuml/depyf/internal/evidence"
	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyast"
	"github.com/thuml/depyf/internal/pyc"
)

// Options say whose body it is.
type Options struct {
	Function  bool // the body belongs to a function, where control may end with `return`
	Version   pyc.Version
	Shared    map[string]bool // the variables that others see too
	Dynamo    bool            // torch._dynamo made the code
	Optimized bool            // the compiler left assert statements out
	Unseen    bool            // what looks at the variables of the function should see no temporary
	Args      []string        // of the function
	Ops       opcode.Ops      // what the code does
	Temps     bool            // there may be temporaries

	Indentation evidence.Indentation // of the source
	Spacing     evidence.Spacing     // of the source
	DeadEnd     bool                 // the `return None` that the compiler adds is never reached (≤3.9)
}

// eachList calls f on every statement list of the body, innermost first, but
// not inside nested functions and classes, which were treated on their own.
func eachList(list []pyast.Stmt, f func([]pyast.Stmt) []pyast.Stmt) []pyast.Stmt {
	for _, s := range list {
		switch s.(type) {
		case *pyast.FunctionDef, *pyast.ClassDef:
			continue
		}
		pyast.Blocks(s, func(b *[]pyast.Stmt) { *b = eachList(*b, f) })
	}
	return f(list)
}
