package sugar

import "github.com/thuml/depyf/internal/pyast"

// joinTry merges what one statement of the source compiles to.
//
//	try:                      try:
//	    try:                      a
//	        a             →   except E:
//	    except E:                 b
//	        b                 finally:
//	finally:                      c
//	    c
//
//	with a:               →   with a, b:
//	    with b:                   c
//	        c
func joinTry(list []pyast.Stmt) []pyast.Stmt {
	return eachList(list, func(l []pyast.Stmt) []pyast.Stmt {
		for _, s := range l {
			switch n := s.(type) {
			case *pyast.Try:
				if len(n.Handlers) > 0 || len(n.Body) != 1 {
					break
				}
				in, ok := n.Body[0].(*pyast.Try)
				if !ok || len(in.FinalBody) > 0 {
					break
				}
				n.Body, n.Handlers, n.OrElse, n.IsStar = in.Body, in.Handlers, in.OrElse, in.IsStar
			case *pyast.With:
				for len(n.Body) == 1 {
					in, ok := n.Body[0].(*pyast.With)
					if !ok || in.IsAsync != n.IsAsync || in.Line != n.Line {
						break
					}
					n.Items = append(n.Items, in.Items...)
					n.Body = in.Body
				}
			}
		}
		return l
	})
}
