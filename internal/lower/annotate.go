package lower

import (
	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyast"
	"github.com/thuml/depyf/internal/pyc"
)

// pushAnnotations pushes what a function's annotations are made of.
func (l *lowerer) pushAnnotations(f *pyast.FunctionDef) int {
	list := annotated(l.v, f.Args, f.Returns)
	if len(list) == 0 {
		return 0
	}
	if l.v.AnnotationsAreLazy() {
		l.annotateFunction(l.t.at[extraKey{f, "annotations"}], f.Name, func() {
			for _, a := range list {
				l.konst(pyc.Str(l.mangle(a.name)))
				l.annotation(a.e)
			}
			l.opI(opcode.BuildMap, len(list))
			l.op(opcode.Return)
		})
		return hasAnnotate
	}
	if !l.v.AnnotationsAreTuple() {
		keys := make(pyc.Tuple, len(list))
		for i, a := range list {
			l.annotation(a.e)
			keys[i] = pyc.Str(l.mangle(a.name))
		}
		l.konst(keys)
		l.opI(opcode.BuildConstKeyMap, len(list))
		return hasAnnotations
	}
	for _, a := range list {
		l.konst(pyc.Str(l.mangle(a.name)))
		l.annotation(a.e)
	}
	l.buildTuple(2 * len(list))
	return hasAnnotations
}

// annotation pushes one annotation, or its text under `from __future__ import annotations`.
func (l *lowerer) annotation(e pyast.Expr) {
	if l.t.future {
		v, ok := e.(*pyast.Verbatim)
		if !ok {
			giveUp("an annotation that is no text")
		}
		if v.Value == nil {
			giveUp("an annotation without its text")
		}
		l.konst(v.Value)
		return
	}
	if s, ok := e.(*pyast.Starred); ok {
		l.expr(s.Value)
		l.opI(opcode.UnpackSequence, 1)
		return
	}
	l.expr(e)
}

// annotateFunction makes an __annotate__ function (3.14+), which from 3.15 on carries the
// name of the function whose annotations it gives.
func (l *lowerer) annotateFunction(s *scope, owner string, body func()) {
	u := l.enter(s, "__annotate__")
	if owner != "" && l.v.AnnotateNamesOwner() && (s.parent.kind != typeParamScope || s.parent.parent.kind != moduleScope) {
		u.name = owner
		u.qualName = l.qualify(u) + ".__annotate__"
		u.name = "__annotate__"
	}
	u.code = &pyc.Code{ArgCount: 1, PosOnlyArgCount: 1}
	l.checkFormat()
	body()
	for i := range u.list {
		if u.list[i].Name == ".format" {
			u.list[i].Name = "format" // as a caller may name it
		}
	}
	s.params[0] = "format"
	code := l.leave()
	l.makeFunction(u, code, 0)
}

// checkFormat raises NotImplementedError for formats that the code cannot give.
func (l *lowerer) checkFormat() {
	ok := l.label()
	l.opN(opcode.LoadFast, ".format")
	l.konst(pyc.NewInt(2))
	l.opI(opcode.Compare, opcode.Gt)
	l.popJump(false, ok)
	l.opI(opcode.LoadCommon, opcode.CommonNotImplementedError)
	l.opI(opcode.Raise, 1)
	l.use(ok)
}
