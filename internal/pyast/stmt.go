package pyast

// Stmt is a statement.
type Stmt interface {
	Node
	stmt()
}

// Module is a file's statements. A docstring is its first statement: an
// ExprStmt with a pyc.Str constant, as in functions and classes.
type Module struct {
	Pos
	Body []Stmt
}

type (
	// FunctionDef is `def name(args): body`; nil Args means no parameters.
	FunctionDef struct {
		Pos
		Name          string
		Args          *Arguments
		Body          []Stmt
		DecoratorList []Expr
		Returns       Expr
		TypeParams    []TypeParam
		IsAsync       bool
	}
	// ClassDef is `class name(bases, keywords): body`.
	ClassDef struct {
		Pos
		Name          string
		Bases         []Expr
		Keywords      []*Keyword
		Body          []Stmt
		DecoratorList []Expr
		TypeParams    []TypeParam
	}
	// Return is `return value`; Value may be nil.
	Return struct {
		Pos
		Value Expr
	}
	// Delete is `del targets`.
	Delete struct {
		Pos
		Targets []Expr
	}
	// Assign is `t0 = t1 = value`.
	Assign struct {
		Pos
		Targets []Expr
		Value   Expr
	}
	// TypeAlias is `type name[params] = value` (3.12+).
	TypeAlias struct {
		Pos
		Name       Expr
		TypeParams []TypeParam
		Value      Expr
	}
	// AugAssign is `target op= value`.
	AugAssign struct {
		Pos
		Target Expr
		Op     BinOpKind
		Value  Expr
	}
	// AnnAssign is `target: annotation = value`; Value may be nil. Simple is
	// false for a parenthesised name, which is not recorded in annotations.
	AnnAssign struct {
		Pos
		Target     Expr
		Annotation Expr
		Value      Expr
		Simple     bool
	}
	// For is `for target in iter: body else: orelse`.
	For struct {
		Pos
		Target  Expr
		Iter    Expr
		Body    []Stmt
		OrElse  []Stmt
		IsAsync bool
	}
	// While is `while test: body else: orelse`.
	While struct {
		Pos
		Test   Expr
		Body   []Stmt
		OrElse []Stmt
	}
	// If is `if test: body else: orelse`.
	If struct {
		Pos
		Test   Expr
		Body   []Stmt
		OrElse []Stmt
	}
	// With is `with items: body`.
	With struct {
		Pos
		Items   []*WithItem
		Body    []Stmt
		IsAsync bool
	}
	// Match is `match subject: cases` (3.10+).
	Match struct {
		Pos
		Subject Expr
		Cases   []*MatchCase
	}
	// Raise is `raise exc from cause`; both may be nil.
	Raise struct {
		Pos
		Exc   Expr
		Cause Expr
	}
	// Try is `try: ... except: ... else: ... finally: ...`; IsStar means
	// `except*` (3.11+).
	Try struct {
		Pos
		Body      []Stmt
		Handlers  []*ExceptHandler
		OrElse    []Stmt
		FinalBody []Stmt
		IsStar    bool
	}
	// Assert is `assert test, msg`; Msg may be nil.
	Assert struct {
		Pos
		Test Expr
		Msg  Expr
	}
	// Import is `import names`; IsLazy needs 3.15.
	Import struct {
		Pos
		Names  []*Alias
		IsLazy bool
	}
	// ImportFrom is `from ..module import names`; Level counts the dots.
	ImportFrom struct {
		Pos
		Module string
		Names  []*Alias
		Level  int
		IsLazy bool
	}
	// Global is `global names`.
	Global struct {
		Pos
		Names []string
	}
	// Nonlocal is `nonlocal names`.
	Nonlocal struct {
		Pos
		Names []string
	}
	// ExprStmt is an expression for its effect (Python's ast.Expr).
	ExprStmt struct {
		Pos
		Value Expr
	}
	// Pass is `pass`.
	Pass struct{ Pos }
	// Break is `break`.
	Break struct{ Pos }
	// Continue is `continue`.
	Continue struct{ Pos }

	// Comment is a full-line comment; Text comes without `# ` and may have
	// several lines. It is no statement to Python: a body of comments alone
	// still needs a `pass`, which the printer adds.
	Comment struct {
		Pos
		Text string
	}
	// Blank is an empty line, for the reader only.
	Blank struct{ Pos }
)

