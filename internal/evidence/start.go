package evidence

import (
	"cmp"

	"github.com/thuml/depyf/internal/pyast"
)

// StartLine is the line that a statement begins on, 0 when unknown.
func StartLine(s pyast.Stmt) int {
	line, _ := begins(s)
	return cmp.Or(line, s.Position().Line)
}

// Start is where a statement begins in the source, 0 where that is not known. The column of a compound statement is worked
// out from its first expression, which a parenthesis may move by one; of one that begins with no expression, from the
// statement in it.
func (in Indentation) Start(s pyast.Stmt) (line, col int) {
	line, col = begins(s)
	line = cmp.Or(line, s.Position().Line)
	var test pyast.Expr
	var body []pyast.Stmt
	switch n := s.(type) {
	case *pyast.If:
		test = n.Test
	case *pyast.While:
		test, body = n.Test, n.Body
	case *pyast.Try:
		body = n.Body
	}
	// A test where no statement can begin is taken for one on a line of its own, behind a parenthesis.
	if col > 0 && test != nil && !in.Begins(col) && !in.Begins(col-1) {
		if _, c := Leftmost(test); in.Begins(c - in.Unit) {
			col = c - in.Unit
		}
	}
	if col > 0 || len(body) == 0 {
		return line, col
	}
	if l, c := in.Start(body[0]); c > in.Unit {
		return cmp.Or(line, l), c - in.Unit
	}
	return line, 0
}

// begins is where the instructions of a statement say that it begins.
func begins(s pyast.Stmt) (line, col int) {
	p := s.Position()
	less := func(e pyast.Node, keyword int) (int, int) {
		l, c := Leftmost(e)
		return l, max(0, c-keyword)
	}
	switch n := s.(type) {
	case *pyast.Return:
		// What leaves through a finally clause has the place of the clause.
		if n.Value != nil && n.Value.Position().Line > 0 && n.Value.Position().Line < p.Line {
			if line, col := less(n.Value, len("return ")); line > 0 {
				return line, col
			}
			return n.Value.Position().Line, 0
		}
		return p.Line, p.Col
	case *pyast.Raise, *pyast.Continue, *pyast.Break, *pyast.Import, *pyast.ImportFrom,
		*pyast.FunctionDef, *pyast.ClassDef:
		return p.Line, p.Col
	case *pyast.If:
		return less(n.Test, len("if ")+Nots(n.Test))
	case *pyast.While:
		if _, col := Leftmost(n.Test); col == 0 {
			return p.Line, p.Col
		}
		return less(n.Test, len("while ")+Nots(n.Test))
	case *pyast.Assert:
		if _, col := Leftmost(n.Test); p.Col > 0 && (p.Col < col || p.Line < n.Test.Position().Line) {
			return p.Line, p.Col
		}
		return less(n.Test, len("assert ")+Nots(n.Test))
	case *pyast.For:
		k := len("for ")
		if n.IsAsync {
			k = len("async for ")
		}
		return less(n.Target, k)
	case *pyast.With:
		k := len("with ")
		if n.IsAsync {
			k = len("async with ")
		}
		return less(n.Items[0].ContextExpr, k)
	case *pyast.Delete:
		return less(n.Targets[0], len("del "))
	case *pyast.Assign:
		line, col := less(n.Targets[0], 0)
		t, ok := n.Targets[0].(*pyast.Tuple)
		if v, isTuple := n.Value.(*pyast.Tuple); ok && isTuple && len(t.Elts) == 2 && len(v.Elts) == 2 {
			// 3.13+ stores `a, b = c, d` by one instruction, which stands at b.
			a, ok1 := t.Elts[0].(*pyast.Name)
			b, ok2 := t.Elts[1].(*pyast.Name)
			if ok1 && ok2 && a.Line == b.Line && a.Col == b.Col {
				col = max(0, col-len(a.Id)-len(", "))
			}
		}
		return line, col
	case *pyast.AugAssign:
		return less(n.Target, 0)
	case *pyast.AnnAssign:
		return less(n.Target, 0)
	case *pyast.ExprStmt:
		return less(n.Value, 0)
	}
	return p.Line, 0
}

// Leftmost is the first place in the source that a node's expressions stand at.
func Leftmost(n pyast.Node) (line, col int) {
	pyast.Inspect(n, func(x pyast.Node) bool {
		if p := x.Position(); p.Col > 0 && (line == 0 || p.Line < line || p.Line == line && p.Col < col) {
			line, col = p.Line, p.Col
		}
		return true
	})
	return line, col
}

// Nots is the width of the `not` in front of a test that has no instruction.
func Nots(e pyast.Expr) int {
	switch x := e.(type) {
	case *pyast.UnaryOp:
		if x.Op == pyast.Not && (x.Col == 0 || x.Col == x.Operand.Position().Col) {
			return len("not ") + Nots(x.Operand)
		}
	case *pyast.BoolOp:
		return Nots(x.Values[0])
	case *pyast.IfExp:
		return Nots(x.Body)
	}
	return 0
}

// ExactStart reports whether [Indentation.Start] gives the statement's own column.
func ExactStart(s pyast.Stmt) bool {
	switch n := s.(type) {
	case *pyast.Return, *pyast.Raise, *pyast.Continue, *pyast.Break, *pyast.Import, *pyast.ImportFrom,
		*pyast.FunctionDef, *pyast.ClassDef, *pyast.AugAssign:
		return true
	case *pyast.Assert:
		line, col := begins(n)
		return n.Line == line && n.Col == col
	case *pyast.Assign:
		_, tuple := n.Targets[0].(*pyast.Tuple) // perhaps in parentheses
		return !tuple
	}
	return false
}

// Column is the indentation of a list's statements, 0 when unknown.
func (in Indentation) Column(list []pyast.Stmt) int {
	if len(list) == 0 {
		return 0
	}
	_, first := in.Start(list[0])
	for _, s := range list {
		// A column that a parenthesis has moved gives way to an exact one.
		if _, c := begins(s); ExactStart(s) && c > 0 && (first == 0 || first-c < 2 && c-first < 2) {
			return c
		}
	}
	return first
}

// KnownColumn is the column of a list's statements as one tells it for certain: by its own place, or where a statement may begin,
// which a parenthesis in front would move. 0 where none does. What leaves may have the place of a clause around it.
func (in Indentation) KnownColumn(list []pyast.Stmt) int {
	for _, s := range list {
		switch s.(type) {
		case *pyast.Return, *pyast.Continue, *pyast.Break:
			continue
		}
		if _, c := begins(s); ExactStart(s) || in.Unit > 1 && in.Begins(c) {
			return c
		}
	}
	return 0
}

// KnownOuter is the column of the statement whose body a list is, 0 where none of it tells.
func (in Indentation) KnownOuter(body []pyast.Stmt) int {
	return max(0, in.KnownColumn(body)-in.Unit)
}
