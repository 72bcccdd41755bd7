package lift

import (
	"slices"

	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyast"
	"github.com/thuml/depyf/internal/pyc"
)

// rewriteStmt rewrites the expressions of s, also of a Marker.
func rewriteStmt(s pyast.Stmt, f func(pyast.Expr) pyast.Expr) {
	m, ok := s.(*Marker)
	if !ok {
		pyast.Rewrite(s, f)
		return
	}
	for i := range m.Args {
		m.Args[i] = pyast.RewriteExpr(m.Args[i], f)
	}
	m.Target = pyast.RewriteExpr(m.Target, f)
	if m.With != nil {
		m.With.Context = pyast.RewriteExpr(m.With.Context, f)
	}
}

// inspectStmt visits the expressions of s, also of a Marker.
func inspectStmt(s pyast.Stmt, f func(pyast.Node) bool) {
	m, ok := s.(*Marker)
	if !ok {
		pyast.Inspect(s, f)
		return
	}
	for _, a := range m.Args {
		pyast.Inspect(a, f)
	}
	if m.Target != nil {
		pyast.Inspect(m.Target, f)
	}
	if m.With != nil && m.Kind == MarkWithEnter && m.With.Context != nil {
		pyast.Inspect(m.With.Context, f)
	}
}

// countSlots counts how often each placeholder occurs in a node.
func countSlots(n pyast.Node, count map[int]int) {
	if n == nil {
		return
	}
	pyast.Inspect(n, func(x pyast.Node) bool {
		if e, ok := x.(pyast.Expr); ok {
			if k, ok := slotOf(e); ok {
				count[k]++
			}
		}
		return true
	})
}

// uses tells where a block uses its placeholders.
type uses struct {
	first map[int]int // occurrences in the first statement
	later map[int]int // occurrences in the other statements
	tail  map[int]int // occurrences in the terminator and the exit stack
}

func (b *Block) uses() uses {
	u := uses{map[int]int{}, map[int]int{}, map[int]int{}}
	for i, s := range b.Stmts {
		c := u.later
		if i == 0 {
			c = u.first
		}
		inspectStmt(s, func(x pyast.Node) bool {
			if e, ok := x.(pyast.Expr); ok {
				if k, ok := slotOf(e); ok {
					c[k]++
				}
			}
			return true
		})
	}
	for _, e := range []pyast.Expr{b.Term.Cond, b.Term.Value, b.Term.Cause} {
		if e != nil {
			countSlots(e, u.tail)
		}
	}
	seen := map[*Value]bool{}
	for k, v := range b.Out {
		if seen[v] || v.E == nil {
			continue
		}
		seen[v] = true
		if k < len(b.In) && v == b.In[k] {
			if v.Kind == KExpr {
				u.tail[k]++
			}
			continue
		}
		countSlots(v.E, u.tail)
	}
	if b.Term.Iter != nil && b.Term.Iter.E != nil && !seen[b.Term.Iter] {
		countSlots(b.Term.Iter.E, u.tail)
	}
	for _, t := range b.bound {
		c := u.later
		if t.behind == 0 {
			c = u.first
		}
		countSlots(t.Target, c)
	}
	b.eachOfResult(func(e *pyast.Expr) { countSlots(*e, u.tail) })
	return u
}