type (
	// ExceptHandler is `except type as name: body`; a bare `except:` has a nil
	// Type, and Name may be empty.
	ExceptHandler struct {
		Pos
		Type Expr
		Name string
		Body []Stmt
	}
	// WithItem is `context_expr as optional_vars`.
	WithItem struct {
		Pos
		ContextExpr  Expr
		OptionalVars Expr
	}
	// Alias is `name as asname`; AsName may be empty.
	Alias struct {
		Pos
		Name   string
		AsName string
	}
)

// TypeParam is one item of a PEP 695 parameter list (3.12+).
type TypeParam interface {
	Node
	ParamName() string // the name that it binds
}

type (
	// TypeVar is `T: bound = default`.
	TypeVar struct {
		Pos
		Name         string
		Bound        Expr
		DefaultValue Expr // 3.13+
	}
	// ParamSpec is `**P = default`.
	ParamSpec struct {
		Pos
		Name         string
		DefaultValue Expr // 3.13+
	}
	// TypeVarTuple is `*Ts = default`.
	TypeVarTuple struct {
		Pos
		Name         string
		DefaultValue Expr // 3.13+
	}
)

func (*Module) node()        {}
func (*FunctionDef) node()   {}
func (*ClassDef) node()      {}
func (*Return) node()        {}
func (*Delete) node()        {}
func (*Assign) node()        {}
func (*TypeAlias) node()     {}
func (*AugAssign) node()     {}
func (*AnnAssign) node()     {}
func (*For) node()           {}
func (*While) node()         {}
func (*If) node()            {}
func (*With) node()          {}
func (*Match) node()         {}
func (*Raise) node()         {}
func (*Try) node()           {}
func (*Assert) node()        {}
func (*Import) node()        {}
func (*ImportFrom) node()    {}
func (*Global) node()        {}
func (*Nonlocal) node()      {}
func (*ExprStmt) node()      {}
func (*Pass) node()          {}
func (*Break) node()         {}
func (*Continue) node()      {}
func (*Comment) node()       {}
func (*Blank) node()         {}
func (*ExceptHandler) node() {}
func (*WithItem) node()      {}
func (*Alias) node()         {}
func (*TypeVar) node()       {}
func (*ParamSpec) node()     {}
func (*TypeVarTuple) node()  {}

func (*FunctionDef) stmt() {}
func (*ClassDef) stmt()    {}
func (*Return) stmt()      {}
func (*Delete) stmt()      {}
func (*Assign) stmt()      {}
func (*TypeAlias) stmt()   {}
func (*AugAssign) stmt()   {}
func (*AnnAssign) stmt()   {}
func (*For) stmt()         {}
func (*While) stmt()       {}
func (*If) stmt()          {}
func (*With) stmt()        {}
func (*Match) stmt()       {}
func (*Raise) stmt()       {}
func (*Try) stmt()         {}
func (*Assert) stmt()      {}
func (*Import) stmt()      {}
func (*ImportFrom) stmt()  {}
func (*Global) stmt()      {}
func (*Nonlocal) stmt()    {}
func (*ExprStmt) stmt()    {}
func (*Pass) stmt()        {}
func (*Break) stmt()       {}
func (*Continue) stmt()    {}
func (*Comment) stmt()     {}
func (*Blank) stmt()       {}

// ParamName is the name that the parameter binds.
func (p *TypeVar) ParamName() string { return p.Name }

// ParamName is the name that the parameter binds.
func (p *ParamSpec) ParamName() string { return p.Name }

// ParamName is the name that the parameter binds.
func (p *TypeVarTuple) ParamName() string { return p.Name }
