package lower

import (
	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyc"
)

// access is what is done with a variable.
type access uint8

const (
	load access = iota
	store
	del
)

// placeOf is where a name lives for the code being made.
func (l *lowerer) placeOf(name string) place {
	if p, ok := l.u.shadow[name]; ok {
		return p
	}
	return l.u.s.where(name)
}

// name reads, writes or deletes a variable (compiler_nameop).
func (l *lowerer) name(name string, a access) {
	if name == "__debug__" && a == load {
		l.konst(pyc.Bool(true))
		return
	}
	name = l.mangle(name)
	u := l.u
	inlined := u.s.kind == classScope && u.inComp > 0
	switch p := l.placeOf(name); {
	case p == freePlace || p == cellPlace:
		switch {
		case a == load && u.s.kind == classScope && u.inComp == 0:
			if !l.v.HasTypeParams() {
				l.opN(opcode.LoadClassDeref, name)
				return
			}
			l.op(opcode.LoadLocals)
			l.opN(opcode.LoadFromDictOrDeref, name)
		case a == load && u.s.seesClass:
			l.opN(opcode.LoadDeref, "__classdict__")
			l.opN(opcode.LoadFromDictOrDeref, name)
		default:
			l.opN([...]opcode.Op{opcode.LoadDeref, opcode.StoreDeref, opcode.DeleteDeref}[a], name)
		}
		return
	case p == localPlace && (u.s.functionLike() || u.fastHide[name]):
		l.opN([...]opcode.Op{opcode.LoadFast, opcode.StoreFast, opcode.DeleteFast}[a], name)
		return
	case p == globalImplicit && u.s.functionLike() && u.s.seesClass && a == load:
		l.opN(opcode.LoadDeref, "__classdict__")
		l.opN(opcode.LoadFromDictOrGlobals, name)
		return
	case p == globalExplicit || p == globalImplicit && u.s.functionLike() || inlined && a == load:
		l.opN([...]opcode.Op{opcode.LoadGlobal, opcode.StoreGlobal, opcode.DeleteGlobal}[a], name)
		return
	}
	l.opN([...]opcode.Op{opcode.LoadName, opcode.StoreName, opcode.DeleteName}[a], name)
}

// closure pushes the cells that an inner code needs, as a tuple, and reports whether
// there are any.
func (l *lowerer) closure(inner *unit) bool {
	frees := inner.frees
	for _, n := range frees {
		l.opN(opcode.LoadClosure, n)
	}
	if len(frees) > 0 {
		l.buildTuple(len(frees))
	}
	return len(frees) > 0
}

// buildTuple makes a tuple of the n topmost values; of constants, a constant.
func (l *lowerer) buildTuple(n int) {
	if cs, ok := l.lastConsts(n); ok && (n > 0 || l.v.FoldsEmptyTuples()) {
		l.dropLast(n)
		l.konst(pyc.Tuple(cs))
		l.u.list[len(l.u.list)-1].late = l.v.TestsTuples()
		return
	}
	l.opI(opcode.BuildTuple, n)
}

// lastConsts are the constants that the last n instructions load, if these do nothing else.
func (l *lowerer) lastConsts(n int) ([]pyc.Const, bool) {
	u := l.u
	from := len(u.list) - n
	if from < 0 {
		return nil, false
	}
	if u.lastUse > from {
		return nil, false
	}
	var cs []pyc.Const
	for _, in := range u.list[from:] {
		if in.Op != opcode.LoadConst {
			return nil, false
		}
		if _, isCode := in.Const.(*pyc.Code); isCode {
			return nil, false
		}
		cs = append(cs, in.Const)
	}
	return cs, true
}

func (l *lowerer) dropLast(n int) { l.u.list = l.u.list[:len(l.u.list)-n] }
