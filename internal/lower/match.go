package lower

import (
	"slices"

	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyast"
	"github.com/thuml/depyf/internal/pyc"
)

// patterns is the state of one case's pattern (pattern_context).
type patterns struct {
	stores []string // captured names, in the order of their values on the stack
	fails  []label  // by how many values are to be popped
	onTop  int      // values that must stay above the captures
}

func wildcard(p pyast.Pattern) bool {
	a, ok := p.(*pyast.MatchAs)
	return ok && a.Name == ""
}

func (l *lowerer) match(s *pyast.Match) {
	l.expr(s.Subject)
	end := l.label()
	n := len(s.Cases)
	last := n
	if n > 1 && wildcard(s.Cases[n-1].Pattern) {
		last--
	}
	for i, c := range s.Cases[:last] {
		if i != last-1 {
			l.opI(opcode.Copy, 1)
		}
		p := &patterns{}
		l.pattern(c.Pattern, p)
		for _, name := range p.stores {
			l.name(name, store)
		}
		p.stores = nil
		if c.Guard != nil {
			l.fail(p, 0)
			l.jumpIf(c.Guard, p.fails[0], false)
		}
		if i != last-1 {
			l.pop()
		}
		l.guarded(c.Body)
		l.jump(opcode.Jump, end)
		l.useFails(p)
	}
	if last < n {
		c := s.Cases[n-1]
		if c.Guard != nil {
			l.jumpIf(c.Guard, end, false)
		}
		l.guarded(c.Body)
	}
	l.use(end)
}

// fail makes sure that there is a label for so many pops.
func (l *lowerer) fail(p *patterns, n int) label {
	for len(p.fails) <= n {
		p.fails = append(p.fails, l.label())
	}
	return p.fails[n]
}

// failIf goes to the next case, on a jump of this kind.
func (l *lowerer) failIf(p *patterns, op opcode.Op) {
	to := l.fail(p, p.onTop+len(p.stores))
	if op == opcode.PopJumpIfFalse {
		l.popJump(false, to)
		return
	}
	l.jump(op, to)
}

// useFails pops what a failed pattern has left.
func (l *lowerer) useFails(p *patterns) {
	for n := len(p.fails) - 1; n > 0; n-- {
		l.use(p.fails[n])
		l.pop()
	}
	if len(p.fails) > 0 {
		l.use(p.fails[0])
	}
	p.fails = nil
}

// rotate puts the top of the stack below n-1 others.
func (l *lowerer) rotate(n int) {
	if l.v.HasExceptionTable() {
		for ; n > 1; n-- {
			l.swap(n)
		}
		return
	}
	switch {
	case n == 2:
		l.swap(2)
	case n > 2:
		l.opI(opcode.Rot, n)
	}
}

// capture keeps the top of the stack for a name.
func (l *lowerer) capture(name string, p *patterns) {
	if name == "" {
		l.pop()
		return
	}
	l.rotate(p.onTop + len(p.stores) + 1)
	p.stores = append(p.stores, name)
}

func (l *lowerer) pattern(q pyast.Pattern, p *patterns) {
	switch q := q.(type) {
	case *pyast.MatchValue:
		l.expr(q.Value)
		l.opI(opcode.Compare, opcode.Eq)
		l.toBool()
		l.failIf(p, opcode.PopJumpIfFalse)
	case *pyast.MatchSingleton:
		l.konst(q.Value)
		l.opI(opcode.IsOp, 0)
		l.failIf(p, opcode.PopJumpIfFalse)
	case *pyast.MatchSequence:
		l.matchSequence(q, p)
	case *pyast.MatchMapping:
		l.matchMapping(q, p)
	case *pyast.MatchClass:
		l.matchClass(q, p)
	case *pyast.MatchStar:
		l.capture(q.Name, p)
	case *pyast.MatchAs:
		if q.Pattern == nil {
			l.capture(q.Name, p)
			return
		}
		p.onTop++
		l.opI(opcode.Copy, 1)
		l.pattern(q.Pattern, p)
		p.onTop--
		l.capture(q.Name, p)
	case *pyast.MatchOr:
		l.matchOr(q, p)
	default:
		giveUp("a pattern of type %T", q)
	}
}

// length compares that of the subject.
func (l *lowerer) length(n, cmp int, p *patterns) {
	l.op(opcode.GetLen)
	l.konst(pyc.NewInt(int64(n)))
	l.opI(opcode.Compare, cmp)
	l.failIf(p, opcode.PopJumpIfFalse)
}

func (l *lowerer) matchSequence(q *pyast.MatchSequence, p *patterns) {
	size, star := len(q.Patterns), -1
	only, starWild := true, false
	for i, x := range q.Patterns {
		if s, ok := x.(*pyast.MatchStar); ok {
			starWild = s.Name == ""
			only = only && starWild
			star = i
			continue
		}
		only = only && wildcard(x)
	}
	p.onTop++
	l.op(opcode.MatchSequence)
	l.failIf(p, opcode.PopJumpIfFalse)
	if star < 0 {
		l.length(size, opcode.Eq, p)
	} else if size > 1 {
		l.length(size-1, opcode.Ge, p)
	}
	p.onTop--
	switch {
	case only:
		l.pop()
	case starWild:
		p.onTop++
		for i, x := range q.Patterns {
			if wildcard(x) || i == star {
				continue
			}
			l.opI(opcode.Copy, 1)
			if i < star {
				l.konst(pyc.NewInt(int64(i)))
			} else {
				l.op(opcode.GetLen)
				l.konst(pyc.NewInt(int64(size - i)))
				l.opI(opcode.BinaryOp, opcode.Subtract)
			}
			l.op(opcode.Subscr)
			l.pattern(x, p)
		}
		p.onTop--
		l.pop()
	default:
		if star < 0 {
			l.opI(opcode.UnpackSequence, size)
		} else {
			l.opI(opcode.UnpackEx, star|(size-star-1)<<8)
		}
		l.unpacked(q.Patterns, p)
	}
}

