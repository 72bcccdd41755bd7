package equiv

import (
	"fmt"
	"go/token"
	"maps"
	"slices"
	"strings"

	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyc"
)

// CompareEffects decides whether two codes have the same effects: calls,
// attribute accesses, operators on unknown values, reads and writes of globals,
// of names and of captured variables, tests of truth, iteration, raising and returning, in
// the same order, with equal operands, on every path, exceptional ones included.
//
// It executes both codes symbolically, side by side. What happens between two
// effects is free: the stack, local variables, and lists, dicts, tuples and
// functions that were made on the way and that nobody else has seen. It is meant
// for code that no compiler made, and for what a decompiler made of such code;
// what it does not understand is different.
//
// The assumptions beyond Compare's: tuples have no identity; iter() of an
// iterator is that iterator, as the language demands, and nothing else; a global under which
// the host publishes an object (Options.OpaqueNames) is always bound to it; a display
// under construction that a resume function is given is nobody else's (handedOver); and
// nobody looks at the local variables of a running function from outside (code
// that itself might is refused).
func CompareEffects(a, b *pyc.Code, opt Options) Result {
	if a == nil || b == nil {
		return Result{Diff: Diff{Where: nowhere, Reason: "no code"}}
	}
	e := &effects{opt: opt, seen: map[[2]*pyc.Code]bool{}}
	e.queue = append(e.queue, codePair{a, b, a.Name})
	res := Result{Level: EffectsEqual, Compared: map[*pyc.Code]bool{}}
	for first := true; len(e.queue) > 0; first = false {
		p := e.queue[0]
		e.queue = e.queue[1:]
		e.path = p.path
		if !first {
			// Inner functions are the user's own: mostly they compare as such.
			if r := Compare(p.a, p.b, opt); r.Equal {
				maps.Copy(res.Compared, r.Compared)
				continue
			}
		}
		res.Compared[p.a] = true
		e.met = nil
		diff := e.codes(p.a, p.b, first)
		if diff == nil {
			unloaded(p.a, e.met, res.Compared)
			continue
		}
		diff.Path, diff.Codes = p.path, [2]*pyc.Code{p.a, p.b}
		if !first && opt.Replaced {
			res.Inner = append(res.Inner, *diff)
			continue
		}
		res.Diffs = append(res.Diffs, *diff)
		if !opt.All {
			break
		}
	}
	res.Functions = e.functions
	res.Equal = len(res.Diffs) == 0
	if !res.Equal {
		res.Diff, res.Level = res.Diffs[0], ""
	}
	return res
}

// effects is the state of one CompareEffects.
type effects struct {
	opt   Options
	path  string
	queue []codePair
	seen  map[[2]*pyc.Code]bool

	functions [][2]*pyc.Code
	met       []codePair // in the pair at hand

	// Of the pair at hand:
	inner bool // it is not the function that the host makes
	next  int  // last symbol or object
	table map[place]*kept
	work  []pending
	agree int
	steps int
	where [2]int
}

func (e *effects) nested(a, b *pyc.Code) {
	e.met = append(e.met, codePair{a: a, b: b})
	if k := [2]*pyc.Code{a, b}; !e.seen[k] {
		e.seen[k] = true
		e.functions = append(e.functions, k)
		e.queue = append(e.queue, codePair{a, b, e.path + "." + a.Name})
	}
}

// Limits of one comparison. Dynamo's functions need a few thousand steps.
const (
	maxSteps = 2_000_000
	maxPure  = 100_000 // instructions without an effect in a row
)

func (e *effects) codes(a, b *pyc.Code, outermost bool) *Diff {
	fail := func(format string, args ...any) *Diff {
		return &Diff{Where: nowhere, Reason: fmt.Sprintf(format, args...)}
	}
	if why := e.header(a, b, outermost && !e.opt.Inner); why != "" {
		return fail("%s", why)
	}
	fa, err := e.opt.decode(a)
	if err != nil {
		return fail("the first code cannot be decoded: %v", err)
	}
	fb, err := e.opt.decode(b)
	if err != nil {
		return fail("the second code cannot be decoded: %v", err)
	}
	e.inner = !outermost
	return e.funcs(fa, fb)
}

