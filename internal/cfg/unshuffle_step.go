package cfg

import (
	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyc"
)

// step executes one instruction on the abstract stack.
func (u *unshuffler) step() {
	if do := unshuffleSteps[u.in.Op]; do != nil {
		do(u)
		return
	}
	u.fail("%s is not supported in code that no compiler made", u.in.Op)
}

// unshuffleSteps says what each operation does to the abstract stack. Those that are missing do not
// occur in code that Dynamo makes.
var unshuffleSteps = [opcode.NumOps]func(*unshuffler){
	opcode.Nop: (*unshuffler).keep, opcode.Resume: (*unshuffler).keep, opcode.MakeCell: (*unshuffler).keep,
	opcode.CopyFreeVars: (*unshuffler).keep, opcode.KwNames: (*unshuffler).keep, opcode.SetupAnnotations: (*unshuffler).keep,
	opcode.DeleteGlobal: (*unshuffler).keep, opcode.DeleteName: (*unshuffler).keep, opcode.DeleteDeref: (*unshuffler).keep,
	opcode.Jump: (*unshuffler).keep, opcode.Reraise: (*unshuffler).keep,
	opcode.PopBlock: (*unshuffler).keep, opcode.SetupFinally: (*unshuffler).keep, opcode.SetupExcept: (*unshuffler).keep,

	opcode.Pop: (*unshuffler).opPop, opcode.Copy: (*unshuffler).opCopy, opcode.Swap: (*unshuffler).opSwap, opcode.Rot: (*unshuffler).opRot,
	opcode.PushNull: func(u *unshuffler) { u.push(&aval{kind: aNull}) },

	opcode.LoadConst: (*unshuffler).loadConst, opcode.LoadFast: (*unshuffler).loadFast, opcode.LoadGlobal: (*unshuffler).loadGlobal,
	opcode.LoadClosure: func(u *unshuffler) { u.push(&aval{kind: aCell, name: u.in.Name}) },
	opcode.LoadName:    (*unshuffler).operation, opcode.LoadDeref: (*unshuffler).operation, opcode.LoadClassDeref: (*unshuffler).operation,
	opcode.LoadBuildClass: (*unshuffler).operation, opcode.LoadLocals: (*unshuffler).operation, opcode.LoadCommon: (*unshuffler).operation,
	opcode.StoreFast: (*unshuffler).storeFast, opcode.DeleteFast: (*unshuffler).deleteFast,
	opcode.StoreGlobal: (*unshuffler).operation, opcode.StoreName: (*unshuffler).operation, opcode.StoreDeref: (*unshuffler).operation,
	opcode.PrintExpr: (*unshuffler).operation, opcode.ImportStar: (*unshuffler).operation,

	opcode.LoadAttr: (*unshuffler).operation, opcode.StoreAttr: (*unshuffler).operation, opcode.DeleteAttr: (*unshuffler).operation,
	opcode.LoadMethod: (*unshuffler).loadMethod, opcode.LoadSuperAttr: (*unshuffler).loadSuperAttr,

	opcode.UnaryOp: (*unshuffler).operation, opcode.ToBool: (*unshuffler).operation, opcode.BinaryOp: (*unshuffler).operation,
	opcode.Compare: (*unshuffler).operation, opcode.IsOp: (*unshuffler).operation, opcode.ContainsOp: (*unshuffler).operation,
	opcode.ConvertValue: (*unshuffler).operation, opcode.FormatSimple: (*unshuffler).operation, opcode.FormatWithSpec: (*unshuffler).operation,
	opcode.FormatValue: (*unshuffler).operation, opcode.Intrinsic1: (*unshuffler).operation, opcode.Intrinsic2: (*unshuffler).operation,
	opcode.GetIter: func(u *unshuffler) { u.generic(1, true) }, opcode.GetYieldFromIter: func(u *unshuffler) { u.generic(1, true) },
	opcode.GetAwaitable: (*unshuffler).operation, opcode.Yield: (*unshuffler).operation,

	opcode.Subscr: (*unshuffler).opSubscr, opcode.BinarySlice: (*unshuffler).opBinarySlice,
	opcode.StoreSubscr: (*unshuffler).opStoreSubscr, opcode.StoreSlice: (*unshuffler).opStoreSlice, opcode.DeleteSubscr: (*unshuffler).opDeleteSubscr,

	opcode.BuildTuple: func(u *unshuffler) { u.push(&aval{kind: aTuple, elems: u.popN(u.in.Arg)}) },
	opcode.BuildList:  func(u *unshuffler) { u.push(&aval{kind: aList, elems: u.popN(u.in.Arg)}) },
	opcode.BuildSlice: func(u *unshuffler) { u.push(&aval{kind: aSlice, elems: u.popN(u.in.Arg)}) },
	opcode.BuildMap:   (*unshuffler).buildMap, opcode.BuildConstKeyMap: (*unshuffler).buildConstKeyMap,
	opcode.BuildSet: (*unshuffler).operation, opcode.BuildString: (*unshuffler).operation, opcode.ListToTuple: (*unshuffler).listToTuple,
	opcode.ListExtend: (*unshuffler).extend, opcode.ListAppend: (*unshuffler).extend, opcode.SetAdd: (*unshuffler).extend,
	opcode.SetUpdate: (*unshuffler).extend, opcode.DictUpdate: (*unshuffler).extend, opcode.DictMerge: (*unshuffler).extend,
	opcode.UnpackSequence: (*unshuffler).unpack, opcode.UnpackEx: (*unshuffler).unpackEx,
	opcode.ImportName: (*unshuffler).operation, opcode.ImportFrom: (*unshuffler).importFrom,

	opcode.CallFunction: (*unshuffler).operation, opcode.CallFunctionKw: (*unshuffler).operation, opcode.CallMethod: (*unshuffler).operation,
	opcode.Call: (*unshuffler).operation, opcode.CallKw: (*unshuffler).operation, opcode.CallEx: (*unshuffler).callEx,
	opcode.MakeFunction: (*unshuffler).makeFunction, opcode.SetFunctionAttribute: (*unshuffler).setFunctionAttribute,

	opcode.PopJumpIfFalse: (*unshuffler).operation, opcode.PopJumpIfTrue: (*unshuffler).operation,
	opcode.PopJumpIfNone: (*unshuffler).operation, opcode.PopJumpIfNotNone: (*unshuffler).operation,
	opcode.Return: (*unshuffler).operation, opcode.Raise: (*unshuffler).operation, opcode.ForIter: (*unshuffler).forIter,

	opcode.ReturnGenerator: (*unshuffler).returnGenerator, opcode.PushExcInfo: (*unshuffler).pushExcInfo, opcode.PopExcept: (*unshuffler).popExcept,
	opcode.CheckExcMatch: (*unshuffler).checkExcMatch, opcode.ExcMatch: (*unshuffler).excMatch,
}

