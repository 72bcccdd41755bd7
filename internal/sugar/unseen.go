package sugar

import (
	"slices"

	"github.com/thuml/depyf/internal/cfg"
	"github.com/thuml/depyf/internal/lift"
	"github.com/thuml/depyf/internal/pyast"
)

// A function that calls locals() or the like has no room for temporaries: they would
// be seen. Dynamo's code keeps values on the stack across such a call, and so does
// text in which they are parts of one expression. What has to happen between two of
// these parts then stands in the expression too, behind the part in front of it.
//
//	_temp_1 = f()
//	x = g()                →   return h((f(), x := g())[0], locals())
//	return h(_temp_1, locals())

// takes lets the value take s along: s is evaluated right behind it from then on. So
// is everything that follows, for the order stays.
func (v *sinking) takes(s pyast.Stmt) bool {
	if !v.unseen {
		return false
	}
	var e pyast.Expr
	switch x := s.(type) {
	case *pyast.ExprStmt:
		e = x.Value
	case *pyast.Assign:
		n, ok := x.Targets[0].(*pyast.Name)
		if !ok || len(x.Targets) > 1 {
			return false
		}
		if v.stores == nil {
			v.stores = map[string]bool{}
		}
		v.stores[n.Id] = true
		e = &pyast.NamedExpr{Target: n, Value: x.Value}
	default:
		return false
	}
	if v.along == 0 {
		v.value = pyast.Index(&pyast.Tuple{Elts: []pyast.Expr{v.value}}, pyast.Int(0))
	}
	all := v.value.(*pyast.Subscript).Value.(*pyast.Tuple)
	all.Elts = append(all.Elts, e)
	v.along++
	v.pure = false
	return true
}

// withoutDeletes keeps the results of graphs where they need no `del`, which is no
// expression: in the variable that is stored last from them,
//
//	graph_out_0 = f()          y = f()
//	x = graph_out_0[0]    →    x = y[0]
//	y = graph_out_0[1]         y = y[1]
//	del graph_out_0
//
// or, where none is, beside what an argument holds.
//
//	graph_out_0 = f()          a = (a, f())
//	g(graph_out_0[0], a)  →    g(a[1][0], a[0])
//	del graph_out_0            a = a[0]
func withoutDeletes(list []pyast.Stmt, o Options) []pyast.Stmt {
	return eachList(list, func(l []pyast.Stmt) []pyast.Stmt {
		for i := 0; i < len(l); i++ {
			name, ok := deletedResult(l[i])
			if !ok {
				continue
			}
			from := i - 1
			for from >= 0 && storedName(l[from]) != name {
				from--
			}
			switch {
			case from < 0:
			case o.keepInLast(l[from:i], name):
				l = append(l[:i:i], l[i+1:]...)
				i--
			case o.keepBeside(l[from:i+1], name):
			}
		}
		return l
	})
}

// deletedResult returns the variable of a graph's results that s deletes.
func deletedResult(s pyast.Stmt) (string, bool) {
	d, ok := s.(*pyast.Delete)
	if !ok || len(d.Targets) != 1 {
		return "", false
	}
	n, ok := d.Targets[0].(*pyast.Name)
	if !ok {
		return "", false
	}
	return n.Id, cfg.GraphResult(n.Id)
}

// keepInLast puts the results, which l begins by storing, into the variable that is
// stored last from them.
func (o Options) keepInLast(l []pyast.Stmt, results string) bool {
	last := len(l) - 1
	for last > 0 && !mentionsName(l[last], results) {
		last--
	}
	to := storedName(l[last])
	if last == 0 || to == "" || lift.IsTemp(to) || o.Shared[to] || mentionsName(pyast.ES(l[last].(*pyast.Assign).Value), to) {
		return false
	}
	for _, s := range l[1:last] {
		if mentionsName(s, to) {
			return false
		}
	}
	for i, s := range l[:last+1] {
		l[i] = replaceName(s, results, pyast.N(to))
	}
	return true
}

