package sugar

import (
	"slices"

	"github.com/thuml/depyf/internal/cfg"
	"github.com/thuml/depyf/internal/lift"
	"github.com/thuml/depyf/internal/pyast"
	"github.com/thuml/depyf/internal/pyc"
)

// inliner moves values to where they are used.
type inliner struct {
	n      tempCount
	shared map[string]bool // variables that others see: reading one has its time
	unseen bool            // values take along what they may not pass
}

// sinkAll lets each value in a list sink as far as it can. It goes backwards: a
// value moves on with the statement that it has joined.
func (k *inliner) sinkAll(l []pyast.Stmt) []pyast.Stmt {
	// What is done, the next statement last.
	done := make([]pyast.Stmt, 0, len(l))
	for _, s := range slices.Backward(l) {
		if f, ok := s.(*pyast.For); ok {
			k.unpackItem(f)
		}
		done = append(done, s)
		if name, value, ok := tempAssign(s); ok && k.n.once(name, 1) {
			below, sunk := k.sink(done[:len(done)-1], name, value)
			if sunk {
				done = below
			}
		}
	}
	slices.Reverse(done)
	return done
}

// sink puts value in the place of name in one of the statements that follow, the
// nearest last in below. A value that is pure may pass everything but a store to
// what it is made of; another one, only statements without an effect. It must
// become the first thing with an effect that its new statement does.
func (k *inliner) sink(below []pyast.Stmt, name string, value pyast.Expr) ([]pyast.Stmt, bool) {
	v := &sinking{inliner: k, name: name, value: value, pure: k.pure(value), reads: namesIn(value)}
	for i := len(below) - 1; i >= max(0, len(below)-maxSearch); i-- {
		s := below[i]
		if mentionsName(s, name) {
			done := v.into(s)
			if done {
				below = slices.Delete(below, i+1, i+1+v.along)
			}
			return below, done
		}
		if v.along == 0 && v.passes(s) || v.takes(s) {
			continue
		}
		return below, false
	}
	return below, false
}

// sinking is a value on its way.
type sinking struct {
	*inliner
	name  string
	value pyast.Expr
	pure  bool
	reads map[string]bool

	along  int             // how many statements the value has taken along
	stores map[string]bool // what these store
}

// pure reports whether evaluating e has no effect, sees none, and gives the same
// wherever its variables hold the same.
func (k *inliner) pure(e pyast.Expr) bool {
	switch x := e.(type) {
	case nil:
		return true
	case *pyast.Constant:
		return true
	case *pyast.Name:
		return !k.shared[x.Id] || cfg.StableGlobal(x.Id)
	case *pyast.Tuple:
		return k.allPure(x.Elts)
	case *pyast.List:
		return k.allPure(x.Elts)
	case *pyast.Dict:
		for _, key := range x.Keys {
			c, ok := key.(*pyast.Constant)
			if !ok {
				return false
			}
			if _, ok := c.Value.(pyc.Str); !ok {
				return false
			}
		}
		return k.allPure(x.Values)
	case *pyast.Slice:
		return k.pure(x.Lower) && k.pure(x.Upper) && k.pure(x.Step)
	}
	return false
}

func (k *inliner) allPure(list []pyast.Expr) bool {
	for _, e := range list {
		if !k.pure(e) {
			return false
		}
	}
	return true
}

func namesIn(e pyast.Expr) map[string]bool {
	out := map[string]bool{}
	pyast.Inspect(e, func(n pyast.Node) bool {
		if x, ok := n.(*pyast.Name); ok {
			out[x.Id] = true
		}
		return true
	})
	return out
}

