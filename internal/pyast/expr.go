package pyast

import "github.com/thuml/depyf/internal/pyc"

// Expr is an expression.
type Expr interface {
	Node
	expr()
}

// BoolOpKind is `and` or `or`.
type BoolOpKind uint8

// The Boolean operators.
const (
	And BoolOpKind = iota
	Or
)

// BinOpKind is a binary arithmetic operator.
type BinOpKind uint8

// The binary operators.
const (
	Add BinOpKind = iota
	Sub
	Mult
	MatMult
	Div
	Mod
	Pow
	LShift
	RShift
	BitOr
	BitXor
	BitAnd
	FloorDiv
)

// UnaryOpKind is a unary operator.
type UnaryOpKind uint8

// The unary operators.
const (
	Invert UnaryOpKind = iota
	Not
	UAdd
	USub
)

// CmpOpKind is a comparison operator.
type CmpOpKind uint8

// The comparison operators.
const (
	Eq CmpOpKind = iota
	NotEq
	Lt
	LtE
	Gt
	GtE
	Is
	IsNot
	In
	NotIn
)

type (
	// BoolOp is `a and b and c`; Values has at least two items.
	BoolOp struct {
		Pos
		Op     BoolOpKind
		Values []Expr
	}
	// NamedExpr is `(target := value)`.
	NamedExpr struct {
		Pos
		Target Expr
		Value  Expr
	}
	// BinOp is `left op right`.
	BinOp struct {
		Pos
		Left  Expr
		Op    BinOpKind
		Right Expr
	}
	// UnaryOp is `op operand`.
	UnaryOp struct {
		Pos
		Op      UnaryOpKind
		Operand Expr
	}
	// Lambda is `lambda args: body`; nil Args means no parameters.
	Lambda struct {
		Pos
		Args *Arguments
		Body Expr
	}
	// IfExp is `body if test else orelse`.
	IfExp struct {
		Pos
		Test   Expr
		Body   Expr
		OrElse Expr
	}
	// Dict is `{key: value}`. A nil key marks `**value`.
	Dict struct {
		Pos
		Keys   []Expr
		Values []Expr
	}
	// Set is `{a, b}`; an empty one has no display and prints as `{*()}`.
	Set struct {
		Pos
		Elts []Expr
	}
	// ListComp is `[elt for ...]`. A Starred Elt needs 3.15.
	ListComp struct {
		Pos
		Elt        Expr
		Generators []*Comprehension
	}
	// SetComp is `{elt for ...}`. A Starred Elt needs 3.15.
	SetComp struct {
		Pos
		Elt        Expr
		Generators []*Comprehension
	}
	// DictComp is `{key: value for ...}`. A nil Key is 3.15's `{**value for ...}`.
	DictComp struct {
		Pos
		Key        Expr
		Value      Expr
		Generators []*Comprehension
	}
	// GeneratorExp is `(elt for ...)`. A Starred Elt needs 3.15.
	GeneratorExp struct {
		Pos
		Elt        Expr
		Generators []*Comprehension
	}
	// Await is `await value`.
	Await struct {
		Pos
		Value Expr
	}
	// Yield is `yield value`; Value may be nil.
	Yield struct {
		Pos
		Value Expr
	}
	// YieldFrom is `yield from value`.
	YieldFrom struct {
		Pos
		Value Expr
	}
	// Compare is `left op c0 op c1 ...`; Ops and Comparators have equal length.
	Compare struct {
		Pos
		Left        Expr
		Ops         []CmpOpKind
		Comparators []Expr
	}
	// Call is `func(args, keywords)`.
	Call struct {
		Pos
		Func     Expr
		Args     []Expr
		Keywords []*Keyword
	}
	// FormattedValue is one `{value!r:spec}` field of a JoinedStr.
	FormattedValue struct {
		Pos
		Value      Expr
		Conversion rune // 0 (none), 's', 'r' or 'a'
		FormatSpec Expr // nil or *JoinedStr
	}
	// JoinedStr is an f-string: *Constant (pyc.Str) and *FormattedValue parts.
	JoinedStr struct {
		Pos
		Values []Expr
	}
	// Interpolation is one field of a TemplateStr (3.14+).
	Interpolation struct {
		Pos
		Value      Expr
		Str        string // the expression's text, kept verbatim at run time
		Conversion rune   // 0 (none), 's', 'r' or 'a'
		FormatSpec Expr   // nil or *JoinedStr
	}
	// TemplateStr is a t-string: *Constant (pyc.Str) and *Interpolation parts.
	TemplateStr struct {
		Pos
		Values []Expr
	}
	// Constant is a literal. Value may be any pyc.Const but *pyc.Code, also
	// those without a literal form, such as a frozenset or a slice.
	Constant struct {
		Pos
		Value pyc.Const
	}
	// Attribute is `value.attr`.
	Attribute struct {
		Pos
		Value Expr
		Attr  string
	}
	// Subscript is `value[slice]`. Slice is any expression, a *Slice, or a
	// *Tuple that may hold *Slice and *Starred items (the 3.9+ form).
	Subscript struct {
		Pos
		Value Expr
		Slice Expr
	}
	// Starred is `*value` in a call, a display or a target.
	Starred struct {
		Pos
		Value Expr
	}
	// Name is a variable.
	Name struct {
		Pos
		Id string
	}
	// List is `[a, b]`.
	List struct {
		Pos
		Elts []Expr
	}
	// Tuple is `(a, b)`.
	Tuple struct {
		Pos
		Elts []Expr
	}
	// Slice is `lower:upper:step`; every part may be nil. It stands only in a
	// Subscript's Slice.
	Slice struct {
		Pos
		Lower Expr
		Upper Expr
		Step  Expr
	}
	// Verbatim is text that is not Python's ast at all: a placeholder for what
	// could not be expressed. Prec is the text's binding strength, so that the
	// printer knows when to put parentheses.
	Verbatim struct {
		Pos
		Text string
		Prec VerbatimPrec
		// Value is the constant that the compiler makes of the text, where it is a whole
		// annotation under `from __future__ import annotations`; else nil.
		Value pyc.Const
	}
	// Hole is an expression that has no Python yet: what the stack holds in its place is
	// found later, or a later pass alone can write it. Kind says what it stands for, N
	// which one of its kind, Args what is known of it. Text for a user has none.
	Hole struct {
		Pos
		Kind HoleKind
		N    int
		Args []Expr
	}
)

