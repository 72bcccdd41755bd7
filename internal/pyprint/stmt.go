package pyprint

import (
	"fmt"
	"strings"

	"github.com/thuml/depyf/internal/pyast"
	"github.com/thuml/depyf/internal/pyc"
)

// scope says what a block is the body of: it decides about docstrings.
type scope uint8

const (
	scopeOther scope = iota
	scopeModule
	scopeDef
	scopeClass
)

// stmts prints a list of statements.
func (p *printer) stmts(list []pyast.Stmt, in scope) {
	defer func() { p.depth-- }()
	if !p.enter() {
		return
	}
	first := in != scopeOther
	for i, s := range list {
		switch s := s.(type) {
		case nil:
			p.problem("missing statement")
			continue
		case *pyast.Blank:
			p.blanks.wanted = true
			continue
		case *pyast.Comment:
			p.blanks.nextAttach = headsDefinition(list[i+1:])
			p.comment(s)
			continue
		}
		p.mark(s)
		if doc, ok := docstringOf(s); ok && first {
			p.docstring(doc)
			p.logical(lineDocstring)
		} else {
			p.stmt(s)
		}
		p.done(s)
		first = false
	}
}

// headsDefinition reports that only comments come before a def or class, so
// that those comments belong to it.
func headsDefinition(rest []pyast.Stmt) bool {
	for _, s := range rest {
		switch s.(type) {
		case *pyast.Comment:
			continue
		case *pyast.FunctionDef, *pyast.ClassDef:
			return true
		}
		return false
	}
	return false
}

func (p *printer) comment(s *pyast.Comment) {
	p.mark(s)
	attach := p.blanks.nextAttach
	for _, l := range strings.Split(s.Text, "\n") {
		// Control characters could end the comment or the file.
		l = strings.Map(func(r rune) rune {
			if r < ' ' && r != '\t' {
				return ' '
			}
			return r
		}, l)
		if l = strings.TrimRight("# "+l, " \t"); !strings.HasPrefix(l, "#") {
			l = "#"
		}
		p.text(l)
		opens := p.blanks.opens && p.blanks.started
		p.blanks.nextAttach = attach
		p.blanks.nextOpens = opens // what follows is still the block's first line
		p.logical(lineComment)
	}
	p.done(s)
}

// stmt prints one statement; compound ones are in block.go.
func (p *printer) stmt(s pyast.Stmt) {
	k := lineOther
	switch s := s.(type) {
	case *pyast.FunctionDef:
		p.functionDef(s)
		return
	case *pyast.ClassDef:
		p.classDef(s)
		return
	case *pyast.If:
		p.ifStmt(s, "if")
		return
	case *pyast.For:
		p.forStmt(s)
		return
	case *pyast.While:
		p.whileStmt(s)
		return
	case *pyast.With:
		p.withStmt(s)
		return
	case *pyast.Try:
		p.tryStmt(s)
		return
	case *pyast.Match:
		p.matchStmt(s)
		return
	case *pyast.ExprStmt:
		p.exprStmt(s.Value)
	case *pyast.Assign:
		p.assign(s)
	case *pyast.AugAssign:
		p.target(s.Target)
		op := "?"
		if int(s.Op) < len(binOps) {
			op = binOps[s.Op].text
		}
		p.space()
		p.text(op + "=")
		p.space()
		p.value(s.Value, false, true)
	case *pyast.AnnAssign:
		p.annAssign(s)
	case *pyast.Return:
		p.text("return")
		if s.Value != nil {
			p.space()
			n, tuple := isTuple(s.Value)
			ctx := precTuple
			if tuple && (n == 1 || hasStar(s.Value) && !p.g.starInReturn()) {
				ctx = precTest
			}
			p.optional(func() { p.expr(s.Value, ctx) })
		}
	case *pyast.Delete:
		p.text("del")
		p.space()
		if len(s.Targets) == 1 {
			p.optional(func() { p.expr(s.Targets[0], precTest) })
		} else {
			p.items(s.Targets, precTest) // in parentheses it would be one tuple
		}
	case *pyast.Raise:
		p.text("raise")
		if s.Exc != nil {
			p.space()
			p.expr(s.Exc, precTest)
			if s.Cause != nil {
				p.word("from", 0)
				p.expr(s.Cause, precTest)
			}
		} else if s.Cause != nil {
			p.problem("raise with a cause but no exception")
		}
	case *pyast.Assert:
		p.text("assert")
		p.space()
		p.optional(func() { p.expr(s.Test, precTest) })
		if s.Msg != nil {
			p.comma()
			p.optional(func() { p.expr(s.Msg, precTest) })
		}
	case *pyast.Import:
		p.importStmt(s)
		k = lineImport
	case *pyast.ImportFrom:
		p.importFrom(s)
		k = lineImport
	case *pyast.Global:
		p.text("global")
		p.space()
		p.names(s.Names)
	case *pyast.Nonlocal:
		p.text("nonlocal")
		p.space()
		p.names(s.Names)
	case *pyast.TypeAlias:
		p.require(p.g.typeParams(), "type statement")
		p.text("type")
		p.space()
		p.expr(s.Name, precAtom)
		p.typeParams(s.TypeParams)
		p.word("=", 0)
		p.optional(func() { p.expr(s.Value, precTest) })
	case *pyast.Pass:
		p.text("pass")
	case *pyast.Break:
		p.text("break")
	case *pyast.Continue:
		p.text("continue")
	default:
		p.problem("cannot print a %T", s)
		text := "pass"
		if own, ok := s.(fmt.Stringer); ok {
			text = own.String() // a statement of the decompiler's own, for people
		}
		p.text(text)
	}
	p.logical(k)
}