// funcs compares decoded code whose headers agree.
func (e *effects) funcs(fa, fb *bytecode.Func) *Diff {
	fail := func(format string, args ...any) *Diff {
		return &Diff{Where: nowhere, Reason: fmt.Sprintf(format, args...)}
	}
	a, b := fa.Code, fb.Code
	for _, f := range []*bytecode.Func{fa, fb} {
		// The variables of modules and classes are names, which are effects.
		if name := readsOwnLocals(f); name != "" && a.IsFunction() {
			return fail("the code may look at its own variables (%s)", name)
		}
	}
	if slices.Contains(a.FreeVars(), "__class__") != slices.Contains(b.FreeVars(), "__class__") && (usesSuper(fa) || usesSuper(fb)) {
		return fail("__class__ is captured on one side only")
	}
	if e.opt.Bare && !e.inner {
		fb = withoutStopIteration(fb, e.opt.BareUntil)
	}
	fb, own, err := withOwnVariables(fa, fb)
	if err != nil {
		return fail("%v", err)
	}
	e.next, e.table, e.work, e.agree, e.steps = 0, map[place]*kept{}, nil, 0, 0
	c, why := e.start(newSide(fa), newSide(fb))
	if c != nil {
		c.b.own = own
	}
	if why == "" {
		why = e.settle(c)
	}
	for why == "" && len(e.work) > 0 {
		p := e.work[len(e.work)-1]
		e.work = e.work[:len(e.work)-1]
		c := p.own
		if c == nil {
			c = e.table[p.at].c.clone()
		}
		why = e.process(c)
		e.agree++
	}
	if why == "" {
		return nil
	}
	off := func(f *bytecode.Func, pc int) int {
		if pc < 0 || pc >= len(f.Instrs) {
			return -1
		}
		return f.Instrs[pc].Offset
	}
	return &Diff{Where: Where{off(fa, e.where[0]), off(fb, e.where[1])}, Reason: why, Agree: e.agree}
}

// withoutStopIteration returns code without the handlers that begin by making a
// RuntimeError of a StopIteration; from a line on, counted from the code's first, they
// stay, if it is given.
func withoutStopIteration(f *bytecode.Func, until int) *bytecode.Func {
	stay := len(f.Instrs)
	if until > 0 {
		line := int32(f.Code.FirstLine + until)
		if i := slices.IndexFunc(f.Instrs, func(in bytecode.Instr) bool { return in.Pos.Line >= line }); i >= 0 {
			stay = i
		}
	}
	g := *f
	g.Handlers = nil
	for _, h := range f.Handlers {
		if f.Instrs[h.Target].Op == opcode.StopIterationError {
			h.Start = max(h.Start, stay)
		}
		if h.Start < h.End {
			g.Handlers = append(g.Handlers, h)
		}
	}
	return &g
}

// start makes the state at entry: the arguments are symbols.
func (e *effects) start(a, b *side) (*xconf, string) {
	c := &xconf{a: e.startSide(a), b: e.startSide(b), facts: map[string]fact{}}
	c.b.second = true
	for _, s := range []*xside{c.a, c.b} {
		if why := s.unprepared(); why != "" {
			return nil, side2(s) + why
		}
	}
	cur := &val{kind: vSym, id: c.a.newID()}
	c.a.cur, c.b.cur = cur, cur
	code, other := a.fn.Code, b.fn.Code
	begun := bytecode.HandedOver(a.fn)
	for i := range argSlots(code) {
		v := &val{kind: vSym, id: c.a.newID(), exact: i == code.ArgCount+code.KwOnlyArgCount && code.Flags&pyc.FlagVarArgs != 0}
		if op, ok := begun[code.LocalsPlusNames[i]]; ok {
			v.name = handedOver + op.String() + " " + code.LocalsPlusNames[i]
		}
		c.a.locals[code.LocalsPlusNames[i]] = v
		c.b.locals[other.LocalsPlusNames[i]] = v
	}
	shared := a.sharedCells()
	maps.Copy(shared, b.sharedCells())
	for name := range shared {
		// It must begin with the same content.
		if isArgument(code, name) != isArgument(other, name) {
			return nil, fmt.Sprintf("the captured variable %s is an argument on one side only", name)
		}
	}
	c.a.makeCells(shared)
	c.b.makeCells(shared)
	if e.opt.OpaqueNames {
		c.b.opaque = map[string]*val{}
		publish(code, c.b.opaque)
		for name := range c.b.opaque {
			if rebound(c.a, name) || rebound(c.b, name) {
				delete(c.b.opaque, name)
			}
		}
	}
	e.stableGlobals(c.a, c.b)
	return c, ""
}

