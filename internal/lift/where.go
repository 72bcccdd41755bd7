package lift

import (
	"cmp"

	"github.com/thuml/depyf/internal/cfg"
	"github.com/thuml/depyf/internal/evidence"
	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyast"
)

// place gives e the offset and the source range of the instruction at hand, unless it has them.
func (m *machine) place(e pyast.Expr) {
	p, at := e.Position(), m.in.Pos
	if p.Offset == 0 {
		p.Offset = m.in.Offset
	}
	if p.Line != 0 || at.Line <= 0 {
		return
	}
	p.Line = int(at.Line)
	if at.Col >= 0 && at.EndLine > 0 && at.EndCol >= 0 {
		p.Col, p.EndLine, p.EndCol = int(at.Col)+1, int(at.EndLine), int(at.EndCol)+1
	}
}

// span gives e the range from the start of a to the end of z.
func span(e, a, z pyast.Expr) {
	p, s, t := e.Position(), a.Position(), z.Position()
	p.Line, p.Col, p.EndLine, p.EndCol = s.Line, s.Col, t.EndLine, t.EndCol
}

// Pos is where the terminator's instruction stands in the source.
func (t *Term) Pos() pyast.Pos {
	p := pyast.At(t.Line, t.Offset)
	if t.Col > 0 {
		p.Col = t.Col + 1
		if t.EndCol > 0 {
			p.EndLine, p.EndCol = t.Line, t.EndCol+1
		}
	}
	return p
}

// nestedIf reports whether the test b begins an `if` statement in the body of
// the one that a begins, judged by the columns, and where there are none by the lines:
//
//	if a:          b stands three columns behind its `if`, which stands one
//	    if b:      level in front of the body and one behind the outer `if`
//	        c
func (r reducer) nestedIf(a, b *Block) bool {
	la, ca := evidence.Leftmost(a.Term.Cond)
	lb, cb := evidence.Leftmost(b.Term.Cond)
	if ca == 0 || cb == 0 {
		return !r.g.CFG.Func.Code.Version.HasColumns() && r.brokenForNothing(a, b)
	}
	body, exit := b.True, b.False
	if body == a.True || body == a.False {
		body, exit = exit, body
	}
	if body == a.True || body == a.False || exit.ID > b.ID && exit.ID < body.ID {
		return false // of `a or b` the body comes first
	}
	if lb <= la {
		return false
	}
	first, ca := a.lineStart(b)
	cb -= evidence.Nots(b.onward(body))
	c := body.StartColumn(r.g.Indentation)
	if c == 0 || r.lineOf(body) <= lb {
		return false
	}
	if len(body.Stmts) == 0 && body.Term.Kind == Branch && r.whileTest(body) {
		c -= len("while") - len("if")
	}
	unit := r.g.Indentation.Unit
	levels := entered(b, body)
	for k := min(levels, 1); k <= levels; k++ { // `try … except … finally` is one level, but two regions
		own := c - unit*(1+k)
		d := cb - own // 3, or 4 behind a parenthesis
		if (d == 3 || d == 4) && cb-ca >= unit-2 && (unit > 1 || cb != ca) {
			// A test as far behind as `elif (` is that of an elif: no code goes on to it from in front.
			// Behind a tab, each level of it is as far behind as one column.
			return unit == 1 || ca-(own-unit) <= len("if (") || !r.fallenInto(first)
		}
	}
	return false
}

// lineStart is the block with the first of the tests on a's line, and the column at which that begins; x follows a.
func (a *Block) lineStart(x *Block) (first *Block, col int) {
	line, col := evidence.Leftmost(a.Term.Cond)
	for len(a.Stmts) == 0 && len(a.Preds) == 1 && a.Preds[0].Term.Kind == Branch {
		l, c := evidence.Leftmost(a.Preds[0].Term.Cond)
		if l != line || c == 0 {
			break
		}
		x, a, col = a, a.Preds[0], c
	}
	return a, col - evidence.Nots(a.onward(x))
}

