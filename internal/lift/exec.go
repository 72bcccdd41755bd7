package lift

import (
	"fmt"
	"slices"

	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyast"
	"github.com/thuml/depyf/internal/pyc"
)

// machine executes one block symbolically.
type machine struct {
	g        *Graph
	b        *Block
	code     *pyc.Code
	stack    []*Value
	in       *bytecode.Instr
	rest     []bytecode.Instr // what follows in the block
	line     int              // smallest line since the last statement
	kw       pyc.Const
	group    []groupStore // stores of a tuple assignment whose values are still on the stack
	gathered int          // seq at the last of them
	done     bool         // the block's terminator has been set
	seq      int
	deep     int32 // nesting of what the instruction at hand has popped

	choices []choosing // tests that decide on what is computed next, the innermost last
}

// maxNesting bounds the depth of expressions. CPython 3.7 to 3.12 compile
// none that is deeper than about 3000; every pass behind this one recurses.
const maxNesting = 6000

type groupStore struct {
	target pyast.Expr
	v      *Value
}

type liftError struct{ msg string }

func (e liftError) Error() string { return e.msg }

// fail aborts the block; Lift turns it into an error of the function.
func (m *machine) fail(format string, args ...any) {
	off := 0
	op := opcode.Invalid
	if m.in != nil {
		off, op = m.in.Offset, m.in.Op
	}
	panic(liftError{fmt.Sprintf("offset %d (%s): ", off, op) + fmt.Sprintf(format, args...)})
}

func (m *machine) push(v *Value) {
	if v.Line == 0 && m.in != nil {
		v.Line = int(m.in.Pos.Line)
	}
	if v.seq == 0 {
		m.seq++
		v.seq = m.seq
	}
	if v.depth == 0 {
		if v.depth = m.deep + 1; v.depth > maxNesting {
			m.fail("an expression is nested more than %d deep", maxNesting)
		}
	}
	m.stack = append(m.stack, v)
}

func (m *machine) pushE(e pyast.Expr) {
	m.place(e)
	m.push(m.g.pushed(e))
}

func (m *machine) pop() *Value {
	n := len(m.stack)
	if n == 0 {
		m.fail("pop from an empty stack")
	}
	v := m.stack[n-1]
	m.stack = m.stack[:n-1]
	return v
}

func (m *machine) peek(depth int) *Value {
	n := len(m.stack)
	if depth < 1 || depth > n {
		m.fail("stack has no item %d", depth)
	}
	return m.stack[n-depth]
}

// popE pops a value as an expression.
func (m *machine) popE() pyast.Expr { return m.expr(m.pop()) }

// popN pops n expressions, in the order they were pushed.
func (m *machine) popN(n int) []pyast.Expr {
	if n < 0 || n > len(m.stack) {
		m.fail("pop of %d from a stack of %d", n, len(m.stack))
	}
	out := make([]pyast.Expr, n)
	for i := n - 1; i >= 0; i-- {
		out[i] = m.popE()
	}
	return out
}

// expr turns a popped value into an expression tree, with the variables that it has
// been stored to on the way.
func (m *machine) expr(v *Value) pyast.Expr {
	e := m.unnamed(v)
	for _, t := range v.Targets() {
		name, ok := t.(*pyast.Name)
		if !ok {
			m.fail("a stored value is used again")
		}
		e = &pyast.NamedExpr{Target: name, Value: e}
	}
	v.setTargets(nil) // a second use reads the variable
	return e
}

