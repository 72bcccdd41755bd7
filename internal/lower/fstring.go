package lower

import (
	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyast"
	"github.com/thuml/depyf/internal/pyc"
)

// joined is an f-string (compiler_joined_str).
func (l *lowerer) joined(e *pyast.JoinedStr) {
	n := len(e.Values)
	if l.v.DeadCodeRemoved() && n > stackUse {
		l.konst(pyc.Str(""))
		l.opN(opcode.LoadMethod, "join")
		l.opI(opcode.BuildList, 0)
		for _, v := range e.Values {
			l.expr(v)
			l.opI(opcode.ListAppend, 1)
		}
		if l.v.HasMethodCallees() {
			l.opI(opcode.Call, 1)
		} else {
			l.opI(opcode.CallMethod, 1)
		}
		return
	}
	l.exprs(e.Values)
	if n != 1 {
		l.opI(opcode.BuildString, n)
	}
}

var conversions = map[rune]int{'s': 1, 'r': 2, 'a': 3}

func (l *lowerer) formatted(e *pyast.FormattedValue) {
	l.expr(e.Value)
	conv := conversions[e.Conversion]
	if !l.v.JumpsTestBools() {
		if e.FormatSpec != nil {
			l.expr(e.FormatSpec)
			conv |= 4
		}
		l.opI(opcode.FormatValue, conv)
		return
	}
	if conv != 0 {
		l.opI(opcode.ConvertValue, conv)
	}
	if e.FormatSpec != nil {
		l.expr(e.FormatSpec)
		l.op(opcode.FormatWithSpec)
		return
	}
	l.op(opcode.FormatSimple)
}

// template is a t-string (3.14+).
func (l *lowerer) template(e *pyast.TemplateStr) {
	field, n := true, 0
	for _, v := range e.Values {
		if _, ok := v.(*pyast.Interpolation); ok {
			if field {
				l.konst(pyc.Str(""))
				n++
			}
			field = true
			continue
		}
		l.expr(v)
		n++
		field = false
	}
	if field {
		l.konst(pyc.Str(""))
		n++
	}
	l.buildTuple(n)
	n = 0
	for _, v := range e.Values {
		i, ok := v.(*pyast.Interpolation)
		if !ok {
			continue
		}
		l.expr(i.Value)
		l.konst(pyc.Str(i.Str))
		arg := 2 | conversions[i.Conversion]<<2
		if i.FormatSpec != nil {
			l.expr(i.FormatSpec)
			arg |= 1
		}
		l.opI(opcode.BuildInterpolation, arg)
		n++
	}
	l.buildTuple(n)
	l.op(opcode.BuildTemplate)
}
