package equiv

import "github.com/thuml/depyf/internal/opcode"

// slotOfCell handles a cell whose slot the code treats as a variable. An inlined
// comprehension whose variable is captured saves the cell in its slot, makes
// another, and puts the first back (3.12+):
//
//	LOAD_FAST_AND_CLEAR i; MAKE_CELL i; … STORE_DEREF i … STORE_FAST i
//
// So the slot is a local variable that begins with the cell of that name. What is
// done to the cell is an effect, as with any other.
func (r *stepper) slotOfCell() bool {
	s, x := r.s, r.x
	slot := s.locals[x.Name]
	switch x.Op {
	case opcode.LoadClosure, opcode.LoadDeref, opcode.StoreDeref, opcode.DeleteDeref:
		if slot == nil || slot.kind != vSym && slot.kind != vCell {
			r.failf("%v finds no cell in %s", x.Op, x.Name)
			return true
		}
	}
	switch x.Op {
	case opcode.LoadClosure:
		r.pure(0, slot)
	case opcode.LoadDeref, opcode.DeleteDeref:
		var results []rkind
		if x.Op == opcode.LoadDeref {
			results = []rkind{rSym}
		}
		r.event(0, r.what(), s.cell(slot, x.Name), results...)
	case opcode.StoreDeref:
		r.event(1, r.what(), append(s.cell(slot, x.Name), s.peek(1)))
		r.quiet()
	case opcode.MakeCell:
		content := slot
		if content == nil {
			content = unboundVal
		}
		r.outs(0, r.what(), []*val{content}, out{[]rkind{rSym}, func(s *xside, w []*val) {
			s.locals[x.Name] = w[0]
			s.goTo(s.pc + 1)
		}})
	default:
		return false // LOAD_FAST and the like: a variable
	}
	return true
}

// cell is the operand that tells which cell is meant, none if it is the
// variable's own.
func (s *xside) cell(v *val, name string) []*val {
	if v.kind == vCell && v.name == name {
		return nil
	}
	return []*val{v}
}
