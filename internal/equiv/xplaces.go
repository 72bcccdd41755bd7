package equiv

import "slices"

// Paths meet only where a jump or an exception leads. A state that has come to its
// place straight on from the one before is reached by no other way, so it is
// followed at once and forgotten. The others are kept in a table, where those
// that meet are joined; every loop goes through one of them.

// place is where both codes are: about to have an effect or to branch.
type place struct {
	pcA, phaseA, pcB, phaseB int
	shape                    string // until 3.8
}

// kept is a state of the table, which what comes later is joined to.
type kept struct {
	c    *xconf
	text string // c.print(), when it was asked for
}

func (k *kept) print() string {
	if k.text == "" {
		k.text = k.c.print()
	}
	return k.text
}

// pending is a state to go on from: one of the table, or one of its own.
type pending struct {
	at  place
	own *xconf
}

// meets tells for each instruction whether paths may meet there.
func (s *side) meets() []bool {
	out := make([]bool, len(s.in))
	mark := func(i int) {
		if i >= 0 && i < len(out) {
			out[i] = true
		}
	}
	for i := range s.in {
		mark(s.in[i].Target)
	}
	for i := range s.fn.Handlers {
		mark(s.fn.Handlers[i].Target)
	}
	return out
}

// keep puts a state into the table, joined with the one that is there already.
func (e *effects) keep(c *xconf) string {
	c.a.collect()
	c.b.collect()
	p := place{c.a.pc, c.a.phase, c.b.pc, c.b.phase, c.a.shape() + c.b.shape()}
	old := e.table[p]
	if old == nil {
		e.table[p] = &kept{c: c}
		e.work = append(e.work, pending{at: p})
		return ""
	}
	if c.print() == old.print() {
		return ""
	}
	e.at(c)
	before := old.c.clone()
	e.escapeUneven(before, c)
	e.escapeUneven(c, before)
	e.escapeGrown(before, c)
	e.escapeUneven(before, c) // of what was in objects that have grown
	e.escapeUneven(c, before)
	joint, why := join(before, c)
	if why != "" {
		return why
	}
	joint.a.collect()
	joint.b.collect()
	now := &kept{c: joint}
	if now.print() == old.print() {
		return ""
	}
	e.table[p] = now
	if !slices.Contains(e.work, pending{at: p}) {
		e.work = append(e.work, pending{at: p})
	}
	return ""
}

// leaves reports whether an exception that instruction at raises leaves the code,
// whatever is being handled there.
func (s *xside) leaves(at int) bool {
	return s.handler(at) == nil && len(s.blocks) == 0
}