// keep leaves an instruction as it is: it touches no value.
func (u *unshuffler) keep() { u.code = append(u.code, *u.in) }

// operation takes operands and leaves one result or none.
func (u *unshuffler) operation() {
	pop, push := bytecode.StackEffect(u.g.Func.Code.Version, u.in, false)
	u.generic(pop, push > 0)
}

func (u *unshuffler) opPop() {
	if v := u.pop(); v.kind == aReal {
		u.keep()
	}
}

func (u *unshuffler) opCopy() {
	n := u.in.Arg
	v := u.peek(n)
	if v.kind == aReal {
		u.emit(opcode.Copy, u.reals(n), "", nil)
		v = &aval{kind: aReal}
	}
	u.push(v)
}

func (u *unshuffler) opSwap() {
	n, top := u.in.Arg, len(u.stack)
	u.peek(n)
	u.swapReals(n)
	u.stack[top-1], u.stack[top-n] = u.stack[top-n], u.stack[top-1]
}

func (u *unshuffler) opRot() {
	n, depth := u.in.Arg, len(u.stack)
	u.peek(n)
	top := u.stack[depth-1]
	if top.kind == aReal && u.reals(n) > 1 {
		u.emit(opcode.Rot, u.reals(n), "", nil)
	}
	copy(u.stack[depth-n+1:], u.stack[depth-n:depth-1])
	u.stack[depth-n] = top
}

func (u *unshuffler) loadConst() {
	kind := aConst
	if _, ok := u.in.Const.(*pyc.Code); ok {
		kind = aCode
	}
	u.push(&aval{kind: kind, c: u.in.Const})
}

func (u *unshuffler) loadFast() {
	if a := u.alias[u.in.Name]; a != nil {
		u.push(a)
		return
	}
	u.push(&aval{kind: aLocal, name: u.in.Name})
}

func (u *unshuffler) loadGlobal() {
	if StableGlobal(u.in.Name) {
		u.push(&aval{kind: aGlobal, name: u.in.Name})
		return
	}
	u.operation()
}

