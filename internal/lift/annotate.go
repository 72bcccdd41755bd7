package lift

import (
	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyast"
	"github.com/thuml/depyf/internal/pyc"
)

// Since 3.14 (PEP 649) the annotations of a module, class or function are
// computed by a function called __annotate__, which fills a dict:
//
//	BUILD_MAP 0; annotation; COPY 2; LOAD_CONST 'x'; STORE_SUBSCR; …; RETURN_VALUE
//
// and an annotation that is met at run time under a condition (in a module,
// every one) leaves a mark at its place:
//
//	LOAD_NAME __conditional_annotations__; number; SET_ADD 1; POP_TOP

// AnnotationDict is the name under which that dict appears in the lifted
// function. It counts as a temporary: nothing else can touch it.
const AnnotationDict = TempPrefix + "annotations"

// ConditionalAnnotations is the compiler's name of the set of marks.
const ConditionalAnnotations = "__conditional_annotations__"

// isAnnotate reports whether the store of fn under name hands over an
// __annotate__ function.
func isAnnotate(m *machine, fn *pyc.Code, name string) bool {
	if !m.code.Version.AnnotationsAreLazy() || m.code.IsFunction() || name != "__annotate__" && name != "__annotate_func__" {
		return false
	}
	f, err := bytecode.Decode(fn)
	return err == nil && ComputesAnnotations(f)
}

// ComputesAnnotations tells an __annotate__ function that the compiler made from
// one that a person wrote: only the compiler refuses a format with a
// NotImplementedError that is a constant of the interpreter and no global.
func ComputesAnnotations(f *bytecode.Func) bool {
	if f.Code.Name != "__annotate__" || !f.Code.Version.AnnotationsAreLazy() {
		return false
	}
	for i := range f.Instrs {
		if in := &f.Instrs[i]; in.Op == opcode.LoadCommon && in.Arg == opcode.CommonNotImplementedError {
			return true
		}
	}
	return false
}

// annotationDict pushes the dict of an __annotate__ function.
func (m *machine) annotationDict() bool {
	if len(m.stack) > 0 || !ComputesAnnotations(m.g.CFG.Func) {
		return false
	}
	m.pushE(pyast.N(AnnotationDict))
	return true
}

// isAnnotationDict reports whether v is that dict, which lies below all statements of its function, in every block.
func isAnnotationDict(v *Value) bool {
	n, ok := v.E.(*pyast.Name)
	return ok && v.Kind == KExpr && n.Id == AnnotationDict
}

// annotationMark emits the mark of an annotated assignment.
func (m *machine) annotationMark(set *Value, number pyast.Expr) bool {
	n, ok := set.E.(*pyast.Name)
	if !ok || set.Kind != KExpr || n.Id != ConditionalAnnotations {
		return false
	}
	set.used = true // so that the POP_TOP that follows is no statement
	m.emit(pyast.ES(hole(pyast.AnnotationPlace, number)))
	return true
}