// HoleKind says what a Hole stands for.
type HoleKind uint8

const (
	// StackItem is item N of the stack when its block begins.
	StackItem HoleKind = iota
	// Extended is the display Args[0] with the items (of a dict: key and value) behind it. N is the operation where Args[0] may
	// be a variable that has the display, else 0.
	Extended
	// ExtendedAll is the display Args[0] with all items of Args[1]; N is as for Extended.
	ExtendedAll
	// KeywordDict is the dict Args[0], which holds a call's keyword arguments.
	KeywordDict
	// StarTuple is the tuple of a call's arguments, put together of several (≤3.8).
	StarTuple
	// ArgumentTuple is Args[0], which will be the tuple of a call's arguments.
	ArgumentTuple
	// TupleOfList is the list display Args[0] as a tuple.
	TupleOfList
	// TemplateField is the Interpolation Args[0], whose text is Args[1].
	TemplateField
	// Template is the t-string of the strings Args[0] and the fields Args[1].
	Template
	// Coroutine is what the asynchronous comprehension Args[0] is before it is
	// awaited (≤3.11).
	Coroutine
	// ExceptionMatches asks whether the running exception is an Args[0]. It is the
	// condition of a branch.
	ExceptionMatches
	// GroupMatches asks whether a part of the running exception group is an Args[0].
	// It is the condition of a branch.
	GroupMatches
	// ExitSuppresses asks whether a context manager's exit wants the running exception
	// suppressed. It is the condition of a branch.
	ExitSuppresses
	// CaseMatches asks whether case N matches the subject. It stands only in conditions.
	CaseMatches
	// MatchBegins is the place where match statement N takes its subject Args[0].
	MatchBegins
	// AnnotationPlace is the place of the annotated assignment number Args[0].
	AnnotationPlace
)

