package pyast

// Start tells where a statement begins in the source: its line and column, 0
// where the bytecode does not say. The column of a compound statement is worked
// out from its first expression, which a parenthesis may move by one.
func Start(s Stmt) (line, col int) {
	p := s.Position()
	less := func(e Node, keyword int) (int, int) {
		l, c := Leftmost(e)
		return l, max(0, c-keyword)
	}
	switch n := s.(type) {
	case *Return:
		// What leaves through a finally clause has the place of the clause.
		if n.Value != nil && n.Value.Position().Line > 0 && n.Value.Position().Line < p.Line {
			if line, col := less(n.Value, len("return ")); line > 0 {
				return line, col
			}
			return n.Value.Position().Line, 0
		}
		return p.Line, p.Col
	case *Raise, *Continue, *Break, *Import, *ImportFrom,
		*FunctionDef, *ClassDef:
		return p.Line, p.Col
	case *If:
		return less(n.Test, len("if ")+Nots(n.Test))
	case *While:
		if _, col := Leftmost(n.Test); col == 0 {
			return p.Line, p.Col
		}
		return less(n.Test, len("while ")+Nots(n.Test))
	case *Assert:
		if _, col := Leftmost(n.Test); p.Col > 0 && (p.Col < col || p.Line < n.Test.Position().Line) {
			return p.Line, p.Col
		}
		return less(n.Test, len("assert ")+Nots(n.Test))
	case *For:
		k := len("for ")
		if n.IsAsync {
			k = len("async for ")
		}
		return less(n.Target, k)
	case *With:
		k := len("with ")
		if n.IsAsync {
			k = len("async with ")
		}
		return less(n.Items[0].ContextExpr, k)
	case *Delete:
		return less(n.Targets[0], len("del "))
	case *Assign:
		line, col := less(n.Targets[0], 0)
		t, ok := n.Targets[0].(*Tuple)
		if v, isTuple := n.Value.(*Tuple); ok && isTuple && len(t.Elts) == 2 && len(v.Elts) == 2 {
			// 3.13+ stores `a, b = c, d` by one instruction, which stands at b.
			a, ok1 := t.Elts[0].(*Name)
			b, ok2 := t.Elts[1].(*Name)
			if ok1 && ok2 && a.Line == b.Line && a.Col == b.Col {
				col = max(0, col-len(a.Id)-len(", "))
			}
		}
		return line, col
	case *AugAssign:
		return less(n.Target, 0)
	case *AnnAssign:
		return less(n.Target, 0)
	case *ExprStmt:
		return less(n.Value, 0)
	}
	return p.Line, 0
}

// Leftmost is the first place in the source that a node's expressions stand at.
func Leftmost(n Node) (line, col int) {
	Inspect(n, func(x Node) bool {
		if p := x.Position(); p.Col > 0 && (line == 0 || p.Line < line || p.Line == line && p.Col < col) {
			line, col = p.Line, p.Col
		}
		return true
	})
	return line, col
}

// Nots is the width of the `not` in front of a test that has no instruction.
func Nots(e Expr) int {
	switch x := e.(type) {
	case *UnaryOp:
		if x.Op == Not && (x.Col == 0 || x.Col == x.Operand.Position().Col) {
			return len("not ") + Nots(x.Operand)
		}
	case *BoolOp:
		return Nots(x.Values[0])
	case *IfExp:
		return Nots(x.Body)
	}
	return 0
}

// ExactStart reports whether Start gives the statement's own column.
func ExactStart(s Stmt) bool {
	switch n := s.(type) {
	case *Return, *Raise, *Continue, *Break, *Import, *ImportFrom,
		*FunctionDef, *ClassDef, *AugAssign:
		return true
	case *Assert:
		line, col := Start(n)
		return n.Line == line && n.Col == col
	case *Assign:
		_, tuple := n.Targets[0].(*Tuple) // perhaps in parentheses
		return !tuple
	}
	return false
}

// Lines are the first and the last line of the source that something of a node stands on, 0 where nothing is known.
func Lines(n Node) (first, last int) {
	Inspect(n, func(x Node) bool {
		p := x.Position()
		if p.Line > 0 && (first == 0 || p.Line < first) {
			first = p.Line
		}
		last = max(last, p.Line, p.EndLine)
		return true
	})
	return first, last
}
