package lower

import (
	"slices"

	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyast"
	"github.com/thuml/depyf/internal/pyc"
)

// iterable pushes what a loop goes over, or `in` looks through: a list display is a tuple (fold_iter).
func (l *lowerer) iterable(e pyast.Expr) {
	if c, ok := l.members(e, true); ok {
		l.konst(c)
		return
	}
	if x, ok := e.(*pyast.List); ok && l.v.IteratesTuple(len(x.Elts)) && !pyast.HasStarred(x.Elts) {
		e = &pyast.Tuple{Elts: x.Elts}
	}
	l.expr(e)
}

// getIter makes an iterator of the iterable of a clause.
func (l *lowerer) getIter(g *pyast.Comprehension) {
	if g.IsAsync && l.v.AnnotationsAreLazy() { // before, the syntax tree is changed, whether the clause is async or not
		l.expr(g.Iter)
	} else {
		l.iterable(g.Iter)
	}
	l.iter(g)
}

func (l *lowerer) iter(g *pyast.Comprehension) {
	if g.IsAsync {
		l.op(opcode.GetAiter)
	} else {
		l.opI(opcode.GetIter, l.v.IteratorSlots())
	}
}

// compiled is what a comprehension has, whichever kind it is of.
type compiled struct {
	kind       compKind
	gens       []*pyast.Comprehension
	elt, value pyast.Expr // the key and the value of a dict's
	node       any
}

func parts(e pyast.Expr) compiled {
	switch e := e.(type) {
	case *pyast.ListComp:
		return compiled{listComp, e.Generators, e.Elt, nil, e}
	case *pyast.SetComp:
		return compiled{setComp, e.Generators, e.Elt, nil, e}
	case *pyast.DictComp:
		return compiled{dictComp, e.Generators, e.Key, e.Value, e}
	case *pyast.GeneratorExp:
		return compiled{genExp, e.Generators, e.Elt, nil, e}
	}
	panic("no comprehension")
}

func (c *compiled) build() opcode.Op {
	return [...]opcode.Op{listComp: opcode.BuildList, setComp: opcode.BuildSet, dictComp: opcode.BuildMap}[c.kind]
}

// comprehension makes a comprehension's value (compiler_comprehension).
func (l *lowerer) comprehension(e pyast.Expr) {
	c := parts(e)
	s := l.t.at[c.node]
	if s.inlined {
		l.inlineComp(&c, s)
		return
	}
	u := l.enter(s, s.name)
	u.code = &pyc.Code{ArgCount: 1}
	if c.kind != genExp {
		l.opI(c.build(), 0)
	}
	u.iterates = c.kind == genExp && l.v.GenexprCallsIter()
	stop := l.stopIteration()
	l.compLoop(&c, 0, 0, false)
	if c.kind == genExp {
		l.none()
	}
	l.op(opcode.Return)
	stop()
	code := l.leave()
	l.makeFunction(u, code, 0)
	if l.v.GenexprCallsIter() {
		l.expr(c.gens[0].Iter)
	} else {
		l.getIter(c.gens[0])
	}
	if l.v.HasMethodCallees() {
		l.opI(opcode.Call, 0)
	} else {
		l.opI(opcode.CallFunction, 1)
	}
	if s.coroutine && c.kind != genExp {
		l.opI(opcode.GetAwaitable, 0)
		l.yieldFrom()
	}
}

// compLoop is one clause and what is inside of it (compiler_comprehension_generator).
func (l *lowerer) compLoop(c *compiled, i, depth int, onStack bool) {
	g := c.gens[i]
	if g.IsAsync {
		l.asyncCompLoop(c, i, depth, onStack)
		return
	}
	slots := l.v.IteratorSlots()
	loop := true
	cleanup, anchor := l.label(), l.label()
	switch {
	case i == 0 && !onStack:
		l.firstIter(c)
	case i == 0:
	default:
		if x := pyast.OnlyItem(g.Iter); x != nil && l.v.AssignsSingleItem() {
			l.expr(x)
			loop = false
		} else {
			l.getIter(g)
		}
	}
	var start label
	if loop {
		depth += slots
		start = l.here()
		l.emit(ins{Instr: bytecode.Instr{Op: opcode.ForIter, Arg: slots}, to: anchor})
	}
	l.store(g.Target)
	l.compBody(c, i, depth, cleanup)
	l.use(cleanup)
	if loop {
		l.jump(opcode.Jump, start)
		l.use(anchor)
	} else {
		l.use(anchor)
	}
}

// firstIter pushes the iterator of the first clause, which the caller has made, or from 3.15
// on the comprehension's own code.
func (l *lowerer) firstIter(c *compiled) {
	switch {
	case !l.v.GenexprCallsIter():
		l.opN(opcode.LoadFast, ".0")
	case c.kind != genExp: // a generator expression begins with it
		l.opN(opcode.LoadFast, ".0")
		l.iter(c.gens[0])
	}
}

// compBody is what follows the target: conditions, further clauses, the element.
func (l *lowerer) compBody(c *compiled, i, depth int, cleanup label) {
	for _, t := range c.gens[i].Ifs {
		l.jumpIf(t, cleanup, false)
	}
	if i+1 < len(c.gens) {
		l.compLoop(c, i+1, depth, false)
		return
	}
	if s, ok := c.elt.(*pyast.Starred); ok {
		l.compStarred(c, s, depth)
		return
	}
	switch c.kind {
	case genExp:
		l.expr(c.elt)
		l.yield()
		l.pop()
	case listComp:
		l.expr(c.elt)
		l.opI(opcode.ListAppend, depth+1)
	case setComp:
		l.expr(c.elt)
		l.opI(opcode.SetAdd, depth+1)
	case dictComp:
		if c.elt == nil {
			l.expr(c.value)
			l.opI(opcode.DictUpdate, depth+1)
			return
		}
		if l.v.StoresValueFirst() {
			l.expr(c.value)
			l.expr(c.elt)
			l.emit(ins{Instr: bytecode.Instr{Op: opcode.MapAdd, Arg: depth + 1, Flag: true}})
			return
		}
		l.expr(c.elt)
		l.expr(c.value)
		l.opI(opcode.MapAdd, depth+1)
	}
}