// keepBeside puts the results, which l begins by storing and ends by deleting, into a
// tuple with what an argument holds.
func (o Options) keepBeside(l []pyast.Stmt, results string) bool {
	for _, arg := range o.Args {
		if o.Shared[arg] || slices.ContainsFunc(l, func(s pyast.Stmt) bool { return stores(s, map[string]bool{arg: true}) }) {
			continue
		}
		n := len(l) - 1
		for i, s := range l[1:n] {
			s = replaceName(s, arg, pyast.Index(pyast.N(arg), pyast.Int(0)))
			l[i+1] = replaceName(s, results, pyast.Index(pyast.N(arg), pyast.Int(1)))
		}
		first := l[0].(*pyast.Assign)
		first.Targets[0] = pyast.N(arg)
		first.Value = &pyast.Tuple{Elts: []pyast.Expr{pyast.N(arg), first.Value}}
		back := pyast.AssignS(pyast.N(arg), pyast.Index(pyast.N(arg), pyast.Int(0)))
		back.Pos = *l[n].Position()
		l[n] = back
		return true
	}
	return false
}

// besideArguments keeps the temporaries that are still left, each of which is read once, beside what an argument
// holds, which has its own value back before anybody can look at it.
//
//	_temp_1 = f()           a = (a, f())
//	x[0] = 1           →    x[0] = 1
//	g(_temp_1(), a)         g((a[1], a := a[0])[0](), a)
func besideArguments(list []pyast.Stmt, o Options) []pyast.Stmt {
	if !o.Version.HasWalrus() {
		return list
	}
	return eachList(list, func(l []pyast.Stmt) []pyast.Stmt {
		for i, s := range l {
			name := storedName(s)
			if !lift.IsTemp(name) || o.Shared[name] {
				continue
			}
			last, reads := -1, 0
			for k, s := range l[i+1:] {
				if n := countName(s, name); n > 0 {
					last, reads = i+1+k, reads+n
				}
			}
			if reads == 1 && isPlain(l[last]) {
				o.keepOneBeside(l[i:last+1], name)
			}
		}
		return l
	})
}

// keepOneBeside puts name, which l begins by storing and ends by reading once, beside what an argument holds.
func (o Options) keepOneBeside(l []pyast.Stmt, name string) {
	n := len(l) - 1
	for _, arg := range o.Args {
		if o.Shared[arg] || readBefore(l[n], arg, name) || slices.ContainsFunc(l, func(s pyast.Stmt) bool { return stores(s, map[string]bool{arg: true}) }) {
			continue
		}
		first := l[0].(*pyast.Assign)
		first.Targets[0] = pyast.N(arg)
		first.Value = &pyast.Tuple{Elts: []pyast.Expr{pyast.N(arg), first.Value}}
		own := pyast.Index(pyast.N(arg), pyast.Int(0))
		for i, s := range l[1:n] {
			l[i+1] = replaceName(s, arg, own)
		}
		back := &pyast.NamedExpr{Target: pyast.N(arg), Value: own}
		l[n] = replaceName(l[n], name, pyast.Index(&pyast.Tuple{Elts: []pyast.Expr{pyast.Index(pyast.N(arg), pyast.Int(1)), back}}, pyast.Int(0)))
		return
	}
}

// isPlain reports whether a statement evaluates its expression once and then ends.
func isPlain(s pyast.Stmt) bool {
	switch s.(type) {
	case *pyast.Return, *pyast.ExprStmt, *pyast.Assign:
		return true
	}
	return false
}

// readBefore reports whether s reads one before it reads the other.
func readBefore(s pyast.Stmt, one, other string) bool {
	before, done := false, false
	pyast.Inspect(s, func(x pyast.Node) bool {
		if n, ok := x.(*pyast.Name); ok && !done {
			before, done = n.Id == one, n.Id == one || n.Id == other
		}
		return !done
	})
	return before
}

func countName(s pyast.Stmt, name string) int {
	count := 0
	pyast.Inspect(s, func(x pyast.Node) bool {
		if n, ok := x.(*pyast.Name); ok && n.Id == name {
			count++
		}
		return true
	})
	return count
}

// storedName returns the variable of a plain assignment to one.
func storedName(s pyast.Stmt) string {
	if a, ok := s.(*pyast.Assign); ok && len(a.Targets) == 1 {
		if n, ok := a.Targets[0].(*pyast.Name); ok {
			return n.Id
		}
	}
	return ""
}

func replaceName(s pyast.Stmt, name string, by pyast.Expr) pyast.Stmt {
	return pyast.Rewrite(s, func(e pyast.Expr) pyast.Expr {
		if n, ok := e.(*pyast.Name); ok && n.Id == name {
			return pyast.Clone(by)
		}
		return e
	}).(pyast.Stmt)
}