// unpacked matches values on the stack, the first on top.
func (l *lowerer) unpacked(list []pyast.Pattern, p *patterns) {
	p.onTop += len(list)
	for _, x := range list {
		p.onTop--
		l.pattern(x, p)
	}
}

// notNone fails if the top is None, which stays.
func (l *lowerer) notNone(p *patterns) {
	l.opI(opcode.Copy, 1)
	l.none()
	l.opI(opcode.IsOp, 1)
	l.failIf(p, opcode.PopJumpIfFalse)
}

// items matches the items of the tuple on the stack, which stays (3.10).
func (l *lowerer) items(list []pyast.Pattern, p *patterns) {
	for i, x := range list {
		if wildcard(x) {
			continue
		}
		l.opI(opcode.Copy, 1)
		l.konst(pyc.NewInt(int64(i)))
		l.op(opcode.Subscr)
		l.pattern(x, p)
	}
}

func (l *lowerer) matchClass(q *pyast.MatchClass, p *patterns) {
	l.expr(q.Cls)
	names := make(pyc.Tuple, len(q.KwdAttrs))
	for i, n := range q.KwdAttrs {
		names[i] = pyc.Str(n)
	}
	l.konst(names)
	all := slices.Concat(q.Patterns, q.KwdPatterns)
	if l.v.MatchPushesBool() {
		l.flagged(opcode.MatchClass, len(q.Patterns))
		p.onTop++
		l.failIf(p, opcode.PopJumpIfFalse)
		l.items(all, p)
		p.onTop--
		l.pop()
		return
	}
	l.opI(opcode.MatchClass, len(q.Patterns))
	p.onTop++
	l.notNone(p)
	l.opI(opcode.UnpackSequence, len(all))
	p.onTop += len(all) - 1
	for _, x := range all {
		p.onTop--
		if wildcard(x) {
			l.pop()
			continue
		}
		l.pattern(x, p)
	}
}

func (l *lowerer) flagged(op opcode.Op, arg int) {
	l.opI(op, arg)
	l.u.list[len(l.u.list)-1].Flag = true
}

func (l *lowerer) matchMapping(q *pyast.MatchMapping, p *patterns) {
	size := len(q.Keys)
	p.onTop++
	l.op(opcode.MatchMapping)
	l.failIf(p, opcode.PopJumpIfFalse)
	if size == 0 && q.Rest == "" {
		p.onTop--
		l.pop()
		return
	}
	if size > 0 {
		l.length(size, opcode.Ge, p)
	}
	l.exprs(q.Keys)
	if size > 0 {
		l.buildTuple(size)
	} else {
		l.konst(pyc.Tuple{})
	}
	if l.v.MatchPushesBool() {
		l.flagged(opcode.MatchKeys, 0)
		p.onTop += 2
		l.failIf(p, opcode.PopJumpIfFalse)
		l.items(q.Patterns, p)
		p.onTop -= 2
		l.pop()
		if q.Rest != "" {
			l.op(opcode.CopyDictWithoutKeys)
			l.capture(q.Rest, p)
		} else {
			l.pop()
		}
		p.onTop--
		l.pop()
		return
	}
	l.op(opcode.MatchKeys)
	p.onTop += 2
	l.notNone(p)
	l.opI(opcode.UnpackSequence, size)
	p.onTop += size - 1
	for _, x := range q.Patterns {
		p.onTop--
		l.pattern(x, p)
	}
	p.onTop -= 2
	if q.Rest == "" {
		l.pop()
		l.pop()
		return
	}
	l.opI(opcode.BuildMap, 0)
	l.swap(3)
	l.opI(opcode.DictUpdate, 2)
	l.opI(opcode.UnpackSequence, size)
	for ; size > 0; size-- {
		l.opI(opcode.Copy, 1+size)
		l.swap(2)
		l.op(opcode.DeleteSubscr)
	}
	l.capture(q.Rest, p)
}

func (l *lowerer) matchOr(q *pyast.MatchOr, p *patterns) {
	end := l.label()
	var control []string
	for i, alt := range q.Patterns {
		a := &patterns{}
		l.opI(opcode.Copy, 1)
		l.pattern(alt, a)
		if i == 0 {
			control = a.stores
		} else {
			l.reorder(a, control)
		}
		l.jump(opcode.Jump, end)
		a.stores = nil
		l.useFails(a)
	}
	l.pop()
	l.failIf(p, opcode.Jump)
	l.use(end)
	rot := len(control) + 1 + p.onTop + len(p.stores)
	for _, n := range control {
		l.rotate(rot)
		p.stores = append(p.stores, n)
	}
	l.pop()
}

// reorder brings the captures of an alternative into the order of the first one's.
func (l *lowerer) reorder(a *patterns, control []string) {
	if len(a.stores) != len(control) {
		giveUp("alternatives that bind different names")
	}
	for c := len(control) - 1; c >= 0; c-- {
		i := slices.Index(a.stores, control[c])
		if i < 0 {
			giveUp("alternatives that bind different names")
		}
		if c == i {
			continue
		}
		rotations := i + 1
		rotated := slices.Clone(a.stores[:rotations])
		rest := slices.Clone(a.stores[rotations:])
		a.stores = slices.Insert(rest, c-i, rotated...)
		for range rotations {
			l.rotate(c + 1)
		}
	}
}
