package cfg

import (
	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyc"
)

// step executes one instruction on the abstract stack.
func (u *unshuffler) step() {
	in := u.in
	switch in.Op {
	case opcode.Nop, opcode.Resume, opcode.MakeCell, opcode.CopyFreeVars, opcode.KwNames:
		u.code = append(u.code, *in)
	case opcode.ReturnGenerator:
		u.code = append(u.code, *in)
		u.push(&aval{kind: aReal})
	case opcode.Pop:
		v := u.pop()
		if v.kind == aReal {
			u.code = append(u.code, *in)
		}
	case opcode.Copy:
		v := u.peek(in.Arg)
		if v.kind == aReal {
			u.emit(opcode.Copy, u.reals(in.Arg), "", nil)
			v = &aval{kind: aReal}
		}
		u.push(v)
	case opcode.Swap:
		n := len(u.stack)
		u.peek(in.Arg)
		u.swapReals(in.Arg)
		u.stack[n-1], u.stack[n-in.Arg] = u.stack[n-in.Arg], u.stack[n-1]
	case opcode.Rot:
		n := len(u.stack)
		u.peek(in.Arg)
		top := u.stack[n-1]
		if top.kind == aReal && u.reals(in.Arg) > 1 {
			u.emit(opcode.Rot, u.reals(in.Arg), "", nil)
		}
		copy(u.stack[n-in.Arg+1:], u.stack[n-in.Arg:n-1])
		u.stack[n-in.Arg] = top
	case opcode.PushNull:
		u.push(&aval{kind: aNull})
	case opcode.LoadConst:
		if _, ok := in.Const.(*pyc.Code); ok {
			u.push(&aval{kind: aCode, c: in.Const})
			break
		}
		u.push(&aval{kind: aConst, c: in.Const})
	case opcode.LoadFast:
		if a := u.alias[in.Name]; a != nil {
			u.push(a)
			break
		}
		u.push(&aval{kind: aLocal, name: in.Name})
	case opcode.LoadClosure:
		u.push(&aval{kind: aCell, name: in.Name})
	case opcode.LoadGlobal:
		if StableGlobal(in.Name) {
			u.push(&aval{kind: aGlobal, name: in.Name})
			break
		}
		u.generic(0, true)
	case opcode.LoadName, opcode.LoadDeref, opcode.LoadClassDeref, opcode.LoadBuildClass, opcode.LoadLocals, opcode.LoadCommon:
		u.generic(0, true)
	case opcode.StoreFast:
		v := u.pop()
		if v.kind == aReal {
			u.overwrite(in.Name)
			u.code = append(u.code, *in)
			break
		}
		if v.kind == aLocal && v.name == in.Name {
			break
		}
		if a := u.alias[in.Name]; a != nil {
			if v.kind == aGlobal {
				*a = *v // read it where it is used
				break
			}
			u.load(v)
			u.emit(opcode.StoreFast, 0, a.name, nil)
			break
		}
		u.overwrite(in.Name)
		if v.kind == aList || v.kind == aDict {
			// From here on the variable is the list.
			if u.references(v) > 0 {
				u.settle(v)
			}
		}
		u.load(v)
		u.emit(opcode.StoreFast, 0, in.Name, nil)
	case opcode.DeleteFast:
		u.overwrite(in.Name)
		u.code = append(u.code, *in)
	case opcode.StoreGlobal, opcode.StoreName, opcode.StoreDeref, opcode.PrintExpr, opcode.ImportStar:
		u.generic(1, false)
	case opcode.DeleteGlobal, opcode.DeleteName, opcode.DeleteDeref, opcode.SetupAnnotations, opcode.PopBlock:
		u.code = append(u.code, *in)
	case opcode.LoadAttr, opcode.UnaryOp, opcode.ToBool, opcode.GetIter, opcode.ConvertValue, opcode.FormatSimple,
		opcode.GetAwaitable, opcode.GetYieldFromIter, opcode.Yield, opcode.ListToTuple, opcode.Intrinsic1:
		if in.Op == opcode.ListToTuple && u.peek(1).kind == aList {
			v := u.pop()
			u.push(&aval{kind: aTuple, elems: append([]*aval(nil), v.elems...)})
			break
		}
		u.generic(1, true)
	case opcode.LoadMethod:
		// The lookup happens here, the call later: keep the bound method.
		attr := *in
		attr.Op = opcode.LoadAttr
		v := u.pop()
		u.load(v)
		u.code = append(u.code, attr)
		u.result()
		u.push(&aval{kind: aNull})
	case opcode.LoadSuperAttr:
		m := *in
		u.loadAll(u.popN(3))
		m.Arg &^= 1
		u.code = append(u.code, m)
		u.result()
		if in.Arg&1 != 0 {
			u.push(&aval{kind: aNull})
		}
	case opcode.BinaryOp, opcode.Compare, opcode.IsOp, opcode.ContainsOp, opcode.FormatWithSpec, opcode.ImportName, opcode.Intrinsic2:
		u.generic(2, true)
	case opcode.Subscr:
		if !u.subscr() {
			u.generic(2, true)
		}
	case opcode.BinarySlice:
		if v, ok := u.sliced(u.peek(3), u.peek(2), u.peek(1)); ok {
			u.popN(3)
			u.push(v)
		} else {
			u.generic(3, true)
		}
	case opcode.StoreSlice:
		if u.storeSlice(u.peek(4), u.peek(3), u.peek(2), u.peek(1)) {
			u.popN(4)
		} else {
			u.generic(4, false)
		}
	case opcode.StoreSubscr:
		o, i := u.peek(2), u.peek(1)
		if k, ok := smallInt(i); ok && o.kind == aList && u.index(o, &k) {
			v := u.popN(3)[0]
			u.putInto(o, v)
			o.elems[k] = v
			break
		}
		if lo, hi, ok := sliceOf(i); ok && u.storeSlice(u.peek(3), o, lo, hi) {
			u.popN(3)
			break
		}
		u.settleForEffect(o)
		u.generic(3, false)
	case opcode.DeleteSubscr:
		o, i := u.peek(2), u.peek(1)
		if k, ok := smallInt(i); ok && o.kind == aList && u.index(o, &k) {
			u.popN(2)
			o.elems = append(o.elems[:k:k], o.elems[k+1:]...)
			break
		}
		if lo, hi, ok := sliceOf(i); ok && u.storeSlice(&aval{kind: aTuple}, o, lo, hi) {
			u.popN(2)
			break
		}
		u.settleForEffect(o)
		u.generic(2, false)
	case opcode.StoreAttr:
		u.generic(2, false)
	case opcode.DeleteAttr:
		u.generic(1, false)
	case opcode.BuildTuple:
		u.push(&aval{kind: aTuple, elems: u.popN(in.Arg)})
	case opcode.BuildList:
		u.push(&aval{kind: aList, elems: u.popN(in.Arg)})
	case opcode.BuildMap:
		u.buildMap()
	case opcode.BuildConstKeyMap:
		u.buildConstKeyMap()
	case opcode.BuildSlice:
		u.push(&aval{kind: aSlice, elems: u.popN(in.Arg)})
	case opcode.BuildSet, opcode.BuildString:
		u.generic(in.Arg, true)
	case opcode.FormatValue:
		n := 1
		if in.Arg&4 != 0 {
			n = 2
		}
		u.generic(n, true)
	case opcode.ListExtend, opcode.ListAppend, opcode.SetAdd, opcode.SetUpdate, opcode.DictUpdate, opcode.DictMerge:
		u.extend()
	case opcode.UnpackSequence:
		u.unpack()
	case opcode.UnpackEx:
		v := u.pop()
		u.load(v)
		u.code = append(u.code, *in)
		u.results(in.Arg&0xff + 1 + in.Arg>>8)
	case opcode.ImportFrom:
		v := u.peek(1)
		u.load(v)
		u.code = append(u.code, *in)
		u.result()
		u.emit(opcode.Pop, 0, "", nil)
	case opcode.CallFunction:
		u.generic(in.Arg+1, true)
	case opcode.CallFunctionKw:
		u.generic(in.Arg+2, true)
	case opcode.CallMethod, opcode.Call:
		u.generic(in.Arg+2, true) // two slots of the callee
	case opcode.CallKw:
		u.generic(in.Arg+3, true) // and the keyword names
	case opcode.CallEx:
		u.callEx()
	case opcode.MakeFunction:
		if in.Arg == 0 && u.peek(1).kind == aCode {
			u.push(&aval{kind: aFunc, elems: []*aval{u.pop()}})
			break
		}
		n := 1
		for _, bit := range []int{1, 2, 4, 8, 0x100} {
			if in.Arg&bit != 0 {
				n++
			}
		}
		u.generic(n, true)
	case opcode.SetFunctionAttribute:
		f, v := u.pop(), u.pop()
		if f.kind != aFunc {
			u.fail("an attribute is set on something that is no function")
		}
		u.putInto(f, v)
		f.elems = append(f.elems, v)
		f.attrs = append(f.attrs, in.Arg)
		u.push(f)
	case opcode.ForIter:
		if u.peek(1).kind != aReal || in.Arg != 1 {
			u.fail("a loop over what is no iterator of its own")
		}
		u.code = append(u.code, *in)
	case opcode.Jump:
		u.code = append(u.code, *in)
	case opcode.PopJumpIfFalse, opcode.PopJumpIfTrue, opcode.PopJumpIfNone, opcode.PopJumpIfNotNone:
		u.generic(1, false)
	case opcode.Return:
		u.generic(1, false)
	case opcode.Raise:
		u.generic(in.Arg, false)
	case opcode.SetupFinally, opcode.SetupExcept:
		u.code = append(u.code, *in)
	case opcode.PushExcInfo:
		u.real()
		u.code = append(u.code, *in)
		u.push(&aval{kind: aReal})
		u.push(&aval{kind: aReal})
	case opcode.PopExcept:
		u.real()
		if u.g.Func.Code.Version.ExceptionIsTriple() {
			u.real()
			u.real()
		}
		u.code = append(u.code, *in)
	case opcode.CheckExcMatch:
		u.load(u.pop())
		u.code = append(u.code, *in)
		u.result()
	case opcode.ExcMatch:
		u.load(u.pop())
		u.real()
		u.code = append(u.code, *in)
		u.result()
	case opcode.Reraise:
		u.code = append(u.code, *in)
	default:
		u.fail("%s is not supported in code that no compiler made", in.Op)
	}
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
