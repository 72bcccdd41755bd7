package lower

import (
	"slices"

	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyast"
	"github.com/thuml/depyf/internal/pyc"
)

// binaries are the operators as the instructions number them.
var binaries = [...]int{
	pyast.Add: opcode.Add, pyast.Sub: opcode.Subtract, pyast.Mult: opcode.Multiply, pyast.MatMult: opcode.MatMul,
	pyast.Div: opcode.TrueDivide, pyast.Mod: opcode.Remainder, pyast.Pow: opcode.Power, pyast.LShift: opcode.LShift,
	pyast.RShift: opcode.RShift, pyast.BitOr: opcode.Or, pyast.BitXor: opcode.Xor, pyast.BitAnd: opcode.And,
	pyast.FloorDiv: opcode.FloorDivide,
}

var unaries = [...]int{
	pyast.Invert: opcode.UnaryInvert, pyast.Not: opcode.UnaryNot, pyast.UAdd: opcode.UnaryPos, pyast.USub: opcode.UnaryNeg,
}

func (l *lowerer) exprs(list []pyast.Expr) {
	for _, e := range list {
		l.expr(e)
	}
}

// expr pushes the value of an expression (compiler_visit_expr1).
func (l *lowerer) expr(e pyast.Expr) {
	if c, ok := l.folded(e); ok {
		l.konst(c)
		_, early := l.literal(e)
		l.u.list[len(l.u.list)-1].late = !early
		return
	}
	switch e := e.(type) {
	case *pyast.Constant:
		l.spelledOut(e.Value)
	case *pyast.BoolOp:
		l.boolOp(e)
	case *pyast.NamedExpr:
		plain := l.plain
		l.plain = plain || !l.v.FoldsNamedValues()
		l.expr(e.Value)
		l.plain = plain
		l.opI(opcode.Copy, 1)
		l.store(e.Target)
	case *pyast.BinOp:
		if f, ok := l.percent(e); ok {
			l.joined(f)
			return
		}
		l.expr(e.Left)
		l.expr(e.Right)
		l.opI(opcode.BinaryOp, binaries[e.Op])
	case *pyast.UnaryOp:
		if e.Op == pyast.Not {
			l.not(e)
			return
		}
		l.expr(e.Operand)
		l.opI(opcode.UnaryOp, unaries[e.Op])
	case *pyast.Lambda:
		l.lambda(e)
	case *pyast.IfExp:
		next, end := l.label(), l.label()
		l.jumpIf(e.Test, next, false)
		l.expr(e.Body)
		l.jump(opcode.Jump, end)
		l.use(next)
		l.expr(e.OrElse)
		l.use(end)
	case *pyast.Dict:
		l.dict(e)
	case *pyast.Set:
		l.display(e.Elts, setKind, 0)
	case *pyast.List:
		l.display(e.Elts, listKind, 0)
	case *pyast.Tuple:
		l.display(e.Elts, tupleKind, 0)
	case *pyast.ListComp, *pyast.SetComp, *pyast.DictComp, *pyast.GeneratorExp:
		l.comprehension(e)
	case *pyast.Await:
		l.expr(e.Value)
		l.opI(opcode.GetAwaitable, 0)
		l.yieldFrom()
	case *pyast.Yield:
		if e.Value != nil {
			l.expr(e.Value)
		} else {
			l.none()
		}
		l.yield()
	case *pyast.YieldFrom:
		l.expr(e.Value)
		l.opI(opcode.GetYieldFromIter, l.v.IteratorSlots())
		l.yieldFrom()
	case *pyast.Compare:
		l.compare(e)
	case *pyast.Call:
		l.call(e)
	case *pyast.FormattedValue:
		l.formatted(e)
	case *pyast.JoinedStr:
		l.joined(e)
	case *pyast.TemplateStr:
		l.template(e)
	case *pyast.Attribute:
		l.attribute(e)
	case *pyast.Subscript:
		l.subscript(e)
	case *pyast.Name:
		l.name(e.Id, load)
	case *pyast.Slice:
		l.slice(e)
	case *pyast.Verbatim:
		if !slices.Contains([]string{"AssertionError"}, e.Text) {
			giveUp("text that is no expression: %s", e.Text)
		}
		l.opI(opcode.LoadCommon, opcode.CommonAssertionError)
	default:
		giveUp("an expression of type %T", e)
	}
}