// inAssert reports whether b is the test of an assert statement, and then whether a is, too: it is not
// in `if a: assert b`. The exception may have the place of an operand (3.11).
func (r reducer) inAssert(a, b *Block) (both, known bool) {
	p, raises, on := b.asserts()
	if p.Col == 0 {
		return false, false
	}
	if raises == a.True || raises == a.False {
		return true, true
	}
	la, ca := evidence.Leftmost(a.Term.Cond)
	lb, cb := evidence.Leftmost(b.Term.Cond)
	if lb > p.Line || lb == p.Line && cb > p.Col {
		return la > p.Line || la == p.Line && ca > p.Col || standsIn(p, a.Term.Cond), true
	}
	return !r.inBodyOf(a, a.onward(b), b.assertStart(on)), true
}

// asserts is the place of the exception that b's test decides to raise, as an assert statement does, the block that raises it,
// and where the program goes on else. The place is that of the statement, or of an operand (3.11); its column is 0 where b is
// no such test.
func (b *Block) asserts() (at pyast.Pos, raises, on *Block) {
	if at = b.True.assertAt(); at.Col > 0 {
		return at, b.True, b.False
	}
	return b.False.assertAt(), b.False, b.True
}

// assertStart is the column at which the assert statement begins that b is the test of, and from which the program
// goes on at on: a column too far where the test stands in parentheses.
func (b *Block) assertStart(on *Block) int {
	_, col := evidence.Leftmost(b.Term.Cond)
	return col - evidence.Nots(b.onward(on)) - len("assert ")
}

// inBodyOf reports whether a statement that begins at a column, or with a parenthesis a column later, stands in the body of
// an `if` that has the test of a, as it is written there, or one that leads to it.
func (r reducer) inBodyOf(a *Block, test pyast.Expr, start int) bool {
	in := r.g.Indentation
	for n := 0; n < 100; n++ {
		_, col := evidence.Leftmost(a.Term.Cond)
		nots := evidence.Nots(test)
		own := col - nots - len("if ")
		inBody := func() bool { return start == own+in.Unit || start == own+in.Unit+1 }
		if in.Begins(own) {
			return inBody()
		}
		if own--; nots == 0 && in.Begins(own) && inBody() {
			return true // behind a parenthesis; with a `not` it rather is an operand of `or`
		}
		if len(a.Stmts) > 0 || len(a.Preds) != 1 || a.Preds[0].Term.Kind != Branch {
			return false
		}
		a = a.Preds[0]
		test = a.written()
	}
	return false
}

// standsIn reports whether a part of e begins at a place.
func standsIn(at pyast.Pos, e pyast.Expr) (in bool) {
	pyast.Inspect(e, func(n pyast.Node) bool {
		p := n.Position()
		in = in || p.Line == at.Line && p.Col == at.Col
		return !in
	})
	return in
}

// entered counts the protected regions that begin on the way from b to x.
func entered(b, x *Block) int {
	n := 0
	for e := x.Exc; e != nil && e != b.Exc; e = e.Parent {
		n++
	}
	return n
}

// onward is the test that ends b as it is written in an `if` whose body is x.
func (b *Block) onward(x *Block) pyast.Expr {
	if b.False == x {
		return not(b.Term.Cond)
	}
	return b.Term.Cond
}

// written is the test that ends b as an `if` statement has it: its body comes first. Of
// `a or b` that is not what comes next.
func (b *Block) written() pyast.Expr {
	if x := b.False; x.ID > b.ID && x.ID < b.True.ID && !(x.Term.Kind == Branch && len(x.Stmts) == 0 && (x.True == b.True || x.False == b.True)) {
		return b.onward(x)
	}
	return b.Term.Cond
}

// assertAt is where an assert statement stands, b being what it raises; its column is 0
// where b is something else or nothing tells. (The RAISE_VARARGS has the place of the test
// from 3.13 on.)
func (b *Block) assertAt() pyast.Pos {
	if v := b.assertion(); v != nil {
		return v.Pos
	}
	return pyast.Pos{}
}

