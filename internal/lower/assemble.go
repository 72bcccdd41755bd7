package lower

import (
	"cmp"
	"slices"

	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyast"
	"github.com/thuml/depyf/internal/pyc"
)

// args of a unit's code.
func (u *unit) setArgs(a *pyast.Arguments, c *pyc.Code) {
	if a == nil {
		return
	}
	c.PosOnlyArgCount = len(a.PosOnlyArgs)
	c.ArgCount = len(a.PosOnlyArgs) + len(a.Args)
	c.KwOnlyArgCount = len(a.KwOnlyArgs)
	if a.VarArg != nil {
		c.Flags |= pyc.FlagVarArgs
	}
	if a.KwArg != nil {
		c.Flags |= pyc.FlagVarKeywords
	}
}

// assemble makes the code object of a unit: flags, variables, instructions, handlers.
func (l *lowerer) assemble(u *unit) *pyc.Code {
	c := u.code
	if c == nil {
		c = &pyc.Code{}
	}
	c.Version, c.Name, c.QualName, c.FirstLine = l.v, u.name, u.qualName, 1
	if !l.v.HasLocalsPlus() {
		c.QualName = u.name
	}
	s := u.s
	if s.functionLike() {
		c.Flags |= pyc.FlagOptimized | pyc.FlagNewLocals
		if s.nested {
			c.Flags |= pyc.FlagNested
		}
		switch {
		case s.generator && s.coroutine:
			c.Flags |= pyc.FlagAsyncGenerator
		case s.generator:
			c.Flags |= pyc.FlagGenerator
		case s.coroutine:
			c.Flags |= pyc.FlagCoroutine
		}
	}
	if s.method && l.v.HasArgKinds() {
		c.Flags |= pyc.FlagMethod
	}
	if s.kind == moduleScope && s.coroutine {
		giveUp("await outside of a function")
	}
	c.Flags |= l.flags
	l.variables(u, c)
	if !l.v.HasLocalsPlus() && len(c.CellVars()) == 0 && len(c.FreeVars()) == 0 {
		c.Flags |= pyc.FlagNoFree
	}
	// The first constant may be a docstring; the others that count are code objects.
	docless := c.Consts == nil
	if l.v.FoldsLate() {
		l.foldExits(u)
	}
	for i := range u.list {
		in := &u.list[i]
		if _, isCode := in.Const.(*pyc.Code); isCode || docless && len(c.Consts) == 0 && in.Op == opcode.LoadConst {
			c.Consts = append(c.Consts, cmp.Or(in.was, in.Const))
		}
	}
	f := &bytecode.Func{Code: c}
	prologue := l.prologue(u, c)
	shift := len(prologue)
	f.Instrs = make([]bytecode.Instr, 0, len(u.list)+shift)
	f.Instrs = append(f.Instrs, prologue...)
	closures := l.v.HasLocalsPlus() && len(u.cells) > 0
	for i := range u.list {
		in := &u.list[i]
		f.Instrs = append(f.Instrs, in.Instr)
		out := &f.Instrs[len(f.Instrs)-1]
		if closures && in.Op == opcode.LoadFast && slices.Contains(u.cells, in.Name) {
			out.Op = opcode.LoadClosure // of a slot with a cell, LOAD_FAST loads that
		}
		if in.to != 0 && in.pseudo == real {
			if u.labels[in.to] < 0 {
				giveUp("a label without a place")
			}
			out.Target = u.labels[in.to] + shift
		} else {
			out.Target = -1
		}
	}
	if l.v.LosesThreadedRows() {
		u.thread()
	}
	if l.v.HasExceptionTable() {
		f.Handlers = l.handlers(u, f, shift)
	}
	if !l.v.ChecksEveryLoad() {
		checkLoads(f, func(i int) bool { return i >= shift && u.list[i-shift].unsure })
	}
	l.slots(f)
	l.funcs[c] = f
	return c
}

