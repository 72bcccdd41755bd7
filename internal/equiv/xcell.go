package equiv

import (
	"slices"

	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyc"
)

// A variable that an inner function captures lies in a cell, and the cell in a slot
// of the frame. The cell that code makes for a variable of its own is an object
// like any other: what happens to it is nobody's business until a function that
// captures it has been seen. From then on reading and writing are effects, as they
// are from the beginning with the cells of free variables.
//
// The slot is a variable too. An inlined comprehension whose variable is captured
// saves the cell in its slot, makes another, and puts the first back (3.12+):
//
//	LOAD_FAST_AND_CLEAR i; MAKE_CELL i; … STORE_DEREF i … STORE_FAST i

// makeCells prepares the slots of captured variables at entry. shared are the
// variables of which it is told what they hold by name only.
func (s *xside) makeCells(shared map[string]bool) {
	code := s.fn.Code
	args := code.LocalsPlusNames[:argSlots(code)]
	for _, name := range code.CellVars() {
		content := unboundVal
		if v := s.locals[name]; v != nil && slices.Contains(args, name) && (s.slot(name) == name || !s.v.HasLocalsPlus()) {
			content = v
			delete(s.locals, name)
		}
		if shared[name] {
			s.locals[s.slot(name)] = &val{kind: vCell, name: name}
		} else {
			s.locals[s.slot(name)] = s.alloc(&object{kind: oCell, items: []*val{content}})
		}
	}
	for _, name := range code.FreeVars() {
		s.locals[s.slot(name)] = &val{kind: vCell, name: name}
	}
}

// sharedCells are the variables whose cells class bodies look up by name, or whose
// slots names do not tell apart.
func (s *side) sharedCells() map[string]bool {
	shared := map[string]bool{}
	for i := range s.in {
		switch in := &s.in[i]; in.Op {
		case opcode.LoadClassDeref, opcode.LoadFromDictOrDeref:
			shared[in.Name] = true
		}
	}
	if duplicateSlots(s.fn.Code) {
		for _, name := range s.fn.Code.CellVars() {
			shared[name] = true
		}
	}
	return shared
}

// slot names the variable that holds a cell. Fast operations reach it as well
// (3.11+), unless there is a plain variable of that name besides.
func (s *side) slot(name string) string {
	n := 0
	for _, x := range s.fn.Code.LocalsPlusNames {
		if x == name {
			n++
		}
	}
	if n == 1 && s.v.HasLocalsPlus() {
		return name
	}
	return "cell " + name
}

// fast names the variable that an operation on a plain slot reaches.
func (s *side) fast(x *bytecode.Instr) string {
	if x.Flag {
		return s.slot(x.Name)
	}
	return x.Name
}

// cellOf returns the cell in v if this side has made it and nobody has seen it.
func (s *xside) cellOf(v *val) *object {
	if v == nil {
		return nil
	}
	return s.object(v, oCell)
}

// cells handles the operations on captured variables.
func (r *stepper) cells() bool {
	s, x := r.s, r.x
	if !derefs[x.Op] {
		return r.cellContents()
	}
	if !s.captured[x.Name] {
		r.failf("%v of %s, which is no cell", x.Op, x.Name)
		return true
	}
	key := s.slot(x.Name)
	slot := s.locals[key]
	switch x.Op {
	case opcode.LoadClassDeref, opcode.LoadFromDictOrDeref:
		return false
	case opcode.MakeCell:
		if s.pc < s.entry {
			s.goTo(s.pc + 1) // see makeCells
			return true
		}
		if slot == nil {
			slot = unboundVal
		}
		s.locals[key] = s.alloc(&object{kind: oCell, items: []*val{slot}})
		s.goTo(s.pc + 1)
		return true
	}
	if x.Op == opcode.LoadClosure && slot != nil {
		r.pure(0, slot)
		return true
	}
	o := s.cellOf(slot)
	if o == nil && (slot == nil || slot.kind != vSym && slot.kind != vCell) {
		r.failf("%v finds no cell in %s", x.Op, x.Name)
		return true
	}
	switch {
	case o != nil && x.Op == opcode.StoreDeref:
		if v := s.peek(1); maybeNull(v) {
			r.failf("%v is stored", v)
		} else {
			o.items[0] = v
			r.pure(1)
		}
	case o != nil:
		r.readCell(o, key)
	case x.Op == opcode.StoreDeref:
		r.event(1, r.what(), append(cellOperand(slot, x.Name), s.peek(1)))
		r.quiet()
	case x.Op == opcode.LoadDeref:
		r.event(0, r.what(), cellOperand(slot, x.Name), rSym)
	default:
		r.event(0, r.what(), cellOperand(slot, x.Name))
	}
	return true
}

// readCell reads or empties a cell that only this side knows.
func (r *stepper) readCell(o *object, key string) {
	v := o.items[0]
	del := r.x.Op == opcode.DeleteDeref
	switch {
	case v.kind == vUnbound:
		r.outs(0, "unbound "+r.x.Name, nil) // raises, and that is all
	case v.kind == vMaybe:
		kinds := []rkind{rSym}
		if del {
			kinds = nil
		}
		r.outs(0, "is bound "+r.x.Name, []*val{v}, out{kinds, func(s *xside, w []*val) {
			o := s.cellOf(s.locals[key])
			if del {
				o.items[0] = unboundVal
			} else {
				o.items[0] = w[0]
				s.push(w[0])
			}
			s.goTo(s.pc + 1)
		}})
	case del:
		o.items[0] = unboundVal
		r.s.goTo(r.s.pc + 1)
	default:
		r.pure(0, v)
	}
}

// cellContents handles the attribute by which Dynamo's code reads and writes cells
// that lie on the stack.
func (r *stepper) cellContents() bool {
	s := r.s
	if r.x.Name != "cell_contents" {
		return false
	}
	o := s.cellOf(s.peek(1))
	if o == nil {
		return false
	}
	switch r.x.Op {
	case opcode.LoadAttr:
		if v := o.items[0]; v.kind != vUnbound && v.kind != vMaybe {
			r.pure(1, v)
			return true
		}
	case opcode.StoreAttr:
		if v := s.peek(2); !maybeNull(v) {
			o.items[0] = v
			r.pure(2)
			return true
		}
	}
	return false
}

// cellOperand is the operand that tells which cell is meant, none if it is the
// variable's own.
func cellOperand(v *val, name string) []*val {
	if v.kind == vCell && v.name == name {
		return nil
	}
	return []*val{v}
}

// isArgument reports whether the variable is an argument of the code.
func isArgument(c *pyc.Code, name string) bool {
	return slices.Contains(c.LocalsPlusNames[:argSlots(c)], name)
}