func (l *lowerer) attribute(e *pyast.Attribute) {
	if l.superAttr(e, false) {
		return
	}
	l.expr(e.Value)
	l.opN(opcode.LoadAttr, l.mangle(e.Attr))
}

// superAttr reads an attribute of super() or super(C, self) in one go (3.12+).
func (l *lowerer) superAttr(e *pyast.Attribute, method bool) bool {
	if !l.v.InlinesComprehensions() {
		return false
	}
	c, ok := e.Value.(*pyast.Call)
	if !ok || len(c.Keywords) > 0 || e.Attr == "__class__" {
		return false
	}
	f, ok := c.Func.(*pyast.Name)
	u := l.u
	if !ok || f.Id != "super" || l.placeOf("super") != globalImplicit || l.t.module.where("super") != unknownPlace || u.s.kind != functionScope || u.s.comp != noComp || u.inComp > 0 && u.s.kind != functionScope {
		return false
	}
	arg := 0
	if method {
		arg = 1
	}
	switch len(c.Args) {
	case 2:
		for _, a := range c.Args {
			if _, star := a.(*pyast.Starred); star {
				return false
			}
		}
		l.name("super", load)
		l.exprs(c.Args)
		arg |= 2
	case 0:
		if len(u.s.params) == 0 || u.code == nil || u.code.ArgCount == 0 || l.placeOf("__class__") != freePlace {
			return false
		}
		l.name("super", load)
		l.opN(opcode.LoadDeref, "__class__")
		l.name(u.s.params[0], load)
	default:
		return false
	}
	l.emit(ins{Instr: bytecode.Instr{Op: opcode.LoadSuperAttr, Name: l.mangle(e.Attr), Arg: arg}})
	return true
}

func (l *lowerer) slice(e *pyast.Slice) {
	part := func(x pyast.Expr) {
		if x == nil {
			l.none()
		} else {
			l.expr(x)
		}
	}
	if l.v.HasSliceConstants() {
		if c, ok := l.foldedSlice(e); ok {
			l.konst(c)
			return
		}
	}
	part(e.Lower)
	part(e.Upper)
	if e.Step != nil {
		l.expr(e.Step)
		l.opI(opcode.BuildSlice, 3)
		return
	}
	l.opI(opcode.BuildSlice, 2)
}

func (l *lowerer) foldedSlice(e *pyast.Slice) (pyc.Const, bool) {
	part := func(x pyast.Expr) (pyc.Const, bool) {
		if x == nil {
			return pyc.None{}, true
		}
		return l.literal(x)
	}
	a, ok1 := part(e.Lower)
	b, ok2 := part(e.Upper)
	c, ok3 := part(e.Step)
	return pyc.Slice{Start: a, Stop: b, Step: c}, ok1 && ok2 && ok3
}

// bounds pushes both ends of a slice that needs no slice object (3.12+).
func (l *lowerer) bounds(e pyast.Expr) bool {
	s, ok := e.(*pyast.Slice)
	if !ok || s.Step != nil || !l.v.InlinesComprehensions() {
		return false
	}
	if l.v.HasSliceConstants() {
		if _, ok := l.foldedSlice(s); ok {
			return false
		}
	}
	for _, x := range []pyast.Expr{s.Lower, s.Upper} {
		if x == nil {
			l.none()
		} else {
			l.expr(x)
		}
	}
	return true
}

func (l *lowerer) subscript(e *pyast.Subscript) {
	l.expr(e.Value)
	if l.bounds(e.Slice) {
		l.op(opcode.BinarySlice)
		return
	}
	l.expr(e.Slice)
	l.op(opcode.Subscr)
}
