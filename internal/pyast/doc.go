// Package pyast holds Python's abstract syntax as plain Go structs: the union
// of the ast modules of CPython 3.7 to 3.15.
//
// Input: whatever builds a tree (the structurer, the JSON decoder). Output: a
// tree for internal/sugar, internal/equiv and internal/pyprint.
//
// Invariants:
//
//   - Node types are used by pointer only. Fields are named as in Python's ast
//     in CamelCase. There are no ctx fields: a node's place in its parent says
//     whether it is loaded, stored or deleted.
//   - A nil Expr stands for Python's None where the grammar has "expr?".
//   - Trees share no nodes. Clone before using a node twice, so that a rewrite
//     of one place never changes another.
//   - A node is a value without behaviour: no parent links, no scopes, nothing
//     to keep up to date after an edit.
package pyast

// Pos is where a node came from. The zero value means unknown. It never takes
// part in equality.
type Pos struct {
	Line   int // source line, 0 = unknown
	Offset int // bytecode offset, 0 = unknown or the first instruction

	// The source range where it is known (3.11+): columns count from 1, 0 = unknown.
	Col, EndLine, EndCol int

	// Of a comparison by `is` or `in`: whether its instruction compares so, too.
	Sense Sense
}

// Sense says how a comparison by `is` or `in` stands to its instruction. A test for
// `not a is b` has the instruction of `a is b`, and a jump the other way round.
type Sense uint8

// The senses.
const (
	SenseUnknown Sense = iota
	AsCompiled
	Negated
)

// Other is the sense of the opposite comparison.
func (s Sense) Other() Sense {
	switch s {
	case AsCompiled:
		return Negated
	case Negated:
		return AsCompiled
	}
	return s
}

// Position returns the node's own Pos, to be read or set.
func (p *Pos) Position() *Pos { return p }

// At returns a Pos for use in composite literals.
func At(line, offset int) Pos { return Pos{Line: line, Offset: offset} }

// Node is any node: an Expr, Stmt, Pattern, TypeParam, *Arguments, *Arg,
// *Keyword, *Comprehension, *ExceptHandler, *WithItem, *MatchCase, *Alias or
// *Module.
type Node interface {
	Position() *Pos
	node()
}