// stableGlobals makes the globals that never change (Options.StableGlobal)
// values, the same on both sides.
func (e *effects) stableGlobals(a, b *xside) {
	if e.opt.StableGlobal == nil {
		return
	}
	vals := map[string]*val{}
	for _, s := range []*xside{a, b} {
		if s.opaque == nil {
			s.opaque = map[string]*val{}
		}
		for _, name := range s.fn.Code.Names {
			if s.opaque[name] != nil || !e.opt.StableGlobal(name) || rebound(a, name) || rebound(b, name) {
				continue
			}
			if vals[name] == nil {
				// No host object has a negative number.
				vals[name] = &val{kind: vConst, c: &pyc.Opaque{ID: int64(-1 - len(vals)), Type: "global", Name: name}}
			}
			s.opaque[name] = vals[name]
		}
	}
}

// rebound reports whether the code itself changes what a global is bound to.
func rebound(s *xside, name string) bool {
	for i := range s.in {
		switch x := &s.in[i]; x.Op {
		case opcode.StoreGlobal, opcode.DeleteGlobal, opcode.StoreName, opcode.DeleteName:
			if x.Name == name {
				return true
			}
		}
	}
	return false
}

func (e *effects) startSide(s *side) *xside {
	x := &xside{
		xcode:  &xcode{side: s, next: &e.next, captured: map[string]bool{}, meet: s.meets()},
		locals: map[string]*val{}, heap: map[int]*object{},
	}
	x.entry, _, _ = s.prologue()
	if s.startsWithSent() {
		x.push(noneVal)
	}
	for _, name := range append(s.fn.Code.CellVars(), s.fn.Code.FreeVars()...) {
		x.captured[name] = true
	}
	return x
}

// unprepared says what the entry of the code (3.11+) fails to do for its cells.
func (s *xside) unprepared() string {
	if !s.v.HasExceptionTable() {
		return ""
	}
	_, cells, free := s.prologue()
	for i := s.entry; i < len(s.in); i++ {
		if s.in[i].Op == opcode.MakeCell {
			cells = append(cells, s.in[i].Name) // of an inlined comprehension
		}
	}
	for _, name := range s.fn.Code.CellVars() {
		if !slices.Contains(cells, name) {
			return "no cell is made for " + name
		}
	}
	if n := len(s.fn.Code.FreeVars()); n > 0 && !slices.Equal(free, []int{n}) || n == 0 && len(free) > 0 {
		return "the closure is not set up"
	}
	return ""
}

// publish collects the host objects among the constants of the original.
func publish(c *pyc.Code, to map[string]*val) {
	var walk func(k pyc.Const, depth int)
	walk = func(k pyc.Const, depth int) {
		switch k := k.(type) {
		case *pyc.Opaque:
			if k.Name != "" {
				to[k.Name] = constVal(k)
			}
		case *pyc.Code:
			if k.HostName != "" {
				to[k.HostName] = constVal(k)
			}
			if depth < 50 {
				for _, x := range k.Consts {
					walk(x, depth+1)
				}
			}
		case pyc.Tuple:
			for _, x := range k {
				walk(x, depth)
			}
		}
	}
	for _, k := range c.Consts {
		walk(k, 0)
	}
}

// readsOwnLocals names what looks at variables of a function in a way that is not
// followed; see looks for what is. What is never reached does not look: a resume function
// keeps the code in front of the place where it goes on.
func readsOwnLocals(f *bytecode.Func) string {
	var live []bool
	if slices.Contains(f.Code.Names, "super") {
		live = liveInstrs(f)
	}
	super := false
	first := "" // the variable that super() looks at
	if argSlots(f.Code) > 0 {
		first = f.Code.LocalsPlusNames[0]
	}
	changed := false
	for i := range f.Instrs {
		if live != nil && !live[i] {
			continue
		}
		switch x := &f.Instrs[i]; x.Op {
		case opcode.LoadGlobal, opcode.LoadName:
			super = super || x.Name == "super"
		case opcode.LoadLocals:
			return "class body"
		case opcode.StoreFast, opcode.DeleteFast, opcode.StoreDeref, opcode.DeleteDeref:
			changed = changed || x.Name == first
		}
	}
	if super && (changed || first == "") {
		return "super"
	}
	return ""
}

