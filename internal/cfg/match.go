package cfg

import (
	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyast"
)

// matches recognises match statements (3.11+) and folds the test of each case
// into one instruction. A case that is not the last tests a copy of the subject:
//
//	subject                              subject; CASE start
//	COPY 1; …pattern…; STORE x           CASE pattern; POP_JUMP_IF_FALSE F
//	POP_TOP; body; jump end         →    POP_TOP; body; jump end
//	F: COPY 1; …pattern…                 F: CASE pattern; …
//
// It follows the way on which everything matches, with an abstract stack of
// parts of the subject, and reads the pattern off what is asked of each part.
// The failing ways only drop what is left on the stack. What it does not
// understand stays as it is.
func matches(g *Graph) error {
	if !g.Func.Code.Version.HasMatch() {
		return nil
	}
	old := g.Func.Code.Version.MatchPushesBool()
	matchExits(g)
	done := map[place]bool{}
	for again := true; again; {
		again = false
		for _, b := range g.Blocks {
			if b.Dead {
				continue
			}
			for i := range b.Instrs {
				p := place{b, i}
				if done[p] || !startsMatch(b, i) {
					continue
				}
				done[p] = true
				cases := readCases(p, old)
				if cases == nil {
					continue
				}
				g.foldCases(cases)
				again = true
				break
			}
			if again {
				break
			}
		}
	}
	return nil
}

// CaseTest is the operation of a folded case test: Invalid, which no compiled
// code has. Arg is an index into Graph.Cases.
const CaseTest = opcode.Invalid

// Case is one folded instruction of a match statement.
type Case struct {
	ID      int           // of the match statement
	Pattern pyast.Pattern // nil: here the statement starts; the subject is on the stack
	Last    bool          // the subject is popped by the test
	EndLine int           // where the pattern ends in the source

	Irrefutable bool // a bare name or `_`: no test
	Guarded     bool // Irrefutable with a guard: more cases follow, and the subject is kept
}

// startsMatch reports whether the first case of a match may begin here.
func startsMatch(b *Block, i int) bool {
	switch b.Instrs[i].Op {
	case opcode.Copy:
		return b.Instrs[i].Arg == 1
	case opcode.MatchSequence, opcode.MatchMapping:
		return true
	case opcode.LoadName, opcode.LoadGlobal, opcode.LoadFast, opcode.LoadDeref:
		// The class of a class pattern that is the only case.
		for i++; i < len(b.Instrs) && b.Instrs[i].Op == opcode.LoadAttr; i++ {
		}
		return i+1 < len(b.Instrs) && b.Instrs[i].Op == opcode.LoadConst && b.Instrs[i+1].Op == opcode.MatchClass
	}
	return false
}

// readCase is a case as found.
type readCase struct {
	start, body, fail place
	pattern           pyast.Pattern
	last              bool
	any               bool // matches everything
	guarded           bool // any, but for its guard
	endLine           int
}

// readCases reads the cases of a match whose first test begins at p.
func readCases(p place, old bool) []readCase {
	var out []readCase
	special := false
	for len(out) < 1000 {
		c, sp, ok := readOne(p, old)
		if !ok {
			if c, ok = readGuarded(p, old); !ok {
				return nil
			}
		}
		special = special || sp
		out = append(out, c)
		if c.last {
			break
		}
		p = c.fail
	}
	if (len(out) == 1 || out[0].guarded) && !special {
		return nil // `if x == 1` has the same code, or an assignment
	}
	return out
}

// part is a part of the subject: a pattern under construction.
type part struct {
	base  pyast.Pattern
	name  string
	subs  []*part // views of the same value, made by COPY
	alts  []*part // alternatives of an or-pattern, in place of subs
	twin  *part   // the same capture in the first alternative of an or-pattern
	star  bool
	seq   *seqInfo
	mapp  *mapInfo
	class *pyast.MatchClass
	items []*part // of the class pattern
}

type seqInfo struct {
	n     int
	sized bool
	open  bool // at least n
	items []*part
	star  int // index, or -1

	picked map[int]*part // items taken by index, from the end when negative
}

type mapInfo struct {
	keys  []pyast.Expr
	items []*part
	rest  string
}

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
	endLine int
	old     bool // 3.10: what is taken from a class or mapping stays on the stack, under a bool
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

