package sugar

import (
	"github.com/thuml/depyf/internal/evidence"
	"github.com/thuml/depyf/internal/pyast"
)

// trailing drops jumps that say what happens anyway.
//
//	def f():            def f():
//	    g()         →       g()
//	    return
//	for x in y:         for x in y:
//	    g(x)        →       g(x)
//	    continue
//
// Jumps that the source has stay.
func trailing(list []pyast.Stmt, function, clauses bool) []pyast.Stmt {
	if function {
		valued, _ := returns(list)
		list = ending{is: isPlainReturn, clauses: clauses, lines: valued}.drop(list)
	}
	turn := ending{is: isContinue, clauses: clauses, lines: true}
	return eachList(list, func(l []pyast.Stmt) []pyast.Stmt {
		shared(l)
		for _, s := range l {
			switch n := s.(type) {
			case *pyast.For:
				n.Body = turn.drop(n.Body)
			case *pyast.While:
				n.Body = turn.drop(n.Body)
			}
		}
		return l
	})
}

// spelled reports whether the source has the jump: it stands at a place of its
// own, which the jumps that the compiler adds do not. lines says that a line is
// enough to tell so: at the end of a function that returns no value, it is more
// likely that of a statement without code.
func spelled(s pyast.Stmt, before []pyast.Stmt, lines bool) bool {
	p := s.Position()
	if p.Col > 0 {
		switch s.(type) {
		case *pyast.Return:
			return !atPass(s) // of others structure has judged
		case *pyast.Continue:
			return p.EndLine == p.Line && p.EndCol-p.Col == len("continue")
		}
		return false
	}
	return lines && p.Line > 0 && len(before) > 0 && p.Line > evidence.LastLine(before)
}

// atPass reports whether s is a jump that stands where the source has a `pass`, from which control goes there by itself.
func atPass(s pyast.Stmt) bool {
	p := s.Position()
	return isPlainReturn(s) && p.Col > 0 && p.EndLine == p.Line && p.EndCol-p.Col == len("pass")
}

func isPlainReturn(s pyast.Stmt) bool {
	r, ok := s.(*pyast.Return)
	return ok && r.Value == nil
}

func isContinue(s pyast.Stmt) bool {
	_, ok := s.(*pyast.Continue)
	return ok
}

// shared removes the copies of one jump that the ways to it end with.
//
//	if a:               if a:
//	    b                   b
//	    continue    →   continue
//	continue
func shared(l []pyast.Stmt) {
	if len(l) < 2 {
		return
	}
	last := l[len(l)-1].Position()
	if last.Line == 0 || !isContinue(l[len(l)-1]) && !isPlainReturn(l[len(l)-1]) {
		return
	}
	copied := func(s pyast.Stmt) bool {
		p := s.Position()
		return (isContinue(s) || isPlainReturn(s)) && p.Line == last.Line && p.Col == last.Col
	}
	var drop func(list []pyast.Stmt) []pyast.Stmt
	drop = func(list []pyast.Stmt) []pyast.Stmt {
		if n := len(list); n > 1 && copied(list[n-1]) {
			return list[:n-1]
		}
		if len(list) > 0 {
			if n, ok := list[len(list)-1].(*pyast.If); ok {
				n.Body, n.OrElse = drop(n.Body), drop(n.OrElse)
			}
		}
		return list
	}
	drop(l[: len(l)-1 : len(l)-1])
}

// ownArm reports whether a jump has an arm of n to itself, with the rest of the
// code in the other: `if a: return`. Only lines can tell; columns say more.
func ownArm(n *pyast.If, is func(pyast.Stmt) bool) bool {
	if len(n.Body) != 1 || len(n.OrElse) == 0 {
		return false
	}
	p := n.Body[0].Position()
	return p.Line != 0 && p.Col <= 0 && is(n.Body[0])
}

// ending is a jump that ends lists of statements. In a clause of a `try` it is a statement of the source up to 3.10,
// where falling off its end compiles to something else; clauses says that it is not.
type ending struct {
	is      func(pyast.Stmt) bool
	clauses bool
	lines   bool // see spelled
}

// drop removes the jump at the end of the list, and at the ends of the branches of an `if` that ends the list.
func (e ending) drop(list []pyast.Stmt) []pyast.Stmt {
	for len(list) > 0 {
		last := list[len(list)-1]
		if e.is(last) && !spelled(last, list[:len(list)-1], e.lines) {
			list = list[:len(list)-1]
			continue
		}
		switch n := last.(type) {
		case *pyast.If:
			if !ownArm(n, e.is) {
				n.Body = e.drop(n.Body)
			}
			if len(n.Body) == 0 && len(n.OrElse) > 0 {
				n.Body = append(n.Body, &pyast.Pass{})
			}
			n.OrElse = e.drop(n.OrElse)
		case *pyast.For:
			n.OrElse = e.drop(n.OrElse)
		case *pyast.While:
			n.OrElse = e.drop(n.OrElse)
		case *pyast.Try:
			if !e.clauses || len(n.FinalBody) > 0 {
				break
			}
			for _, h := range n.Handlers {
				h.Body = e.drop(h.Body)
			}
			if len(n.OrElse) > 0 {
				n.OrElse = e.drop(n.OrElse)
			} else if body := e.drop(n.Body); len(body) > 0 {
				n.Body = body
			}
		}
		return list
	}
	return list
}
