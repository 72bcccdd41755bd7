package generate

import "github.com/thuml/depyf/internal/pyast"

// places are what a change can be made at.
type places struct {
	blocks []*[]pyast.Stmt
	exprs  []pyast.Expr // those that are read, innermost first
	fixed  map[pyast.Expr]bool
}

// find lists the places of a tree. An expression that is assigned to or deleted, and
// one whose kind the grammar prescribes, is fixed.
func find(root pyast.Node) *places {
	p := &places{fixed: map[pyast.Expr]bool{}}
	pyast.Inspect(root, func(n pyast.Node) bool {
		switch n := n.(type) {
		case *pyast.Assign:
			p.fixAll(n.Targets)
		case *pyast.AugAssign:
			p.fix(n.Target)
		case *pyast.AnnAssign:
			p.fix(n.Target)
		case *pyast.TypeAlias:
			p.fix(n.Name)
		case *pyast.Delete:
			p.fixAll(n.Targets)
		case *pyast.For:
			p.fix(n.Target)
		case *pyast.Comprehension:
			p.fix(n.Target)
		case *pyast.NamedExpr:
			p.fix(n.Target)
		case *pyast.WithItem:
			p.fix(n.OptionalVars)
		case *pyast.MatchValue:
			p.fixTree(n.Value)
		case *pyast.MatchMapping:
			for _, k := range n.Keys {
				p.fixTree(k)
			}
		case *pyast.MatchClass:
			p.fixTree(n.Cls)
		case *pyast.JoinedStr:
			p.fixAll(n.Values)
		case *pyast.TemplateStr:
			for _, v := range n.Values {
				p.fixTree(v) // a field repeats the text of its expression
			}
		case *pyast.FormattedValue:
			p.fix(n.FormatSpec)
		case *pyast.Subscript:
			if t, ok := n.Slice.(*pyast.Tuple); ok {
				p.fix(t)
			}
		}
		return true
	})
	pyast.Rewrite(root, func(e pyast.Expr) pyast.Expr {
		switch e.(type) {
		case *pyast.Starred, *pyast.Slice:
		default:
			if !p.fixed[e] {
				p.exprs = append(p.exprs, e)
			}
		}
		return e
	})
	p.blocksOf(root)
	return p
}

// blocksOf lists the statement lists below n, outermost first.
func (p *places) blocksOf(n pyast.Node) {
	pyast.Inspect(n, func(n pyast.Node) bool {
		switch n.(type) {
		case *pyast.ExceptHandler, *pyast.MatchCase: // their statement has listed them
		default:
			pyast.Blocks(n, func(b *[]pyast.Stmt) { p.blocks = append(p.blocks, b) })
		}
		return true
	})
}

func (p *places) fixAll(list []pyast.Expr) {
	for _, e := range list {
		p.fix(e)
	}
}

// fix marks a target with its parts; what stands in brackets or before a dot is read.
func (p *places) fix(e pyast.Expr) {
	if e == nil {
		return
	}
	p.fixed[e] = true
	switch e := e.(type) {
	case *pyast.Tuple:
		p.fixAll(e.Elts)
	case *pyast.List:
		p.fixAll(e.Elts)
	case *pyast.Starred:
		p.fix(e.Value)
	}
}

func (p *places) fixTree(e pyast.Expr) {
	pyast.Inspect(e, func(n pyast.Node) bool {
		if e, ok := n.(pyast.Expr); ok {
			p.fixed[e] = true
		}
		return true
	})
}

// replace puts with in the place of one expression.
func replace(root pyast.Node, old, with pyast.Expr) {
	pyast.Rewrite(root, func(e pyast.Expr) pyast.Expr {
		if e == old {
			return with
		}
		return e
	})
}