// compStarred adds all items of an iterable (3.15+).
func (l *lowerer) compStarred(c *compiled, s *pyast.Starred, depth int) {
	l.expr(s.Value)
	switch c.kind {
	case listComp:
		l.opI(opcode.ListExtend, depth+1)
	case setComp:
		l.opI(opcode.SetUpdate, depth+1)
	default:
		slots := l.v.IteratorSlots()
		l.opI(opcode.GetIter, slots)
		end := l.label()
		start := l.here()
		l.emit(ins{Instr: bytecode.Instr{Op: opcode.ForIter, Arg: slots}, to: end})
		l.yield()
		l.pop()
		l.jump(opcode.Jump, start)
		l.use(end)
	}
}

func (l *lowerer) asyncCompLoop(c *compiled, i, depth int, onStack bool) {
	g := c.gens[i]
	switch {
	case i == 0 && !onStack:
		l.firstIter(c)
	case i == 0:
	default:
		l.getIter(g)
	}
	if l.v.HasLoopBlocks() {
		l.oldAsyncCompLoop(c, i, depth)
		return
	}
	except, cleanup := l.label(), l.label()
	start := l.here()
	l.protect(setup, except)
	l.op(opcode.GetAnext)
	l.yieldFrom()
	l.popBlock()
	l.store(g.Target)
	l.compBody(c, i, depth+1, cleanup)
	l.use(cleanup)
	l.jump(opcode.Jump, start)
	l.use(except)
	l.op(opcode.EndAsyncFor)
}

func (l *lowerer) oldAsyncCompLoop(c *compiled, i, depth int) {
	g := c.gens[i]
	try, after, except, cleanup, tryCleanup := l.label(), l.label(), l.label(), l.label(), l.label()
	l.use(try)
	l.protect(setup, except)
	l.op(opcode.GetAnext)
	l.yieldFrom()
	l.store(g.Target)
	l.popBlock()
	l.jump(opcode.Jump, after)
	l.use(except)
	l.opI(opcode.Copy, 1)
	l.opN(opcode.LoadGlobal, "StopAsyncIteration")
	l.op(opcode.ExcMatch)
	l.popJump(true, tryCleanup)
	l.op(opcode.EndFinally)
	l.use(after)
	l.compBody(c, i, depth+1, cleanup)
	l.use(cleanup)
	l.jump(opcode.Jump, try)
	l.use(tryCleanup)
	l.pop()
	l.pop()
	l.pop()
	l.op(opcode.PopExcept)
	l.pop()
}

// inlineComp runs a comprehension in the frame around (3.12+): the names that it binds
// are put aside meanwhile (push_inlined_comprehension_state).
func (l *lowerer) inlineComp(c *compiled, s *scope) {
	u := l.u
	late := l.v.GenexprCallsIter() // GET_ITER comes when all is prepared
	if late {
		l.expr(c.gens[0].Iter)
	} else {
		l.getIter(c.gens[0])
	}
	inClass := u.s.kind == classScope && u.inComp == 0
	u.inComp++
	saved := map[string]place{}
	had := map[string]bool{}
	var aside []string
	hidden := names{}
	for _, n := range s.order {
		y := s.symbols[n]
		boundHere := y.use&isLocal != 0 && y.use&isNonlocal == 0
		if inClass && l.v.PutsAsideEveryName() {
			boundHere = true
		}
		all := l.v.ComprehensionsKeepScopes() && y.place != freePlace
		if !boundHere && !inClass && !all {
			continue
		}
		outer := l.placeOf(n)
		if y.place != outer && !(y.place == cellPlace && outer == freePlace) || inClass {
			saved[n], had[n] = u.shadow[n], hasKey(u.shadow, n)
			u.shadow[n] = y.place
		}
		if boundHere {
			if !u.s.functionLike() && !u.fastHide[n] {
				u.fastHide[n] = true
				u.hidden[n] = true
				hidden[n] = true
			}
			l.emit(ins{Instr: bytecode.Instr{Op: opcode.LoadFastAndClear, Name: n}})
			if y.place == cellPlace {
				l.opN(opcode.MakeCell, n)
			}
			aside = append(aside, n)
		}
	}
	cleanup, end := l.label(), l.label()
	if len(aside) > 0 {
		l.swap(len(aside) + 1)
		l.protect(setup, cleanup)
	}
	l.opI(c.build(), 0)
	l.swap(2)
	if late {
		l.iter(c.gens[0])
	}
	l.compLoop(c, 0, 0, true)
	restore := func() {
		l.swap(len(aside) + 1)
		for _, n := range slices.Backward(aside) {
			l.emit(ins{Instr: bytecode.Instr{Op: opcode.StoreFast, Name: n}, unsure: true})
		}
	}
	if len(aside) > 0 {
		l.popBlock()
		l.jump(opcode.Jump, end)
		l.use(cleanup)
		l.swap(2)
		l.pop()
		restore()
		l.opI(opcode.Reraise, 0)
		l.use(end)
		restore()
	}
	for n, p := range saved {
		if had[n] {
			u.shadow[n] = p
		} else {
			delete(u.shadow, n)
		}
	}
	u.inComp--
	for n := range hidden {
		delete(u.fastHide, n)
	}
}

func hasKey[V any](m map[string]V, k string) bool {
	_, ok := m[k]
	return ok
}
