package lower

import (
	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyast"
	"github.com/thuml/depyf/internal/pyc"
)

// plainArgs reports whether a call has no * and no **, and not too many arguments.
func plainArgs(args []pyast.Expr, kws []*pyast.Keyword) bool {
	if pyast.HasStarred(args) {
		return false
	}
	for _, k := range kws {
		if k.Arg == "" {
			return false
		}
	}
	return true
}

func (l *lowerer) tooMany(args []pyast.Expr, kws []*pyast.Keyword) bool {
	return l.v.HasExceptionTable() && len(args)+2*len(kws) > stackUse || l.v.HasGenStart() && len(args)+2*len(kws) > stackUse
}

func (l *lowerer) call(e *pyast.Call) {
	if l.methodCall(e) {
		return
	}
	if l.inlineGenerator(e) {
		return
	}
	l.callee(e.Func)
	l.arguments(0, e.Args, e.Keywords)
}

// callee pushes what is called, with the slot for self where calls have one.
func (l *lowerer) callee(f pyast.Expr) {
	if !l.v.HasMethodCallees() {
		l.expr(f)
		return
	}
	if !l.v.NullAfterCallable() {
		l.op(opcode.PushNull)
		l.expr(f)
		return
	}
	l.expr(f)
	l.op(opcode.PushNull)
}

// methodCall calls an attribute without making a bound method (maybe_optimize_method_call).
func (l *lowerer) methodCall(e *pyast.Call) bool {
	a, ok := e.Func.(*pyast.Attribute)
	if !ok || !plainArgs(e.Args, e.Keywords) {
		return false
	}
	if !l.v.HasMethodCallees() {
		if len(e.Keywords) > 0 || l.v.HasGenStart() && len(e.Args) >= stackUse {
			return false
		}
		l.expr(a.Value)
		l.opN(opcode.LoadMethod, l.mangle(a.Attr))
		l.exprs(e.Args)
		l.opI(opcode.CallMethod, len(e.Args))
		return true
	}
	if n, ok := a.Value.(*pyast.Name); ok && l.t.module.use(n.Id)&isImported != 0 {
		return false // the attribute of a module (is_import_originated)
	}
	n := len(e.Args) + len(e.Keywords)
	if len(e.Keywords) > 0 {
		n++
	}
	if n >= stackUse {
		return false
	}
	if !l.superAttr(a, true) {
		l.expr(a.Value)
		l.opN(opcode.LoadMethod, l.mangle(a.Attr))
	}
	l.exprs(e.Args)
	l.plainCall(len(e.Args), e.Keywords)
	return true
}

// plainCall ends a call whose positional arguments are on the stack.
func (l *lowerer) plainCall(n int, kws []*pyast.Keyword) {
	if len(kws) == 0 {
		if l.v.HasMethodCallees() {
			l.opI(opcode.Call, n)
		} else {
			l.opI(opcode.CallFunction, n)
		}
		return
	}
	keys := make(pyc.Tuple, len(kws))
	for i, k := range kws {
		l.expr(k.Value)
		keys[i] = pyc.Str(k.Arg)
	}
	n += len(kws)
	switch {
	case !l.v.HasMethodCallees():
		l.konst(keys)
		l.opI(opcode.CallFunctionKw, n)
	case !l.v.NullAfterCallable():
		l.emit(ins{Instr: bytecode.Instr{Op: opcode.KwNames, Const: keys}})
		l.opI(opcode.Call, n)
	default:
		l.konst(keys)
		l.opI(opcode.CallKw, n)
	}
}

// arguments pushes a call's arguments, of which some are on the stack, and calls
// (compiler_call_helper).
func (l *lowerer) arguments(pushed int, args []pyast.Expr, kws []*pyast.Keyword) {
	if plainArgs(args, kws) && !l.tooMany(args, kws) {
		l.exprs(args)
		l.plainCall(pushed+len(args), kws)
		return
	}
	if l.v.SharesFinallyBody() {
		l.oldArguments(pushed, args, kws)
		return
	}
	if s, ok := single(args).(*pyast.Starred); ok && pushed == 0 {
		l.expr(s.Value)
	} else {
		l.display(args, tupleKind, pushed)
	}
	seen, have := 0, false
	flush := func(to int) {
		if seen == 0 {
			return
		}
		l.keywordDict(kws[to-seen : to])
		if have {
			l.opI(opcode.DictMerge, 1)
		}
		have, seen = true, 0
	}
	for i, k := range kws {
		if k.Arg != "" {
			seen++
			continue
		}
		flush(i)
		if !have {
			l.opI(opcode.BuildMap, 0)
			have = true
		}
		l.expr(k.Value)
		l.opI(opcode.DictMerge, 1)
	}
	flush(len(kws))
	l.callEx(len(kws) > 0)
}