// assertion is the AssertionError that b raises and does nothing else, if it does.
func (b *Block) assertion() *pyast.Verbatim {
	if len(b.Stmts) > 0 || b.Term.Kind != Raise {
		return nil
	}
	e := b.Term.Value
	if c, ok := e.(*pyast.Call); ok {
		e = c.Func
	}
	if v, ok := e.(*pyast.Verbatim); ok && v.Text == "AssertionError" {
		return v
	}
	return nil
}

// StartColumn is where the first statement of b begins, 0 when unknown.
func (b *Block) StartColumn(in evidence.Indentation) int {
	if len(b.Stmts) > 0 {
		if m, ok := b.Stmts[0].(*Marker); ok {
			if m.Kind == MarkWithEnter && m.With != nil {
				if _, c := evidence.Leftmost(m.With.Context); c > 0 {
					return c - len("with ")
				}
			}
			return 0
		}
		_, c := in.Start(b.Stmts[0])
		return c
	}
	switch b.Term.Kind {
	case Return, Raise:
		p := b.Term.Pos()
		if k, ok := b.Term.Value.(*pyast.Constant); ok && k.Col == p.Col && in.Returned(b.Term.Col) {
			return p.Col - len("return ")
		}
		return p.Col
	case Branch:
		if p, _, on := b.asserts(); p.Col > 0 && p.Line == b.Term.Line {
			if _, c := evidence.Leftmost(b.Term.Cond); c == p.Col {
				c = b.assertStart(on)
				if !in.Begins(c) && in.Begins(c-1) {
					c-- // a parenthesis
				}
				return c
			}
			return p.Col
		}
		if _, c := evidence.Leftmost(b.Term.Cond); c > 0 {
			return c - len("if ") - evidence.Nots(b.written())
		}
	case Goto:
		if b.Term.Jump {
			return b.Term.Pos().Col
		}
		if x := b.pastIdle(); x != b {
			return x.StartColumn(in)
		}
	}
	return 0
}

// pastIdle is the block with the first statement, test or jump behind b, which it alone leads to; b itself if there is none. Loops
// that do nothing are rings of blocks.
func (b *Block) pastIdle() *Block {
	x := b
	for n := 0; len(x.Stmts) == 0 && x.Term.Kind == Goto && !x.Term.Jump && x.Next != nil && len(x.Next.Preds) == 1; n++ {
		if x = x.Next; x == b || n == 1000 {
			return b
		}
	}
	return x
}

func (r reducer) lineOf(b *Block) int {
	if len(b.Stmts) > 0 {
		return cmp.Or(evidence.StartLine(b.Stmts[0]), b.Line)
	}
	if x := b.pastIdle(); x != b {
		return r.lineOf(x)
	}
	return b.Term.Line
}

// placeNoneTest gives a test for None the range that it has in the source: that
// of the jump (3.12+), or as far as it is written (3.11).
func (m *machine) placeNoneTest(c *pyast.Compare) {
	x := c.Left.Position()
	if x.Col == 0 || x.EndCol == 0 {
		return
	}
	at := m.in.Pos
	if int(at.Col)+1 == x.Col && int(at.Line) == x.Line || int(at.Line) > x.EndLine {
		m.place(c) // below what is tested: that of `case None:`
		return
	}
	c.Pos = *x
	c.EndCol += len(" is None")
	if c.Ops[0] == pyast.IsNot {
		c.EndCol += len(" not")
	}
}

// overElse returns where the dead block b jumps to, if it is the jump over an
// else clause that the compiler leaves behind a `raise` (until 3.9).
func overElse(g *cfg.Graph, b *cfg.Block) *cfg.Block {
	if !b.Dead || len(b.Instrs) != 1 || b.Instrs[0].Op != opcode.Jump || b.ID == 0 || g.Func.Code.Version.DeadCodeRemoved() {
		return nil
	}
	instrs := g.Func.Instrs
	i := g.Func.Index(b.Instrs[0].Offset)
	if i == 0 || i == len(instrs) || instrs[i-1].Op != opcode.Raise {
		return nil
	}
	return b.Next
}
