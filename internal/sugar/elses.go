package sugar

import "github.com/thuml/depyf/internal/pyast"

// elses restores the `else` behind an arm that never comes out. The bytecode is
// the same with and without it; the columns tell how deep a statement stands.
//
//	if a:               if a:
//	    return b            return b
//	return c        →   else:
//	                        return c
func elses(list []pyast.Stmt) []pyast.Stmt {
	unit := pyast.IndentUnit(list)
	return eachList(list, func(l []pyast.Stmt) []pyast.Stmt {
		for i := len(l) - 2; i >= 0; i-- {
			// The arm may hang on an `elif`: there the `else` belongs.
			n, ok := l[i].(*pyast.If)
			if !ok || fallsOff(n.Body) || len(n.OrElse) > 0 {
				continue
			}
			if k := nested(n, l[i+1:], unit); k > 0 {
				n.OrElse = append([]pyast.Stmt(nil), l[i+1:i+1+k]...)
				l = append(l[:i+1:i+1], l[i+1+k:]...)
			}
		}
		return l
	})
}

// nested counts the statements behind n that the source has in n's else clause.
func nested(n *pyast.If, rest []pyast.Stmt, unit int) int {
	test, own := pyast.Start(n)
	body := column(n.Body)
	switch line, _ := pyast.Start(n.Body[0]); {
	case body == 0 || own == 0 || line < test:
		return 0
	case line > test:
		own = body - unit
	default: // `if a: return b`: an `elif` or a parenthesis has moved the test
		own = (own-1)/unit*unit + 1
		body = own + unit
	}
	deep := func(s pyast.Stmt) bool {
		line, c := pyast.Start(s)
		if c == 0 || line <= lastLine(n.Body) {
			return false
		}
		if pyast.ExactStart(s) {
			return c > own
		}
		return c > own+1
	}
	if len(rest) == 0 || !deep(rest[0]) {
		return 0
	}
	if _, c := pyast.Start(rest[0]); c < body-1 {
		return 1 // elif
	}
	k := 1
	for k < len(rest) && deep(rest[k]) {
		k++
	}
	return k
}

// fallsOff reports whether control can come out at the end of the list.
func fallsOff(list []pyast.Stmt) bool {
	if len(list) == 0 {
		return true
	}
	switch n := list[len(list)-1].(type) {
	case *pyast.Return, *pyast.Raise, *pyast.Break, *pyast.Continue:
		return false
	case *pyast.If:
		return len(n.OrElse) == 0 || fallsOff(n.Body) || fallsOff(n.OrElse)
	case *pyast.Try:
		if len(n.FinalBody) > 0 && !fallsOff(n.FinalBody) {
			return false
		}
		if fallsOff(n.Body) && (len(n.OrElse) == 0 || fallsOff(n.OrElse)) {
			return true
		}
		for _, h := range n.Handlers {
			if fallsOff(h.Body) {
				return true
			}
		}
		return false
	}
	return true
}