// substitute replaces placeholders in b by the expressions of vals.
func (b *Block) substitute(vals []*Value) {
	f := func(e pyast.Expr) pyast.Expr {
		if k, ok := slotOf(e); ok && k < len(vals) && vals[k] != nil && vals[k].E != nil && vals[k].Kind == KExpr {
			v := vals[k]
			if v.used && Simple(v.E) {
				return pyast.Clone(v.E)
			}
			v.used = true
			return v.E
		}
		return tidy(e)
	}
	for _, s := range b.Stmts {
		rewriteStmt(s, f)
	}
	t := &b.Term
	t.Cond = pyast.RewriteExpr(t.Cond, f)
	t.Value = pyast.RewriteExpr(t.Value, f)
	t.Cause = pyast.RewriteExpr(t.Cause, f)
	seen := map[*Value]bool{}
	fix := func(v *Value) {
		if v != nil && !seen[v] && v.E != nil {
			seen[v] = true
			v.E = pyast.RewriteExpr(v.E, f)
		}
	}
	for k, v := range b.Out {
		if k < len(b.In) && v == b.In[k] && k < len(vals) && vals[k] != nil {
			b.Out[k] = vals[k]
			continue
		}
		fix(v)
	}
	fix(t.Iter)
	for _, t := range b.bound {
		t.Target = pyast.RewriteExpr(t.Target, f)
	}
	b.eachOfResult(func(e *pyast.Expr) { *e = pyast.RewriteExpr(*e, f) })
}

// eachOfResult calls f for the expressions of the function or class that the wrapper
// of a generic one returns.
func (b *Block) eachOfResult(f func(*pyast.Expr)) {
	if b.result == nil {
		return
	}
	var list []pyast.Expr
	var named []*pyast.Keyword
	if fn := b.result.Fn(); fn != nil {
		list, named = fn.Defaults, append(fn.KwDefaults[:len(fn.KwDefaults):len(fn.KwDefaults)], fn.Annots...)
	}
	if c := b.result.Class(); c != nil {
		list, named = c.Bases, c.Keywords
	}
	for i := range list {
		f(&list[i])
	}
	for _, k := range named {
		f(&k.Value)
	}
}

// tidy completes an expression whose placeholder has just been filled.
func tidy(e pyast.Expr) pyast.Expr {
	switch x := e.(type) {
	case *pyast.JoinedStr:
		flat := false
		for _, v := range x.Values {
			if _, ok := v.(*pyast.JoinedStr); ok {
				flat = true
			}
		}
		if flat {
			var out []pyast.Expr
			for _, v := range x.Values {
				if j, ok := v.(*pyast.JoinedStr); ok {
					out = append(out, j.Values...)
				} else {
					out = append(out, v)
				}
			}
			x.Values = out
		}
	case *pyast.Await:
		if c, ok := asyncComp(x.Value); ok {
			return c
		}
	case *pyast.Call:
		x.Args, x.Keywords = TidyArguments(x.Args, x.Keywords)
	case *pyast.Hole:
		switch x.Kind {
		case pyast.Extended, pyast.ExtendedAll:
			return tidyAdd(x)
		case pyast.TupleOfList:
			if l, ok := x.Args[0].(*pyast.List); ok {
				return &pyast.Tuple{Elts: l.Elts}
			}
		case pyast.TemplateField:
			return tidyField(x)
		case pyast.Template:
			return tidyTemplate(x)
		}
	case *pyast.FormattedValue:
		// A conversion alone that was on the stack while the specification of
		// its field was computed.
		if f, ok := x.Value.(*pyast.FormattedValue); ok && f.FormatSpec == nil && x.Conversion == 0 {
			x.Value, x.Conversion = f.Value, f.Conversion
		}
	}
	return e
}

// TidyArguments completes the arguments of a call or class whose placeholders have
// been filled.
func TidyArguments(args []pyast.Expr, keywords []*pyast.Keyword) ([]pyast.Expr, []*pyast.Keyword) {
	var kws []*pyast.Keyword
	for _, k := range keywords {
		if h := holeOf(k.Value, pyast.KeywordDict); h != nil && k.Arg == "" {
			if d, ok := h.Args[0].(*pyast.Dict); ok && !slotKeys(d) {
				kws = append(kws, dictArguments(d)...)
				continue
			}
		}
		kws = append(kws, k)
	}
	var list []pyast.Expr
	for _, a := range args {
		if stars, ok := starsOf(a); ok {
			list = append(list, stars...)
			continue
		}
		if h := holeOf(a, pyast.ArgumentTuple); h != nil && !unfilled(h.Args[0]) {
			list = append(list, spread(h.Args[0], h.N)...)
			continue
		}
		list = append(list, a)
	}
	return list, kws
}

