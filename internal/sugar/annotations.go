package sugar

import (
	"github.com/thuml/depyf/internal/pyast"
	"github.com/thuml/depyf/internal/pyc"
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
	return string(key), a.Value, ok
}