// unnamed turns a popped value into an expression tree.
func (m *machine) unnamed(v *Value) pyast.Expr {
	m.deep = max(m.deep, v.depth)
	switch v.Kind {
	case KExpr:
		if v.Aug() != nil {
			// An in-place operation whose result is not stored back where its
			// operand came from has no expression form.
			t, aug := m.g.NewTemp(), v.Aug()
			// v may still be on the stack, and must not be spilled by these.
			v.E = nil
			v.change(func(c *compound) { c.aug = nil })
			m.emit(pyast.AssignS(pyast.N(t), m.expr(aug.Target)))
			m.emit(&pyast.AugAssign{Target: pyast.N(t), Op: aug.Op, Value: aug.Right})
			v.E, v.used = pyast.N(t), false
		}
		e := v.E
		if v.used {
			if !Simple(e) {
				m.fail("a value is needed twice")
			}
			e = pyast.Clone(e)
		}
		v.used = true
		return e
	case KFunc:
		return m.funcExpr(v)
	case KClass:
		t := m.g.NewTemp()
		m.emitClass(v.Class(), t)
		v.Kind, v.E = KExpr, pyast.N(t)
		return v.E
	case KBind:
		// The item is used without being stored by name: give it a name.
		t := m.g.NewTemp()
		m.bind(v.Bind(), pyast.N(t))
		v.Kind, v.E = KExpr, pyast.N(t)
		return pyast.N(t)
	case KImport:
		t := m.g.NewTemp()
		m.storeImport(v, pyast.N(t), t)
		v.Kind, v.E = KExpr, pyast.N(t)
		return pyast.N(t)
	case KIter:
		if v.E != nil {
			return pyast.CallE(m.builtin("iter"), v.E)
		}
	case KCode:
		if v.Code().HostName != "" {
			return pyast.Const(&pyc.Opaque{Type: "code", Name: v.Code().HostName, Text: "code of " + v.Code().Name})
		}
	case KClosure:
		if m.b.Src.Handmade {
			return cellExpr(v.E)
		}
		if n, ok := v.E.(*pyast.Name); ok {
			return n
		}
	case KBuild:
		m.fail("__build_class__ used as a value")
	}
	m.fail("a stack item of kind %d is used as a value", v.Kind)
	return nil
}

// cellExpr spells a cell, or a tuple of cells: only a function's closure holds
// one that Python code can get at.
func cellExpr(e pyast.Expr) pyast.Expr {
	if t, ok := e.(*pyast.Tuple); ok {
		out := &pyast.Tuple{}
		for _, x := range t.Elts {
			out.Elts = append(out.Elts, cellExpr(x))
		}
		return out
	}
	f := &pyast.Lambda{Args: &pyast.Arguments{}, Body: e}
	return pyast.Index(pyast.Attr(f, "__closure__"), pyast.Int(0))
}

// emit appends a statement. Pending values that the statement could disturb are
// spilled first, so that they keep their place in the order of evaluation.
func (m *machine) emit(s pyast.Stmt) {
	m.spillFor(s)
	p := s.Position()
	if p.Line == 0 {
		p.Line = m.line
	}
	if m.in != nil {
		p.Offset = m.in.Offset
		switch s.(type) {
		case *pyast.FunctionDef, *pyast.ClassDef, *pyast.Import, *pyast.ImportFrom:
			p.Col = max(0, int(m.in.Pos.Col)+1)
		}
		switch s.(type) {
		case *pyast.Import, *pyast.ImportFrom:
			p.Line = max(p.Line, int(m.in.Pos.Line)) // not that of an instruction in front
		}
	}
	m.b.Stmts = append(m.b.Stmts, s)
	m.line = 0
}

// spillFor assigns pending values to temporaries where s could change them.
func (m *machine) spillFor(s pyast.Stmt) {
	if len(m.stack) == 0 {
		return
	}
	var stored string
	if a, ok := s.(*pyast.Assign); ok && len(a.Targets) == 1 && Simple(a.Value) {
		if n, ok := a.Targets[0].(*pyast.Name); ok {
			stored = n.Id
		}
	}
	for _, v := range m.stack {
		if v.Kind != KExpr || v.E == nil {
			continue
		}
		if _, ok := v.E.(*pyast.Constant); ok {
			continue
		}
		if _, ok := slotOf(v.E); ok && v.Aug() == nil && len(v.Targets()) == 0 {
			continue
		}
		if m.g.dynamo && begunBefore(v.E) {
			continue
		}
		if stored != "" && !mentions(v.E, stored) && Simple(v.E) && (!m.g.named || repeatable(v.E)) {
			continue
		}
		if IsMarker(s) && Simple(v.E) {
			continue
		}
		if n, ok := v.E.(*pyast.Name); ok && n.Id == ConditionalAnnotations || isAnnotationDict(v) {
			continue
		}
		if n, ok := v.E.(*pyast.Name); ok && stored == "" && m.localName(n.Id) && !stores(s, n.Id) {
			continue
		}
		t := m.g.NewTemp()
		e := m.expr(v)
		m.b.assign(t, e, v.Line)
		v.E, v.used, v.Obj = pyast.N(t), false, nil
		if v.compound != nil {
			v.change(func(c *compound) { c.idx, c.idx2 = nil, nil })
		}
	}
}

// begunBefore reports whether e is a display that was begun before a graph break
// (cfg.BeginDisplays) and has no more items yet: nobody else has what it copies.
func begunBefore(e pyast.Expr) bool {
	items := itemsOf(e)
	return len(items) == 1 && items[0].handedOver()
}

