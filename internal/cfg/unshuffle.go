package cfg

import (
	"fmt"

	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/lazyregexp"
	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyc"
)

// Unshuffle rewrites code that no compiler made so that no value stays on the
// stack between two effects: every result goes to a variable of its own, and
// the shuffling of values that are known - Dynamo packs them into nested lists
// around a graph break - is carried out here instead of at run time. It is
// scalar replacement of aggregates, as SSA optimisers do it:
//
//	BUILD_LIST b; COPY; LIST_EXTEND ...; CALL_FUNCTION_EX   →   CALL f(b, x)
//
// A list is tracked as long as nothing else can see it. Where it is passed on,
// it is built at that place from its present items.
//
// The tail of the code that a compiler made is left as it is, unless all is set;
// left says whether there is one. With scratch the variables that Dynamo invents
// are stored as they are, for somebody looks at them.
func Unshuffle(g *Graph, all, scratch bool) (left bool, err error) {
	u := &unshuffler{
		g: g, entry: map[*Block][]*aval{}, out: map[*Block][]bytecode.Instr{},
		alias: map[string]*aval{}, before: map[*Region][]*aval{},
		heads: map[*Block][]*aval{}, items: map[*Block]string{},
	}
	if !all {
		u.tailEntry, u.tail = tail(g)
	}
	defer func() {
		if r := recover(); r != nil {
			e, ok := r.(unshuffleError)
			if !ok {
				panic(r)
			}
			left, err = u.tail != nil, e
		}
	}()
	if !scratch {
		u.findAliases()
	}
	for _, b := range g.Blocks {
		b.Handmade = !u.tail[b]
	}
	if err := u.run(); err != nil {
		return u.tail != nil, err
	}
	foldCopies(g)
	return u.tail != nil, nil
}

type unshuffleError struct{ msg string }

func (e unshuffleError) Error() string { return e.msg }

type unshuffler struct {
	g     *Graph
	entry map[*Block][]*aval
	out   map[*Block][]bytecode.Instr
	alias map[string]*aval // Dynamo's own locals that are stored once
	// before is the stack on entry to each region.
	before map[*Region][]*aval

	// heads are the stacks at the heads of for loops; items, the variables that
	// the bodies get theirs in.
	heads map[*Block][]*aval
	items map[*Block]string

	// The compiler's own code, which is not touched, and where it is entered.
	tail      map[*Block]bool
	tailEntry *Block

	// The block at hand.
	stack []*aval
	code  []bytecode.Instr
	in    *bytecode.Instr
}

func (u *unshuffler) fail(format string, args ...any) {
	off := 0
	if u.in != nil {
		off = u.in.Offset
	}
	panic(unshuffleError{fmt.Sprintf("offset %d: ", off) + fmt.Sprintf(format, args...)})
}

func (u *unshuffler) run() error {
	g := u.g
	tree, _ := g.dominators()
	exit := map[*Block][]*aval{}
	for _, i := range tree.RPO {
		b := g.Blocks[i]
		if u.tail[b] {
			continue
		}
		st, ok := u.entry[b]
		if !ok {
			switch {
			case b == g.Entry:
			case len(b.HandlerOf) > 0:
				st = u.handlerEntry(b)
			default:
				st = u.merge(b, exit)
			}
		}
		u.stack = append([]*aval(nil), st...)
		u.code = nil
		u.noteRegions(b, u.stack)
		for k := range b.Instrs {
			u.in = &b.Instrs[k]
			if name, ok := u.items[b]; ok && k == 0 {
				u.emit(opcode.StoreFast, 0, name, nil)
			}
			if u.in.Op == opcode.GetIter && k == len(b.Instrs)-1 && isHead(b.Next) {
				u.enterLoop()
				continue
			}
			u.step()
		}
		b.Succs(func(s *Block) {
			if head, ok := u.heads[s]; ok {
				u.sameAtHead(head, b)
			}
		})
		if isHead(b) {
			u.items[b.Next] = u.g.NewTemp()
		}
		u.out[b] = u.code
		exit[b] = u.stack
		if b.Next != nil && b.Next == u.tailEntry && len(u.stack) > 0 {
			u.fail("values are on the stack where the function's own code begins")
		}
		// A successor reached from here alone inherits the stack as it is.
		n := 0
		b.Succs(func(*Block) { n++ })
		b.Succs(func(s *Block) {
			if len(s.Preds) == 1 && len(s.HandlerOf) == 0 {
				if n > 1 {
					u.entry[s] = copyStack(u.after(b, s))
				} else {
					u.entry[s] = u.after(b, s)
				}
			}
		})
	}
	for _, b := range g.Blocks {
		if code, ok := u.out[b]; ok {
			b.Instrs = code
		}
	}
	return nil
}