func (p *printer) exprStmt(e pyast.Expr) {
	ctx := precYield
	if _, tuple := isTuple(e); tuple {
		ctx = precTest // a tuple for its effect is odd; make it visible
	}
	if c, ok := e.(*pyast.Constant); ok {
		if s, ok := c.Value.(pyc.Str); ok {
			p.text(strLiteral(string(s)))
			return
		}
	}
	p.item(e, ctx)
}

func (p *printer) assign(s *pyast.Assign) {
	unpacks := false
	for _, t := range s.Targets {
		switch t.(type) {
		case *pyast.Tuple:
			unpacks = true
			p.optional(func() { p.target(t) })
		case *pyast.List:
			unpacks = true
			p.target(t)
		default:
			p.target(t)
		}
		p.word("=", 0)
	}
	if len(s.Targets) == 0 {
		p.problem("assignment without target")
	}
	p.value(s.Value, unpacks, true)
}

// value emits the right side of an assignment. A tuple is written without
// parentheses only to match a target that is one. yields says whether the
// grammar allows a bare yield.
func (p *printer) value(e pyast.Expr, bareTuple, yields bool) {
	ctx := precYield
	if !yields {
		ctx = precTest
	}
	if n, tuple := isTuple(e); tuple && (!bareTuple || n < 2) {
		ctx = precTest
	}
	p.optional(func() { p.item(e, ctx) })
}

func (p *printer) annAssign(s *pyast.AnnAssign) {
	if _, name := s.Target.(*pyast.Name); name && !s.Simple {
		p.bracket("(", ")", fDisplay, func() { p.expr(s.Target, precAtom) })
	} else {
		p.expr(s.Target, precAtom)
	}
	p.text(":")
	p.space()
	p.optional(func() { p.expr(s.Annotation, precTest) })
	if s.Value != nil {
		p.word("=", 0)
		p.value(s.Value, false, p.g.annotatedTuple())
	}
}

func (p *printer) alias(a *pyast.Alias) {
	if a == nil {
		p.problem("missing import")
		return
	}
	if a.Name == "*" {
		p.text(a.Name)
		return
	}
	p.dotted(a.Name)
	if a.AsName != "" {
		p.word("as", 0)
		p.name(a.AsName)
	}
}

func (p *printer) lazy(lazy bool) {
	if lazy {
		p.require(p.g.lazyImport(), "lazy imports")
		p.text("lazy")
		p.space()
	}
}

func (p *printer) importStmt(s *pyast.Import) {
	p.lazy(s.IsLazy)
	p.text("import")
	p.space()
	for i, a := range s.Names {
		if i > 0 {
			p.comma()
		}
		p.alias(a)
	}
}

func (p *printer) importFrom(s *pyast.ImportFrom) {
	p.lazy(s.IsLazy)
	p.text("from")
	p.space()
	if s.Module != "" || s.Level <= 0 {
		for _, part := range strings.Split(s.Module, ".") {
			p.checkName(part)
		}
	}
	p.text(strings.Repeat(".", max(s.Level, 0)) + s.Module)
	p.space()
	p.text("import")
	p.space()
	names := func() {
		for i, a := range s.Names {
			if i > 0 {
				p.comma()
			}
			p.alias(a)
		}
	}
	if len(s.Names) == 1 && s.Names[0] != nil && s.Names[0].Name == "*" {
		names() // `import (*)` is not allowed
		return
	}
	p.optional(names)
}