// usesSuper reports whether code that can be reached looks super up, which finds
// __class__ in the frame. Without it a __class__ that is captured is a variable like any other.
func usesSuper(f *bytecode.Func) bool {
	live := liveInstrs(f)
	for i := range f.Instrs {
		if !live[i] {
			continue
		}
		switch x := &f.Instrs[i]; x.Op {
		case opcode.LoadGlobal, opcode.LoadName, opcode.LoadAttr, opcode.LoadMethod:
			if x.Name == "super" {
				return true
			}
		case opcode.LoadSuperAttr:
			return true
		}
	}
	return false
}

// effectFlags are the flags that change what a call of the function means.
const effectFlags = pyc.FlagVarArgs | pyc.FlagVarKeywords | pyc.FlagGenerator | pyc.FlagCoroutine |
	pyc.FlagIterableCoroutine | pyc.FlagAsyncGenerator

// header compares what callers see. The outermost function's name is the
// caller's to set, and so is the name of an argument that no source can spell.
func (e *effects) header(a, b *pyc.Code, outermost bool) string {
	switch {
	case a.Version != b.Version:
		return fmt.Sprintf("versions differ: %v, %v", a.Version, b.Version)
	case a.ArgCount != b.ArgCount || a.PosOnlyArgCount != b.PosOnlyArgCount || a.KwOnlyArgCount != b.KwOnlyArgCount:
		return "argument counts differ"
	case a.Flags&effectFlags != b.Flags&effectFlags:
		return fmt.Sprintf("flags differ: %#x, %#x", uint32(a.Flags), uint32(b.Flags))
	case a.IsFunction() != b.IsFunction():
		return "one is a function, the other is not"
	}
	n := argSlots(a)
	if len(a.LocalsPlusNames) < n || len(b.LocalsPlusNames) < n {
		return "there are fewer variables than arguments"
	}
	for i := range n {
		x, y := a.LocalsPlusNames[i], b.LocalsPlusNames[i]
		if x != y && (!outermost || token.IsIdentifier(x)) {
			return fmt.Sprintf("argument names differ: %s, %s", x, y)
		}
	}
	// Free variables are bound by whoever makes the function: the host by their
	// names, other code as matching.closures checks.
	if outermost {
		x := a.FreeVars()
		for _, n := range b.FreeVars() {
			if !slices.Contains(x, n) {
				return fmt.Sprintf("the free variable %s is new", n)
			}
		}
		return ""
	}
	if !e.opt.Replaced && (a.Name != b.Name || a.QualName != b.QualName && !e.opt.AnyQualName) {
		return fmt.Sprintf("names differ: %s, %s", a.QualName, b.QualName)
	}
	if !constEqual(docstring(a), docstring(b), nil) {
		return "docstrings differ"
	}
	return ""
}

// settle runs both sides until each is about to have an effect or to branch. There
// it goes on later.
func (e *effects) settle(c *xconf) string {
	met := false
	for _, s := range []*xside{c.a, c.b} {
		var h hangs
		for n := 0; ; n++ {
			h.goesRound(s, n)
			if e.steps++; n > maxPure || e.steps > maxSteps {
				e.at(c)
				return "the code is too long to follow"
			}
			met = met || s.pc >= 0 && s.pc < len(s.meet) && s.meet[s.pc]
			r := stepper{c: c, s: s}
			r.step()
			if r.fail != "" {
				e.at(c)
				return side2(s) + r.fail
			}
			if r.stopped {
				break
			}
		}
	}
	switch out := c.a.pc < 0; {
	case out && c.b.pc < 0:
		return e.process(c) // which is the end
	case met || out || c.b.pc < 0:
		return e.keep(c)
	}
	e.work = append(e.work, pending{own: c})
	return ""
}

func side2(s *xside) string {
	if s.second {
		return "in the second code, "
	}
	return "in the first code, "
}

func (e *effects) at(c *xconf) { e.where = [2]int{c.a.pc, c.b.pc} }

