package pyast

import "github.com/thuml/depyf/internal/pyc"

// Pattern is the left side of a `case` (3.10+).
type Pattern interface {
	Node
	pattern()
}

type (
	// MatchCase is `case pattern if guard: body`; Guard may be nil.
	MatchCase struct {
		Pos
		Pattern Pattern
		Guard   Expr
		Body    []Stmt
	}
	// MatchValue compares with ==: a literal or a dotted name.
	MatchValue struct {
		Pos
		Value Expr
	}
	// MatchSingleton compares with `is`: None, True or False.
	MatchSingleton struct {
		Pos
		Value pyc.Const
	}
	// MatchSequence is `[p, q, *rest]`.
	MatchSequence struct {
		Pos
		Patterns []Pattern
	}
	// MatchMapping is `{key: p, **rest}`; Rest may be empty.
	MatchMapping struct {
		Pos
		Keys     []Expr
		Patterns []Pattern
		Rest     string
	}
	// MatchClass is `cls(p, q, attr=r)`.
	MatchClass struct {
		Pos
		Cls         Expr
		Patterns    []Pattern
		KwdAttrs    []string
		KwdPatterns []Pattern
	}
	// MatchStar is `*name` in a sequence; an empty Name is `*_`.
	MatchStar struct {
		Pos
		Name string
	}
	// MatchAs is `pattern as name`, a bare capture `name` (nil Pattern), or
	// the wildcard `_` (nil Pattern, empty Name).
	MatchAs struct {
		Pos
		Pattern Pattern
		Name    string
	}
	// MatchOr is `p | q`.
	MatchOr struct {
		Pos
		Patterns []Pattern
	}
)

func (*MatchCase) node()      {}
func (*MatchValue) node()     {}
func (*MatchSingleton) node() {}
func (*MatchSequence) node()  {}
func (*MatchMapping) node()   {}
func (*MatchClass) node()     {}
func (*MatchStar) node()      {}
func (*MatchAs) node()        {}
func (*MatchOr) node()        {}

func (*MatchValue) pattern()     {}
func (*MatchSingleton) pattern() {}
func (*MatchSequence) pattern()  {}
func (*MatchMapping) pattern()   {}
func (*MatchClass) pattern()     {}
func (*MatchStar) pattern()      {}
func (*MatchAs) pattern()        {}
func (*MatchOr) pattern()        {}
