package pyprint

import "github.com/thuml/depyf/internal/pyast"

func (p *printer) matchStmt(s *pyast.Match) {
	p.require(p.g.match(), "match statement")
	p.text("match")
	p.space()
	p.optional(func() { p.expr(s.Subject, precNamed) })
	p.header(lineBlock)
	p.level++
	for _, c := range s.Cases {
		if c == nil {
			p.problem("missing case")
			continue
		}
		p.mark(c)
		p.text("case")
		p.space()
		p.optional(func() { p.pattern(c.Pattern, patAs) })
		if c.Guard != nil {
			p.word("if", 0)
			p.optional(func() { p.expr(c.Guard, precNamed) })
		}
		p.header(lineClause)
		p.body(c.Body, scopeOther)
		p.done(c)
	}
	if len(s.Cases) == 0 {
		p.problem("match without cases")
		p.text("case _")
		p.header(lineClause)
		p.body(nil, scopeOther)
	}
	p.level--
}

// patPrec is the precedence of patterns: `as` binds least, then `|`.
type patPrec uint8

const (
	patAs patPrec = iota
	patOr
	patClosed
)

func (p *printer) patterns(list []pyast.Pattern) {
	for i, x := range list {
		if i > 0 {
			p.comma()
		}
		p.pattern(x, patAs)
	}
}

func (p *printer) pattern(x pyast.Pattern, ctx patPrec) {
	defer func() { p.depth-- }()
	if !p.enter() {
		p.text("_")
		return
	}
	pr := patClosed
	switch x := x.(type) {
	case *pyast.MatchOr:
		pr = patOr
	case *pyast.MatchAs:
		if x.Pattern != nil {
			pr = patAs
		}
	}
	if pr < ctx {
		p.bracket("(", ")", fDisplay, func() { p.barePattern(x) })
		return
	}
	p.barePattern(x)
}

func (p *printer) barePattern(x pyast.Pattern) {
	switch x := x.(type) {
	case *pyast.MatchValue:
		p.expr(x.Value, precTest)
	case *pyast.MatchSingleton:
		p.constant(x.Value, false)
	case *pyast.MatchSequence:
		p.bracket("[", "]", fDisplay, func() { p.patterns(x.Patterns) })
	case *pyast.MatchStar:
		p.text("*")
		p.name(orUnderscore(x.Name))
	case *pyast.MatchMapping:
		p.bracket("{", "}", fDisplay, func() { p.mappingItems(x) })
	case *pyast.MatchClass:
		p.expr(x.Cls, precAtom)
		p.bracket("(", ")", 0, func() {
			p.patterns(x.Patterns)
			for i, k := range x.KwdPatterns {
				if i+len(x.Patterns) > 0 {
					p.comma()
				}
				if i >= len(x.KwdAttrs) {
					p.problem("class pattern with too few names")
					return
				}
				p.name(x.KwdAttrs[i])
				p.text("=")
				p.pattern(k, patAs)
			}
		})
	case *pyast.MatchAs:
		if x.Pattern != nil {
			p.pattern(x.Pattern, patOr)
			p.word("as", 0)
		}
		p.name(orUnderscore(x.Name))
	case *pyast.MatchOr:
		for i, y := range x.Patterns {
			if i > 0 {
				p.word("|", prioBitOr)
			}
			p.pattern(y, patClosed)
		}
	default:
		p.problem("cannot print pattern %T", x)
		p.text("_")
	}
}

func (p *printer) mappingItems(x *pyast.MatchMapping) {
	for i, k := range x.Keys {
		if i > 0 {
			p.comma()
		}
		p.expr(k, precTest)
		p.text(":")
		p.space()
		if i >= len(x.Patterns) {
			p.problem("mapping pattern with too few values")
			p.text("_")
			continue
		}
		p.pattern(x.Patterns[i], patAs)
	}
	if x.Rest != "" {
		if len(x.Keys) > 0 {
			p.comma()
		}
		p.text("**")
		p.name(x.Rest)
	}
}

func orUnderscore(name string) string {
	if name == "" {
		return "_"
	}
	return name
}
