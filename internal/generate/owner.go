package generate

import (
	"math/rand/v2"

	"github.com/thuml/depyf/internal/pyast"
)

// owner says whose body statements are. A function's can return, and a way out of all of them may be a `return`; that of
// a class or a module cannot, so that the same jump means something else there.
type owner int

const (
	ofFunction owner = iota
	ofModule
	ofClass
)

// anyOwner is mostly a function.
func anyOwner(r *rand.Rand) owner {
	return []owner{ofFunction, ofFunction, ofFunction, ofFunction, ofModule, ofClass}[r.IntN(6)]
}

// module is a module of that body; async makes the function a coroutine.
func (o owner) module(body []pyast.Stmt, async bool) *pyast.Module {
	switch o {
	case ofModule:
	case ofClass:
		body = []pyast.Stmt{&pyast.ClassDef{Name: "C", Body: body}}
	default:
		args := &pyast.Arguments{Args: []*pyast.Arg{{Arg: "a"}}}
		body = []pyast.Stmt{&pyast.FunctionDef{Name: "f", Args: args, Body: body, IsAsync: async}}
	}
	return &pyast.Module{Body: body}
}
