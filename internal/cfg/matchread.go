package cfg

import (
	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyast"
	"github.com/thuml/depyf/internal/pyc"
)

// slot is an abstract stack slot.
type slot struct {
	part  *part
	expr  pyast.Expr
	kind  byte // 'p' part, 'e' expression, 't' attributes of a class or values of keys, 'k' keys, 'd' rest of a mapping, 'b' test, 'n' length
	owner *part
}

// reader follows one case.
type reader struct {
	at      place
	st      []slot
	root    *part
	special bool  // seen what only a match statement has
	fail    place // where the first test leads when it fails; b is nil before
	depth   int   // of the stack where fail is reached
	steps   int
	left    *int // how many more steps all readers of this case may take: alternatives are read by readers of their own, some twice
	nest    int  // how many readers are at work above this one
	endLine int
	met     place // the end of the or-pattern that was read last; that of one around it lies behind
	old     bool  // 3.10: what is taken from a class or mapping stays on the stack, under a bool
}

func (r *reader) push(s slot) { r.st = append(r.st, s) }

func (r *reader) pop() (slot, bool) {
	if len(r.st) == 0 {
		return slot{}, false
	}
	s := r.st[len(r.st)-1]
	r.st = r.st[:len(r.st)-1]
	return s, true
}

// Bounds on reading one case, which no compiler's output comes near: code that
// jumps back into itself is read for ever otherwise.
const (
	mostSteps  = 200_000
	mostNested = 200
)

// readOne reads one case. The first of a match statement has to show that it is one: `x = y = subject` has
// the code of `case x as y`.
func readOne(p place, v pyc.Version, first bool) (c readCase, special, ok bool) {
	left := mostSteps
	r := &reader{at: p, root: &part{}, old: v.MatchPushesBool(), left: &left}
	r.st = []slot{{kind: 'p', part: r.root}}
	begun := false
	for {
		r.at = skip(r.at)
		if r.at.i == len(r.at.b.Instrs) {
			return c, false, false
		}
		in := &r.at.b.Instrs[r.at.i]
		if begun && (len(r.st) == 0 || len(r.st) == 1 && r.st[0].part == r.root && r.st[0].kind == 'p' && len(r.root.subs) > 0 && (!r.more(in) || r.failsHere())) {
			break
		}
		if r.root.any && !r.more(in) || !r.step(in) {
			return c, false, false // `case _` is all of a pattern, and see readGuarded
		}
		begun = true
	}
	if r.fail.b == nil && len(r.st) == 1 {
		if c, ok = guarded(p, r.at, v, r.special || !first); ok {
			c.pattern, ok = r.root.pattern()
		}
		return c, r.special, ok
	}
	if r.fail.b == nil && r.special {
		// `case x | _`, or in front of `case _`, which takes no copy of the subject, `case x | _ if guard`.
		pattern, ok := r.root.pattern()
		guarded := r.at.b.Instrs[r.at.i].Pos.Line <= p.b.Instrs[p.i].Pos.Line
		return readCase{start: p, body: r.at, fail: r.at, last: true, any: true, guarded: guarded, pattern: pattern}, true, ok
	}
	if r.fail.b == nil {
		if len(r.st) > 0 || r.root.name == "" || first && len(r.root.subs) > 0 {
			return c, false, false
		}
		pattern, ok := r.root.pattern()
		return readCase{start: p, body: r.at, fail: r.at, last: true, any: true, pattern: pattern}, false, ok
	}
	c = readCase{start: p, body: r.at, last: len(r.st) == 0, endLine: r.endLine}
	c.fail, ok = dropPops(r.fail, r.depth-len(r.st))
	if !ok {
		return c, false, false
	}
	for _, at := range []*place{&c.body, &c.fail} {
		if skip(place{at.b, 0}) == *at {
			at.i = 0 // where a guard that fails leads, too, and what jumps to a `while True`
		}
	}
	c.never = !c.last && skip(c.body) == skip(c.fail)
	c.pattern, ok = r.root.pattern()
	return c, r.special, ok
}

// failsHere reports whether what does not match comes here as well, with the subject: a
// guard that is false for the compiler keeps the code of the pattern alone. What stands here is the
// next case's.
func (r *reader) failsHere() bool {
	if r.fail.b == nil {
		return false
	}
	f, ok := dropPops(r.fail, r.depth-len(r.st))
	return ok && skip(f) == r.at
}

// popsAt reports whether a value is dropped at p.
func popsAt(p place) bool { return p.i < len(p.b.Instrs) && p.b.Instrs[p.i].Op == opcode.Pop }

// more reports whether the pattern goes on although only the subject is left:
// it is captured (`as`), or tested further.
func (r *reader) more(in *bytecode.Instr) bool {
	return in.Op.Stores()
}

// dropPops moves over n POP_TOPs.
func dropPops(p place, n int) (place, bool) {
	for ; n > 0; n-- {
		p = skip(p)
		if p.i == len(p.b.Instrs) || p.b.Instrs[p.i].Op != opcode.Pop {
			return p, false
		}
		p.i++
	}
	for p.i == len(p.b.Instrs) && p.b.Next != nil && p.b.Taken == nil {
		p = place{p.b.Next, 0}
	}
	return p, true
}

// afford takes n from the steps that are left, for what is as long as an operand says.
func (r *reader) afford(n int) bool {
	if n < 0 || n > *r.left {
		return false
	}
	*r.left -= n
	return true
}

func (r *reader) advance(p place) bool {
	r.at = p
	return true
}

// jump takes the side on which the pattern matches.
func (r *reader) jump(in *bytecode.Instr) bool {
	v, ok := r.pop()
	if !ok || r.at.b.Taken == nil {
		return false
	}
	good, bad := r.at.b.Next, r.at.b.Taken
	switch {
	case v.kind == 'b':
		if in.Op == opcode.PopJumpIfTrue {
			good, bad = bad, good
		} else if in.Op != opcode.PopJumpIfFalse {
			return false
		}
	case v.kind == 't': // COPY 1; POP_JUMP_IF_NONE
		if in.Op == opcode.PopJumpIfNotNone {
			good, bad = bad, good
		} else if in.Op != opcode.PopJumpIfNone {
			return false
		}
	case v.kind == 'p': // `case None`
		v.part.base = &pyast.MatchSingleton{Value: noneConst}
		if in.Op == opcode.PopJumpIfNone {
			good, bad = bad, good
		} else if in.Op != opcode.PopJumpIfNotNone {
			return false
		}
	default:
		return false
	}
	if r.fail.b == nil {
		r.fail, r.depth = place{bad, 0}, len(r.st)
	}
	return r.advance(place{good, 0})
}
