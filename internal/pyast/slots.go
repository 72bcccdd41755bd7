package pyast

// slotVisitor receives the children of a node. Expressions come by the address
// of the field that holds them, so that they can be replaced, and statement
// lists by the address of the list; the rest come as nodes. Nil children are
// not reported. A nil function skips that kind of child.
type slotVisitor struct {
	expr  func(*Expr)
	node  func(Node)
	block func(*[]Stmt)
	own   bool // the bodies of functions and classes are skipped, too
}

func (w *slotVisitor) e(e *Expr) {
	if w.expr != nil && *e != nil {
		w.expr(e)
	}
}

func (w *slotVisitor) es(list []Expr) {
	if w.expr == nil {
		return
	}
	for i := range list {
		if list[i] != nil {
			w.expr(&list[i])
		}
	}
}

func (w *slotVisitor) b(list *[]Stmt) {
	if w.block != nil {
		w.block(list)
	}
}

// nodes reports a list of typed nodes. It is a function because methods cannot
// have type parameters.
func nodes[T interface {
	comparable
	Node
}](w *slotVisitor, list ...T) {
	var zero T
	if w.node == nil {
		return
	}
	for _, n := range list {
		if n != zero {
			w.node(n)
		}
	}
}

// eachSlot is the one place that knows the children of every node.
func eachSlot(n Node, w *slotVisitor) {
	switch n := n.(type) {
	case Expr:
		exprSlots(n, w)
	case Stmt:
		stmtSlots(n, w)
	case Pattern:
		patternSlots(n, w)
	case *Module:
		w.b(&n.Body)
	case *Arguments:
		// Defaults are evaluated first, then the annotations.
		w.es(n.Defaults)
		w.es(n.KwDefaults)
		nodes(w, n.PosOnlyArgs...)
		nodes(w, n.Args...)
		nodes(w, n.VarArg)
		nodes(w, n.KwOnlyArgs...)
		nodes(w, n.KwArg)
	case *Arg:
		w.e(&n.Annotation)
	case *Keyword:
		w.e(&n.Value)
	case *Comprehension:
		w.e(&n.Iter)
		w.e(&n.Target)
		w.es(n.Ifs)
	case *ExceptHandler:
		w.e(&n.Type)
		w.b(&n.Body)
	case *WithItem:
		w.e(&n.ContextExpr)
		w.e(&n.OptionalVars)
	case *MatchCase:
		nodes(w, n.Pattern)
		w.e(&n.Guard)
		w.b(&n.Body)
	case *TypeVar:
		w.e(&n.Bound)
		w.e(&n.DefaultValue)
	case *ParamSpec:
		w.e(&n.DefaultValue)
	case *TypeVarTuple:
		w.e(&n.DefaultValue)
	}
}

