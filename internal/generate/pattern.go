package generate

import "github.com/thuml/depyf/internal/pyast"

// patterns makes the patterns of one case, which binds no name twice.
type patterns struct {
	g    *generator
	s    scope
	free []string // the names not yet bound
}

func (p *patterns) capture() string {
	if len(p.free) == 0 {
		return ""
	}
	i := p.g.IntN(len(p.free))
	name := p.free[i]
	p.free = append(p.free[:i], p.free[i+1:]...)
	return name
}

// any is a pattern that stands inside of another.
func (p *patterns) any(depth int) pyast.Pattern {
	switch n := p.g.IntN(20); {
	case n < 4:
		return &pyast.MatchAs{}
	case n < 10:
		return &pyast.MatchAs{Name: p.capture()}
	case n < 11 && depth > 0:
		return p.orAny(depth - 1)
	}
	return p.refutable(depth)
}

func (p *patterns) list(depth, n int) []pyast.Pattern {
	out := make([]pyast.Pattern, n)
	for i := range out {
		out[i] = p.any(depth)
	}
	return out
}

// refutable is a pattern that may not match.
func (p *patterns) refutable(depth int) pyast.Pattern {
	g := p.g
	n := g.IntN(12)
	if depth <= 0 {
		n = g.IntN(4)
	}
	switch {
	case n < 2:
		return &pyast.MatchValue{Value: pick(g, []pyast.Expr{
			pyast.Int(0), pyast.Int(1), pyast.Str("a"), &pyast.UnaryOp{Op: pyast.USub, Operand: pyast.Int(1)},
		})}
	case n < 3:
		return &pyast.MatchValue{Value: pyast.Attr(pick(g, []*pyast.Name{pyast.N("m"), g.name(p.s)}), pick(g, attrNames))}
	case n < 4:
		return &pyast.MatchSingleton{Value: pick(g, []*pyast.Constant{pyast.None(), pyast.Bool(true), pyast.Bool(false)}).Value}
	case n < 6:
		m := &pyast.MatchSequence{Patterns: p.list(depth-1, g.IntN(3))}
		if g.chance(30) {
			star := &pyast.MatchStar{}
			if g.chance(60) {
				star.Name = p.capture()
			}
			m.Patterns = append(m.Patterns, star)
			if g.chance(30) {
				m.Patterns = append(m.Patterns, p.any(depth-1))
			}
		}
		return m
	case n < 8:
		m := &pyast.MatchMapping{}
		for i := range g.IntN(3) {
			m.Keys = append(m.Keys, []pyast.Expr{pyast.Str("k"), pyast.Attr(pyast.N("m"), "b")}[i])
			m.Patterns = append(m.Patterns, p.any(depth-1))
		}
		if g.chance(30) {
			m.Rest = p.capture()
		}
		return m
	case n < 10:
		m := &pyast.MatchClass{Cls: pick(g, []pyast.Expr{dotted(pick(g, excNames)), g.name(p.s)}), Patterns: p.list(depth-1, g.IntN(3))}
		if g.chance(30) {
			m.KwdAttrs, m.KwdPatterns = []string{"a"}, p.list(depth-1, 1)
		}
		return m
	case n < 11:
		return p.or(depth - 1)
	}
	return &pyast.MatchAs{Pattern: p.refutable(depth - 1), Name: p.capture()}
}

// orAny has an alternative that matches everything, which stands last.
func (p *patterns) orAny(depth int) pyast.Pattern {
	closed := &patterns{g: p.g, s: p.s}
	m := &pyast.MatchOr{}
	for range 1 + p.g.IntN(2) {
		m.Patterns = append(m.Patterns, closed.refutable(depth))
	}
	m.Patterns = append(m.Patterns, &pyast.MatchAs{})
	if p.g.chance(25) {
		return &pyast.MatchAs{Pattern: m, Name: p.capture()}
	}
	return m
}

// or has alternatives that all bind the same names: none, or one.
func (p *patterns) or(depth int) pyast.Pattern {
	m := &pyast.MatchOr{}
	if p.g.chance(70) {
		closed := &patterns{g: p.g, s: p.s}
		for range 2 + p.g.IntN(2) {
			m.Patterns = append(m.Patterns, closed.refutable(depth))
		}
		return m
	}
	name := p.capture()
	for range 2 {
		one := &pyast.MatchAs{Name: name}
		m.Patterns = append(m.Patterns, pick(p.g, []pyast.Pattern{
			&pyast.MatchSequence{Patterns: []pyast.Pattern{one}},
			&pyast.MatchClass{Cls: pyast.N("E"), Patterns: []pyast.Pattern{one}},
			&pyast.MatchMapping{Keys: []pyast.Expr{pyast.Int(1)}, Patterns: []pyast.Pattern{one}},
		}))
	}
	return m
}
