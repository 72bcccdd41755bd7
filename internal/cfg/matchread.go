package cfg

import (
	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyast"
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

// readOne reads one case.
func readOne(p place, old bool) (c readCase, special, ok bool) {
	left := mostSteps
	r := &reader{at: p, root: &part{}, old: old, left: &left}
	r.st = []slot{{kind: 'p', part: r.root}}
	begun := false
	for {
		r.at = skip(r.at)
		if r.at.i == len(r.at.b.Instrs) {
			return c, false, false
		}
		in := &r.at.b.Instrs[r.at.i]
		if begun && (len(r.st) == 0 || len(r.st) == 1 && r.st[0].part == r.root && r.st[0].kind == 'p' && len(r.root.subs) > 0 && !r.more(in)) {
			break
		}
		if !r.step(in) {
			return c, false, false
		}
		begun = true
	}
	if r.fail.b == nil {
		if len(r.st) > 0 || r.root.name == "" || len(r.root.subs) > 0 {
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
	if f := c.fail; skip(place{f.b, 0}) == f {
		c.fail.i = 0 // where a guard that fails leads, too
	}
	c.pattern, ok = r.root.pattern()
	return c, r.special, ok
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

// step executes one instruction of the matching way.
func (r *reader) step(in *bytecode.Instr) bool {
	r.steps++
	*r.left--
	if r.steps > 10000 || *r.left < 0 || r.nest > mostNested {
		return false
	}
	r.endLine = max(r.endLine, int(in.Pos.EndLine))
	n := len(r.st)
	next := place{r.at.b, r.at.i + 1}
	switch in.Op {
	case opcode.Copy:
		if in.Arg > n || in.Arg < 1 {
			return false
		}
		s := r.st[n-in.Arg]
		if s.kind == 'p' && in.Arg == 1 && popsAt(next) {
			s.part.any = true // `_ as x` (≤3.11)
			return r.advance(place{next.b, next.i + 1})
		}
		if s.kind == 'p' && in.Arg == 1 {
			v := &part{}
			if len(s.part.subs) > 0 {
				return false
			}
			s.part.subs = append(s.part.subs, v)
			if !subscripts(next) {
				before := r.marks()
				if !r.afford(len(before.parts)) {
					return false
				}
				if r.alternatives(next, s.part, v) {
					return true
				}
				before.restore()
			}
			s = slot{kind: 'p', part: v, owner: s.part}
		}
		r.push(s)
	case opcode.Swap:
		if in.Arg > n || in.Arg < 2 {
			return false
		}
		r.st[n-1], r.st[n-in.Arg] = r.st[n-in.Arg], r.st[n-1]
	case opcode.Rot:
		if in.Arg > n || in.Arg < 2 {
			return false
		}
		top := r.st[n-1]
		copy(r.st[n-in.Arg+1:], r.st[n-in.Arg:n-1])
		r.st[n-in.Arg] = top
	case opcode.Pop:
		if n == 0 {
			return false
		}
		r.pop()
	case opcode.LoadConst, opcode.LoadName, opcode.LoadGlobal, opcode.LoadFast, opcode.LoadDeref, opcode.LoadClassDeref:
		r.push(slot{kind: 'e', expr: loadExpr(in)})
	case opcode.LoadAttr:
		if n == 0 || r.st[n-1].kind != 'e' {
			return false
		}
		r.st[n-1].expr = pyast.Attr(r.st[n-1].expr, in.Name)
	case opcode.ToBool:
		return n > 0 && r.st[n-1].kind == 'b' && r.advance(next)
	case opcode.Compare:
		e, ok1 := r.pop()
		v, ok2 := r.pop()
		if !ok1 || !ok2 || e.kind != 'e' {
			return false
		}
		switch {
		case v.kind == 'n' && (in.Arg == opcode.Eq || in.Arg == opcode.Ge):
			k, ok := constInt(e.expr)
			if !ok {
				return false
			}
			if s := v.owner.seq; s != nil {
				s.n, s.open, s.sized = k, in.Arg == opcode.Ge, true
			} else if v.owner.mapp == nil {
				return false
			}
		case v.kind == 'p' && in.Arg == opcode.Eq && v.part.base == nil:
			v.part.base = &pyast.MatchValue{Value: e.expr}
		default:
			return false
		}
		r.push(slot{kind: 'b'})
	case opcode.BinaryOp:
		k, ok1 := r.pop()
		l, ok2 := r.pop()
		if !ok1 || !ok2 || l.kind != 'n' || k.kind != 'e' || in.Arg != opcode.Subtract {
			return false
		}
		r.push(slot{kind: 'x', expr: k.expr})
	case opcode.Subscr:
		return r.subscript() && r.advance(next)
	case opcode.IsOp:
		e, ok1 := r.pop()
		v, ok2 := r.pop()
		c, isConst := e.expr.(*pyast.Constant)
		if !ok1 || !ok2 || !isConst || v.kind != 'p' || in.Arg != 0 {
			return false
		}
		v.part.base = &pyast.MatchSingleton{Value: c.Value}
		r.special = true
		r.push(slot{kind: 'b'})
	case opcode.MatchSequence, opcode.MatchMapping:
		if n == 0 || r.st[n-1].kind != 'p' {
			return false
		}
		r.special = true
		if in.Op == opcode.MatchSequence {
			r.st[n-1].part.seq = &seqInfo{star: -1}
		} else {
			r.st[n-1].part.mapp = &mapInfo{}
		}
		r.push(slot{kind: 'b'})
	case opcode.GetLen:
		if n == 0 || r.st[n-1].kind != 'p' {
			return false
		}
		r.push(slot{kind: 'n', owner: r.st[n-1].part})
	case opcode.MatchClass:
		names, ok1 := r.pop()
		cls, ok2 := r.pop()
		v, ok3 := r.pop()
		list, ok4 := constNames(names.expr)
		if !ok1 || !ok2 || !ok3 || !ok4 || cls.kind != 'e' || v.kind != 'p' || !r.afford(in.Arg) {
			return false
		}
		r.special = true
		v.part.class = &pyast.MatchClass{Cls: cls.expr, KwdAttrs: list, Patterns: make([]pyast.Pattern, in.Arg)}
		if r.old {
			v.part.items = parts(in.Arg + len(list))
		}
		r.push(slot{kind: 't', owner: v.part})
		if r.old {
			r.push(slot{kind: 'b'})
		}
	case opcode.CopyDictWithoutKeys:
		if n == 0 || r.st[n-1].kind != 'k' {
			return false
		}
		r.st[n-1].kind = 'd'
	case opcode.BuildTuple:
		if in.Arg > n {
			return false
		}
		t := &pyast.Tuple{}
		for _, s := range r.st[n-in.Arg:] {
			if s.kind != 'e' {
				return false
			}
			t.Elts = append(t.Elts, s.expr)
		}
		r.st = append(r.st[:n-in.Arg], slot{kind: 'e', expr: t})
	case opcode.MatchKeys:
		if n < 2 || r.st[n-1].kind != 'e' || r.st[n-2].kind != 'p' || r.st[n-2].part.mapp == nil {
			return false
		}
		keys, ok := tupleItems(r.st[n-1].expr)
		if !ok {
			return false
		}
		m := r.st[n-2].part
		m.mapp.keys = keys
		r.st[n-1] = slot{kind: 'k', owner: m}
		r.push(slot{kind: 't', owner: m})
		if r.old {
			m.mapp.items = parts(len(keys))
			r.push(slot{kind: 'b'})
		}
	case opcode.UnpackSequence, opcode.UnpackEx:
		return r.unpack(in) && r.advance(next)
	case opcode.BuildMap:
		if in.Arg != 0 {
			return false
		}
		r.push(slot{kind: 'd'})
	case opcode.DictUpdate:
		v, ok := r.pop()
		if !ok || v.kind != 'p' || v.part.mapp == nil || in.Arg < 1 || in.Arg > len(r.st) || r.st[len(r.st)-in.Arg].kind != 'd' {
			return false
		}
		r.st[len(r.st)-in.Arg].owner = v.part
	case opcode.DeleteSubscr:
		k, ok1 := r.pop()
		d, ok2 := r.pop()
		if !ok1 || !ok2 || k.kind != 'e' || d.kind != 'd' {
			return false
		}
	case opcode.StoreFast, opcode.StoreName, opcode.StoreGlobal, opcode.StoreDeref:
		v, ok := r.pop()
		switch {
		case ok && v.kind == 'p' && v.part.name == "":
			v.part.name = in.Name
		case ok && v.kind == 'd' && v.owner != nil:
			v.owner.mapp.rest = in.Name
		default:
			return false
		}
	case opcode.PopJumpIfFalse, opcode.PopJumpIfTrue, opcode.PopJumpIfNone, opcode.PopJumpIfNotNone:
		return r.jump(in)
	default:
		return false
	}
	return r.advance(next)
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
