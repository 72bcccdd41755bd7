package sugar

import (
	"slices"

	"github.com/thuml/depyf/internal/evidence"
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
func elses(list []pyast.Stmt, o Options) []pyast.Stmt {
	v, in, own := o.Version, o.Indentation, list
	var inElse map[pyast.Stmt]bool
	if !v.HasColumns() {
		inElse = elseClauses(list)
	}
	return eachList(list, func(l []pyast.Stmt) []pyast.Stmt {
		for i, s := range l {
			if n, ok := s.(*pyast.Try); ok {
				if more := elseBelow(n, v, in); len(more) > 0 {
					l = append(l[:i+1:i+1], more...) // what followed was never reached
					break
				}
			}
		}
		for i := len(l) - 1; i >= 0; i-- {
			k := 0
			switch n := l[i].(type) {
			case *pyast.If:
				if more, all := belowElse(n, l[i+1:]); more != nil {
					if all {
						l = l[: i+1 : i+1]
					}
					l = slices.Insert(l, i+1, more...)
					continue
				}
				if len(n.OrElse) > 1 && i == len(l)-1 && v.HasColumns() && !fallsOff(n.Body) {
					l = append(l, outOfElse(n, in)...)
					continue
				}
				// The arm may hang on an `elif`: there the `else` belongs.
				if fallsOff(n.Body) || len(n.OrElse) > 0 || i == len(l)-1 {
					continue
				}
				switch {
				case implied(n.Body), leavesBelow(n.Body, l[i+1]):
					k = len(l) - i - 1
				case v.HasColumns():
					k = nested(n, l[i+1:], in)
				default:
					k = elseByLines(l, i, o, beside{own: l[0] == own[0], inElse: inElse[l[0]]})
				}
				if k > 0 {
					n.OrElse = append([]pyast.Stmt(nil), l[i+1:i+1+k]...)
				}
			case *pyast.Try:
				if len(n.Handlers) == 0 || len(n.OrElse) > 0 || len(n.FinalBody) > 0 || i == len(l)-1 {
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
					k = behindTry(n, l[i+1:], in)
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
	case *pyast.Return:
		return atPass(s)
	case *pyast.If:
		return len(s.OrElse) > 0 && (implied(s.Body) || implied(s.OrElse))
	}
	return false
}

// elsesOfTry finds the clauses of a function's own list that most likely are a
// `pass`, with what follows in an else clause (3.10): the function's end is copied
// behind the clause, on the line of the `pass`, and what follows leaves room for
// an `else:`.
//
//	except E:           except E:
//	    return     →        pass
//	a()                 else:
//	                        a()
func elsesOfTry(l []pyast.Stmt) []pyast.Stmt {
	if len(l) == 0 {
		return l
	}
	if n, ok := l[len(l)-1].(*pyast.Try); ok && len(n.FinalBody) == 0 {
		for _, h := range n.Handlers {
			if len(h.Body) == 1 && isPlainReturn(h.Body[0]) {
				h.Body = []pyast.Stmt{&pyast.Pass{}}
			}
		}
	}
	for i := len(l) - 2; i >= 0; i-- {
		if n, ok := l[i].(*pyast.Try); ok && len(n.OrElse)+len(n.FinalBody) == 0 && elseOfTry(n, l[i+1:]) {
			n.Handlers[0].Body = []pyast.Stmt{&pyast.Pass{}}
			n.OrElse = append([]pyast.Stmt(nil), l[i+1:]...)
			l = l[: i+1 : i+1]
		}
	}
	return l
}

func elseOfTry(n *pyast.Try, rest []pyast.Stmt) bool {
	if len(n.Handlers) != 1 || len(n.Handlers[0].Body) != 1 || len(rest) == 0 || !isPlainReturn(n.Handlers[0].Body[0]) {
		return false
	}
	end := n.Handlers[0].Body[0].Position().Line
	return end > 0 && evidence.StartLine(rest[0])-end == 2
}

// elseBelow moves what stands below the clauses of a try statement, and can raise
// nothing, from its body into its else clause, or behind it.
//
//	try:                  try:
//	    a()                   a()
//	    return True       except E:
//	except E:        →        b()
//	    b()               else:
//	                          return True
func elseBelow(n *pyast.Try, v pyc.Version, in evidence.Indentation) (behind []pyast.Stmt) {
	if len(n.Handlers) == 0 || len(n.OrElse) > 0 || len(n.FinalBody) > 0 || len(n.Body) < 2 {
		return nil
	}
	k := len(n.Body) - 1
	last := n.Body[k]
	switch s := last.(type) {
	case *pyast.Break, *pyast.Continue:
	case *pyast.Return:
		switch s.Value.(type) {
		case nil, *pyast.Constant, *pyast.Name:
		default:
			return nil
		}
	default:
		return nil
	}
	end, comesOut := 0, false
	for _, h := range n.Handlers {
		end = max(end, evidence.LastLine(h.Body))
		comesOut = comesOut || fallsOff(h.Body)
	}
	line, col := in.Start(last)
	if line == 0 || end == 0 || line <= end {
		return nil
	}
	below := line-end > 1 // room for `else:`
	if body := in.Column(n.Body[:k]); v.HasColumns() && col > 0 && body > 0 {
		below = col >= body-in.Slack()
	}
	n.Body = n.Body[:k:k]
	if comesOut || below {
		n.OrElse = []pyast.Stmt{last}
		return nil
	}
	return []pyast.Stmt{last}
}

// behindTry counts the statements behind n that the source has in n's else clause.
func behindTry(n *pyast.Try, rest []pyast.Stmt, in evidence.Indentation) int {
	body := in.Column(n.Body)
	if body == 0 {
		return 0
	}
	k, end := 0, evidence.LastLine(n.Body)
	for k < len(rest) {
		line, c := in.Start(rest[k])
		if c == 0 || line <= end || c < body-in.Slack() {
			break
		}
		k++
	}
	return k
}

// nested counts the statements behind n that the source has in n's else clause.
func nested(n *pyast.If, rest []pyast.Stmt, in evidence.Indentation) int {
	unit := in.Unit
	test, own := in.Start(n)
	body := in.Column(n.Body)
	switch line, _ := in.Start(n.Body[0]); {
	case body == 0 || own == 0 || line < test:
		return 0
	case line > test:
		own = body - unit
	default: // `if a: return b`: an `elif` or a parenthesis has moved the test
		own = (own-1)/unit*unit + 1
		body = own + unit
	}
	end := evidence.LastLine(n.Body)
	deep := func(s pyast.Stmt) bool {
		line, c := in.Start(s)
		if c == 0 || line <= end {
			return false
		}
		if evidence.ExactStart(s) {
			return c > own
		}
		return c > own+in.Slack()
	}
	if len(rest) == 0 || !deep(rest[0]) {
		return 0
	}
	line, c := in.Start(rest[0])
	if isIf(rest[0]) && in.Parenthesis(c, own) && (len(rest) == 1 || !deep(rest[1])) {
		return 0
	}
	if isIf(rest[0]) && in.Elif(c, own, line == end+1) || !isIf(rest[0]) && c < body-1 {
		return 1
	}
	k := 1
	for k < len(rest) && deep(rest[k]) {
		k++
	}
	return k
}

func isIf(s pyast.Stmt) bool {
	_, ok := s.(*pyast.If)
	return ok
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