func isStackSlot(e pyast.Expr) bool {
	n, ok := e.(*pyast.Name)
	return ok && bytecode.IsStackSlot(n.Id)
}

// localName reports whether id is a local variable that only this code writes.
func (m *machine) localName(id string) bool {
	if IsTemp(id) {
		return true
	}
	for i, n := range m.code.LocalsPlusNames {
		if n == id {
			return m.code.LocalsPlusKinds[i] == pyc.KindLocal || m.code.LocalsPlusKinds[i]&(pyc.KindCell|pyc.KindFree) == 0
		}
	}
	return false
}

// stores reports whether the statement may store the local name.
func stores(s pyast.Stmt, name string) bool {
	found := false
	pyast.Inspect(s, func(n pyast.Node) bool {
		if x, ok := n.(*pyast.Name); ok && x.Id == name {
			found = true // reading counts too: the safe side
		}
		return !found
	})
	return found
}

// IsMarker reports whether s is a Marker.
func IsMarker(s pyast.Stmt) bool {
	_, ok := s.(*Marker)
	return ok
}

// run executes the block's instructions.
func (m *machine) run(instrs []bytecode.Instr) {
	for i := range instrs {
		m.in, m.rest = &instrs[i], instrs[i+1:]
		if l := int(m.in.Pos.Line); l > 0 && (m.line == 0 || l < m.line) && m.in.Op != opcode.Nop {
			m.line = l
		}
		if i == 0 && m.b.dropTop && m.in.Op == opcode.Pop {
			continue
		}
		if m.b.dropTop && m.in.Op == opcode.Pop {
			m.b.dropTop = false
			continue
		}
		if len(m.group) > 0 && !groupOp(m.in.Op) && (m.in.Op != opcode.Pop || !m.unstored(m.peek(1))) {
			m.flushGroup()
		}
		m.choose()
		m.step()
	}
	if len(m.group) > 0 && !m.midway() {
		m.flushGroup()
	}
}

// midway reports whether the block ends in the middle of an expression: a test of
// which one way goes on with what the statement at hand has left on the stack.
func (m *machine) midway() bool {
	return !m.g.named && m.done && m.b.Term.Kind == Branch && m.pendingBelow()
}

// groupOp reports whether op may stand between the stores of one tuple
// assignment: it computes the next target.
func groupOp(op opcode.Op) bool {
	switch op {
	case opcode.StoreAttr, opcode.StoreSubscr, opcode.StoreSlice, opcode.Swap, opcode.Rot, opcode.Nop, opcode.Resume,
		opcode.LoadConst, opcode.LoadAttr, opcode.Subscr, opcode.BuildSlice, opcode.BinarySlice,
		opcode.BinaryOp, opcode.UnaryOp, opcode.Compare, opcode.IsOp, opcode.ContainsOp,
		opcode.BuildTuple, opcode.BuildList, opcode.BuildSet, opcode.BuildMap, opcode.MakeFunction, opcode.SetFunctionAttribute, opcode.LoadClosure, opcode.BuildString, opcode.FormatValue, opcode.FormatSimple, opcode.FormatWithSpec, opcode.ConvertValue,
		opcode.BuildConstKeyMap, opcode.BuildTupleUnpack, opcode.BuildListUnpack, opcode.BuildSetUnpack, opcode.BuildMapUnpack, opcode.BuildTupleUnpackWithCall, opcode.BuildMapUnpackWithCall,
		opcode.ListToTuple, opcode.Intrinsic1, opcode.CallEx, opcode.LoadSuperAttr, opcode.BuildInterpolation, opcode.BuildTemplate,
		opcode.GetIter, opcode.GetYieldFromIter, opcode.GetAwaitable, opcode.Yield, opcode.YieldFrom,
		opcode.PushNull, opcode.LoadMethod, opcode.KwNames, opcode.Call, opcode.CallFunction, opcode.CallMethod, opcode.CallFunctionKw, opcode.CallKw,
		opcode.UnpackSequence, opcode.UnpackEx, opcode.Copy, opcode.ToBool, opcode.JumpIfFalseOrPop, opcode.JumpIfTrueOrPop:
		return true
	}
	return op.Loads() || op.Stores() || op.Tests() || op.Extends()
}

