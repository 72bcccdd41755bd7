package lower

import (
	"fmt"

	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyc"
)

// label is a place in the code being made.
type label int

// pseudo operations stand for what only the exception table knows (3.11+).
type pseudo uint8

const (
	real         pseudo = iota
	setup               // an exception goes to target
	setupCleanup        // with the offset of the instruction under it
	setupWith           // like setupCleanup; the result of __enter__ is not on the stack
	popBlock
)

// ins is one instruction before labels are places.
type ins struct {
	bytecode.Instr
	pseudo pseudo
	to     label     // 0: none
	keeps  bool      // COPY, TO_BOOL and a jump, which are one operation until the end: the test of a value that stays
	tests  bool      // a jump that is a test until the constants are known
	bare   bool      // in no row of the exception table
	twice  bool      // two operations `not` behind it have gone
	was    pyc.Const // what a constant bool has been made of, which stays the first constant of the code
	unsure bool      // a store of what may be no value: the variable may be unbound
	late   bool      // a constant that is computed behind the tests of constants (3.14+)
}

// lowerer compiles one module.
type lowerer struct {
	v     pyc.Version
	t     *table
	flags pyc.CodeFlags // of __future__
	funcs map[*pyc.Code]*bytecode.Func
	u     *unit
	made  map[origin]*pyc.Code
	plain bool    // the compiler computes no constants here
	room  [][]ins // of units that are done, for the next
}

// unsupported is what a panic inside the package carries.
type unsupported struct{ what string }

func giveUp(format string, a ...any) { panic(unsupported{fmt.Sprintf(format, a...)}) }

// origin is what a code object is made of.
type origin struct {
	s       *scope
	private string
}

// unit is a code object being made.
type unit struct {
	outer     *unit
	s         *scope
	name      string
	qualName  string
	code      *pyc.Code
	list      []ins
	labels    []int // label -> index in list
	lastUse   int   // the highest of them: what stands before is not jumped into from there on
	blocks    []block
	cells     []string // in the order of their slots
	frees     []string // likewise
	fastHide  names    // names of inlined comprehensions outside functions: fast locals there
	hidden    names    // all that were
	inComp    int      // depth of inlined comprehensions
	iterates  bool     // a generator expression that makes an iterator before the generator (3.15+)
	static    []string // attributes of self that methods store (3.13+)
	annotated []deferredAnnotation
	nextCond  int // number of the next conditional annotation (3.14+)
	cond      int // depth of statements that may not run
	shadow    map[string]place
	private   string // the class whose private names are mangled here, if it is not that of the scope
}

// enter begins a code object.
func (l *lowerer) enter(s *scope, name string) *unit {
	u := &unit{outer: l.u, s: s, name: name, cells: s.cells(), frees: s.frees(), fastHide: names{}, hidden: names{}, labels: []int{0}, shadow: map[string]place{}}
	if n := len(l.room); n > 0 {
		u.list, l.room = l.room[n-1], l.room[:n-1]
	}
	if l.u != nil && s.kind != classScope {
		u.private = l.u.private
	}
	u.qualName = l.qualify(u)
	l.u = u
	return u
}

// qualify is the qualified name of a unit (compiler_set_qualname).
func (l *lowerer) qualify(u *unit) string {
	p := u.outer
	if p == nil {
		return u.name
	}
	if p.s.kind >= annotationScope && !p.s.named {
		// Scopes of annotations and type parameters do not count, each by itself.
		if p = p.outer; p == nil {
			return u.name
		}
	}
	if p.outer == nil {
		return u.name
	}
	if u.s.kind == functionScope && u.s.comp == noComp && u.name != "<lambda>" || u.s.kind == classScope || u.s.named {
		if globalExplicit == p.s.where(p.mangle(u.name)) {
			return u.name
		}
	}
	base := p.qualName
	if p.s.kind == functionScope && p.s.comp == noComp || p.s.named {
		base += ".<locals>"
	}
	return base + "." + u.name
}

func (l *lowerer) label() label {
	l.u.labels = append(l.u.labels, -1)
	return label(len(l.u.labels) - 1)
}

func (l *lowerer) use(at label) {
	l.u.labels[at] = len(l.u.list)
	l.u.lastUse = len(l.u.list)
}

// joins reports whether a label is here, so that the instruction before is not the only way
// to come.
func (l *lowerer) joins() bool { return l.u.lastUse == len(l.u.list) }

func (l *lowerer) here() label {
	at := l.label()
	l.use(at)
	return at
}

func (l *lowerer) emit(in ins) {
	if in.to == 0 {
		in.Target = -1
	}
	in.Offset = len(l.u.list)
	in.Pos = bytecode.NoPos
	l.u.list = append(l.u.list, in)
}

func (l *lowerer) op(op opcode.Op) { l.emit(ins{Instr: bytecode.Instr{Op: op}}) }

func (l *lowerer) opI(op opcode.Op, arg int) { l.emit(ins{Instr: bytecode.Instr{Op: op, Arg: arg}}) }

func (l *lowerer) opN(op opcode.Op, name string) {
	l.emit(ins{Instr: bytecode.Instr{Op: op, Name: name}})
}

// opCell is an operation on a cell that the class at hand makes for itself.
func (l *lowerer) opCell(op opcode.Op, name string) {
	l.emit(ins{Instr: bytecode.Instr{Op: op, Name: name, RawArg: ownCell}})
}

func (l *lowerer) jump(op opcode.Op, to label) { l.emit(ins{Instr: bytecode.Instr{Op: op}, to: to}) }

func (l *lowerer) konst(c pyc.Const) {
	l.emit(ins{Instr: bytecode.Instr{Op: opcode.LoadConst, Const: c}})
}

func (l *lowerer) none() { l.konst(pyc.None{}) }

func (l *lowerer) pop() { l.op(opcode.Pop) }

// attr mangles the name of an attribute or variable.
func (l *lowerer) mangle(name string) string { return l.u.mangle(name) }

func (u *unit) mangle(name string) string {
	if u.private != "" {
		return mangle(u.private, name)
	}
	return u.s.mangle(name)
}

// swap exchanges the top of the stack with the n-th item.
func (l *lowerer) swap(n int) { l.opI(opcode.Swap, n) }

// protect begins a region whose exceptions go to a label.
func (l *lowerer) protect(p pseudo, to label) {
	if !l.v.HasExceptionTable() {
		op := opcode.SetupFinally
		if l.v.HasLoopBlocks() && p == setup {
			op = opcode.SetupExcept
		}
		l.jump(op, to)
		return
	}
	l.emit(ins{Instr: bytecode.Instr{Op: opcode.Nop}, pseudo: p, to: to})
}

func (l *lowerer) popBlock() {
	if !l.v.HasExceptionTable() {
		l.op(opcode.PopBlock)
		return
	}
	l.emit(ins{Instr: bytecode.Instr{Op: opcode.Nop}, pseudo: popBlock})
}

// leave ends a code object and makes it.
func (l *lowerer) leave() *pyc.Code {
	u := l.u
	l.u = u.outer
	c := l.assemble(u)
	k := origin{u.s, u.private}
	if made := l.made[k]; made != nil {
		c = made // that of a copy of a finally clause is the same
	}
	l.made[k] = c
	l.room = append(l.room, u.list[:0])
	u.list = nil
	return c
}
