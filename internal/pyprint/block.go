package pyprint

import (
	"github.com/thuml/depyf/internal/pyast"
	"github.com/thuml/depyf/internal/pyc"
)

// header ends the line that opens a block.
func (p *printer) header(k lineKind) {
	p.text(":")
	p.blanks.nextOpens = true
	p.logical(k)
}

// body prints an indented block; one without statements gets a pass.
func (p *printer) body(list []pyast.Stmt, in scope) {
	p.level++
	empty := true
	for _, s := range list {
		switch s.(type) {
		case nil, *pyast.Comment, *pyast.Blank:
		default:
			empty = false
		}
	}
	p.stmts(list, in)
	if empty {
		p.text("pass")
		p.logical(lineOther)
	}
	p.level--
}

// clause prints `word:` and a block.
func (p *printer) clause(word string, list []pyast.Stmt) {
	p.text(word)
	p.header(lineClause)
	p.body(list, scopeOther)
}

func (p *printer) orElse(list []pyast.Stmt) {
	if len(list) > 0 {
		p.clause("else", list)
	}
}

func (p *printer) ifStmt(s *pyast.If, word string) {
	k := lineBlock
	for {
		p.text(word)
		p.space()
		p.optional(func() { p.expr(s.Test, p.named(p.g.walrus())) })
		p.header(k)
		p.body(s.Body, scopeOther)
		if len(s.OrElse) != 1 {
			break
		}
		next, ok := s.OrElse[0].(*pyast.If)
		if !ok || next == nil {
			break
		}
		// A loop, not a recursion: generated code has very long chains.
		p.mark(next)
		defer p.done(next)
		s, word, k = next, "elif", lineClause
	}
	p.orElse(s.OrElse)
}

func (p *printer) async(async bool) {
	if async {
		p.text("async")
		p.space()
	}
}

func (p *printer) forStmt(s *pyast.For) {
	p.async(s.IsAsync)
	p.text("for")
	p.space()
	p.quiet++
	p.optional(func() { p.target(s.Target) })
	p.quiet--
	p.word("in", 0)
	p.optional(func() { p.expr(thawed(s.Iter), precTest) })
	p.header(lineBlock)
	p.body(s.Body, scopeOther)
	p.orElse(s.OrElse)
}

func (p *printer) whileStmt(s *pyast.While) {
	p.text("while")
	p.space()
	p.optional(func() { p.expr(s.Test, p.named(p.g.walrus())) })
	p.header(lineBlock)
	p.body(s.Body, scopeOther)
	p.orElse(s.OrElse)
}

func (p *printer) withStmt(s *pyast.With) {
	p.async(s.IsAsync)
	p.text("with")
	p.space()
	items := func() {
		for i, it := range s.Items {
			if i > 0 {
				p.comma()
			}
			if it == nil {
				p.problem("missing with item")
				continue
			}
			p.withExpr(it)
			if it.OptionalVars != nil {
				p.word("as", 0)
				p.item(it.OptionalVars, precTest)
			}
		}
	}
	alone := len(s.Items) == 1 && s.Items[0] != nil && s.Items[0].OptionalVars == nil
	if p.g.parenthesizedWith() || alone {
		p.optional(items)
	} else {
		items()
	}
	if len(s.Items) == 0 {
		p.problem("with without items")
	}
	p.header(lineWith)
	p.body(s.Body, scopeOther)
}

func (p *printer) withExpr(it *pyast.WithItem) {
	if _, tuple := isTuple(it.ContextExpr); tuple && it.OptionalVars == nil && p.g.parenthesizedWith() {
		// `with (a, b):` would be two items.
		p.bracket("(", ")", 0, func() { p.expr(it.ContextExpr, precTest) })
		return
	}
	p.expr(it.ContextExpr, precTest)
}

func (p *printer) tryStmt(s *pyast.Try) {
	p.text("try")
	p.header(lineBlock)
	p.body(s.Body, scopeOther)
	word := "except"
	if s.IsStar {
		p.require(p.g.exceptStar(), "except*")
		word = "except*"
	}
	for _, h := range s.Handlers {
		if h == nil {
			p.problem("missing exception handler")
			continue
		}
		p.mark(h)
		p.text(word)
		if h.Type != nil {
			p.space()
			p.optional(func() { p.expr(h.Type, precTest) })
			if h.Name != "" {
				p.word("as", 0)
				p.name(h.Name)
			}
		} else if s.IsStar || h.Name != "" {
			p.problem("except* or except … as without a type")
		}
		p.header(lineClause)
		p.body(h.Body, scopeOther)
		p.done(h)
	}
	p.orElse(s.OrElse)
	if len(s.FinalBody) > 0 || len(s.Handlers) == 0 {
		if len(s.FinalBody) == 0 {
			p.problem("try without except and finally")
		}
		p.clause("finally", s.FinalBody)
	}
}