func (u *unshuffler) storeFast() {
	name, v := u.in.Name, u.pop()
	if v.kind == aReal {
		u.overwrite(name)
		u.keep()
		return
	}
	if v.kind == aLocal && v.name == name {
		return
	}
	if a := u.alias[name]; a != nil {
		if v.kind == aGlobal {
			*a = *v // read it where it is used
			return
		}
		u.load(v)
		u.emit(opcode.StoreFast, 0, a.name, nil)
		return
	}
	u.overwrite(name)
	if (v.kind == aList || v.kind == aDict) && u.references(v) > 0 {
		u.settle(v) // from here on the variable is the container
	}
	u.load(v)
	u.emit(opcode.StoreFast, 0, name, nil)
}

func (u *unshuffler) deleteFast() {
	u.overwrite(u.in.Name)
	u.keep()
}

// loadMethod looks the method up here, while the call comes later: the bound method is kept.
func (u *unshuffler) loadMethod() {
	attr := *u.in
	attr.Op = opcode.LoadAttr
	u.load(u.pop())
	u.code = append(u.code, attr)
	u.result()
	u.push(&aval{kind: aNull})
}

func (u *unshuffler) loadSuperAttr() {
	in := *u.in
	u.loadAll(u.popN(3))
	in.Arg &^= 1
	u.code = append(u.code, in)
	u.result()
	if u.in.Arg&1 != 0 {
		u.push(&aval{kind: aNull})
	}
}

func (u *unshuffler) opSubscr() {
	if !u.subscr() {
		u.operation()
	}
}

func (u *unshuffler) opBinarySlice() {
	v, ok := u.sliced(u.peek(3), u.peek(2), u.peek(1))
	if !ok {
		u.operation()
		return
	}
	u.popN(3)
	u.push(v)
}

func (u *unshuffler) opStoreSlice() {
	if !u.storeSlice(u.peek(4), u.peek(3), u.peek(2), u.peek(1)) {
		u.operation()
		return
	}
	u.popN(4)
}

func (u *unshuffler) opStoreSubscr() {
	o, i := u.peek(2), u.peek(1)
	if k, ok := smallInt(i); ok && o.kind == aList && u.index(o, &k) {
		v := u.popN(3)[0]
		u.putInto(o, v)
		o.elems[k] = v
		return
	}
	if lo, hi, ok := sliceOf(i); ok && u.storeSlice(u.peek(3), o, lo, hi) {
		u.popN(3)
		return
	}
	u.settleForEffect(o)
	u.operation()
}

func (u *unshuffler) opDeleteSubscr() {
	o, i := u.peek(2), u.peek(1)
	if k, ok := smallInt(i); ok && o.kind == aList && u.index(o, &k) {
		u.popN(2)
		o.elems = append(o.elems[:k:k], o.elems[k+1:]...)
		return
	}
	if lo, hi, ok := sliceOf(i); ok && u.storeSlice(&aval{kind: aTuple}, o, lo, hi) {
		u.popN(2)
		return
	}
	u.settleForEffect(o)
	u.operation()
}

func (u *unshuffler) listToTuple() {
	if u.peek(1).kind != aList {
		u.operation()
		return
	}
	u.push(&aval{kind: aTuple, elems: append([]*aval(nil), u.pop().elems...)})
}

func (u *unshuffler) unpackEx() {
	u.load(u.pop())
	u.keep()
	u.results(u.in.Arg&0xff + 1 + u.in.Arg>>8)
}

func (u *unshuffler) importFrom() {
	u.load(u.peek(1))
	u.keep()
	u.result()
	u.emit(opcode.Pop, 0, "", nil)
}

func (u *unshuffler) makeFunction() {
	if u.in.Arg == 0 && u.peek(1).kind == aCode {
		u.push(&aval{kind: aFunc, elems: []*aval{u.pop()}})
		return
	}
	u.operation()
}

func (u *unshuffler) setFunctionAttribute() {
	f, v := u.pop(), u.pop()
	if f.kind != aFunc {
		u.fail("an attribute is set on something that is no function")
	}
	u.putInto(f, v)
	f.elems = append(f.elems, v)
	f.attrs = append(f.attrs, u.in.Arg)
	u.push(f)
}

func (u *unshuffler) forIter() {
	if u.peek(1).kind != aReal || u.in.Arg != 1 {
		u.fail("a loop over what is no iterator of its own")
	}
	u.keep()
}

func (u *unshuffler) returnGenerator() {
	u.keep()
	u.push(&aval{kind: aReal})
}

func (u *unshuffler) pushExcInfo() {
	u.real()
	u.keep()
	u.push(&aval{kind: aReal})
	u.push(&aval{kind: aReal})
}