// step executes one instruction.
func (m *machine) step() {
	m.deep = 0
	if m.stepStack() || m.stepName() || m.stepMember() || m.stepOperators() || m.stepBuild() || m.stepCall() || m.stepUnpack() || m.stepExc() || m.stepGen() {
		return
	}
	m.terminator()
}

// stepStack executes what moves values on the stack, and what does nothing to them.
func (m *machine) stepStack() bool {
	in, n := m.in, len(m.stack)
	switch in.Op {
	case opcode.Nop, opcode.Resume, opcode.MakeCell, opcode.CopyFreeVars, opcode.EndFor, opcode.PopBlock, opcode.SetupLoop,
		opcode.GenStart, opcode.SetupAnnotations:
	case opcode.GetAwaitable: // Folded into Await by the sendloops pass; alone it is the operand.
	case opcode.ToBool:
		m.toBool()
	case opcode.ReturnGenerator, opcode.PushNull:
		m.push(&Value{Kind: KNull})
	case opcode.Pop:
		m.opPop()
	case opcode.Copy:
		v := m.peek(in.Arg)
		m.keepNamed(v)
		m.push(v)
	case opcode.Swap:
		m.peek(in.Arg)
		m.stack[n-1], m.stack[n-in.Arg] = m.stack[n-in.Arg], m.stack[n-1]
	case opcode.Rot:
		m.peek(in.Arg)
		m.keepNamed(m.peek(1))
		top := m.stack[n-1]
		copy(m.stack[n-in.Arg+1:], m.stack[n-in.Arg:n-1])
		m.stack[n-in.Arg] = top
	case opcode.GetIter:
		m.opGetIter()
	case opcode.PopIter:
		m.pop()
		if in.Arg == 2 {
			m.pop()
		}
	case opcode.Invalid:
		m.caseTest()
	case opcode.KwNames:
		m.kw = in.Const
	case opcode.Intrinsic1, opcode.Intrinsic2:
		m.opIntrinsic()
	default:
		return false
	}
	return true
}

func (m *machine) opGetIter() {
	v := m.pop()
	it := v
	if v.Kind != KIter {
		it = &Value{Kind: KIter, E: m.expr(v), Line: v.Line}
	}
	m.push(it)
	if m.in.Arg == 2 {
		m.push(&Value{Kind: KIndex})
	}
}

// toBool executes TO_BOOL, which stands in front of what wants a truth value. In front
// of anything else it is what the compiler makes of `not not x` (3.13+).
// Dynamo puts it where it likes, and what it makes is tested later.
func (m *machine) toBool() {
	if m.b.Src.Handmade || m.g.dynamo {
		return
	}
	rest := m.rest
	if !slices.ContainsFunc(rest, func(in bytecode.Instr) bool { return in.Op != opcode.Nop }) && m.b.Src.Next != nil && m.b.Src.Taken == nil {
		rest = m.b.Src.Next.Instrs
	}
	for i := range rest {
		switch rest[i].Op {
		case opcode.Nop:
			continue
		case opcode.UnaryOp:
			if rest[i].Arg == opcode.UnaryNot {
				return
			}
		case opcode.PopJumpIfFalse, opcode.PopJumpIfTrue:
			return
		}
		m.pushE(pyast.NotE(pyast.NotE(m.popE())))
		return
	}
}

var commonNames = []string{
	opcode.CommonAssertionError:      "AssertionError",
	opcode.CommonNotImplementedError: "NotImplementedError",
	opcode.CommonTuple:               "tuple",
	opcode.CommonAll:                 "all",
	opcode.CommonAny:                 "any",
	opcode.CommonList:                "list",
	opcode.CommonSet:                 "set",
}