// slots gives each operation on a variable its slot, which tells apart two of one name. Up to
// 3.10 cells and free variables are counted on their own.
func (l *lowerer) slots(f *bytecode.Func) {
	c := f.Code
	at, free := map[string]int{}, map[string]int{}
	first := 0
	if !l.v.HasLocalsPlus() {
		first = len(c.VarNames())
	}
	for i, n := range c.LocalsPlusNames {
		if c.LocalsPlusKinds[i]&pyc.KindFree != 0 {
			free[n] = i - first
		} else if _, ok := at[n]; i >= first && !ok {
			at[n] = i - first
		}
	}
	for i := range f.Instrs {
		in := &f.Instrs[i]
		if in.Name == "" {
			continue
		}
		own := in.RawArg == ownCell
		in.RawArg = int32(at[in.Name])
		if k, isFree := free[in.Name]; isFree && !own && (throughCell[in.Op] || !hasKey(at, in.Name)) {
			in.RawArg = int32(k)
		}
	}
}

// ownCell marks an operation on a cell that a class makes for itself, though its name may be that of a free variable, too.
const ownCell = -1

// throughCell are the operations on what a cell holds. Where a name is that of a cell made
// here and of a free variable too, as __class__ in a class that reads an outer one, they mean
// the latter.
var throughCell = map[opcode.Op]bool{
	opcode.LoadDeref: true, opcode.StoreDeref: true, opcode.DeleteDeref: true, opcode.LoadClassDeref: true, opcode.LoadFromDictOrDeref: true,
}

// variables fills in the slots.
func (l *lowerer) variables(u *unit, c *pyc.Code) {
	s := u.s
	add := func(n string, k pyc.LocalKind) {
		c.LocalsPlusNames = append(c.LocalsPlusNames, n)
		c.LocalsPlusKinds = append(c.LocalsPlusKinds, k)
	}
	fast := names{}
	local := func(n string) {
		fast[n] = true
		k := pyc.KindLocal
		if l.v.HasLocalsPlus() && slices.Contains(u.cells, n) {
			k |= pyc.KindCell
		}
		if u.hidden[n] {
			k |= pyc.KindHidden
		}
		add(n, k)
	}
	for _, n := range s.params {
		local(n)
	}
	for _, in := range u.list {
		switch in.Op {
		case opcode.LoadFast, opcode.StoreFast, opcode.DeleteFast, opcode.LoadFastAndClear:
			if !fast[in.Name] {
				local(in.Name)
			}
		}
	}
	for _, n := range u.cells {
		if !fast[n] || !l.v.HasLocalsPlus() {
			add(n, pyc.KindCell)
		}
	}
	for _, n := range u.frees {
		add(n, pyc.KindFree)
	}
}

// prologue is the set-up of cells that opens code from 3.11 on.
func (l *lowerer) prologue(u *unit, c *pyc.Code) (list []bytecode.Instr) {
	add := func(in bytecode.Instr) {
		in.Target, in.Pos = -1, bytecode.NoPos
		list = append(list, in)
	}
	const generators = pyc.FlagGenerator | pyc.FlagCoroutine | pyc.FlagAsyncGenerator
	if l.v.HasLocalsPlus() {
		if n := len(u.frees); n > 0 {
			add(bytecode.Instr{Op: opcode.CopyFreeVars, Arg: n})
		}
		for _, n := range u.cells {
			add(bytecode.Instr{Op: opcode.MakeCell, Name: n})
		}
		if u.iterates {
			add(bytecode.Instr{Op: opcode.LoadFast, Name: ".0"})
			if s := u.s; s.asyncFirst {
				add(bytecode.Instr{Op: opcode.GetAiter})
			} else {
				add(bytecode.Instr{Op: opcode.GetIter, Arg: l.v.IteratorSlots()})
			}
		}
		if c.Flags&generators != 0 {
			add(bytecode.Instr{Op: opcode.ReturnGenerator})
			add(bytecode.Instr{Op: opcode.Pop})
		}
	}
	if l.v.HasGenStart() && c.Flags&generators != 0 {
		arg := 0
		switch {
		case c.Flags&pyc.FlagCoroutine != 0:
			arg = 1
		case c.Flags&pyc.FlagAsyncGenerator != 0:
			arg = 2
		}
		add(bytecode.Instr{Op: opcode.GenStart, Arg: arg})
	}
	return list
}
