package lift

import (
	"github.com/thuml/depyf/internal/pyast"
	"github.com/thuml/depyf/internal/pyc"
)

// Kind says what a stack slot holds.
type Kind uint8

// The kinds of stack values.
const (
	KExpr    Kind = iota // an expression
	KNull                // the NULL of a call
	KSelf                // the self slot under a method call; the callee is the slot's partner
	KCode                // a code object that MAKE_FUNCTION will take
	KFunc                // a function made here
	KClass               // a class made here
	KBuild               // __build_class__
	KIter                // a running iterator; E is the iterable
	KIndex               // 3.15's second iterator slot
	KBind                // an item that must be stored: loop target, unpacked item, `as` target
	KImport              // an imported module, not yet stored
	KFrom                // a name taken from an import
	KExit                // a context manager's __exit__
	KEnter               // 3.14: the two halves of __enter__ before its call
	KExc                 // the running exception
	KOldExc              // saved exception state
	KFin                 // ≤3.8: what a shared finally body finds on the stack: an exception or a sign that there is none
	KClosure             // a cell
	KAcc                 // the accumulator of a comprehension
	KSubject             // the subject of a match statement
	KParams              // type parameters (3.12+)
	KAlias               // a type alias (3.12+)
	KHidden              // a parameter of the wrapper of a generic function, named by Attr
	KAwaited             // an async context manager's enter or exit call, before its await
)

// Value is one stack slot. The same *Value in two slots means that the slot was
// duplicated.
type Value struct {
	Kind    Kind
	FStr    bool  // made by one FormatValue: a field, not a nested f-string
	used    bool  // already nested into an expression
	depth   int32 // at least the nesting of E
	seq     int   // order of pushing
	Line    int
	E       pyast.Expr
	Targets []pyast.Expr // stores already made from a duplicate: `a = b = v` or `(a := v)`

	Obj, Idx, Idx2 *Value // LoadAttr and Subscr: operands, to recognise augmented assignment
	Attr           string
	Aug            *Aug

	Code   *pyc.Code
	Fn     *Func
	Class  *Class
	Bind   *Bind
	Import *Import
	With   *With
	Params []pyast.TypeParam
	Alias  *Alias
}

// Aug is an in-place operation that waits for its store.
type Aug struct {
	Target *Value
	Op     pyast.BinOpKind
	Right  pyast.Expr
}

// Func is a function under construction, from MAKE_FUNCTION to its store.
type Func struct {
	Code       *pyc.Code
	Defaults   []pyast.Expr
	KwDefaults []*pyast.Keyword
	Annots     []*pyast.Keyword // ≤3.13
	Annotate   *pyc.Code        // 3.14+
	Closure    []string
	Decorators []pyast.Expr
	TypeParams []pyast.TypeParam
	Line       int
	Stub       bool // the wrapper around it could not be expressed

	fromCaller []attrFrom // in the wrapper of a generic function
}

// attrFrom is an attribute that the wrapper of a generic function takes from a
// parameter of its own.
type attrFrom struct {
	name string
	bit  int
}

// TakesDefaults reports whether the wrapper of a generic function is handed defaults for its
// positional and for its keyword-only parameters. How many they are its caller knows.
func (f *Func) TakesDefaults() (positional, keyword bool) {
	for _, a := range f.fromCaller {
		positional = positional || a.bit == 1
		keyword = keyword || a.bit == 2
	}
	return positional, keyword
}

// Class is a class under construction.
type Class struct {
	Fn         *Func // the body
	Name       string
	Bases      []pyast.Expr
	Keywords   []*pyast.Keyword
	Decorators []pyast.Expr
	TypeParams []pyast.TypeParam
}

// Bind is a place that receives a value by being stored: Target is filled when
// the store is met.
type Bind struct {
	Target pyast.Expr
	unpack *Unpack // the unpacking this item belongs to, if any
}

// Unpack is an UNPACK_SEQUENCE or UNPACK_EX whose targets are being collected.
type Unpack struct {
	src   *Value
	items []*Bind
	star  int // index of the starred item, or -1
	left  int // items without target
	b     *Block
}

// Import is an import statement under construction.
type Import struct {
	Module   string
	Level    int
	From     []string // nil: plain import
	Names    []*pyast.Alias
	Walked   bool // `import a.b as c`: the dotted tail was fetched
	Lazy     int
	Star     bool
	FromName string
	Line     int
}

// With is a context manager in use.
type With struct {
	Context pyast.Expr
	Bind    *Bind // nil when the entered value is dropped
	Async   bool
	Line    int
}

// slot is the placeholder of the stack's k-th item.
func slot(k int) pyast.Expr { return &pyast.Hole{Kind: pyast.StackItem, N: k} }

// slotOf returns the index of the stack's item that e stands for.
func slotOf(e pyast.Expr) (int, bool) {
	h := holeOf(e, pyast.StackItem)
	if h == nil {
		return 0, false
	}
	return h.N, true
}

func exprValue(e pyast.Expr) *Value { return &Value{Kind: KExpr, E: e} }

// pushed is exprValue for what an instruction pushes. A decompilation makes more of these than of anything else, so it asks
// for memory for several at once.
func (g *Graph) pushed(e pyast.Expr) *Value {
	if len(g.values) == 0 {
		g.values = make([]Value, min(max(len(g.CFG.Func.Instrs)/4, 4), 32))
	}
	v := &g.values[0]
	g.values = g.values[1:]
	v.E = e
	return v
}

// Simple reports whether evaluating e twice, or later, is the same as once,
// unless a variable in it is stored meanwhile.
func Simple(e pyast.Expr) bool {
	switch e := e.(type) {
	case *pyast.Constant:
		return true
	case *pyast.Name:
		return true
	case *pyast.Hole:
		return e.Kind == pyast.StackItem || e.Kind == pyast.CaseMatches
	case *pyast.Tuple:
		for _, x := range e.Elts {
			if !Simple(x) {
				return false
			}
		}
		return true
	}
	return false
}

// mentions reports whether the name occurs in e.
func mentions(e pyast.Expr, name string) bool {
	found := false
	pyast.Inspect(e, func(n pyast.Node) bool {
		if x, ok := n.(*pyast.Name); ok && x.Id == name {
			found = true
		}
		return !found
	})
	return found
}