// opPop is POP_TOP: an expression statement, or the end of a value with a role.
func (m *machine) opPop() {
	v := m.pop()
	switch v.Kind {
	case KNull, KSelf, KSubject, KIter, KIndex, KExit, KExc, KOldExc, KFin, KClosure, KAcc, KEnter, KBuild, KCode:
		return
	case KImport:
		m.popImport(v)
		return
	case KBind:
		// An entered context manager without `as`, or an unpacked item that
		// nobody wants (Dynamo).
		if v.Bind().unpack == nil && v.With() != nil {
			v.With().Bind = nil
			return
		}
		m.bind(v.Bind(), pyast.N(m.unwanted()))
		return
	case KFrom:
		return
	}
	for _, w := range m.stack {
		if w == v {
			return // a duplicate is dropped, the value lives on
		}
	}
	if n := m.overwritten(v); n != nil {
		m.stack = append(m.stack, v)
		m.store(pyast.N(n.Id))
		return
	}
	if _, ok := slotOf(v.E); ok && v.Kind == KExpr && len(v.Targets()) == 0 {
		// A value from before the block is dropped; whether it was evaluated
		// for its effect is decided where it was pushed.
		m.emitDrop(v.E)
		return
	}
	if v.Kind == KExpr && v.used && len(v.Targets()) == 0 {
		return
	}
	// `v = w = a` leaves nothing to be dropped, but in Dynamo's code; `(w := (v := a))` does.
	walrus := len(v.Targets()) <= 1 || !m.g.dynamo && !m.b.Src.Handmade && m.code.Version.HasWalrus()
	if !walrus || slices.ContainsFunc(v.Targets(), func(t pyast.Expr) bool { return !isName(t) }) {
		t := v.Targets()
		v.setTargets(nil)
		m.emit(&pyast.Assign{Targets: t, Value: m.expr(v)})
		return
	}
	e := m.expr(v)
	if _, ok := e.(*pyast.Constant); ok {
		m.emitDrop(e) // the end of `a and 1`, or the None of a star import (3.12+); a constant statement has no code
		return
	}
	m.emit(pyast.ES(e))
}

// unwanted names an unpacked item that is dropped at once: of two stores to one
// variable in a row the compiler keeps the second only (3.12+).
//
//	_, _, x = y   →   UNPACK_SEQUENCE 3; POP_TOP; STORE_FAST _; STORE_FAST x
func (m *machine) unwanted() string {
	for i := range m.rest {
		switch in := &m.rest[i]; in.Op {
		case opcode.Nop, opcode.Pop:
			continue
		case opcode.StoreFast:
			return in.Name
		}
		break
	}
	return m.g.NewTemp()
}

// unstored reports whether dropping v is what the compiler has left of a store within the statement at hand: the next
// store is to the same variable.
func (m *machine) unstored(v *Value) bool {
	return v.Kind == KBind && v.Bind().unpack != nil || m.overwritten(v) != nil
}

// overwritten is the variable that the value v, just popped, would be stored to if the
// next value of the tuple was not stored to the same one, which has been already:
//
//	a, a = x, y   →   LOAD x; LOAD y; STORE_FAST a; POP_TOP
func (m *machine) overwritten(v *Value) *pyast.Name {
	var next *groupStore
	for i := range m.group {
		if g := &m.group[i]; g.v.seq > v.seq && (next == nil || g.v.seq < next.v.seq) {
			next = g
		}
	}
	if next == nil {
		return nil
	}
	n, _ := next.target.(*pyast.Name)
	return n
}

// emitDrop keeps a dropped placeholder as an expression statement, so that the
// value it stands for is still evaluated once the placeholder is replaced. The
// reducer removes it when the value turns out to have no effect.
func (m *machine) emitDrop(e pyast.Expr) {
	s := pyast.ES(e)
	s.Line, s.Offset = m.line, dropMark
	m.b.Stmts = append(m.b.Stmts, s)
	m.line = 0
}

// dropMark in a statement's Offset says that it only drops a placeholder.
const dropMark = -1

func isName(e pyast.Expr) bool {
	_, ok := e.(*pyast.Name)
	return ok
}

// index is expr for a subscript, where slices have their own syntax.
func (m *machine) index(v *Value) pyast.Expr { return sliceExpr(m.expr(v)) }

func noneToNil(e pyast.Expr) pyast.Expr {
	if c, ok := e.(*pyast.Constant); ok {
		if _, ok := c.Value.(pyc.None); ok {
			return nil
		}
	}
	return e
}

// sliceExpr gives a constant slice (3.14+) its syntax.
func sliceExpr(e pyast.Expr) pyast.Expr {
	c, ok := e.(*pyast.Constant)
	if !ok {
		return e
	}
	switch s := c.Value.(type) {
	case pyc.Slice:
		part := func(c pyc.Const) pyast.Expr {
			if _, ok := c.(pyc.None); ok || c == nil {
				return nil
			}
			return pyast.Const(c)
		}
		return &pyast.Slice{Lower: part(s.Start), Upper: part(s.Stop), Step: part(s.Step)}
	case pyc.Tuple:
		for _, x := range s {
			if _, ok := x.(pyc.Slice); ok {
				t := &pyast.Tuple{}
				for _, x := range s {
					t.Elts = append(t.Elts, sliceExpr(pyast.Const(x)))
				}
				return t
			}
		}
	}
	return e
}