func lastOp(b *Block) opcode.Op {
	if l := b.Last(); l != nil {
		return l.Op
	}
	return opcode.Nop
}

// after is the stack that b leaves for s.
func (u *unshuffler) after(b, s *Block) []*aval {
	st := u.stack
	last := lastOp(b)
	if last == opcode.ForIter {
		st = st[:len(st):len(st)]
		if s == b.Taken {
			return st[:len(st)-1]
		}
		return append(st, &aval{kind: aLocal, name: u.items[b.Next]})
	}
	if (last == opcode.JumpIfFalseOrPop || last == opcode.JumpIfTrueOrPop) && s == b.Next && s != b.Taken {
		return st[:len(st)-1]
	}
	return st
}

// handlerEntry is the stack of an exception handler: what lay below the
// protected statement, then the exception, which stays on the real stack. The
// region's depth shrinks to what is still on the real stack there.
func (u *unshuffler) handlerEntry(b *Block) []*aval {
	r := b.HandlerOf[0]
	var st []*aval
	n := 6 // 3.7-3.10 push the old and the new exception, three slots each
	if r.Depth >= 0 {
		n = 1
		if r.Lasti {
			n = 2
		}
		base, ok := u.before[r]
		if !ok || len(base) < r.Depth {
			u.in = &b.Instrs[0]
			u.fail("no stack is known for this handler")
		}
		st = append(st, copyStack(base[:r.Depth])...)
	} else if base, ok := u.before[r]; ok {
		st = append(st, copyStack(base)...)
	}
	depth := 0
	for _, v := range st {
		if v.kind == aReal {
			depth++
		}
	}
	for _, x := range b.HandlerOf {
		if x.Depth >= 0 {
			x.Depth = depth
		}
	}
	for range n {
		st = append(st, &aval{kind: aReal})
	}
	return st
}

// noteRegions remembers the stack at the place where each region is entered. A
// tracked list that changed inside the region would look different to the
// handler; Dynamo's handlers only call __exit__ and raise again, and the proof
// would notice.
func (u *unshuffler) noteRegions(b *Block, st []*aval) {
	for r := b.Exc; r != nil; r = r.Parent {
		if _, ok := u.before[r]; !ok {
			u.before[r] = copyStack(st)
		}
	}
}

// merge combines the stacks of all ways into b. A slot that differs gets a
// variable that every way assigns.
func (u *unshuffler) merge(b *Block, exit map[*Block][]*aval) []*aval {
	var preds []*Block
	seen := map[*Block]bool{}
	for _, p := range b.Preds {
		if !seen[p] {
			seen[p] = true
			preds = append(preds, p)
		}
	}
	var stacks [][]*aval
	if isHead(b) && len(preds) == 2 {
		// The way in decides; the way back is compared when it is known.
		for _, p := range preds {
			if st, ok := exit[p]; ok {
				u.heads[b] = append([]*aval(nil), st...)
				return st
			}
		}
	}
	for _, p := range preds {
		st, ok := exit[p]
		if !ok {
			u.in = &b.Instrs[0]
			u.fail("a loop keeps values on the stack")
		}
		u.stack = st
		st = u.after(p, b)
		stacks = append(stacks, st)
		if len(st) != len(stacks[0]) {
			u.in = &b.Instrs[0]
			u.fail("the stack is %d deep on one way and %d on another", len(stacks[0]), len(st))
		}
	}
	if len(stacks) == 0 {
		return nil
	}
	out := make([]*aval, len(stacks[0]))
	for k := range out {
		same := true
		for _, st := range stacks[1:] {
			same = same && sameAval(stacks[0][k], st[k])
		}
		if same && stacks[0][k].kind != aList && stacks[0][k].kind != aDict && stacks[0][k].kind != aFunc {
			out[k] = stacks[0][k]
			continue
		}
		if stacks[0][k].kind == aReal {
			u.in = &b.Instrs[0]
			u.fail("real stack values meet")
		}
		t := &aval{kind: aLocal, name: u.g.NewTemp()}
		out[k] = t
		for i, p := range preds {
			// Assign before the jump that ends the predecessor.
			code := u.out[p]
			var tail []bytecode.Instr
			if n := len(code); n > 0 && (code[n-1].Op == opcode.Jump) {
				tail, code = []bytecode.Instr{code[n-1]}, code[:n-1]
			} else if n > 0 && code[n-1].Op.Conditional() {
				u.in = &code[n-1]
				u.fail("values meet behind a conditional jump")
			}
			u.in = &p.Instrs[len(p.Instrs)-1]
			u.code, u.stack = code, stacks[i]
			u.load(stacks[i][k])
			u.emit(opcode.StoreFast, 0, t.name, nil)
			u.out[p] = append(u.code, tail...)
		}
	}
	u.stack = nil
	return out
}