// passes reports whether the value may be evaluated behind s instead of before it.
func (v *sinking) passes(s pyast.Stmt) bool {
	switch x := s.(type) {
	case *pyast.Comment, *pyast.Pass, *pyast.Global, *pyast.Nonlocal:
		return true
	case *pyast.Assign:
		if v.pure {
			break
		}
		for _, t := range x.Targets {
			if n, ok := t.(*pyast.Name); !ok || v.shared[n.Id] || v.reads[n.Id] {
				return false
			}
		}
		return v.inliner.pure(x.Value)
	case *pyast.Delete:
		for _, t := range x.Targets {
			if n, ok := t.(*pyast.Name); !ok || v.shared[n.Id] || v.reads[n.Id] {
				return false
			}
		}
		return true
	}
	return v.pure && !stores(s, v.reads)
}

// stores reports whether s may store or delete one of the names.
func stores(s pyast.Stmt, names map[string]bool) bool {
	found := false
	hit := func(id string) { found = found || names[id] }
	var target func(e pyast.Expr)
	target = func(e pyast.Expr) {
		switch t := e.(type) {
		case *pyast.Name:
			hit(t.Id)
		case *pyast.Tuple:
			for _, x := range t.Elts {
				target(x)
			}
		case *pyast.List:
			for _, x := range t.Elts {
				target(x)
			}
		case *pyast.Starred:
			target(t.Value)
		}
	}
	pyast.Inspect(s, func(n pyast.Node) bool {
		switch x := n.(type) {
		case *pyast.Assign:
			for _, t := range x.Targets {
				target(t)
			}
		case *pyast.AugAssign:
			target(x.Target)
		case *pyast.AnnAssign:
			target(x.Target)
		case *pyast.NamedExpr:
			target(x.Target)
		case *pyast.For:
			target(x.Target)
		case *pyast.Comprehension:
			target(x.Target)
		case *pyast.WithItem:
			if x.OptionalVars != nil {
				target(x.OptionalVars)
			}
		case *pyast.Delete:
			for _, t := range x.Targets {
				target(t)
			}
		case *pyast.ExceptHandler, *pyast.FunctionDef, *pyast.ClassDef, *pyast.Alias:
			eachName(x, func(id *string) { hit(*id) })
		case *pyast.Match:
			found = true // captures; no compiler leaves a temporary across one
		}
		return !found
	})
	return found
}

// into puts the value in its place in s.
func (v *sinking) into(s pyast.Stmt) bool {
	var slots []*pyast.Expr // in the order of evaluation
	switch n := s.(type) {
	case *pyast.Return:
		slots = []*pyast.Expr{&n.Value}
	case *pyast.ExprStmt:
		slots = []*pyast.Expr{&n.Value}
	case *pyast.Assign:
		slots = []*pyast.Expr{&n.Value}
		if len(n.Targets) == 1 {
			switch t := n.Targets[0].(type) {
			case *pyast.Attribute:
				slots = append(slots, &t.Value)
			case *pyast.Subscript:
				slots = append(slots, &t.Value, &t.Slice)
			}
		}
	case *pyast.AugAssign:
		if _, ok := n.Target.(*pyast.Name); !ok {
			return false
		}
		slots = []*pyast.Expr{&n.Value}
	case *pyast.If:
		slots = []*pyast.Expr{&n.Test}
	case *pyast.For:
		slots = []*pyast.Expr{&n.Iter}
	case *pyast.Raise:
		slots = []*pyast.Expr{&n.Exc}
	case *pyast.Assert:
		slots = []*pyast.Expr{&n.Test}
	default:
		return false
	}
	for _, slot := range slots {
		if *slot == nil {
			continue
		}
		if done, goOn := v.replace(slot, maxSearch); done || !goOn {
			return done
		}
	}
	return false
}

