package sugar

import "github.com/thuml/depyf/internal/pyast"

// startOf tells where a statement begins in the source: its line and column, 0
// where the bytecode does not say. The column of a compound statement is worked
// out from its first expression, which a parenthesis may move by one.
func startOf(s pyast.Stmt) (line, col int) {
	p := s.Position()
	less := func(e pyast.Node, keyword int) (int, int) {
		l, c := leftmost(e)
		return l, max(0, c-keyword)
	}
	switch n := s.(type) {
	case *pyast.Return, *pyast.Raise, *pyast.Continue, *pyast.Break, *pyast.Import, *pyast.ImportFrom,
		*pyast.FunctionDef, *pyast.ClassDef:
		return p.Line, p.Col
	case *pyast.If:
		return less(n.Test, len("if ")+nots(n.Test))
	case *pyast.While:
		if _, col := leftmost(n.Test); col == 0 {
			return p.Line, p.Col
		}
		return less(n.Test, len("while ")+nots(n.Test))
	case *pyast.Assert:
		return less(n.Test, len("assert ")+nots(n.Test))
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

// leftmost is the first place in the source that a node's expressions stand at.
func leftmost(n pyast.Node) (line, col int) {
	pyast.Inspect(n, func(x pyast.Node) bool {
		if p := x.Position(); p.Col > 0 && (line == 0 || p.Line < line || p.Line == line && p.Col < col) {
			line, col = p.Line, p.Col
		}
		return true
	})
	return line, col
}

// nots is the width of the `not` in front of a test that has no instruction.
func nots(e pyast.Expr) int {
	switch x := e.(type) {
	case *pyast.UnaryOp:
		if x.Op == pyast.Not && (x.Col == 0 || x.Col == x.Operand.Position().Col) {
			return len("not ") + nots(x.Operand)
		}
	case *pyast.BoolOp:
		return nots(x.Values[0])
	case *pyast.IfExp:
		return nots(x.Body)
	}
	return 0
}

// lastLine is the last line on which something of the list stands.
func lastLine(list []pyast.Stmt) int {
	line := 0
	pyast.InspectStmts(list, func(n pyast.Node) bool {
		p := n.Position()
		line = max(line, p.Line, p.EndLine)
		return true
	})
	return line
}

// indentation knows how deep the statements of a function are indented.
type indentation struct{ unit int }

// measure finds the width of one level.
func measure(list []pyast.Stmt) indentation {
	cols := map[int]bool{}
	pyast.InspectStmts(list, func(n pyast.Node) bool {
		if s, ok := n.(pyast.Stmt); ok && exact(s) {
			if _, c := startOf(s); c > 0 {
				cols[c] = true
			}
		}
		return true
	})
	unit := 4
	for a := range cols {
		for b := range cols {
			if b > a {
				unit = min(unit, b-a)
			}
		}
	}
	return indentation{max(unit, 2)}
}

// exact reports whether startOf gives the statement's own column.
func exact(s pyast.Stmt) bool {
	switch n := s.(type) {
	case *pyast.Return, *pyast.Raise, *pyast.Continue, *pyast.Break, *pyast.Import, *pyast.ImportFrom,
		*pyast.FunctionDef, *pyast.ClassDef, *pyast.AugAssign:
		return true
	case *pyast.Assign:
		_, tuple := n.Targets[0].(*pyast.Tuple) // perhaps in parentheses
		return !tuple
	}
	return false
}

// column is the indentation of a list's statements, 0 when unknown.
func column(list []pyast.Stmt) int {
	if len(list) == 0 {
		return 0
	}
	_, first := startOf(list[0])
	for _, s := range list {
		// A column that a parenthesis has moved gives way to an exact one.
		if _, c := startOf(s); exact(s) && c > 0 && (first == 0 || first-c < 2 && c-first < 2) {
			return c
		}
	}
	return first
}