// isHead reports whether b only takes the next item of a for loop.
func isHead(b *Block) bool {
	return b != nil && len(b.Instrs) == 1 && b.Instrs[0].Op == opcode.ForIter && b.Instrs[0].Arg == 1 &&
		len(b.Next.Preds) == 1 && len(b.Next.Instrs) > 0
}

// enterLoop leaves the iterator on the real stack. What lies below stays as it is
// for the whole loop, so that lists become variables first.
func (u *unshuffler) enterLoop() {
	v := u.pop()
	for _, s := range u.stack {
		u.settle(s)
	}
	u.settle(v)
	u.load(v)
	u.code = append(u.code, *u.in)
	u.push(&aval{kind: aReal})
}

// sameAtHead checks that a turn of a loop leaves the stack as it found it.
func (u *unshuffler) sameAtHead(head []*aval, b *Block) {
	u.in = &b.Instrs[len(b.Instrs)-1]
	if len(head) != len(u.stack) {
		u.fail("a loop changes the depth of the stack")
	}
	for i := range head {
		if !sameAval(head[i], u.stack[i]) {
			u.fail("a loop changes a value on the stack")
		}
	}
}

func (u *unshuffler) push(v *aval) { u.stack = append(u.stack, v) }

func (u *unshuffler) pop() *aval {
	n := len(u.stack)
	if n == 0 {
		u.fail("pop from an empty stack")
	}
	v := u.stack[n-1]
	u.stack = u.stack[:n-1]
	return v
}

func (u *unshuffler) popN(n int) []*aval {
	if n < 0 || n > len(u.stack) {
		u.fail("pop of %d from a stack of %d", n, len(u.stack))
	}
	vals := append([]*aval(nil), u.stack[len(u.stack)-n:]...)
	u.stack = u.stack[:len(u.stack)-n]
	return vals
}

func (u *unshuffler) peek(i int) *aval {
	if i < 1 || i > len(u.stack) {
		u.fail("stack has no item %d", i)
	}
	return u.stack[len(u.stack)-i]
}

func (u *unshuffler) emit(op opcode.Op, arg int, name string, c pyc.Const) {
	u.code = append(u.code, bytecode.Instr{Op: op, Arg: arg, Name: name, Const: c, Target: -1, Offset: u.in.Offset, Pos: u.in.Pos})
}

// load emits what pushes v on the real stack.
func (u *unshuffler) load(v *aval) {
	switch v.kind {
	case aConst, aCode:
		u.emit(opcode.LoadConst, 0, "", v.c)
	case aLocal:
		u.emit(opcode.LoadFast, 0, v.name, nil)
	case aGlobal:
		u.emit(opcode.LoadGlobal, 0, v.name, nil)
	case aCell:
		u.emit(opcode.LoadClosure, 0, v.name, nil)
	case aNull:
		u.emit(opcode.PushNull, 0, "", nil)
	case aTuple:
		for _, e := range v.elems {
			u.load(e)
		}
		u.emit(opcode.BuildTuple, len(v.elems), "", nil)
	case aSlice:
		for _, e := range v.elems {
			u.load(e)
		}
		u.emit(opcode.BuildSlice, len(v.elems), "", nil)
	case aList, aDict, aFunc:
		if u.references(v) > 0 {
			// Somebody else still knows the list: give it a name.
			u.settle(v)
			u.load(v)
			return
		}
		u.build(v)
	default:
		u.fail("a value that cannot be moved")
	}
}

func (u *unshuffler) build(v *aval) {
	if v.kind == aFunc {
		for i := len(v.attrs) - 1; i >= 0; i-- {
			u.load(v.elems[i+1])
		}
		u.load(v.elems[0])
		u.emit(opcode.MakeFunction, 0, "", nil)
		for _, k := range v.attrs {
			u.emit(opcode.SetFunctionAttribute, k, "", nil)
		}
		return
	}
	for i, e := range v.elems {
		if v.kind == aDict {
			u.emit(opcode.LoadConst, 0, "", v.keys[i])
		}
		u.load(e)
	}
	if v.kind == aDict {
		u.emit(opcode.BuildMap, len(v.elems), "", nil)
	} else {
		u.emit(opcode.BuildList, len(v.elems), "", nil)
	}
}

// references counts the slots, and tracked containers on the stack, that hold v.
func (u *unshuffler) references(v *aval) int {
	n := 0
	for _, s := range u.stack {
		if s.holds(v) {
			n++
		}
	}
	return n
}

