package generate

import (
	"math/rand/v2"

	"github.com/thuml/depyf/internal/pyast"
	"github.com/thuml/depyf/internal/pyc"
)

// generator makes one program.
type generator struct {
	*rand.Rand
	v    pyc.Version
	left int // how many more statements the program may have
}

// scope is what the place of a statement or expression allows. It is passed by
// value: what a construct changes holds inside of it.
type scope struct {
	fn    *frame
	depth int // of nested compound statements

	loop       bool // break and continue are legal
	noContinue bool // in a finally clause of 3.7
	noJump     bool // in an except* clause: no break, continue or return
	plain      bool // in annotations and type parameters: no await, yield or walrus
	comp       bool // in a comprehension: no yield
	iter       bool // in the iterable of a comprehension: no walrus
	simple     bool // in an f-string before 3.12: no quotes, no braces
}

// frame is the function, class or module that a place belongs to.
type frame struct {
	outer  *frame
	kind   frameKind
	async  bool
	yields bool // yield is legal
	names  []string
	params []string
	types  []pyast.TypeParam
	global map[string]bool
}

type frameKind uint8

const (
	moduleFrame frameKind = iota
	classFrame
	functionFrame
	lambdaFrame
)

// The pools of names. Those of comprehension targets and of assignment expressions are
// apart from the rest: the grammar forbids one name to be both.
var (
	varNames    = []string{"a", "b", "c", "d", "x", "y", "z", "p", "q"}
	funcNames   = []string{"f", "g", "h", "k", "print", "len"}
	attrNames   = []string{"a", "b", "name", "value", "next", "__x"}
	compNames   = []string{"i", "j", "m", "n"}
	walrusNames = []string{"v", "w"}
	excNames    = []string{"E", "KeyError", "ValueError", "OSError", "m.E"}
)

func (g *generator) chance(percent int) bool { return g.IntN(100) < percent }

func pick[T any](g *generator, list []T) T { return list[g.IntN(len(list))] }

// walrusOK reports whether an assignment expression is legal.
func (g *generator) walrusOK(s scope) bool {
	return g.v.HasWalrus() && !s.plain && !s.iter && !s.simple && !(s.comp && s.fn.kind == classFrame)
}

// name is a variable to read.
func (g *generator) name(s scope) *pyast.Name {
	if types := s.fn.generic().types; len(types) > 0 && g.chance(15) {
		return pyast.N(pick(g, types).ParamName())
	}
	if len(s.fn.names) > 0 && g.chance(60) {
		return pyast.N(pick(g, s.fn.names))
	}
	return pyast.N(pick(g, varNames))
}

// generic is the frame at hand, or the next one around it that has type parameters.
func (f *frame) generic() *frame {
	for f.outer != nil && len(f.types) == 0 {
		f = f.outer
	}
	return f
}

// dotted is a name or an attribute of one.
func dotted(name string) pyast.Expr {
	for i := range len(name) {
		if name[i] == '.' {
			return pyast.Attr(pyast.N(name[:i]), name[i+1:])
		}
	}
	return pyast.N(name)
}