func (l *lowerer) callEx(kw bool) {
	arg := 0
	if kw {
		arg = 1
	}
	if l.v.HasMethodCallees() {
		arg |= 2
	}
	if l.v.AnnotationsAreLazy() {
		if !kw {
			l.op(opcode.PushNull)
		}
		arg = 3
	}
	l.opI(opcode.CallEx, arg)
}

func single(args []pyast.Expr) pyast.Expr {
	if len(args) == 1 {
		return args[0]
	}
	return nil
}

// keywordDict makes a dict of keyword arguments (compiler_subkwargs).
func (l *lowerer) keywordDict(kws []*pyast.Keyword) {
	keys := make([]pyast.Expr, len(kws))
	values := make([]pyast.Expr, len(kws))
	for i, k := range kws {
		keys[i], values[i] = &pyast.Constant{Value: pyc.Str(k.Arg)}, k.Value
	}
	l.pairs(keys, values)
}

func (l *lowerer) oldArguments(pushed int, args []pyast.Expr, kws []*pyast.Keyword) {
	seen, parts := pushed, 0
	for _, a := range args {
		s, ok := a.(*pyast.Starred)
		if !ok {
			l.expr(a)
			seen++
			continue
		}
		if seen > 0 {
			l.buildTuple(seen)
			seen = 0
			parts++
		}
		l.expr(s.Value)
		parts++
	}
	if seen > 0 {
		l.buildTuple(seen)
		parts++
	}
	switch {
	case parts > 1:
		l.opI(opcode.BuildTupleUnpackWithCall, parts)
	case parts == 0:
		l.opI(opcode.BuildTuple, 0)
	}
	seen, dicts := 0, 0
	for i, k := range kws {
		if k.Arg != "" {
			seen++
			continue
		}
		if seen > 0 {
			l.keywordDict(kws[i-seen : i])
			dicts++
			seen = 0
		}
		l.expr(k.Value)
		dicts++
	}
	if seen > 0 {
		l.keywordDict(kws[len(kws)-seen:])
		dicts++
	}
	if dicts > 1 {
		l.opI(opcode.BuildMapUnpackWithCall, dicts)
	}
	l.callEx(dicts > 0)
}

// inlineGenerator expands all(x for …) and its like next to the call (3.14+).
func (l *lowerer) inlineGenerator(e *pyast.Call) bool {
	if !l.v.InlinesAllAny() {
		return false
	}
	f, ok := e.Func.(*pyast.Name)
	if !ok || len(e.Args) != 1 || len(e.Keywords) > 0 {
		return false
	}
	g, ok := e.Args[0].(*pyast.GeneratorExp)
	if !ok || l.isAsyncGen(g) {
		return false
	}
	common := 0
	switch f.Id {
	case "all":
		common = opcode.CommonAll
	case "any":
		common = opcode.CommonAny
	case "tuple":
		common = opcode.CommonTuple
	case "list":
		common = opcode.CommonList
	case "set":
		common = opcode.CommonSet
	default:
		return false
	}
	if (f.Id == "list" || f.Id == "set") && !l.v.InlinesListSet() {
		return false
	}
	skip, end, loop, cleanup := l.label(), l.label(), l.label(), l.label()
	l.expr(f)
	l.opI(opcode.Copy, 1)
	l.opI(opcode.LoadCommon, common)
	l.opI(opcode.IsOp, 0)
	l.popJump(false, skip)
	l.pop()
	switch f.Id {
	case "tuple", "list":
		l.opI(opcode.BuildList, 0)
	case "set":
		l.opI(opcode.BuildSet, 0)
	}
	l.expr(g)
	slots := l.v.IteratorSlots()
	if slots > 1 {
		l.op(opcode.PushNull)
	}
	l.use(loop)
	l.emit(ins{Instr: bytecode.Instr{Op: opcode.ForIter, Arg: slots}, to: cleanup})
	initial := pyc.Bool(false)
	switch f.Id {
	case "tuple", "list":
		l.opI(opcode.ListAppend, 1+slots)
		l.jump(opcode.Jump, loop)
	case "set":
		l.opI(opcode.SetAdd, 1+slots)
		l.jump(opcode.Jump, loop)
	default:
		l.op(opcode.ToBool)
		l.popJump(f.Id == "all", loop)
		l.opI(opcode.PopIter, slots)
		l.konst(pyc.Bool(f.Id == "any"))
		l.jump(opcode.Jump, end)
		initial = pyc.Bool(f.Id == "all")
	}
	l.use(cleanup)
	switch f.Id {
	case "tuple":
		l.op(opcode.ListToTuple)
	case "all", "any":
		l.konst(initial)
	}
	l.jump(opcode.Jump, end)
	l.use(skip)
	l.op(opcode.PushNull)
	l.arguments(0, e.Args, nil)
	l.use(end)
	return true
}

func (l *lowerer) isAsyncGen(g *pyast.GeneratorExp) bool {
	s := l.t.at[g]
	return s != nil && s.coroutine
}
