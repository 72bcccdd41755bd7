package evidence

import (
	"testing"

	"github.com/thuml/depyf/internal/pyast"
)

// name is a name at a line and column, counted from 1.
func name(line, col int) *pyast.Name {
	n := pyast.N("abc")
	n.Pos = pyast.Pos{Line: line, Col: col, EndLine: line, EndCol: col + 3}
	return n
}

// at puts a statement where its own instruction stands.
func at[S pyast.Stmt](s S, line, col int) S {
	*s.Position() = pyast.Pos{Line: line, Col: col}
	return s
}

// not is the test in front of which a `not` stands that has no instruction.
func not(e pyast.Expr) pyast.Expr { return &pyast.UnaryOp{Op: pyast.Not, Operand: e} }

// TestStart has for each kind of statement the code that it stands for, indented by 4.
func TestStart(t *testing.T) {
	pass := []pyast.Stmt{&pyast.Pass{}}
	call := func(line, col int) []pyast.Stmt { return []pyast.Stmt{&pyast.ExprStmt{Value: name(line, col)}} }
	for code, c := range map[string]struct {
		s         pyast.Stmt
		line, col int
	}{
		"    abc":                        {&pyast.ExprStmt{Value: name(2, 5)}, 2, 5},
		"    if abc:":                    {&pyast.If{Test: name(2, 8), Body: pass}, 2, 5},
		"    if not abc:":                {&pyast.If{Test: not(name(2, 12)), Body: pass}, 2, 5},
		"    if (abc):":                  {&pyast.If{Test: name(2, 9), Body: pass}, 2, 6}, // a parenthesis leaves no trace
		"    while (\n        abc\n):":   {at(&pyast.While{Test: name(3, 9), Body: pass}, 3, 9), 3, 5},
		"    while abc:":                 {&pyast.While{Test: name(2, 11), Body: pass}, 2, 5},
		"    while True:\n        abc":   {at(&pyast.While{Test: pyast.Bool(true), Body: call(3, 9)}, 3, 0), 3, 5},
		"    try:\n        abc":          {&pyast.Try{Body: call(3, 9)}, 3, 5},
		"    for abc in x:":              {&pyast.For{Target: name(2, 9), Iter: pyast.N("x")}, 2, 5},
		"    with abc:":                  {&pyast.With{Items: []*pyast.WithItem{{ContextExpr: name(2, 10)}}}, 2, 5},
		"    assert abc":                 {&pyast.Assert{Test: name(2, 12)}, 2, 5},
		"    return abc\nfinally: x":     {at(&pyast.Return{Value: name(2, 12)}, 3, 10), 2, 5}, // has the clause's place
		"    return (\n        abc\n)":   {at(&pyast.Return{Value: name(3, 9)}, 2, 5), 2, 5},
		"    abc = x":                    {&pyast.Assign{Targets: []pyast.Expr{name(2, 5)}, Value: pyast.N("x")}, 2, 5},
		"    if abc: (without columns)":  {at(&pyast.If{Test: pyast.N("abc"), Body: pass}, 2, 0), 2, 0},
		"nothing is known of abc":        {&pyast.ExprStmt{Value: pyast.N("abc")}, 0, 0},
		"    del abc":                    {&pyast.Delete{Targets: []pyast.Expr{name(2, 9)}}, 2, 5},
		"    async with abc:":            {&pyast.With{IsAsync: true, Items: []*pyast.WithItem{{ContextExpr: name(2, 16)}}}, 2, 5},
		"    raise abc (has its column)": {at(&pyast.Raise{Exc: name(2, 11)}, 2, 5), 2, 5},
	} {
		line, col := Indentation{4}.Start(c.s)
		if line != c.line || col != c.col {
			t.Errorf("%q: begins at %d:%d, want %d:%d", code, line, col, c.line, c.col)
		}
		if first := StartLine(c.s); first > 0 && first != line {
			t.Errorf("%q: begins on line %d and on line %d", code, line, first)
		}
	}
}

// TestColumn lets a statement whose column is exact decide.
func TestColumn(t *testing.T) {
	list := []pyast.Stmt{&pyast.If{Test: name(2, 9), Body: []pyast.Stmt{&pyast.Pass{}}}, at(&pyast.Return{}, 3, 5)}
	if got := (Indentation{4}).Column(list); got != 5 {
		t.Errorf("the list stands at %d, want 5", got)
	}
	if got := (Indentation{4}).Column(nil); got != 0 {
		t.Errorf("nothing stands at %d", got)
	}
}
