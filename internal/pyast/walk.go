package pyast

// Walk visits n and everything below it. It calls pre before the children,
// which are skipped when pre returns false, and post after them. Either may be
// nil. Children come in evaluation order where Python defines one: the value
// of an assignment before its targets, the iterable before the loop target.
func Walk(n Node, pre func(Node) bool, post func(Node)) {
	var (
		w     slotVisitor
		visit func(Node)
	)
	visit = func(n Node) {
		if pre != nil && !pre(n) {
			return
		}
		eachSlot(n, &w)
		if post != nil {
			post(n)
		}
	}
	w.expr = func(e *Expr) { visit(*e) }
	w.node = visit
	w.block = func(b *[]Stmt) {
		for _, s := range *b {
			visit(s)
		}
	}
	if n != nil {
		visit(n)
	}
}

// Inspect is Walk in pre-order only.
func Inspect(n Node, f func(Node) bool) { Walk(n, f, nil) }

// InspectStmts inspects every statement of a list.
func InspectStmts(list []Stmt, f func(Node) bool) {
	for _, s := range list {
		Walk(s, f, nil)
	}
}

// Children calls f for every direct child of n.
func Children(n Node, f func(Node)) {
	w := slotVisitor{
		expr: func(e *Expr) { f(*e) },
		node: f,
		block: func(b *[]Stmt) {
			for _, s := range *b {
				f(s)
			}
		},
	}
	eachSlot(n, &w)
}

// Rewrite replaces, in place and bottom-up, every expression below n by f of
// it. f sees an expression after its children were rewritten, may edit it, and
// must return a non-nil expression. When n is itself an expression it is
// rewritten too and the result returned; otherwise the result is n.
func Rewrite(n Node, f func(Expr) Expr) Node {
	var w slotVisitor
	w.expr = func(e *Expr) {
		eachSlot(*e, &w)
		*e = f(*e)
	}
	w.node = func(n Node) { eachSlot(n, &w) }
	w.block = func(b *[]Stmt) {
		for _, s := range *b {
			eachSlot(s, &w)
		}
	}
	if n == nil {
		return nil
	}
	eachSlot(n, &w)
	if e, ok := n.(Expr); ok {
		return f(e)
	}
	return n
}

// RewriteExpr is Rewrite for an expression.
func RewriteExpr(e Expr, f func(Expr) Expr) Expr {
	if e == nil {
		return nil
	}
	return Rewrite(e, f).(Expr)
}

// RewriteBlocks replaces, in place and bottom-up, every statement list below n
// (bodies, else and finally clauses, handlers, cases, and those of nested
// functions and classes) by f of it.
func RewriteBlocks(n Node, f func([]Stmt) []Stmt) {
	var w slotVisitor
	w.node = func(n Node) { eachSlot(n, &w) }
	w.block = func(b *[]Stmt) {
		for _, s := range *b {
			eachSlot(s, &w)
		}
		*b = f(*b)
	}
	if n != nil {
		eachSlot(n, &w)
	}
}

// Blocks calls f with the address of every statement list directly in n: the
// clauses of n and of its handlers or cases, but nothing nested deeper.
func Blocks(n Node, f func(*[]Stmt)) {
	var w slotVisitor
	w.block = f
	w.node = func(c Node) {
		switch c.(type) {
		case *ExceptHandler, *MatchCase:
			eachSlot(c, &w)
		}
	}
	if n != nil {
		eachSlot(n, &w)
	}
}
