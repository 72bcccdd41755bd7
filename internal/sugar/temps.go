package sugar

import (
	"slices"

	"github.com/thuml/depyf/internal/lift"
	"github.com/thuml/depyf/internal/pyast"
)

// inlineTemps puts the value of a temporary back where it is used.
//
//	_temp_1 = f()       →   return f()
//	return _temp_1
//
// It does so only when the temporary is stored once, used once, and nothing that
// has an effect comes to stand on the other side of the value (see sink).
func inlineTemps(list []pyast.Stmt, shared map[string]bool, unseen bool) []pyast.Stmt {
	k := &inliner{shared: shared, unseen: unseen}
	for range maxRounds {
		n := countTemps(list)
		if len(n.uses) == 0 {
			return list
		}
		changed := false
		list = eachList(list, func(l []pyast.Stmt) []pyast.Stmt {
			for i, s := range l {
				// A result that nobody reads: only its computation counts.
				if name, value, ok := tempAssign(s); ok && n.once(name, 0) {
					e := pyast.ES(value)
					e.Pos = *s.Position()
					if k.pure(value) {
						e.Value = pyast.N(name) // goes at once
					}
					l[i], changed = e, true
				}
			}
			out := dropPure(l)
			changed = changed || len(out) < len(l)
			return out
		})
		if !changed {
			break
		}
	}
	k.n = countTemps(list)
	list = eachList(list, k.sinkAll)
	list = eachList(list, k.augmented)
	return copyBack(list, k.n, shared)
}

// augmented joins an in-place operation whose operand was taken before its value branched.
//
//	_temp_1 = x           →   x += a if b else c < d < e
//	_temp_1 += a if …
//	x = _temp_1
func (k *inliner) augmented(l []pyast.Stmt) []pyast.Stmt {
	for i := 0; i+2 < len(l); i++ {
		name, value, ok := tempAssign(l[i])
		x, isName := value.(*pyast.Name)
		if !ok || !isName || k.n.stores[name] != 1 || k.n.uses[name] != 2 || k.shared[name] {
			continue
		}
		s, ok1 := l[i+1].(*pyast.AugAssign)
		back, ok2 := l[i+2].(*pyast.Assign)
		if ok1 && ok2 && isTheName(s.Target, name) && len(back.Targets) == 1 && isTheName(back.Targets[0], x.Id) && isTheName(back.Value, name) {
			s.Target = x
			s.Pos = *l[i].Position()
			l = slices.Concat(l[:i], l[i+1:i+2], l[i+3:])
		}
	}
	return l
}

func isTheName(e pyast.Expr, name string) bool {
	n, ok := e.(*pyast.Name)
	return ok && n.Id == name
}

// maxRounds bounds how often results that nobody reads are looked for: a chain
// of copies takes a round for each, and more than a few come from no compiler.
const maxRounds = 50

// maxSearch bounds how far copyBack looks back, and how deep in an expression a
// value is put.
const maxSearch = 500

// tempCount counts reads and stores of each temporary.
type tempCount struct{ uses, stores map[string]int }

func (n tempCount) once(name string, uses int) bool {
	return n.stores[name] == 1 && n.uses[name] == uses
}

func countTemps(list []pyast.Stmt) tempCount {
	n := tempCount{map[string]int{}, map[string]int{}}
	var target func(e pyast.Expr)
	target = func(e pyast.Expr) {
		switch t := e.(type) {
		case *pyast.Name:
			if lift.IsTemp(t.Id) {
				n.stores[t.Id]++
				n.uses[t.Id]--
			}
		case *pyast.Tuple:
			for _, x := range t.Elts {
				target(x)
			}
		case *pyast.Starred:
			target(t.Value)
		}
	}
	pyast.InspectOwn(list, func(x pyast.Node) bool {
		switch x := x.(type) {
		case *pyast.Name:
			if lift.IsTemp(x.Id) {
				n.uses[x.Id]++
			}
		case *pyast.Assign:
			for _, t := range x.Targets {
				target(t)
			}
		case *pyast.For:
			target(x.Target)
		case *pyast.MatchAs:
			if lift.IsTemp(x.Name) {
				n.stores[x.Name]++
			}
		}
		return true
	})
	return n
}

// copyBack lets a value be stored where it is wanted at once.
//
//	_temp_1, _temp_2 = f()   →   x, _temp_2 = f()
//	x = _temp_1
func copyBack(list []pyast.Stmt, n tempCount, shared map[string]bool) []pyast.Stmt {
	return eachList(list, func(l []pyast.Stmt) []pyast.Stmt {
		for i := 1; i < len(l); i++ {
			a, ok := l[i].(*pyast.Assign)
			if !ok || len(a.Targets) != 1 {
				continue
			}
			to, ok1 := a.Targets[0].(*pyast.Name)
			from, ok2 := a.Value.(*pyast.Name)
			if !ok1 || !ok2 || !lift.IsTemp(from.Id) || !n.once(from.Id, 1) || lift.IsTemp(to.Id) {
				continue
			}
			for j := i - 1; j >= max(0, i-maxSearch); j-- {
				if mentionsName(l[j], from.Id) {
					d, ok := l[j].(*pyast.Assign)
					// The new target must not be read or stored in between.
					if ok && !mentionsName(d, to.Id) && renameTarget(d, from.Id, to.Id) {
						l = append(l[:i:i], l[i+1:]...)
						i--
					}
					break
				}
				if mentionsName(l[j], to.Id) || !plainAssign(l[j]) || shared[to.Id] {
					break
				}
			}
		}
		return l
	})
}

// plainAssign reports whether s is a statement that control cannot leave
// other than by going on, so that a store may move across it.
func plainAssign(s pyast.Stmt) bool {
	switch s.(type) {
	case *pyast.Assign, *pyast.ExprStmt, *pyast.Delete:
		return true
	}
	return false
}

func mentionsName(s pyast.Stmt, name string) bool {
	found := false
	pyast.Inspect(s, func(x pyast.Node) bool {
		if n, ok := x.(*pyast.Name); ok && n.Id == name {
			found = true
		}
		return !found
	})
	return found
}

func renameTarget(a *pyast.Assign, from, to string) bool {
	done := false
	for _, t := range a.Targets {
		switch t := t.(type) {
		case *pyast.Name:
			if t.Id == from {
				t.Id, done = to, true
			}
		case *pyast.Tuple:
			for _, x := range t.Elts {
				if n, ok := x.(*pyast.Name); ok && n.Id == from {
					n.Id, done = to, true
				}
			}
		}
	}
	return done
}

// dropPure removes statements that only read a constant or a temporary.
func dropPure(l []pyast.Stmt) []pyast.Stmt {
	out := l[:0:0]
	for _, s := range l {
		if e, ok := s.(*pyast.ExprStmt); ok {
			if n, ok := e.Value.(*pyast.Name); ok && lift.IsTemp(n.Id) {
				continue
			}
		}
		out = append(out, s)
	}
	return out
}

func tempAssign(s pyast.Stmt) (string, pyast.Expr, bool) {
	a, ok := s.(*pyast.Assign)
	if !ok || len(a.Targets) != 1 {
		return "", nil, false
	}
	n, ok := a.Targets[0].(*pyast.Name)
	if !ok || !lift.IsTemp(n.Id) {
		return "", nil, false
	}
	return n.Id, a.Value, true
}

// Mentions reports whether f holds for anything in a statement.
func Mentions(s pyast.Stmt, f func(pyast.Node) bool) bool {
	found := false
	pyast.Inspect(s, func(n pyast.Node) bool {
		found = found || f(n)
		return !found
	})
	return found
}
