package sugar

import (
	"github.com/thuml/depyf/internal/pyast"
	"github.com/thuml/depyf/internal/pyc"
)

// elses restores the `else` behind an arm that never comes out. The bytecode is
// the same with and without it; the columns tell how deep a statement stands.
//
//	if a:               if a:
//	    return b            return b
//	return c        →   else:
//	                        return c
func elses(list []pyast.Stmt, v pyc.Version) []pyast.Stmt {
	unit := pyast.IndentUnit(list)
	return eachList(list, func(l []pyast.Stmt) []pyast.Stmt {
		for i := len(l) - 2; i >= 0; i-- {
			k := 0
			switch n := l[i].(type) {
			case *pyast.If:
				// The arm may hang on an `elif`: there the `else` belongs.
				if fallsOff(n.Body) || len(n.OrElse) > 0 {
					continue
				}
				switch {
				case implied(n.Body):
					k = len(l) - i - 1
				case v.HasColumns():
					k = nested(n, l[i+1:], unit)
				case elseByLines(n, l[i+1:], v):
					k = len(l) - i - 1
				}
				if k > 0 {
					n.OrElse = append([]pyast.Stmt(nil), l[i+1:i+1+k]...)
				}
			case *pyast.Try:
				if len(n.Handlers) == 0 || len(n.OrElse) > 0 || len(n.FinalBody) > 0 {
					continue
				}
				comesOut, imply := false, false
				for _, h := range n.Handlers {
					comesOut = comesOut || fallsOff(h.Body)
					imply = imply || implied(h.Body)
				}
				switch {
				case comesOut:
				case imply:
					k = len(l) - i - 1
				case v.HasColumns():
					k = behindTry(n, l[i+1:], unit)
				}
				if k > 0 {
					n.OrElse = append([]pyast.Stmt(nil), l[i+1:i+1+k]...)
				}
			}
			if k > 0 {
				l = append(l[:i+1:i+1], l[i+1+k:]...)
			}
		}
		return l
	})
}

// implied reports whether the list ends with a jump that the source does not
// have: it falls off its end, and what it skips stands in an else clause.
func implied(list []pyast.Stmt) bool {
	if len(list) == 0 {
		return false
	}
	switch s := list[len(list)-1].(type) {
	case *pyast.Continue:
		return s.Col > 0 && !spelled(s, nil, false)
	case *pyast.If:
		return len(s.OrElse) > 0 && (implied(s.Body) || implied(s.OrElse))
	}
	return false
}

// behindTry counts the statements behind n that the source has in n's else clause.
func behindTry(n *pyast.Try, rest []pyast.Stmt, unit int) int {
	body := column(n.Body)
	if body == 0 {
		return 0
	}
	k := 0
	for k < len(rest) {
		line, c := pyast.Start(rest[k])
		if c == 0 || line <= lastLine(n.Body) || c <= body-2 {
			break
		}
		k++
	}
	return k
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

// elseByLines guesses from lines alone (before 3.11). What nine of ten people
// write: one `return` or `raise` that ends the list two lines behind the arm, in
// whose gap `else:` fits, is in an else clause; and an `if` that ends the list on
// the line behind the arm is an `elif`. Everything else follows the `if`.
func elseByLines(n *pyast.If, rest []pyast.Stmt, v pyc.Version) bool {
	if len(rest) != 1 {
		return false
	}
	if _, ok := n.Body[len(n.Body)-1].(*pyast.Return); !ok && !v.DeadCodeRemoved() {
		return false // a jump over the else clause would have been left
	}
	end, next := lastLine(n.Body), firstLine(rest[0])
	if end == 0 || next == 0 {
		return false
	}
	switch rest[0].(type) {
	case *pyast.Return, *pyast.Raise:
		return next-end == 2
	case *pyast.If:
		return next-end == 1
	}
	return false
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
