package pyast

// Walk visits n and everything below it. It calls pre before the children,
// which are skipped when pre returns false, and post after them. Either may be
// nil. Children come in evaluation order where Python defines one: the value
// of an assignment before its targets, the iterable before the loop target.
func Walk(n Node, pre func(Node) bool, post func(Node)) {
	if n != nil {
		walk(n, nil, false, pre, post)
	}
}

// walk is Walk from a node or a list of statements, with or without the bodies of
// functions and classes. Its visitor is a local variable so that it costs no memory: most
// of what is walked is an expression of a few nodes.
func walk(n Node, list []Stmt, own bool, pre func(Node) bool, post func(Node)) {
	w := slotVisitor{own: own}
	w.node = func(n Node) {
		if pre != nil && !pre(n) {
			return
		}
		eachSlot(n, &w)
		if post != nil {
			post(n)
		}
	}
	w.expr = func(p *Expr) {
		e := *p
		if pre != nil && !pre(e) {
			return
		}
		exprSlots(e, &w)
		if post != nil {
			post(e)
		}
	}
	w.block = func(b *[]Stmt) {
		for _, s := range *b {
			if pre != nil && !pre(s) {
				continue
			}
			stmtSlots(s, &w)
			if post != nil {
				post(s)
			}
		}
	}
	if n != nil {
		w.node(n)
	}
	if len(list) > 0 {
		l := list
		w.block(&l)
	}
}

// Inspect is Walk in pre-order only.
func Inspect(n Node, f func(Node) bool) { Walk(n, f, nil) }

// InspectStmts inspects every statement of a list.
func InspectStmts(list []Stmt, f func(Node) bool) { walk(nil, list, false, f, nil) }

// InspectOwn is InspectStmts without the bodies of functions and classes: what is
// evaluated where the statements are.
func InspectOwn(list []Stmt, f func(Node) bool) { walk(nil, list, true, f, nil) }

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
	if n == nil {
		return nil
	}
	return rewrite(n, nil, false, f)
}

// RewriteOwn rewrites every expression of a list of statements, but for those in the
// bodies of functions and classes.
func RewriteOwn(list []Stmt, f func(Expr) Expr) { rewrite(nil, list, true, f) }

// rewrite is Rewrite of a node or a list of statements.
func rewrite(n Node, list []Stmt, own bool, f func(Expr) Expr) Node {
	w := slotVisitor{own: own}
	w.expr = func(e *Expr) {
		exprSlots(*e, &w)
		*e = f(*e)
	}
	w.node = func(n Node) { eachSlot(n, &w) }
	w.block = func(b *[]Stmt) {
		for _, s := range *b {
			stmtSlots(s, &w)
		}
	}
	if len(list) > 0 {
		l := list
		w.block(&l)
	}
	if e, ok := n.(Expr); ok {
		exprSlots(e, &w)
		return f(e)
	}
	if n != nil {
		eachSlot(n, &w)
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
	// Written out, and not by way of eachSlot: passes ask all statements, of which most have none.
	switch n := n.(type) {
	case *FunctionDef:
		f(&n.Body)
	case *ClassDef:
		f(&n.Body)
	case *Module:
		f(&n.Body)
	case *ExceptHandler:
		f(&n.Body)
	case *MatchCase:
		f(&n.Body)
	case *If:
		f(&n.Body)
		f(&n.OrElse)
	case *For:
		f(&n.Body)
		f(&n.OrElse)
	case *While:
		f(&n.Body)
		f(&n.OrElse)
	case *With:
		f(&n.Body)
	case *Match:
		for _, c := range n.Cases {
			f(&c.Body)
		}
	case *Try:
		f(&n.Body)
		for _, h := range n.Handlers {
			f(&h.Body)
		}
		f(&n.OrElse)
		f(&n.FinalBody)
	}
}
