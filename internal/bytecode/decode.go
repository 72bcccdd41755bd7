package bytecode

import (
	"slices"
	"sync"

	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyc"
)

// Decode reads the instructions, positions and exception table of c.
func Decode(c *pyc.Code) (*Func, error) {
	s := scratches.Get().(*scratch)
	defer scratches.Put(s)
	raws, err := scan(s.raws[:0], c)
	if err != nil {
		return nil, err
	}
	if err := c.Validate(); err != nil {
		return nil, errorf(c, 0, "%v", err)
	}
	units := len(c.Bytecode) / 2
	s.raws, s.positions, s.index = raws, slices.Grow(s.positions[:0], units)[:units], slices.Grow(s.index[:0], units+1)[:units+1]
	d := &decoder{code: c, version: c.Version, table: opcode.For(c.Version), raws: raws, positions: s.positions, index: s.index}
	positions(c, d.positions)
	d.vars = c.LocalsPlusNames
	if !c.Version.HasLocalsPlus() {
		// Operands of *_DEREF count from the first cell variable.
		d.firstCell = len(c.VarNames())
	}
	d.out = make([]Instr, 0, len(raws)+len(raws)/8)
	for i := range d.index {
		d.index[i] = -1
	}
	for i := range raws {
		d.index[raws[i].Begin/2] = int32(len(d.out))
		if err := d.expand(i); err != nil {
			return nil, err
		}
	}
	d.index[units] = int32(len(d.out))
	if err := d.resolveJumps(); err != nil {
		return nil, err
	}
	if err := d.passEndFor(); err != nil {
		return nil, err
	}
	handlers, err := d.handlers()
	if err != nil {
		return nil, err
	}
	return &Func{Code: c, Instrs: d.out, Handlers: handlers}, nil
}

// scratch is what a Decode call needs while it runs, and hands on to the next one: made
// anew each time it was a seventh of all the memory that a decompilation allocates.
type scratch struct {
	raws      []Raw
	positions []Pos
	index     []int32
}

var scratches = sync.Pool{New: func() any { return new(scratch) }}

// decoder is the state of one Decode call.
type decoder struct {
	code      *pyc.Code
	version   pyc.Version
	table     *opcode.Table
	raws      []Raw
	positions []Pos   // by code unit
	index     []int32 // code unit at which an instruction begins -> index in out; -1 elsewhere
	vars      []string
	firstCell int
	out       []Instr
}

// instr returns the instruction that r stands for when nothing special is to be
// done: the operand is Arg.
func (d *decoder) instr(r *Raw) Instr {
	in := Instr{Op: r.Info.Op, Arg: int(r.Info.Fixed), Target: -1, Offset: r.Offset, Pos: NoPos, Raw: r.Op, RawArg: int32(r.Arg)}
	if u := r.Offset / 2; u < len(d.positions) {
		in.Pos = d.positions[u]
	}
	return in
}

// resolveJumps turns the Targets, so far byte offsets, into indices.
func (d *decoder) resolveJumps() error {
	for i := range d.out {
		in := &d.out[i]
		if in.Target < 0 {
			continue
		}
		t := d.at(in.Target)
		if t < 0 || t >= len(d.out) {
			return errorf(d.code, in.Offset, "%s to offset %d, where no instruction begins", in.Op, in.Target)
		}
		in.Target = t
	}
	return nil
}

// at returns the index of the instruction that begins at a byte offset, or -1;
// for the end of the code, len(out).
func (d *decoder) at(offset int) int {
	if offset < 0 || offset%2 != 0 || offset/2 >= len(d.index) {
		return -1
	}
	return int(d.index[offset/2])
}

// passEndFor moves the target of each ForIter behind the instructions that end
// the loop. From 3.12 on FOR_ITER jumps to END_FOR, followed by POP_TOP in 3.13
// and by POP_ITER from 3.14, which CPython skips or which drop the iterator; in
// our model the exhausted edge has dropped it.
func (d *decoder) passEndFor() error {
	if !d.version.HasEndFor() {
		return nil
	}
	pop := d.version.EndForPop()
	var targeted []bool // by anything but a ForIter
	for i := range d.out {
		in := &d.out[i]
		if in.Op != opcode.ForIter {
			continue
		}
		end := in.Target
		if d.out[end].Op != opcode.EndFor {
			return errorf(d.code, in.Offset, "FOR_ITER to offset %d, where there is no END_FOR", d.out[end].Offset)
		}
		end++
		if pop != "" {
			// Two loops may end at the same END_FOR, whose pop is then already
			// an EndFor.
			if end == len(d.out) || d.table.Ops[d.out[end].Raw].Name != pop {
				return errorf(d.code, in.Offset, "FOR_ITER to an END_FOR with no %s behind it", pop)
			}
			if targeted == nil {
				targeted = d.targeted()
			}
			// A pop that is also jumped to keeps its meaning there.
			if !targeted[end] {
				d.out[end].Op, d.out[end].Arg = opcode.EndFor, 0
			}
			end++
		}
		if end == len(d.out) {
			return errorf(d.code, in.Offset, "nothing follows the END_FOR of this FOR_ITER")
		}
		in.Target = end
	}
	return nil
}

// targeted tells the instructions that anything but a ForIter jumps to.
func (d *decoder) targeted() []bool {
	out := make([]bool, len(d.out))
	for i := range d.out {
		if in := &d.out[i]; in.Target >= 0 && in.Op != opcode.ForIter {
			out[in.Target] = true
		}
	}
	return out
}