// process takes a state at which both sides stopped, and goes on in every way.
func (e *effects) process(c *xconf) string {
	e.at(c)
	a, b := stepper{c: c, s: c.a}, stepper{c: c, s: c.b}
	a.step()
	if a.fail == "" && a.cond != nil {
		return e.fork(c, a.cond)
	}
	b.step()
	if b.fail == "" && b.cond != nil {
		return e.fork(c, b.cond)
	}
	if c.skipIter() {
		return e.settle(c)
	}
	a.perform, b.perform = true, true
	a.step()
	b.step()
	if a.fail != "" {
		return side2(c.a) + a.fail
	}
	if b.fail != "" {
		return side2(c.b) + b.fail
	}
	x, y := a.ev, b.ev
	if x == nil || y == nil {
		return "nothing happens"
	}
	if x.what != y.what {
		return fmt.Sprintf("effects differ: %s %v | %s %v", x.what, x.operands, y.what, y.operands)
	}
	m := e.match(c)
	if !m.all(x.operands, y.operands) && !e.classStore(c, x, y) {
		if m.why == "" {
			m.differ("%v | %v", x.operands, y.operands)
		}
		return fmt.Sprintf("operands of %s differ: %s", x.what, m.why)
	}
	if !m.equal(c.a.cur, c.b.cur) {
		return fmt.Sprintf("%s happens while different exceptions are handled", x.what)
	}
	m.escape()
	return e.goOn(c, x, y)
}

// classStore allows what compilers write into class bodies: see classConst.
func (e *effects) classStore(c *xconf, x, y *event) bool {
	if len(x.operands) != 1 || len(y.operands) != 1 {
		return false
	}
	p, q := x.operands[0], y.operands[0]
	op, name, _ := strings.Cut(x.what, " ")
	if c.a.fn.Code.IsFunction() || op != "StoreName" && op != "StoreGlobal" && op != "StoreDeref" { // a class may declare them global or nonlocal
		return false
	}
	switch name {
	case "__qualname__":
		return e.opt.AnyQualName && p.kind == vConst && q.kind == vConst && isQualName(p.c, c.a.fn.Code) && isQualName(q.c, c.b.fn.Code)
	case "__firstlineno__":
		return p.kind == vConst && q.kind == vConst && isInt(p.c, c.a.fn.Code.FirstLine) && isInt(q.c, c.b.fn.Code.FirstLine)
	case "__static_attributes__":
		names := func(v *val) (out pyc.Tuple, ok bool) {
			for _, item := range v.items {
				s, isStr := strOf(item)
				if !isStr {
					return nil, false
				}
				out = append(out, pyc.Str(s))
			}
			return out, v.kind == vTuple
		}
		s, ok1 := names(p)
		t, ok2 := names(q)
		return ok1 && ok2 && setEqual(s, t, nil) && c.a.classEnds(x.at+1) && c.b.classEnds(y.at+1)
	}
	return false
}

// fork goes on with a condition true and with it false.
func (e *effects) fork(c *xconf, cond *val) string {
	for _, is := range []bool{false, true} {
		d := c
		if !is {
			d = c.clone()
		}
		d.learn(cond, is)
		if why := e.settle(d); why != "" {
			return why
		}
	}
	return ""
}

// goOn follows an event that happened on both sides, in each way it can come out.
func (e *effects) goOn(c *xconf, x, y *event) string {
	if len(x.outs) != len(y.outs) || x.quiet != y.quiet {
		return x.what + " comes out differently"
	}
	// Where an exception leaves both codes there is nothing more to compare: it is the
	// same one, and so is the one handled before.
	done := x.quiet || c.a.leaves(x.at) && c.b.leaves(y.at)
	for i := range x.outs {
		d := c
		if !done || i < len(x.outs)-1 {
			d = c.clone()
		}
		kinds := x.outs[i].results
		if !slices.Equal(kinds, y.outs[i].results) || x.named != y.named {
			return x.what + " comes out differently"
		}
		results := make([]*val, len(kinds))
		for k, kind := range kinds {
			results[k] = &val{kind: vSym, id: c.a.newID(), exact: kind == rTuple}
			switch kind {
			case rBool:
				results[k].kind = vBool
			case rKeywords:
				results[k].name = mergeKeywords
			case rNamed:
				results[k].name = x.named
			}
		}
		x.outs[i].place(d.a, results)
		y.outs[i].place(d.b, slices.Clone(results))
		if why := e.settle(d); why != "" {
			return why
		}
	}
	if done {
		return ""
	}
	exc := &val{kind: vSym, id: c.a.newID(), name: caughtName}
	for _, s := range []struct {
		*xside
		at int
	}{{c.a, x.at}, {c.b, y.at}} {
		s.push(x.thrown...)
		if why := s.raise(exc, s.at); why != "" {
			return side2(s.xside) + why
		}
	}
	return e.settle(c)
}
