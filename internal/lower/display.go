package lower

import (
	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyast"
	"github.com/thuml/depyf/internal/pyc"
)

// displayKind is what a display makes.
type displayKind uint8

const (
	tupleKind displayKind = iota
	listKind
	setKind
	callKind // the tuple of a call's arguments (≤3.8)
)

// stackUse is how many values the compiler likes to have on the stack at once
// (STACK_USE_GUIDELINE, 3.10+).
const stackUse = 30

// display makes a tuple, list or set of its items and of those already on the stack
// (starunpack_helper).
func (l *lowerer) display(elts []pyast.Expr, k displayKind, pushed int) {
	if l.v.SharesFinallyBody() {
		l.oldDisplay(elts, k, pushed)
		return
	}
	build := [...]opcode.Op{opcode.BuildTuple, opcode.BuildList, opcode.BuildSet}[k]
	n := len(elts)
	big := l.v.DeadCodeRemoved() && n+pushed > stackUse
	if cs, ok := l.allFolded(elts); ok && n > 2 && !(big && l.v.AnnotationsAreLazy()) {
		switch k {
		case tupleKind:
			if pushed == 0 {
				l.konst(pyc.Tuple(cs))
				return
			}
			l.opI(opcode.BuildList, pushed)
			l.konst(pyc.Tuple(cs))
			l.opI(opcode.ListExtend, 1)
			l.op(opcode.ListToTuple)
		case listKind:
			l.opI(opcode.BuildList, pushed)
			l.konst(pyc.Tuple(cs))
			l.opI(opcode.ListExtend, 1)
		default:
			l.opI(opcode.BuildSet, pushed)
			l.konst(pyc.FrozenSet(unique(cs)))
			l.opI(opcode.SetUpdate, 1)
		}
		return
	}
	if !pyast.HasStarred(elts) && !big {
		l.exprs(elts)
		if k == tupleKind {
			l.buildTuple(n + pushed)
			return
		}
		l.build(build, n+pushed)
		return
	}
	add, extend := opcode.ListAppend, opcode.ListExtend
	if k == setKind {
		add, extend = opcode.SetAdd, opcode.SetUpdate
	} else {
		build = opcode.BuildList
	}
	built := false
	if big {
		l.opI(build, pushed)
		built = true
	}
	for i, e := range elts {
		if s, ok := e.(*pyast.Starred); ok {
			if !built {
				l.build(build, i+pushed)
				built = true
			}
			l.expr(s.Value)
			l.opI(extend, 1)
			continue
		}
		l.expr(e)
		if built {
			l.opI(add, 1)
		}
	}
	if k == tupleKind {
		l.op(opcode.ListToTuple)
	}
}

// build makes a list or set of the n topmost values. Three or more constants are one, which is added (3.14+:
// optimize_lists_and_sets in Python/flowgraph.c; before, only where there is nothing else in the display).
func (l *lowerer) build(op opcode.Op, n int) {
	cs, ok := l.lastConsts(n)
	if !ok || n < 3 || !l.v.FoldsLate() {
		l.opI(op, n)
		return
	}
	l.dropLast(n)
	l.opI(op, 0)
	if op == opcode.BuildSet {
		l.konst(pyc.FrozenSet(unique(cs)))
		l.opI(opcode.SetUpdate, 1)
		return
	}
	l.konst(pyc.Tuple(cs))
	l.opI(opcode.ListExtend, 1)
}

// oldDisplay joins parts with BUILD_…_UNPACK (≤3.8).
func (l *lowerer) oldDisplay(elts []pyast.Expr, k displayKind, pushed int) {
	single := [...]opcode.Op{opcode.BuildTuple, opcode.BuildList, opcode.BuildSet, opcode.BuildTuple}[k]
	inner := opcode.BuildTuple
	if k == setKind {
		inner = opcode.BuildSet
	}
	outer := [...]opcode.Op{opcode.BuildTupleUnpack, opcode.BuildListUnpack, opcode.BuildSetUnpack, opcode.BuildTupleUnpackWithCall}[k]
	build := func(op opcode.Op, n int) {
		if op == opcode.BuildTuple {
			l.buildTuple(n)
		} else {
			l.opI(op, n)
		}
	}
	seen, parts := pushed, 0
	for _, e := range elts {
		s, ok := e.(*pyast.Starred)
		if !ok {
			l.expr(e)
			seen++
			continue
		}
		if seen > 0 {
			build(inner, seen)
			seen = 0
			parts++
		}
		l.expr(s.Value)
		parts++
	}
	if parts == 0 {
		build(single, seen)
		return
	}
	if seen > 0 {
		build(inner, seen)
		parts++
	}
	l.opI(outer, parts)
}

func (l *lowerer) dict(e *pyast.Dict) {
	if l.v.SharesFinallyBody() {
		l.oldDict(e)
		return
	}
	elements, have := 0, false
	part := func(from, to int) {
		l.pairs(e.Keys[from:to], e.Values[from:to])
		if have {
			l.opI(opcode.DictUpdate, 1)
		}
		have = true
		elements = 0
	}
	for i, k := range e.Keys {
		if k == nil {
			if elements > 0 {
				part(i-elements, i)
			}
			if !have {
				l.opI(opcode.BuildMap, 0)
				have = true
			}
			l.expr(e.Values[i])
			l.opI(opcode.DictUpdate, 1)
			continue
		}
		if l.v.DeadCodeRemoved() && elements*2 > stackUse || elements == 0xFFFF {
			part(i-elements, i+1)
		} else {
			elements++
		}
	}
	n := len(e.Keys)
	if elements > 0 {
		part(n-elements, n)
	}
	if !have {
		l.opI(opcode.BuildMap, 0)
	}
}

// pairs makes a dict of keys and values.
func (l *lowerer) pairs(keys, values []pyast.Expr) {
	n := len(keys)
	big := l.v.DeadCodeRemoved() && n*2 > stackUse
	if n > 1 && !big && l.v.HasConstKeyMaps() {
		if cs, ok := l.allFolded(keys); ok {
			l.exprs(values)
			l.konst(pyc.Tuple(cs))
			l.opI(opcode.BuildConstKeyMap, n)
			return
		}
	}
	if big {
		l.opI(opcode.BuildMap, 0)
	}
	for i := range keys {
		l.expr(keys[i])
		l.expr(values[i])
		if big {
			l.opI(opcode.MapAdd, 1)
		}
	}
	if !big {
		l.opI(opcode.BuildMap, n)
	}
}

func (l *lowerer) oldDict(e *pyast.Dict) {
	containers, elements := 0, 0
	unpacking := false
	n := len(e.Keys)
	for i, k := range e.Keys {
		unpacking = k == nil
		if elements == 0xFFFF || elements > 0 && unpacking {
			l.pairs(e.Keys[i-elements:i], e.Values[i-elements:i])
			containers++
			elements = 0
		}
		if unpacking {
			l.expr(e.Values[i])
			containers++
		} else {
			elements++
		}
	}
	if elements > 0 || containers == 0 {
		l.pairs(e.Keys[n-elements:], e.Values[n-elements:])
		containers++
	}
	if containers > 1 || unpacking {
		l.opI(opcode.BuildMapUnpack, containers)
	}
}