// VerbatimPrec says how tightly a Verbatim's text binds.
type VerbatimPrec uint8

const (
	// VerbatimLoose text needs parentheses wherever an operand may stand.
	VerbatimLoose VerbatimPrec = iota
	// VerbatimAtom text is a name, a literal or bracketed.
	VerbatimAtom
)

type (
	// Comprehension is one `for target in iter if ...` clause.
	Comprehension struct {
		Pos
		Target  Expr
		Iter    Expr
		Ifs     []Expr
		IsAsync bool
	}
	// Keyword is `arg=value` in a call or class; an empty Arg is `**value`.
	Keyword struct {
		Pos
		Arg   string
		Value Expr
	}
	// Arguments is a parameter list. Defaults belong to the last of
	// PosOnlyArgs+Args; KwDefaults is parallel to KwOnlyArgs, nil = required.
	Arguments struct {
		Pos
		PosOnlyArgs []*Arg
		Args        []*Arg
		VarArg      *Arg
		KwOnlyArgs  []*Arg
		KwDefaults  []Expr
		KwArg       *Arg
		Defaults    []Expr
	}
	// Arg is one parameter; Annotation may be nil.
	Arg struct {
		Pos
		Arg        string
		Annotation Expr
	}
)

func (*BoolOp) node()         {}
func (*NamedExpr) node()      {}
func (*BinOp) node()          {}
func (*UnaryOp) node()        {}
func (*Lambda) node()         {}
func (*IfExp) node()          {}
func (*Dict) node()           {}
func (*Set) node()            {}
func (*ListComp) node()       {}
func (*SetComp) node()        {}
func (*DictComp) node()       {}
func (*GeneratorExp) node()   {}
func (*Await) node()          {}
func (*Yield) node()          {}
func (*YieldFrom) node()      {}
func (*Compare) node()        {}
func (*Call) node()           {}
func (*FormattedValue) node() {}
func (*JoinedStr) node()      {}
func (*Interpolation) node()  {}
func (*TemplateStr) node()    {}
func (*Constant) node()       {}
func (*Attribute) node()      {}
func (*Subscript) node()      {}
func (*Starred) node()        {}
func (*Name) node()           {}
func (*List) node()           {}
func (*Tuple) node()          {}
func (*Slice) node()          {}
func (*Verbatim) node()       {}
func (*Hole) node()           {}
func (*Comprehension) node()  {}
func (*Keyword) node()        {}
func (*Arguments) node()      {}
func (*Arg) node()            {}

func (*BoolOp) expr()         {}
func (*NamedExpr) expr()      {}
func (*BinOp) expr()          {}
func (*UnaryOp) expr()        {}
func (*Lambda) expr()         {}
func (*IfExp) expr()          {}
func (*Dict) expr()           {}
func (*Set) expr()            {}
func (*ListComp) expr()       {}
func (*SetComp) expr()        {}
func (*DictComp) expr()       {}
func (*GeneratorExp) expr()   {}
func (*Await) expr()          {}
func (*Yield) expr()          {}
func (*YieldFrom) expr()      {}
func (*Compare) expr()        {}
func (*Call) expr()           {}
func (*FormattedValue) expr() {}
func (*JoinedStr) expr()      {}
func (*Interpolation) expr()  {}
func (*TemplateStr) expr()    {}
func (*Constant) expr()       {}
func (*Attribute) expr()      {}
func (*Subscript) expr()      {}
func (*Starred) expr()        {}
func (*Name) expr()           {}
func (*List) expr()           {}
func (*Tuple) expr()          {}
func (*Slice) expr()          {}
func (*Verbatim) expr()       {}
func (*Hole) expr()           {}
