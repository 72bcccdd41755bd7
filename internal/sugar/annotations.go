package sugar

import (
	"strings"

	"github.com/thuml/depyf/internal/pyast"
	"github.com/thuml/depyf/internal/pyc"
	"github.com/thuml/depyf/internal/pyprint"
)

// annotations restores annotated assignments of modules and classes (≤3.13).
//
//	x = 1                              →   x: int = 1
//	__annotations__["x"] = int
func annotations(list []pyast.Stmt) []pyast.Stmt {
	return eachList(list, func(l []pyast.Stmt) []pyast.Stmt {
		var out []pyast.Stmt
		for _, s := range l {
			name, ann, ok := annotation(s)
			if n := len(out); !ok && n > 0 && ofAttribute(out[n-1], s) {
				a := out[n-1].(*pyast.Assign)
				node := &pyast.AnnAssign{Target: a.Targets[0], Annotation: s.(*pyast.ExprStmt).Value, Value: a.Value}
				node.Pos = a.Pos
				out[n-1] = node
				continue
			}
			if !ok {
				out = append(out, s)
				continue
			}
			node := &pyast.AnnAssign{Target: pyast.N(name), Annotation: ann, Simple: true}
			node.Pos = *s.Position()
			if n := len(out); n > 0 {
				if a, ok := out[n-1].(*pyast.Assign); ok && len(a.Targets) == 1 {
					if t, ok := a.Targets[0].(*pyast.Name); ok && t.Id == name {
						node.Value = a.Value
						out = out[:n-1]
					}
				}
			}
			out = append(out, node)
		}
		return out
	})
}

// ofAttribute reports whether s is the annotation of the assignment in front: to
// an attribute, an item, or a name in parentheses. It is evaluated and dropped.
//
//	a.b = 1; int       →   a.b: int = 1      (all on one line)
func ofAttribute(front, s pyast.Stmt) bool {
	a, ok := front.(*pyast.Assign)
	e, isExpr := s.(*pyast.ExprStmt)
	if !ok || !isExpr || len(a.Targets) != 1 || a.Line <= 0 || a.Line != e.Line {
		return false
	}
	switch t := a.Targets[0].(type) {
	case *pyast.Attribute, *pyast.Subscript:
	case *pyast.Name:
		if strings.HasPrefix(t.Id, "__") && strings.HasSuffix(t.Id, "__") {
			return false // that the compiler stores, at the place of the first statement
		}
	default:
		return false
	}
	switch e.Value.(type) {
	case *pyast.Name, *pyast.Attribute, *pyast.Subscript, *pyast.BinOp:
		return true
	}
	return false
}

func annotation(s pyast.Stmt) (string, pyast.Expr, bool) {
	a, ok := s.(*pyast.Assign)
	if !ok || len(a.Targets) != 1 {
		return "", nil, false
	}
	t, ok := a.Targets[0].(*pyast.Subscript)
	if !ok {
		return "", nil, false
	}
	n, ok := t.Value.(*pyast.Name)
	c, isConst := t.Slice.(*pyast.Constant)
	if !ok || !isConst || n.Id != "__annotations__" {
		return "", nil, false
	}
	key, ok := c.Value.(pyc.Str)
	return string(key), a.Value, ok && pyprint.ValidName(string(key))
}