func (u *unshuffler) popExcept() {
	u.real()
	if u.g.Func.Code.Version.ExceptionIsTriple() {
		u.real()
		u.real()
	}
	u.keep()
}

func (u *unshuffler) checkExcMatch() {
	u.load(u.pop())
	u.keep()
	u.result()
}

func (u *unshuffler) excMatch() {
	u.load(u.pop())
	u.real()
	u.keep()
	u.result()
}

// real pops a slot that must be on the real stack.
func (u *unshuffler) real() {
	if v := u.pop(); v.kind != aReal {
		u.fail("exception state is expected on the stack")
	}
}

// reals counts the slots on the real stack among the top n.
func (u *unshuffler) reals(n int) int {
	k := 0
	for i := 1; i <= n; i++ {
		if u.peek(i).kind == aReal {
			k++
		}
	}
	return k
}

// swapReals exchanges on the real stack what a SWAP exchanges.
func (u *unshuffler) swapReals(n int) {
	top, low := u.peek(1).kind == aReal, u.peek(n).kind == aReal
	switch k := u.reals(n); {
	case top && low && k > 1:
		u.emit(opcode.Swap, k, "", nil)
	case top != low && k > 1:
		u.fail("values change places with exception state")
	}
}

// results stores n pushed values; the first popped is the top.
func (u *unshuffler) results(n int) {
	vals := make([]*aval, n)
	for i := n - 1; i >= 0; i-- {
		t := u.g.NewTemp()
		u.emit(opcode.StoreFast, 0, t, nil)
		vals[i] = &aval{kind: aLocal, name: t}
	}
	u.stack = append(u.stack, vals...)
}

// settleForEffect names a tracked list before an operation that this pass does
// not carry out changes it.
func (u *unshuffler) settleForEffect(v *aval) {
	if v.kind == aList || v.kind == aDict {
		u.settle(v)
	}
}

// putInto refuses to make a container part of itself, which has no expression.
func (u *unshuffler) putInto(o *aval, items ...*aval) {
	for _, v := range items {
		if v.holds(o) {
			u.fail("a container becomes part of itself")
		}
	}
}

// index normalises a constant index into o.
func (u *unshuffler) index(o *aval, k *int) bool {
	if *k < 0 {
		*k += len(o.elems)
	}
	return *k >= 0 && *k < len(o.elems)
}

func (u *unshuffler) subscr() bool {
	o, i := u.peek(2), u.peek(1)
	if lo, hi, ok := sliceOf(i); ok {
		v, ok := u.sliced(o, lo, hi)
		if ok {
			u.popN(2)
			u.push(v)
		}
		return ok
	}
	k, ok := smallInt(i)
	if !ok || o.kind != aList && o.kind != aTuple || !u.index(o, &k) {
		return false
	}
	u.popN(2)
	u.push(o.elems[k])
	return true
}

// sliced is o[lo:hi] of a tracked sequence.
func (u *unshuffler) sliced(o, lo, hi *aval) (*aval, bool) {
	if o.kind != aList && o.kind != aTuple {
		return nil, false
	}
	l, ok1 := sliceBound(lo, 0, len(o.elems))
	h, ok2 := sliceBound(hi, len(o.elems), len(o.elems))
	if !ok1 || !ok2 {
		return nil, false
	}
	return &aval{kind: o.kind, elems: append([]*aval(nil), o.elems[l:max(l, h)]...)}, true
}

// storeSlice carries out o[lo:hi] = v on a tracked list.
func (u *unshuffler) storeSlice(v, o, lo, hi *aval) bool {
	l, ok1 := sliceBound(lo, 0, len(o.elems))
	h, ok2 := sliceBound(hi, len(o.elems), len(o.elems))
	if !ok1 || !ok2 || o.kind != aList || v.kind != aList && v.kind != aTuple {
		u.settleForEffect(o)
		return false
	}
	h = max(l, h)
	items := append([]*aval(nil), v.elems...)
	u.putInto(o, items...)
	o.elems = append(append(append([]*aval(nil), o.elems[:l]...), items...), o.elems[h:]...)
	return true
}

func (u *unshuffler) buildMap() {
	vals := u.popN(2 * u.in.Arg)
	d := &aval{kind: aDict}
	for i := 0; i < len(vals); i += 2 {
		if _, ok := vals[i].c.(pyc.Str); !ok || vals[i].kind != aConst {
			u.stack = append(u.stack, vals...)
			u.generic(2*u.in.Arg, true)
			return
		}
		d.keys = append(d.keys, vals[i].c)
		d.elems = append(d.elems, vals[i+1])
	}
	u.push(d)
}

