package lift

import (
	"github.com/thuml/depyf/internal/cfg"
	"github.com/thuml/depyf/internal/pyast"
)

// openAug is an in-place assignment whose target was loaded in an earlier block:
//
//	x += a or b         self.x += a or b         d[k] += a or b
//
// The slots that the value was computed from are checked when all blocks are
// lifted, the name of a variable when blocks are joined.
type openAug struct {
	name string // the variable that is stored

	in            *Block // of an attribute or an item: the block of the store
	obj, idx, val int    // the entry slots of its object, its index (-1) and its value
	attr          string
}

// storeOpenAug emits an in-place assignment to an attribute or item of values
// that an earlier block has left on the stack, if v, on top of it, is one.
func (m *machine) storeOpenAug(v, obj, idx *Value, attr string) bool {
	if v.Aug == nil || v.Aug.Target.Kind != KExpr {
		return false
	}
	a := openAug{in: m.b, idx: -1, attr: attr}
	var ok [3]bool
	a.obj, ok[0] = slotOf(obj.E)
	a.val, ok[1] = slotOf(v.Aug.Target.E)
	ok[2] = idx == nil
	if idx != nil {
		a.idx, ok[2] = slotOf(idx.E)
	}
	if ok != [3]bool{true, true, true} {
		return false
	}
	s := &pyast.AugAssign{Target: v.Aug.Target.E, Op: v.Aug.Op, Value: v.Aug.Right}
	m.pop() // before the statement, which spills what is on the stack
	m.g.addAug(s, a)
	m.emit(s)
	return true
}

func (g *Graph) addAug(s *pyast.AugAssign, a openAug) {
	if g.augs == nil {
		g.augs = map[*pyast.AugAssign]openAug{}
	}
	g.augs[s] = a
}

// checkAugs takes apart the in-place assignments to attributes and items whose
// value was not loaded from there.
func (g *Graph) checkAugs() {
	for s, a := range g.augs {
		if a.in == nil {
			continue
		}
		delete(g.augs, s)
		val := origin(a.in, a.val)
		same := val != nil && val.Obj != nil && val.Obj == origin(a.in, a.obj) && val.Attr == a.attr && val.Idx2 == nil
		if a.idx >= 0 {
			same = same && val.Idx != nil && val.Idx == origin(a.in, a.idx)
		} else {
			same = same && val.Idx == nil
		}
		if same {
			continue
		}
		store := pyast.Expr(pyast.N(slotName(a.obj)))
		if a.idx >= 0 {
			store = pyast.Index(store, pyast.N(slotName(a.idx)))
		} else {
			store = pyast.Attr(store, a.attr)
		}
		t := g.NewTemp()
		first, last := pyast.AssignS(pyast.N(t), s.Target), pyast.AssignS(store, pyast.N(t))
		first.Line, last.Line = s.Line, s.Line
		s.Target = pyast.N(t)
		for i, st := range a.in.Stmts {
			if st == pyast.Stmt(s) {
				a.in.Stmts = append(a.in.Stmts[:i:i], append([]pyast.Stmt{first, s, last}, a.in.Stmts[i+1:]...)...)
				break
			}
		}
	}
}

// origin follows entry slot k of b back to the value that all ways leave in it,
// nil if they differ.
func origin(b *Block, k int) *Value {
	var found *Value
	for x, more := range cfg.Walk(b) {
		for _, p := range x.Preds {
			if k >= len(p.Out) {
				return nil
			}
			v := p.Out[k]
			if k < len(p.In) && v == p.In[k] {
				more(p)
				continue
			}
			if found != nil && found != v {
				return nil
			}
			found = v
		}
	}
	return found
}

// openAugs checks the in-place assignments whose target was loaded in another
// block: where that was not the variable that is stored, they are taken apart.
func (g *Graph) openAugs(list []pyast.Stmt) []pyast.Stmt {
	var out []pyast.Stmt
	for _, st := range list {
		s, ok := st.(*pyast.AugAssign)
		late, isLate := g.augs[s]
		if !ok || !isLate {
			out = append(out, st)
			continue
		}
		if n, ok := s.Target.(*pyast.Name); ok && n.Id == late.name {
			out = append(out, s)
			continue
		}
		t := g.NewTemp()
		first := pyast.AssignS(pyast.N(t), s.Target)
		last := pyast.AssignS(pyast.N(late.name), pyast.N(t))
		first.Line, last.Line = s.Line, s.Line
		s.Target = pyast.N(t)
		out = append(out, first, s, last)
	}
	return out
}