// replace looks for the name in evaluation order. It returns whether the value
// stands there now, and whether the search may go on behind e: whether evaluating
// e first makes no difference to the value.
func (v *sinking) replace(e *pyast.Expr, depth int) (done, goOn bool) {
	if depth == 0 {
		return false, false
	}
	switch x := (*e).(type) {
	case *pyast.Name:
		if x.Id == v.name {
			if p := v.value.Position(); p.Col == 0 {
				*p = *x.Position() // where it is read is more than nothing
			}
			*e = v.value
			return true, false
		}
		// A local read before the value is evaluated: harmless unless the value
		// stores it, which an expression does only by a walrus.
		return false, !v.stores[x.Id] && (v.pure || !v.shared[x.Id] || cfg.StableGlobal(x.Id))
	case *pyast.Constant:
		return false, true
	}
	parts, whole := evaluated(*e)
	for _, p := range parts {
		if *p == nil {
			continue
		}
		if done, goOn := v.replace(p, depth-1); done || !goOn {
			return done, false
		}
	}
	if !whole {
		return false, false
	}
	// What e does itself comes before the value.
	switch x := (*e).(type) {
	case *pyast.Tuple, *pyast.List, *pyast.Slice:
		return false, true
	case *pyast.Dict:
		return false, v.pure || v.inliner.pure(x)
	}
	return false, v.pure
}

// evaluated lists the parts of e that are evaluated in any case, in this order; whole says that it has no others.
func evaluated(e pyast.Expr) (parts []*pyast.Expr, whole bool) {
	list := func(l []pyast.Expr) []*pyast.Expr {
		out := make([]*pyast.Expr, len(l))
		for i := range l {
			out[i] = &l[i]
		}
		return out
	}
	switch x := e.(type) {
	case *pyast.Tuple:
		return list(x.Elts), true
	case *pyast.List:
		return list(x.Elts), true
	case *pyast.Set:
		return list(x.Elts), true
	case *pyast.JoinedStr:
		return list(x.Values), true
	case *pyast.Dict:
		for i := range x.Keys {
			parts = append(parts, &x.Keys[i], &x.Values[i])
		}
		return parts, true
	case *pyast.Slice:
		return []*pyast.Expr{&x.Lower, &x.Upper, &x.Step}, true
	case *pyast.Call:
		parts = append([]*pyast.Expr{&x.Func}, list(x.Args)...)
		for _, kw := range x.Keywords {
			parts = append(parts, &kw.Value)
		}
		return parts, true
	case *pyast.Subscript:
		return []*pyast.Expr{&x.Value, &x.Slice}, true
	case *pyast.BinOp:
		return []*pyast.Expr{&x.Left, &x.Right}, true
	case *pyast.Compare:
		return []*pyast.Expr{&x.Left, &x.Comparators[0]}, len(x.Comparators) == 1
	case *pyast.Starred:
		return []*pyast.Expr{&x.Value}, true
	case *pyast.Attribute:
		return []*pyast.Expr{&x.Value}, true
	case *pyast.UnaryOp:
		return []*pyast.Expr{&x.Operand}, true
	case *pyast.Await:
		return []*pyast.Expr{&x.Value}, true
	case *pyast.Yield:
		return []*pyast.Expr{&x.Value}, true
	case *pyast.FormattedValue:
		return []*pyast.Expr{&x.Value}, x.FormatSpec == nil
	case *pyast.BoolOp:
		return []*pyast.Expr{&x.Values[0]}, false
	case *pyast.IfExp:
		return []*pyast.Expr{&x.Test}, false
	}
	return nil, false
}

// unpackItem lets a loop unpack its items itself.
//
//	for _temp_1 in x:      →   for a, b in x:
//	    a, b = _temp_1
func (k *inliner) unpackItem(f *pyast.For) {
	t, ok := f.Target.(*pyast.Name)
	if !ok || !lift.IsTemp(t.Id) || k.n.uses[t.Id] != 1 || k.n.stores[t.Id] != 1 || len(f.Body) == 0 {
		return
	}
	a, ok := f.Body[0].(*pyast.Assign)
	if !ok || len(a.Targets) != 1 {
		return
	}
	if v, ok := a.Value.(*pyast.Name); !ok || v.Id != t.Id {
		return
	}
	switch a.Targets[0].(type) {
	case *pyast.Tuple, *pyast.Name:
		f.Target = a.Targets[0]
		if f.Body = f.Body[1:]; len(f.Body) == 0 {
			f.Body = []pyast.Stmt{&pyast.Pass{}}
		}
	}
}