func (u *unshuffler) buildConstKeyMap() {
	keys, ok := u.peek(1).c.(pyc.Tuple)
	if !ok || len(keys) != u.in.Arg {
		u.generic(u.in.Arg+1, true)
		return
	}
	vals := u.popN(u.in.Arg + 1)
	u.push(&aval{kind: aDict, keys: keys, elems: vals[:u.in.Arg]})
}

// extend adds to a container deeper in the stack.
func (u *unshuffler) extend() {
	in := u.in
	it := u.pop()
	o := u.peek(in.Arg)
	switch {
	case o.kind == aList && in.Op == opcode.ListAppend:
		u.putInto(o, it)
		o.elems = append(o.elems[:len(o.elems):len(o.elems)], it)
		return
	case o.kind == aList && in.Op == opcode.ListExtend && (it.kind == aList || it.kind == aTuple):
		u.putInto(o, it.elems...)
		o.elems = append(o.elems[:len(o.elems):len(o.elems)], it.elems...)
		return
	case o.kind == aList && in.Op == opcode.ListExtend && it.kind == aConst:
		if t, ok := it.c.(pyc.Tuple); ok {
			for _, c := range t {
				o.elems = append(o.elems[:len(o.elems):len(o.elems)], &aval{kind: aConst, c: c})
			}
			return
		}
	case o.kind == aDict && it.kind == aDict && (in.Op == opcode.DictMerge || in.Op == opcode.DictUpdate) && len(o.elems) == 0:
		u.putInto(o, it.elems...)
		o.keys = append([]pyc.Const(nil), it.keys...)
		o.elems = append([]*aval(nil), it.elems...)
		return
	}
	u.settleForEffect(o)
	u.load(o)
	u.load(it)
	add := *in
	add.Arg = 1
	u.code = append(u.code, add)
	// The container is now the top of the real stack. For a display under
	// construction the variable is the same object: drop the copy.
	u.emit(opcode.Pop, 0, "", nil)
}

func (u *unshuffler) unpack() {
	v := u.peek(1)
	n := u.in.Arg
	if (v.kind == aList || v.kind == aTuple) && len(v.elems) == n {
		u.pop()
		for i := n - 1; i >= 0; i-- {
			u.push(v.elems[i])
		}
		return
	}
	u.pop()
	u.load(v)
	u.code = append(u.code, *u.in)
	u.results(n)
}

// callEx becomes a plain call where all arguments are known.
func (u *unshuffler) callEx() {
	in := u.in
	n := 2
	if in.Arg&1 != 0 {
		n++
	}
	if in.Arg&2 != 0 {
		n++
	}
	vals := u.popN(n)
	var kw *aval
	rest := vals
	if in.Arg&1 != 0 {
		kw, rest = rest[len(rest)-1], rest[:len(rest)-1]
		if kw.kind == aNull {
			kw = nil
		}
	}
	args, callee := rest[len(rest)-1], rest[:len(rest)-1]
	var pos []*aval
	switch {
	case args.kind == aTuple || args.kind == aList:
		pos = args.elems
	case args.kind == aConst:
		t, ok := args.c.(pyc.Tuple)
		if !ok {
			u.plainCallEx(vals)
			return
		}
		for _, c := range t {
			pos = append(pos, &aval{kind: aConst, c: c})
		}
	default:
		u.plainCallEx(vals)
		return
	}
	if kw != nil && kw.kind != aDict {
		u.plainCallEx(vals)
		return
	}
	all := append(append([]*aval(nil), callee...), pos...)
	if kw != nil {
		all = append(all, kw.elems...)
	}
	u.loadAll(all)
	count := len(pos)
	old := u.g.Func.Code.Version.HasBlockStack()
	switch {
	case kw != nil && len(kw.elems) > 0:
		count += len(kw.elems)
		u.emit(opcode.LoadConst, 0, "", pyc.Tuple(kw.keys))
		if old {
			u.emit(opcode.CallFunctionKw, count, "", nil)
		} else {
			u.emit(opcode.CallKw, count, "", nil)
		}
	case old:
		u.emit(opcode.CallFunction, count, "", nil)
	default:
		u.emit(opcode.Call, count, "", nil)
	}
	u.result()
}

func (u *unshuffler) plainCallEx(vals []*aval) {
	u.loadAll(vals)
	u.code = append(u.code, *u.in)
	u.result()
}