// settle stops tracking a container: it is built and kept in a variable, which
// every alias now means.
func (u *unshuffler) settle(v *aval) {
	if v.kind != aList && v.kind != aDict && v.kind != aFunc {
		for _, e := range v.elems {
			u.settle(e)
		}
		return
	}
	u.build(v)
	t := u.g.NewTemp()
	u.emit(opcode.StoreFast, 0, t, nil)
	*v = aval{kind: aLocal, name: t}
}

// result stores the real top of the stack in a variable and pushes it.
func (u *unshuffler) result() {
	t := u.g.NewTemp()
	u.emit(opcode.StoreFast, 0, t, nil)
	u.push(&aval{kind: aLocal, name: t})
}

// generic passes n operands to the instruction as it is; results says whether
// it pushes one.
func (u *unshuffler) generic(n int, result bool) {
	vals := u.popN(n)
	u.loadAll(vals)
	in := *u.in
	u.code = append(u.code, in)
	if result {
		u.result()
	}
}

// loadAll pushes operands. What needs a name gets it first, while none of them is
// on the stack.
func (u *unshuffler) loadAll(vals []*aval) {
	u.escapeShared(vals)
	for _, v := range vals {
		u.settleShared(v)
	}
	for _, v := range vals {
		u.load(v)
	}
}

// settleShared names the containers in v that somebody else knows as well.
func (u *unshuffler) settleShared(v *aval) {
	if (v.kind == aList || v.kind == aDict || v.kind == aFunc) && u.references(v) > 0 {
		u.settle(v)
		return
	}
	for _, e := range v.elems {
		u.settleShared(e)
	}
}

// escapeShared names the lists that occur twice among operands: the two must
// stay one object.
func (u *unshuffler) escapeShared(vals []*aval) {
	for i, v := range vals {
		for _, w := range vals[i+1:] {
			if (v.kind == aList || v.kind == aDict) && w.holds(v) {
				u.settle(v)
			} else if (w.kind == aList || w.kind == aDict) && v.holds(w) {
				u.settle(w)
			}
		}
	}
}

// overwrite saves the present value of a local that is about to change.
func (u *unshuffler) overwrite(name string) {
	used := false
	for _, v := range u.stack {
		used = used || v.mentions(name)
	}
	if !used {
		return
	}
	t := &aval{kind: aLocal, name: u.g.NewTemp()}
	u.emit(opcode.LoadFast, 0, name, nil)
	u.emit(opcode.StoreFast, 0, t.name, nil)
	for i, v := range u.stack {
		if v.kind == aLocal && v.name == name {
			u.stack[i] = t
		} else {
			v.replaceLocal(name, t)
		}
	}
}

// scratchLocal is a local that Dynamo invents for its bookkeeping.
var scratchLocal = lazyregexp.New(`^tmp_\d+$`)

// GraphResult reports whether a variable is the one in which Dynamo keeps what a
// compiled graph returns.
func GraphResult(name string) bool { return graphResult.MatchString(name) }

var graphResult = lazyregexp.New(`^graph_out_\d+$`)

// findAliases prepares the scratch locals that are stored once: they become
// temporaries of ours, which are folded into their use where that is allowed.
//
// Not so what a call has just made: it may live in that variable alone. Since torch 2.11 Dynamo keeps
// streams and events so, for torch has only weak references to them (store_user_object_weakrefs in
// torch/_dynamo/graph_bytecode_inputs.py), and the graph fails where one of them is gone.
func (u *unshuffler) findAliases() {
	stores := map[string]int{}
	for _, b := range u.g.Blocks {
		for i := range b.Instrs {
			switch in := &b.Instrs[i]; {
			case u.tail[b], in.Op == opcode.DeleteFast, in.Op == opcode.StoreFast && i > 0 && calls(b.Instrs[i-1].Op):
				stores[in.Name] += 2
			case in.Op == opcode.StoreFast && scratchLocal.MatchString(in.Name):
				stores[in.Name]++
			}
		}
	}
	for n, k := range stores {
		if k == 1 {
			u.alias[n] = &aval{kind: aLocal, name: u.g.NewTemp()}
		}
	}
}

func calls(op opcode.Op) bool {
	switch op {
	case opcode.CallFunction, opcode.CallMethod, opcode.CallFunctionKw, opcode.Call, opcode.CallKw, opcode.CallEx:
		return true
	}
	return false
}

// BuiltinPrefix begins the names of globals that mean built-in functions: the
// host publishes them with the swapped code, and nobody else knows the name.
const BuiltinPrefix = "__builtin_"
