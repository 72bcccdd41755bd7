package equiv

import (
	"strings"

	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyc"
)

// classConst takes constants that the compiler puts into every class body as equal
// although they differ:
//
//   - __qualname__, if each is the name of its own code object and qualified names
//     are not to be compared;
//   - __firstlineno__, if each is the first line of its own code object;
//   - __static_attributes__, if they hold the same names: the compiler walks a
//     set, whose order changes from one process to the next.
//
// A program may assign the same names by hand, before the compiler does. The
// first rule holds for that too; the second only for the assignment that ends
// the body.
func (w *walker) classConst(i, j int) (ni, nj int, ok bool) {
	x, y := &w.a.in[i], &w.b.in[j]
	if x.Op != opcode.LoadConst || y.Op != opcode.LoadConst {
		return 0, 0, false
	}
	si, sj := w.a.skip(i+1), w.b.skip(j+1)
	if !w.a.stores(si) || !w.b.isOp(sj, w.a.in[si].Op) || w.a.in[si].Name != w.b.in[sj].Name {
		return 0, 0, false
	}
	switch w.a.in[si].Name {
	case "__qualname__":
		if !w.c.opt.AnyQualName || !isQualName(x.Const, w.a.fn.Code) || !isQualName(y.Const, w.b.fn.Code) {
			return 0, 0, false
		}
	case "__firstlineno__":
		if !isInt(x.Const, w.a.fn.Code.FirstLine) || !isInt(y.Const, w.b.fn.Code.FirstLine) {
			return 0, 0, false
		}
	case "__static_attributes__":
		p, ok1 := x.Const.(pyc.Tuple)
		q, ok2 := y.Const.(pyc.Tuple)
		if !ok1 || !ok2 || !allStr(p) || !allStr(q) || !setEqual(p, q, nil) {
			return 0, 0, false
		}
		if !w.a.classEnds(si+1) || !w.b.classEnds(sj+1) {
			return 0, 0, false
		}
	default:
		return 0, 0, false
	}
	return si, sj, true // the stores are compared like any other
}

func (s *side) isOp(i int, op opcode.Op) bool { return i >= 0 && i < len(s.in) && s.in[i].Op == op }

// stores reports whether instruction i stores a variable of a class or module: its own, or one that it declares global or nonlocal.
func (s *side) stores(i int) bool {
	return !s.fn.Code.IsFunction() && (s.isOp(i, opcode.StoreName) || s.isOp(i, opcode.StoreGlobal) || s.isOp(i, opcode.StoreDeref))
}

// classEnds reports whether instruction i begins what the compiler emits behind
// __static_attributes__: the cells for __class__ and the annotations, and the
// return.
func (s *side) classEnds(i int) bool {
	i = s.skip(i)
	if s.isOp(i, opcode.LoadClosure) {
		return s.in[i].Name == "__class__" || s.in[i].Name == "__classdict__"
	}
	if !s.isOp(i, opcode.LoadConst) {
		return false
	}
	_, none := s.in[i].Const.(pyc.None)
	return none && s.isOp(s.skip(i+1), opcode.Return)
}

func isInt(c pyc.Const, n int) bool {
	k, ok := c.(pyc.Int)
	return ok && k.Big != nil && k.Big.IsInt64() && k.Big.Int64() == int64(n)
}

func allStr(t pyc.Tuple) bool {
	for _, c := range t {
		if _, ok := c.(pyc.Str); !ok {
			return false
		}
	}
	return true
}

// isQualName reports whether a constant is the qualified name of a code object, as
// far as that is known: up to 3.10 it is not, but for its last part.
func isQualName(k pyc.Const, c *pyc.Code) bool {
	s, ok := k.(pyc.Str)
	return ok && (string(s) == c.QualName || !c.Version.HasLocalsPlus() && strings.HasSuffix(string(s), "."+c.Name))
}