// readOne reads one case.
func readOne(p place, old bool) (c readCase, special, ok bool) {
	r := &reader{at: p, root: &part{}, old: old}
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
		return readCase{start: p, body: r.at, fail: r.at, last: true, any: true, pattern: &pyast.MatchAs{Name: r.root.name}}, false, true
	}
	c = readCase{start: p, body: r.at, last: len(r.st) == 0, endLine: r.endLine}
	c.fail, ok = dropPops(r.fail, r.depth-len(r.st))
	if !ok {
		return c, false, false
	}
	c.pattern, ok = r.root.pattern()
	return c, r.special, ok
}

// more reports whether the pattern goes on although only the subject is left:
// it is captured (`as`), or tested further.
func (r *reader) more(in *bytecode.Instr) bool {
	return isStore(in.Op)
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

// step executes one instruction of the matching way.
func (r *reader) step(in *bytecode.Instr) bool {
	r.steps++
	if r.steps > 10000 {
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
		if s.kind == 'p' && in.Arg == 1 {
			v := &part{}
			if len(s.part.subs) > 0 {
				return false
			}
			s.part.subs = append(s.part.subs, v)
			if !subscripts(next) {
				if ok, done := r.alternatives(next, s.part, v); ok {
					return done
				}
				v = &part{} // the attempt has left its marks on the first
				s.part.subs = []*part{v}
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
		if !ok1 || !ok2 || !ok3 || !ok4 || cls.kind != 'e' || v.kind != 'p' || len(list) > in.Arg+len(list) {
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
		if !ok || v.kind != 'p' || v.part.mapp == nil || in.Arg > len(r.st) || r.st[len(r.st)-in.Arg].kind != 'd' {
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

// subscripts reports whether the copy made before p is indexed: the compiler
// takes the items of `[a, *_]` one by one.
func subscripts(p place) bool {
	var ops []opcode.Op
	for i := p.i; i < len(p.b.Instrs) && len(ops) < 4; i++ {
		if op := p.b.Instrs[i].Op; op != opcode.Nop {
			ops = append(ops, op)
		}
	}
	return len(ops) >= 2 && ops[0] == opcode.LoadConst && ops[1] == opcode.Subscr ||
		len(ops) >= 4 && ops[0] == opcode.GetLen && ops[2] == opcode.BinaryOp && ops[3] == opcode.Subscr
}

// subscript takes one item of a sequence with an unnamed star.
func (r *reader) subscript() bool {
	k, ok1 := r.pop()
	v, ok2 := r.pop()
	if ok1 && ok2 && v.kind == 't' && r.old {
		items := v.owner.items
		if v.owner.mapp != nil {
			items = v.owner.mapp.items
		}
		i, ok := constInt(k.expr)
		if !ok || i >= len(items) {
			return false
		}
		r.push(slot{kind: 'p', part: items[i]})
		return true
	}
	if !ok1 || !ok2 || v.kind != 'p' || v.owner == nil || v.owner.seq == nil {
		return false
	}
	n, ok := constInt(k.expr)
	if !ok {
		return false
	}
	s := v.owner.seq
	v.owner.subs = nil
	item := &part{}
	if s.picked == nil {
		s.picked = map[int]*part{}
	}
	if k.kind == 'x' {
		n = -n
	}
	if s.picked[n] != nil {
		return false
	}
	s.picked[n] = item
	r.push(slot{kind: 'p', part: item})
	return true
}

func parts(n int) []*part {
	out := make([]*part, n)
	for i := range out {
		out[i] = &part{}
	}
	return out
}

// spread lays out the items that were taken one by one, with wildcards for the
// others and the star as late as possible.
func (s *seqInfo) spread() {
	front, back := 0, 0
	for k := range s.picked {
		front, back = max(front, k+1), max(back, -k)
	}
	for i := 0; i < s.n-back; i++ {
		s.items = append(s.items, s.item(i))
	}
	s.items = append(s.items, &part{star: true})
	for i := back; i > 0; i-- {
		s.items = append(s.items, s.item(-i))
	}
}

func (s *seqInfo) item(k int) *part {
	if p := s.picked[k]; p != nil {
		return p
	}
	return &part{}
}

// unpack executes UNPACK_SEQUENCE and UNPACK_EX.
func (r *reader) unpack(in *bytecode.Instr) bool {
	v, ok := r.pop()
	if !ok {
		return false
	}
	n, star := in.Arg, -1
	if in.Op == opcode.UnpackEx {
		star = in.Arg & 0xff
		n = star + 1 + in.Arg>>8
	}
	if v.kind == 'k' {
		if n != len(v.owner.mapp.keys) {
			return false
		}
		for i := n - 1; i >= 0; i-- {
			r.push(slot{kind: 'e', expr: v.owner.mapp.keys[i]})
		}
		return true
	}
	items := make([]*part, n)
	for i := range items {
		items[i] = &part{star: i == star}
	}
	switch {
	case v.kind == 'p' && v.part.seq != nil:
		v.part.seq.items, v.part.seq.star = items, star
	case v.kind == 't' && v.owner.class != nil && n == len(v.owner.class.Patterns)+len(v.owner.class.KwdAttrs):
		v.owner.items = items
	case v.kind == 't' && v.owner.mapp != nil && n == len(v.owner.mapp.keys):
		v.owner.mapp.items = items
	default:
		return false
	}
	for i := n - 1; i >= 0; i-- {
		r.push(slot{kind: 'p', part: items[i]})
	}
	return true
}

// alternatives reads an or-pattern. p is behind the COPY 1 of the first one:
//
//	COPY 1; first; jump end        on failure:
//	COPY 1; second; jump end       on failure:
//	POP_TOP; jump fail
//	end: POP_TOP
//
// It is told from a case by its end, where the ways of two alternatives meet.
func (r *reader) alternatives(p place, whole, view *part) (is, ok bool) {
	var alts []*part
	var end place
	base := append([]slot(nil), r.st...)
	var endStack []slot
	special := r.special
	endLine := 0
	for len(alts) < 1000 {
		a := &part{}
		if len(alts) == 0 {
			a = view
		}
		s := &reader{at: p, root: whole, old: r.old}
		s.st = append(append([]slot(nil), base...), slot{kind: 'p', part: a})
		for {
			q := s.at
			for q.i < len(q.b.Instrs) && q.b.Instrs[q.i].Op == opcode.Nop {
				q.i++
			}
			if q.i == len(q.b.Instrs) || q.b.Instrs[q.i].Op == opcode.Jump {
				if q.b.Taken != nil || q.b.Next == nil {
					return false, false
				}
				// The end of an alternative, or a mere block boundary.
				e := skip(place{q.b.Next, 0})
				if len(s.st) >= len(base) && s.st[len(base)-1].part == whole && len(e.b.Preds) > 1 && e.i == 0 || len(alts) > 0 && e == end {
					q = e
					s.at = q
					break
				}
				s.at = place{q.b.Next, 0}
				continue
			}
			if len(alts) > 0 && q == end || s.steps > 0 && q.i == 0 && len(q.b.Preds) > 1 && len(s.st) >= len(base) {
				// unthread has led the test to the end directly.
				s.at = q
				break
			}
			s.at = q
			if op := q.b.Instrs[q.i].Op; len(s.st) == len(base) && (op == opcode.Pop || isStore(op)) {
				return false, false // a case: its own way goes on
			}
			if !s.step(&q.b.Instrs[q.i]) {
				return false, false
			}
			if s.steps > 2000 || len(s.st) < len(base) {
				return false, false
			}
		}
		if len(alts) == 0 {
			end, endStack = s.at, s.st
		} else if s.at != end || len(s.st) != len(endStack) {
			return false, false
		}
		for i := len(base); i < len(s.st); i++ {
			// What the alternatives capture is stored behind them, once.
			if s.st[i].part == nil && endStack[i].part == nil && s.st[i].kind == endStack[i].kind {
				continue // to be dropped at the common end (3.10)
			}
			if s.st[i].part == nil || endStack[i].part == nil {
				return false, false
			}
			if s.st[i].part != endStack[i].part {
				s.st[i].part.twin = endStack[i].part
			}
		}
		special = special || s.special
		endLine = max(endLine, s.endLine)
		alts = append(alts, a)
		if s.fail.b == nil {
			// An irrefutable alternative is the last.
			return false, false
		}
		f, okPops := dropPops(s.fail, s.depth-len(base))
		if !okPops || f.i == len(f.b.Instrs) {
			return false, false
		}
		in := &f.b.Instrs[f.i]
		if in.Op == opcode.Copy && in.Arg == 1 {
			p = place{f.b, f.i + 1}
			continue
		}
		if in.Op != opcode.Pop || len(alts) < 2 {
			return false, false
		}
		f.i++
		if r.fail.b == nil {
			// The whole fails where its subject has been dropped.
			r.fail, r.depth = skip(f), len(base)-1
		}
		break
	}
	r.endLine = max(r.endLine, endLine)
	whole.subs, whole.alts = nil, alts
	r.special = true
	r.st = endStack
	r.at = end
	return true, true
}
