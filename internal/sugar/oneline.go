package sugar

import "github.com/thuml/depyf/internal/pyast"

// oneLine joins what one statement of the source compiles to.
//
//	import a       →   import a, b
//	import b
//	del c          →   del c, d
//	del d
//
// Only statements on one line count; columns tell them from `import a; import b`.
func oneLine(list []pyast.Stmt) []pyast.Stmt {
	return eachList(list, func(l []pyast.Stmt) []pyast.Stmt {
		out := l[:0:0]
		for _, s := range l {
			if n := len(out); n > 0 && joined(out[n-1], s) {
				continue
			}
			out = append(out, s)
		}
		return out
	})
}

// joined appends s to the statement in front, if they are one in the source.
func joined(before, s pyast.Stmt) bool {
	p, q := before.Position(), s.Position()
	if p.Line == 0 || p.Line != q.Line {
		return false
	}
	switch a := before.(type) {
	case *pyast.Import:
		b, ok := s.(*pyast.Import)
		if !ok || p.Col != q.Col {
			return false
		}
		a.Names = append(a.Names, b.Names...)
		return true
	case *pyast.Delete:
		b, ok := s.(*pyast.Delete)
		if !ok {
			return false
		}
		a.Targets = append(a.Targets, b.Targets...)
		return true
	}
	return false
}
