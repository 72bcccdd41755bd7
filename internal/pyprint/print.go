package pyprint

import (
	"fmt"
	"strings"

	"github.com/thuml/depyf/internal/pyast"
	"github.com/thuml/depyf/internal/pyc"
)

// DefaultWidth is black's line length.
const DefaultWidth = 88

// Options change the text, not its meaning. The zero value is the default.
type Options struct {
	// Width is the wanted line length; 0 means DefaultWidth.
	Width int
	// Level is the indentation level of the outermost statements.
	Level int
	// RawDocstrings keeps the value of every docstring in the syntax tree.
	// Without it, docstrings for 3.13 and later are indented like the code
	// around them wherever the compiler strips exactly that again.
	RawDocstrings bool
	// AsWritten lays lists out as the source had them, where the nodes tell: see written.go.
	AsWritten bool
	// Diamond prints <> for !=, as a module must that says `from __future__ import
	// barry_as_FLUFL`.
	Diamond bool
	// Spans, when not nil, receives the lines of every statement, exception
	// handler and match case; with Definitions, of every function and class alone.
	Spans       map[pyast.Node]Span
	Definitions bool
}

// Span is a range of output lines, counted from 1.
type Span struct {
	First int // the line of the statement's own keyword, below its decorators
	Last  int // the last line of the statement, its body included
}

// Error lists what the target version cannot express, or what the tree lacks.
// The text returned with it is the best that could be done.
type Error struct{ Problems []string }

func (e *Error) Error() string {
	return "pyprint: " + strings.Join(e.Problems, "; ")
}

// Print returns a module as text.
func Print(m *pyast.Module, v pyc.Version, opt Options) (string, error) {
	if m == nil {
		return "", &Error{[]string{"no module"}}
	}
	return run(v, opt, func(p *printer) { p.stmts(m.Body, scopeModule) })
}

// Stmts returns statements as text, without treating a leading string as a
// docstring.
func Stmts(list []pyast.Stmt, v pyc.Version, opt Options) (string, error) {
	return run(v, opt, func(p *printer) { p.stmts(list, scopeOther) })
}

// Expr returns an expression on one line, without outer parentheses unless it
// is a tuple, a yield or an assignment expression.
func Expr(e pyast.Expr, v pyc.Version) (string, error) {
	return run(v, Options{}, func(p *printer) {
		p.flat = true
		p.item(e, precTest)
		p.out = appendText(p.out, p.toks)
	})
}

func run(v pyc.Version, opt Options, f func(*printer)) (text string, err error) {
	if opt.Width <= 0 {
		opt.Width = DefaultWidth
	}
	p := &printer{g: grammar{v}, opt: opt, level: opt.Level}
	p.written.on = opt.AsWritten
	defer func() {
		if r := recover(); r != nil {
			p.problem("internal error: %v", r)
		}
		text = string(p.out)
		if len(p.problems) > 0 {
			err = &Error{p.problems}
		}
	}()
	f(p)
	return
}

// printer holds the state of one run.
type printer struct {
	emitter
	g          grammar
	opt        Options
	out        []byte
	line       int // lines written so far
	level      int // indentation of the current statement
	depth      int // nesting of the tree, to survive cyclic ones
	blanks     blankState
	fstring    *fcontext // enclosing f-string field, if any
	fieldLines bool      // strings in such fields may go over lines
	marks      []pyast.Node
	problems   []string
}

// maxDepth bounds recursion. CPython's own parser gives up far earlier.
const maxDepth = 20000

func (p *printer) problem(format string, args ...any) {
	const most = 20
	if len(p.problems) < most {
		p.problems = append(p.problems, fmt.Sprintf(format, args...))
	}
}

// require reports a construct that the target version does not have.
func (p *printer) require(ok bool, what string) {
	if !ok {
		p.problem("Python %s has no %s", p.g.v, what)
	}
}

// enter guards recursion; it returns false when the tree is too deep.
func (p *printer) enter() bool {
	p.depth++
	if p.depth > maxDepth {
		p.problem("tree too deep")
		return false
	}
	return true
}

// spanned reports whether somebody asks for the lines of n.
func (p *printer) spanned(n pyast.Node) bool {
	if p.opt.Spans == nil || !p.opt.Definitions {
		return p.opt.Spans != nil
	}
	switch n.(type) {
	case *pyast.FunctionDef, *pyast.ClassDef:
		return true
	}
	return false
}

// mark asks that the next logical line be recorded as n's first.
func (p *printer) mark(n pyast.Node) {
	if p.spanned(n) {
		p.marks = append(p.marks, n)
	}
}

// done records the current line as n's last.
func (p *printer) done(n pyast.Node) {
	if !p.spanned(n) {
		return
	}
	s := p.opt.Spans[n]
	s.Last = p.line
	p.opt.Spans[n] = s
}

// logical ends a logical line: it writes the blank lines that belong above it
// and the tokens collected since the last one.
func (p *printer) logical(k lineKind) {
	toks := p.toks
	p.pend = false
	p.quiet = 0
	p.sole = 0
	p.toks = nil
	for range p.blanks.before(k, p.level) {
		p.out = append(p.out, '\n')
		p.line++
	}
	for _, n := range p.marks {
		p.opt.Spans[n] = Span{First: p.line + 1}
	}
	p.marks = p.marks[:0]
	l := layout{width: p.opt.Width}
	if p.written.oneLine() {
		l.width = max(l.width, p.written.right+len("):"))
	}
	p.written = written{on: p.opt.AsWritten}
	start := len(p.out)
	p.out = l.write(p.out, line{toks: toks, depth: p.level, kind: k})
	for _, c := range p.out[start:] {
		if c == '\n' {
			p.line++
		}
	}
	p.toks = toks[:0] // reuse the array: the text has been copied
}
