package equiv

import (
	"fmt"
	"slices"
	"strings"

	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyc"
)

// buildSet handles BUILD_SET. Of constants it is one event, whether they are on the
// stack, as in Dynamo's code, or come by SET_UPDATE from one constant, as in the code
// of a compiler. The order in which they are added counts where it can show.
func (r *stepper) buildSet(n int) {
	s := r.s
	items, length, what := s.top(n), 1, "BuildSet of constants"
	var consts []pyc.Const
	if c, ok := s.constantDisplay(); n == 0 && ok {
		length = 3
		switch c := c.(type) {
		case pyc.Tuple:
			consts = c
		case pyc.FrozenSet:
			consts = c
			if !pyc.SetOrderFree(consts) {
				what = "BuildSet of a frozen set"
			}
		}
		items = constVal(pyc.Tuple(consts)).items
	} else if consts, ok = constants(items); !ok {
		r.emit(n, r.what(), rSym)
		return
	}
	if pyc.SetOrderFree(consts) || what == "BuildSet of a frozen set" {
		items = slices.Clone(items)
		slices.SortStableFunc(items, func(a, b *val) int { return strings.Compare(setKey(a), setKey(b)) })
	}
	r.outs(n, what, items, out{[]rkind{rSym}, func(s *xside, v []*val) {
		s.push(v...)
		s.goTo(s.pc + length)
	}})
}

// constantDisplay returns the constant of BUILD_SET 0; LOAD_CONST; SET_UPDATE 1, at the
// first of which the side is, if it is a tuple or a frozen set. An empty one makes no event.
func (s *xside) constantDisplay() (pyc.Const, bool) {
	if s.pc+2 >= len(s.in) || s.in[s.pc+1].Op != opcode.LoadConst ||
		s.in[s.pc+2].Op != opcode.SetUpdate || s.in[s.pc+2].Arg != 1 {
		return nil, false
	}
	switch c := s.in[s.pc+1].Const.(type) {
	case pyc.Tuple:
		return c, hashable(c)
	case pyc.FrozenSet:
		return c, hashable(c)
	}
	return nil, false
}

func hashable(items []pyc.Const) bool {
	for _, c := range items {
		switch c := c.(type) {
		case pyc.Tuple:
			if !hashable(c) {
				return false
			}
		case pyc.Str, pyc.Bytes, pyc.Int, pyc.Float, pyc.Complex, pyc.Bool, pyc.None, pyc.Ellipsis:
		default:
			return false
		}
	}
	return true
}

// constants returns what the values are if all are hashable constants.
func constants(items []*val) ([]pyc.Const, bool) {
	out := make([]pyc.Const, len(items))
	for i, v := range items {
		switch v.kind {
		case vConst:
			out[i] = v.c
		case vTuple:
			parts, ok := constants(v.items)
			if !ok {
				return nil, false
			}
			out[i] = pyc.Tuple(parts)
		default:
			return nil, false
		}
	}
	return out, hashable(out)
}

// setKey orders constants of one set: by type first, for 1 and 1.0 read alike.
func setKey(v *val) string { return fmt.Sprintf("%T %s", v.c, v) }
