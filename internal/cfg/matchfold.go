package cfg

import (
	"math/big"
	"sort"

	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyast"
	"github.com/thuml/depyf/internal/pyc"
)

// foldCases replaces the instructions of the cases.
func (g *Graph) foldCases(cases []readCase) {
	// Split from behind, so that places before stay valid.
	var all []place
	for _, c := range cases {
		all = append(all, c.start, c.body, c.fail)
	}
	sort.SliceStable(all, func(i, j int) bool { return all[i].i > all[j].i })
	at := map[place]*Block{}
	for _, p := range all {
		if at[p] == nil {
			at[p] = g.blockAt(p)
		}
	}
	g.matches++
	for k, c := range cases {
		b := at[c.start]
		first := b.Instrs[0]
		mk := func(op opcode.Op, arg int) bytecode.Instr {
			return bytecode.Instr{Op: op, Arg: arg, Target: -1, Offset: first.Offset, Pos: first.Pos}
		}
		var ins []bytecode.Instr
		if k == 0 {
			ins = append(ins, mk(CaseTest, len(g.Cases)))
			ins[0].Flag = true // told from a case, where copies are compared
			g.Cases = append(g.Cases, Case{ID: g.matches})
		}
		ins = append(ins, mk(CaseTest, len(g.Cases)))
		if c.never && !c.guarded {
			g.Cases = append(g.Cases, Case{ID: g.matches, Pattern: c.pattern, EndLine: c.endLine, Never: true})
			b.Instrs, b.Next, b.Taken = ins, at[c.fail], nil
			continue
		}
		if c.any {
			g.Cases = append(g.Cases, Case{ID: g.matches, Pattern: c.pattern, Last: c.last, Irrefutable: true, Guarded: c.guarded, Always: c.always, Never: c.never})
			if at[c.body] == b {
				b.Instrs = append(ins, b.Instrs...) // `case _ if guard`
			} else {
				b.Instrs, b.Next, b.Taken = ins, at[c.body], nil
			}
			continue
		}
		ins = append(ins, mk(opcode.PopJumpIfFalse, 0))
		g.Cases = append(g.Cases, Case{ID: g.matches, Pattern: c.pattern, Last: c.last, EndLine: c.endLine})
		b.Instrs = ins
		b.Next, b.Taken = at[c.body], at[c.fail]
	}
	g.ComputePreds()
}

// pattern spells the part as a pattern.
func (p *part) pattern() (pyast.Pattern, bool) {
	base, ok := p.base, true
	name := p.name
	for t := p.twin; t != nil; t = t.twin {
		name = t.name
	}
	if p.star {
		return &pyast.MatchStar{Name: name}, base == nil && len(p.subs) == 0
	}
	switch {
	case p.seq != nil:
		base, ok = p.seq.pattern()
	case p.mapp != nil:
		base, ok = p.mapp.pattern()
	case p.class != nil:
		base, ok = p.instance()
	case len(p.alts) > 0:
		var alts []pyast.Pattern
		alts, ok = patterns(p.alts)
		base = &pyast.MatchOr{Patterns: alts}
	case len(p.subs) > 0:
		q, sub := p.subs[0].pattern()
		ok = sub && base == nil
		if a, isAs := q.(*pyast.MatchAs); ok && isAs && a.Pattern == nil && name == "" {
			return q, true
		}
		base = q
	case p.any && base == nil:
		base = &pyast.MatchAs{}
	}
	switch {
	case !ok:
		return nil, false
	case name != "":
		return &pyast.MatchAs{Pattern: base, Name: name}, true
	case base == nil:
		return &pyast.MatchAs{}, true
	}
	return base, true
}

// patterns reads a list of parts.
func patterns(parts []*part) ([]pyast.Pattern, bool) {
	var out []pyast.Pattern
	for _, x := range parts {
		q, ok := x.pattern()
		if !ok {
			return nil, false
		}
		out = append(out, q)
	}
	return out, true
}

// pattern reads a sequence.
func (s *seqInfo) pattern() (pyast.Pattern, bool) {
	if s.items == nil && s.picked != nil {
		s.spread()
	} else if s.items == nil {
		// Only the length matters.
		for range s.n {
			s.items = append(s.items, &part{})
		}
		if s.open || !s.sized {
			s.items = append(s.items, &part{star: true})
		}
	}
	items, ok := patterns(s.items)
	return &pyast.MatchSequence{Patterns: items}, ok
}

// pattern reads a mapping.
func (m *mapInfo) pattern() (pyast.Pattern, bool) {
	if m.items == nil && len(m.keys) > 0 {
		return nil, false
	}
	items, ok := patterns(m.items)
	return &pyast.MatchMapping{Keys: m.keys, Patterns: items, Rest: m.rest}, ok
}

// instance reads a class with the patterns of its attributes.
func (p *part) instance() (pyast.Pattern, bool) {
	items, ok := patterns(p.items)
	n := len(p.class.Patterns)
	if !ok || len(items) != n+len(p.class.KwdAttrs) {
		return nil, false
	}
	copy(p.class.Patterns, items)
	p.class.KwdPatterns = items[n:]
	return p.class, true
}

var noneConst = pyc.None{}

func loadExpr(in *bytecode.Instr) pyast.Expr {
	if in.Op == opcode.LoadConst {
		return pyast.Const(in.Const)
	}
	return pyast.N(in.Name)
}

func constInt(e pyast.Expr) (int, bool) {
	c, ok := e.(*pyast.Constant)
	if !ok {
		return 0, false
	}
	i, ok := c.Value.(pyc.Int)
	if !ok || i.Big.Cmp(big.NewInt(1<<20)) > 0 || i.Big.Sign() < 0 {
		return 0, false
	}
	return int(i.Big.Int64()), true
}

func constNames(e pyast.Expr) ([]string, bool) {
	items, ok := tupleItems(e)
	var out []string
	for _, x := range items {
		c, isConst := x.(*pyast.Constant)
		if !isConst {
			return nil, false
		}
		s, isStr := c.Value.(pyc.Str)
		if !isStr {
			return nil, false
		}
		out = append(out, string(s))
	}
	return out, ok
}

// tupleItems lists the items of a tuple, constant or built.
func tupleItems(e pyast.Expr) ([]pyast.Expr, bool) {
	switch t := e.(type) {
	case *pyast.Tuple:
		return t.Elts, true
	case *pyast.Constant:
		if x, ok := t.Value.(pyc.Tuple); ok {
			var out []pyast.Expr
			for _, c := range x {
				out = append(out, pyast.Const(c))
			}
			return out, true
		}
	}
	return nil, false
}