func (p *printer) decorators(list []pyast.Expr, def pyast.Stmt) {
	marks := len(p.marks)
	if len(list) > 0 && marks > 0 && p.marks[marks-1] == pyast.Node(def) {
		// The statement's line is that of its keyword.
		p.marks = p.marks[:marks-1]
		defer p.mark(def)
	}
	for _, d := range list {
		if !p.g.anyDecorator() && !oldDecorator(d) {
			p.problem("Python %s has no decorators that are not calls of dotted names", p.g.v)
		}
		p.text("@")
		p.expr(d, p.named(p.g.anyDecorator()))
		p.logical(lineDecorator)
	}
}

// oldDecorator reports what the grammar allowed up to 3.8: a dotted name,
// perhaps called once.
func oldDecorator(e pyast.Expr) bool {
	if c, ok := e.(*pyast.Call); ok {
		e = c.Func
	}
	for {
		switch x := e.(type) {
		case *pyast.Attribute:
			e = x.Value
			continue
		case *pyast.Name:
			return true
		}
		return false
	}
}

func (p *printer) functionDef(s *pyast.FunctionDef) {
	p.decorators(s.DecoratorList, s)
	p.async(s.IsAsync)
	p.text("def")
	p.space()
	p.name(s.Name)
	p.typeParams(s.TypeParams)
	p.bracket("(", ")", fParams, func() { p.params(s.Args, true) })
	if s.Returns != nil {
		p.word("->", 0)
		p.optional(func() { p.expr(s.Returns, precTest) })
	}
	p.definition(s.Body, lineDef, scopeDef)
}

func (p *printer) classDef(s *pyast.ClassDef) {
	p.decorators(s.DecoratorList, s)
	p.text("class")
	p.space()
	p.name(s.Name)
	p.typeParams(s.TypeParams)
	if len(s.Bases)+len(s.Keywords) > 0 {
		p.bracket("(", ")", 0, func() { p.arguments(s.Bases, s.Keywords) })
	}
	p.definition(s.Body, lineClass, scopeClass)
}

// definition prints the body of a def or class; a lone ... stays on the line.
func (p *printer) definition(list []pyast.Stmt, k lineKind, in scope) {
	if len(list) == 1 {
		if e, ok := list[0].(*pyast.ExprStmt); ok {
			if isEllipsis(e.Value) {
				p.text(":")
				p.space()
				p.text("...")
				p.mark(e)
				p.blanks.nextStub = k == lineDef
				p.logical(k)
				p.done(e)
				return
			}
		}
	}
	p.header(k)
	p.body(list, in)
}

func isEllipsis(e pyast.Expr) bool {
	c, ok := e.(*pyast.Constant)
	if !ok {
		return false
	}
	_, ok = c.Value.(pyc.Ellipsis)
	return ok
}

func (p *printer) typeParams(list []pyast.TypeParam) {
	if len(list) == 0 {
		return
	}
	p.require(p.g.typeParams(), "type parameters")
	p.bracket("[", "]", 0, func() {
		for i, t := range list {
			if i > 0 {
				p.comma()
			}
			var def pyast.Expr
			switch t := t.(type) {
			case *pyast.TypeVar:
				p.name(t.Name)
				if t.Bound != nil {
					p.text(":")
					p.space()
					p.expr(t.Bound, precTest)
				}
				def = t.DefaultValue
			case *pyast.ParamSpec:
				p.text("**")
				p.name(t.Name)
				def = t.DefaultValue
			case *pyast.TypeVarTuple:
				p.text("*")
				p.name(t.Name)
				def = t.DefaultValue
			default:
				p.problem("cannot print type parameter %T", t)
			}
			if def != nil {
				p.require(p.g.typeDefaults(), "defaults of type parameters")
				p.word("=", 0)
				p.item(def, precTest)
			}
		}
	})
}
