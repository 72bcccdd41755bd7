package pyast

import (
	"fmt"

	"github.com/thuml/depyf/internal/pyc"
)

// Width is about how many columns an expression takes on one line.
func Width(e Expr) int {
	w := 0
	Inspect(e, func(n Node) bool {
		w += ownWidth(n)
		return true
	})
	return w
}

// ownWidth is the width of what stands between the parts of a node.
func ownWidth(n Node) int {
	list := func(brackets, items int) int { return brackets + max(items-1, 0)*len(", ") }
	switch n := n.(type) {
	case *Name:
		return len(n.Id)
	case *Attribute:
		return len(".") + len(n.Attr)
	case *Constant:
		return constWidth(n.Value)
	case *Verbatim:
		return len(n.Text)
	case *Call:
		return list(len("()"), len(n.Args)+len(n.Keywords))
	case *Keyword:
		return len(n.Arg) + len("=")
	case *Subscript:
		return len("[]")
	case *Slice:
		return len(":")
	case *Tuple:
		return list(len("()"), len(n.Elts))
	case *List:
		return list(len("[]"), len(n.Elts))
	case *Set:
		return list(len("{}"), len(n.Elts))
	case *Dict:
		return list(len("{}"), 2*len(n.Values))
	case *BinOp:
		return len(" + ")
	case *UnaryOp:
		if n.Op == Not {
			return len("not ")
		}
		return len("-")
	case *BoolOp:
		return (len(n.Values) - 1) * len(" and ")
	case *Compare:
		w := 0
		for _, op := range n.Ops {
			switch op {
			case Is, In:
				w += len(" is ")
			case IsNot, NotIn:
				w += len(" is not ")
			default:
				w += len(" == ")
			}
		}
		return w
	case *IfExp:
		return len(" if  else ")
	case *NamedExpr:
		return len("( := )")
	case *Lambda:
		return len("lambda: ")
	case *Await:
		return len("await ")
	case *Comprehension:
		return len(" for  in ") + len(n.Ifs)*len(" if ")
	case *JoinedStr:
		return len(`f""`)
	case *FormattedValue:
		return len("{}")
	}
	return 0
}

func constWidth(c pyc.Const) int {
	switch v := c.(type) {
	case pyc.Str:
		return len(v) + 2
	case pyc.Bytes:
		return len(v) + 3
	case pyc.Tuple:
		w := 2
		for _, x := range v {
			w += constWidth(x) + 2
		}
		return w
	case pyc.None, pyc.Bool, pyc.Ellipsis:
		return 4
	}
	return len(fmt.Sprint(c))
}