// unfilled reports whether e is a placeholder, or waits for one.
func unfilled(e pyast.Expr) bool {
	h, ok := e.(*pyast.Hole)
	return ok && h.Kind != pyast.StarTuple
}

// hole is what has no Python yet; see pyast.Hole.
func hole(kind pyast.HoleKind, args ...pyast.Expr) *pyast.Hole {
	return &pyast.Hole{Kind: kind, Args: args}
}

// holeOf returns e if it is a hole of the kind, else nil.
func holeOf(e pyast.Expr, kind pyast.HoleKind) *pyast.Hole {
	if h, ok := e.(*pyast.Hole); ok && h.Kind == kind {
		return h
	}
	return nil
}

// spread are the arguments that a call takes from a tuple, where plain ones would need none
// up to the number told.
func spread(e pyast.Expr, plain int) []pyast.Expr {
	list, err := items(e)
	if err != nil || len(list) <= plain && !slices.ContainsFunc(list, isStar) {
		return []pyast.Expr{&pyast.Starred{Value: e}}
	}
	return list
}

func isStar(e pyast.Expr) bool {
	_, ok := e.(*pyast.Starred)
	return ok
}

// starsOf returns the arguments that stand for `*x`, where x is what
// BUILD_TUPLE_UNPACK_WITH_CALL has made.
func starsOf(e pyast.Expr) ([]pyast.Expr, bool) {
	s, ok := e.(*pyast.Starred)
	if !ok {
		return nil, false
	}
	h := holeOf(s.Value, pyast.StarTuple)
	if h == nil {
		return nil, false
	}
	t, ok := h.Args[0].(*pyast.Tuple)
	if !ok {
		return nil, false
	}
	return t.Elts, true
}

// slotKeys reports whether a key of the display is not known yet.
func slotKeys(d *pyast.Dict) bool {
	for _, k := range d.Keys {
		if k != nil && isSlot(k) {
			return true
		}
	}
	return false
}

// asyncComp returns the asynchronous comprehension that e is before it is awaited.
func asyncComp(e pyast.Expr) (pyast.Expr, bool) {
	h := holeOf(e, pyast.Coroutine)
	if h == nil {
		return nil, false
	}
	return h.Args[0], true
}

// tidyAdd extends a display that has become known. It makes a new one: both arms of a branch may
// extend the display that was begun in front of it.
func tidyAdd(c *pyast.Hole) pyast.Expr {
	star := c.Kind == pyast.ExtendedAll
	begun := c.Args[0]
	if n, ok := begun.(*pyast.Name); ok && c.N != 0 {
		begun = beginning(opcode.Op(c.N), n)
	}
	switch d := begun.(type) {
	case *pyast.List:
		more := *d
		more.Elts = append(slices.Clip(d.Elts), displayItems(c.Args[1], star)...)
		return &more
	case *pyast.Set:
		more := *d
		more.Elts = append(slices.Clip(d.Elts), displayItems(c.Args[1], star)...)
		return &more
	case *pyast.Dict:
		more := *d
		if star {
			more.Keys = append(slices.Clip(d.Keys), nil)
			more.Values = append(slices.Clip(d.Values), c.Args[1])
		} else {
			more.Keys = append(slices.Clip(d.Keys), c.Args[1])
			more.Values = append(slices.Clip(d.Values), c.Args[2])
		}
		return &more
	}
	return c
}

func isNoneConst(e pyast.Expr) bool {
	c, ok := e.(*pyast.Constant)
	if !ok {
		return false
	}
	_, ok = c.Value.(pyc.None)
	return ok
}

// IsNone reports whether e is the constant None; a nil e counts.
func IsNone(e pyast.Expr) bool { return e == nil || isNoneConst(e) }

// IsTrue reports whether e is the constant True.
func IsTrue(e pyast.Expr) bool {
	c, ok := e.(*pyast.Constant)
	if !ok {
		return false
	}
	b, ok := c.Value.(pyc.Bool)
	return ok && bool(b)
}