func exprSlots(n Expr, w *slotVisitor) {
	switch n := n.(type) {
	case *BoolOp:
		w.es(n.Values)
	case *NamedExpr:
		w.e(&n.Value)
		w.e(&n.Target)
	case *BinOp:
		w.e(&n.Left)
		w.e(&n.Right)
	case *UnaryOp:
		w.e(&n.Operand)
	case *Lambda:
		nodes(w, n.Args)
		w.e(&n.Body)
	case *IfExp:
		w.e(&n.Test)
		w.e(&n.Body)
		w.e(&n.OrElse)
	case *Dict:
		for i := range n.Values {
			if i < len(n.Keys) {
				w.e(&n.Keys[i])
			}
			w.e(&n.Values[i])
		}
	case *Set:
		w.es(n.Elts)
	case *ListComp:
		nodes(w, n.Generators...)
		w.e(&n.Elt)
	case *SetComp:
		nodes(w, n.Generators...)
		w.e(&n.Elt)
	case *DictComp:
		nodes(w, n.Generators...)
		w.e(&n.Key)
		w.e(&n.Value)
	case *GeneratorExp:
		nodes(w, n.Generators...)
		w.e(&n.Elt)
	case *Await:
		w.e(&n.Value)
	case *Yield:
		w.e(&n.Value)
	case *YieldFrom:
		w.e(&n.Value)
	case *Compare:
		w.e(&n.Left)
		w.es(n.Comparators)
	case *Call:
		w.e(&n.Func)
		w.es(n.Args)
		nodes(w, n.Keywords...)
	case *FormattedValue:
		w.e(&n.Value)
		w.e(&n.FormatSpec)
	case *JoinedStr:
		w.es(n.Values)
	case *Interpolation:
		w.e(&n.Value)
		w.e(&n.FormatSpec)
	case *TemplateStr:
		w.es(n.Values)
	case *Attribute:
		w.e(&n.Value)
	case *Subscript:
		w.e(&n.Value)
		w.e(&n.Slice)
	case *Starred:
		w.e(&n.Value)
	case *Hole:
		w.es(n.Args)
	case *List:
		w.es(n.Elts)
	case *Tuple:
		w.es(n.Elts)
	case *Slice:
		w.e(&n.Lower)
		w.e(&n.Upper)
		w.e(&n.Step)
	}
}

func stmtSlots(n Stmt, w *slotVisitor) {
	switch n := n.(type) {
	case *FunctionDef:
		w.es(n.DecoratorList)
		nodes(w, n.TypeParams...)
		nodes(w, n.Args)
		w.e(&n.Returns)
		if !w.own {
			w.b(&n.Body)
		}
	case *ClassDef:
		w.es(n.DecoratorList)
		nodes(w, n.TypeParams...)
		w.es(n.Bases)
		nodes(w, n.Keywords...)
		if !w.own {
			w.b(&n.Body)
		}
	case *Return:
		w.e(&n.Value)
	case *Delete:
		w.es(n.Targets)
	case *Assign:
		w.e(&n.Value)
		w.es(n.Targets)
	case *TypeAlias:
		nodes(w, n.TypeParams...)
		w.e(&n.Value)
		w.e(&n.Name)
	case *AugAssign:
		w.e(&n.Target)
		w.e(&n.Value)
	case *AnnAssign:
		w.e(&n.Value)
		w.e(&n.Target)
		w.e(&n.Annotation)
	case *For:
		w.e(&n.Iter)
		w.e(&n.Target)
		w.b(&n.Body)
		w.b(&n.OrElse)
	case *While:
		w.e(&n.Test)
		w.b(&n.Body)
		w.b(&n.OrElse)
	case *If:
		w.e(&n.Test)
		w.b(&n.Body)
		w.b(&n.OrElse)
	case *With:
		nodes(w, n.Items...)
		w.b(&n.Body)
	case *Match:
		w.e(&n.Subject)
		nodes(w, n.Cases...)
	case *Raise:
		w.e(&n.Exc)
		w.e(&n.Cause)
	case *Try:
		w.b(&n.Body)
		nodes(w, n.Handlers...)
		w.b(&n.OrElse)
		w.b(&n.FinalBody)
	case *Assert:
		w.e(&n.Test)
		w.e(&n.Msg)
	case *Import:
		nodes(w, n.Names...)
	case *ImportFrom:
		nodes(w, n.Names...)
	case *ExprStmt:
		w.e(&n.Value)
	}
}

func patternSlots(n Pattern, w *slotVisitor) {
	switch n := n.(type) {
	case *MatchValue:
		w.e(&n.Value)
	case *MatchSequence:
		nodes(w, n.Patterns...)
	case *MatchMapping:
		w.es(n.Keys)
		nodes(w, n.Patterns...)
	case *MatchClass:
		w.e(&n.Cls)
		nodes(w, n.Patterns...)
		nodes(w, n.KwdPatterns...)
	case *MatchAs:
		nodes(w, n.Pattern)
	case *MatchOr:
		nodes(w, n.Patterns...)
	}
}
