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
	Kind  Kind
	FStr  bool  // made by one FormatValue: a field, not a nested f-string
	used  bool  // already nested into an expression
	depth int32 // at least the nesting of E
	seq   int   // order of pushing
	Line  int
	E     pyast.Expr
	Obj   *Value // LoadAttr and Subscr: an operand, to recognise augmented assignment
	Attr  string

	// What few values have stands elsewhere: a decompilation makes more of them than of anything else.
	*special  // of a kind that is no plain expression, else nil
	*compound // nil: nothing
}

// compound is what a value has that takes part in a statement of more than one instruction.
type compound struct {
	idx, idx2 *Value       // Subscr: the other operands
	aug       *Aug         // an in-place operation
	targets   []pyast.Expr // stores already made from a duplicate: `a = b = v` or `(a := v)`
}

// noCompound is what a value without one has; nothing writes to it.
var noCompound compound

func (c *compound) some() *compound {
	if c == nil {
		return &noCompound
	}
	return c
}

// Idx is what a Subscr has taken the value by, or the lower end of the slice.
func (c *compound) Idx() *Value { return c.some().idx }

// Idx2 is the upper end of the slice that a Subscr has taken.
func (c *compound) Idx2() *Value { return c.some().idx2 }

// Aug is the in-place operation that has made the value.
func (c *compound) Aug() *Aug { return c.some().aug }

// Targets are the stores already made from a duplicate.
func (c *compound) Targets() []pyast.Expr { return c.some().targets }

// change changes what the value takes part in. A copy of the value keeps what it had.
func (v *Value) change(f func(c *compound)) {
	c := *v.compound.some()
	f(&c)
	v.compound = &c
}

// setTargets notes the stores that have been made from the value.
func (v *Value) setTargets(list []pyast.Expr) {
	if len(list) > 0 || len(v.Targets()) > 0 {
		v.change(func(c *compound) { c.targets = list })
	}
}

// assigning is the value's expression, which assigns it to its targets on the way.
func (v *Value) assigning() pyast.Expr {
	e := v.E
	for _, t := range v.Targets() {
		e = &pyast.NamedExpr{Target: t, Value: e}
	}
	return e
}

// special is what the kinds of values hold that are no plain expressions, as most are.
type special struct {
	code     *pyc.Code
	fn       *Func
	class    *Class
	bind     *Bind
	imported *Import
	with     *With
	params   []pyast.TypeParam
	alias    *Alias
}

// noSpecial is what a plain expression has; nothing writes to it.
var noSpecial special

func (s *special) some() *special {
	if s == nil {
		return &noSpecial
	}
	return s
}

// Code is what MAKE_FUNCTION will take, of a KCode.
func (s *special) Code() *pyc.Code { return s.some().code }

// Fn is the function of a KFunc, and the body of a KBuild.
func (s *special) Fn() *Func { return s.some().fn }

// Class is that of a KClass.
func (s *special) Class() *Class { return s.some().class }

// Bind is the place that the value will be stored in.
func (s *special) Bind() *Bind { return s.some().bind }

// Import is the statement that a KImport or KFrom belongs to.
func (s *special) Import() *Import { return s.some().imported }

// With is the context manager whose __enter__ or __exit__ the value is about.
func (s *special) With() *With { return s.some().with }

// entered says that the value is a context manager.
func (v *Value) entered(w *With) {
	s := *v.special.some() // a function, for one, stays what it is
	s.with = w
	v.special = &s
}

// Params are the type parameters of a KParams.
func (s *special) Params() []pyast.TypeParam { return s.some().params }

// Alias is that of a KAlias.
func (s *special) Alias() *Alias { return s.some().alias }

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

// ExitOf is the __exit__ of a context manager.
func ExitOf(w *With) *Value { return &Value{Kind: KExit, special: &special{with: w}} }

// FuncOf is a function that was made.
func FuncOf(fn *Func) *Value { return &Value{Kind: KFunc, Line: fn.Line, special: &special{fn: fn}} }

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
