package lift

import (
	"slices"

	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyast"
	"github.com/thuml/depyf/internal/pyc"
	"github.com/thuml/depyf/internal/pyprint"
)

// stepCall executes calls and the making of functions.
func (m *machine) stepCall() bool {
	in := m.in
	switch in.Op {
	case opcode.CallFunction:
		args := m.popVals(in.Arg)
		m.call(m.pop(), args, nil)
	case opcode.CallMethod, opcode.Call:
		kw := m.kwNames(m.kw)
		m.kw = nil
		args := m.popVals(in.Arg)
		f, args := m.callee(args)
		m.call(f, args, kw)
	case opcode.CallFunctionKw:
		kw := m.kwNames(pyc.Tuple(m.constNames(m.pop())))
		args := m.popVals(in.Arg)
		m.call(m.pop(), args, kw)
	case opcode.CallKw:
		kw := m.kwNames(pyc.Tuple(m.constNames(m.pop())))
		args := m.popVals(in.Arg)
		f, args := m.callee(args)
		m.call(f, args, kw)
	case opcode.CallEx:
		m.callEx()
	case opcode.MakeFunction:
		m.makeFunction()
	case opcode.SetFunctionAttribute:
		f := m.pop()
		v := m.pop()
		if f.Kind != KFunc {
			m.fail("attribute set on something that is no function")
		}
		m.functionAttr(f.Fn(), in.Arg, v)
		m.push(f)
	default:
		return false
	}
	return true
}

func (m *machine) popVals(n int) []*Value {
	if n < 0 || n > len(m.stack) {
		m.fail("pop of %d from a stack of %d", n, len(m.stack))
	}
	vals := append([]*Value(nil), m.stack[len(m.stack)-n:]...)
	m.stack = m.stack[:len(m.stack)-n]
	return vals
}

// callee pops a two-slot callee. When neither slot is NULL the upper one is the
// first argument: that is how the compiler calls decorators and comprehensions.
func (m *machine) callee(args []*Value) (*Value, []*Value) {
	b, a := m.pop(), m.pop()
	switch {
	case b.Kind == KNull || b.Kind == KSelf:
		return a, args
	case a.Kind == KNull || a.Kind == KSelf:
		return b, args
	case a.Kind == KExit || a.Kind == KEnter:
		return a, args
	case b.Kind == KExit || b.Kind == KEnter:
		return b, args
	}
	return a, append([]*Value{b}, args...)
}

func (m *machine) kwNames(c pyc.Const) []string {
	if c == nil {
		return nil
	}
	t, ok := c.(pyc.Tuple)
	if !ok {
		m.fail("keyword names are no tuple")
	}
	out := make([]string, len(t))
	for i, x := range t {
		s, ok := x.(pyc.Str)
		if !ok {
			m.fail("a keyword name is no string")
		}
		out[i] = string(s)
	}
	return out
}

// isComprehension reports whether a code object is the body of a comprehension
// or generator expression.
func isComprehension(c *pyc.Code) bool {
	switch c.Name {
	case "<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>":
		return true
	}
	return false
}

// call pushes the result of calling f.
func (m *machine) call(f *Value, args []*Value, kw []string) {
	if m.callRole(f, args, kw) || len(args) == 1 && len(kw) == 0 && m.decorate(f, args[0]) {
		return
	}
	c := &pyast.Call{}
	n := len(args) - len(kw)
	if n < 0 {
		m.fail("%d keyword names for %d arguments", len(kw), len(args))
	}
	c.Func = m.expr(f)
	for i, a := range args {
		e := m.expr(a)
		if i < n {
			c.Args = append(c.Args, e)
		} else {
			c.Keywords = withKeyword(c.Keywords, kw[i-n], e)
		}
	}
	m.pushE(c)
}

// withKeyword adds an argument by name. A name that no source can write in front of "=" goes into a dict: Dynamo
// turns f(**{"a b": x}) into a call with that name.
func withKeyword(list []*pyast.Keyword, name string, e pyast.Expr) []*pyast.Keyword {
	if pyprint.ValidName(name) {
		return append(list, &pyast.Keyword{Arg: name, Value: e})
	}
	key := pyast.Const(pyc.Str(name))
	if n := len(list); n > 0 && list[n-1].Arg == "" {
		if d, ok := list[n-1].Value.(*pyast.Dict); ok {
			d.Keys, d.Values = append(d.Keys, key), append(d.Values, e)
			return list
		}
	}
	return append(list, &pyast.Keyword{Value: &pyast.Dict{Keys: []pyast.Expr{key}, Values: []pyast.Expr{e}}})
}

// callRole calls what is more than an expression: the exit of a with block, a class, a comprehension.
func (m *machine) callRole(f *Value, args []*Value, kw []string) bool {
	switch f.Kind {
	case KExit:
		// `exit(None, None, None)` ends a with block.
		if f.With() != nil && f.With().Async {
			m.push(&Value{Kind: KAwaited, special: &special{with: f.With()}})
			return true
		}
		m.emit(&Marker{Kind: MarkWithExit, With: f.With()})
		m.push(&Value{Kind: KNull})
		return true
	case KEnter:
		if f.With().Async {
			f.With().Bind = &Bind{}
			m.push(&Value{Kind: KAwaited, special: &special{with: f.With(), bind: f.With().Bind}})
			return true
		}
		m.enterWith(f.With())
		return true
	case KBuild:
		m.buildClass(args, kw)
		return true
	case KFunc:
		if isGeneric(f.Fn()) {
			m.callGeneric(f.Fn(), args)
			return true
		}
		return len(args) == 1 && len(kw) == 0 && isComprehension(f.Fn().Code) && m.callComprehension(f.Fn(), args[0])
	}
	return false
}

// callComprehension pushes the comprehension that the call of its function stands for.
func (m *machine) callComprehension(f *Func, it *Value) bool {
	var iter pyast.Expr
	switch {
	case it.Kind == KIter:
		iter = it.E
	case m.code.Version.GenexprCallsIter():
		iter = m.expr(it)
	}
	if iter == nil {
		return false
	}
	e, err := m.g.Host.Comprehension(f, iter)
	if err != nil {
		panic(liftError{err.Error()})
	}
	if f.Code.Flags&pyc.FlagCoroutine != 0 && !m.code.Version.InlinesComprehensions() {
		e = hole(pyast.Coroutine, e)
	}
	m.pushE(e)
	return true
}

// decorate notes f as a decorator of the function or class v, perhaps: that is known only when
// the result is stored.
func (m *machine) decorate(f, v *Value) bool {
	def := v.Kind == KFunc && v.Fn().Code.Name != "<lambda>" && !isComprehension(v.Fn().Code) || v.Kind == KClass
	if !def || f.Kind != KExpr && (f.Kind != KFunc || f.Fn().Code.Name != "<lambda>") {
		return false
	}
	d := m.expr(f)
	if v.Kind == KFunc {
		v.Fn().Decorators = append([]pyast.Expr{d}, v.Fn().Decorators...)
	} else {
		v.Class().Decorators = append([]pyast.Expr{d}, v.Class().Decorators...)
	}
	m.push(v)
	return true
}

// callEx is a call with *args and **kwargs.
func (m *machine) callEx() {
	in := m.in
	var kw *Value
	if in.Arg&1 != 0 {
		kw = m.pop()
		if kw.Kind == KNull {
			kw = nil
		}
	}
	args := m.pop()
	var f *Value
	if in.Arg&2 != 0 {
		f, _ = m.callee(nil)
	} else {
		f = m.pop()
	}
	if f.Kind == KBuild {
		m.buildClassEx(f, args, kw)
		return
	}
	c := &pyast.Call{Func: m.expr(f)}
	built := args.Attr == tupleBuilt
	c.Args = m.starArgs(args, m.mostPlain(kw))
	if kw != nil {
		c.Keywords = m.starKeywords(kw)
		if built && m.code.Version.BuildsCallMaps() && !m.g.dynamo && noStars(c) {
			// Plain keyword arguments need no dict: the source has `f(**{"a": 1})`.
			c.Keywords = []*pyast.Keyword{{Value: kw.E}}
		}
	}
	m.pushE(c)
}

// noStars reports whether a call has neither `*a` nor `**b`.
func noStars(c *pyast.Call) bool {
	for _, a := range c.Args {
		if _, ok := a.(*pyast.Starred); ok {
			return false
		}
	}
	for _, k := range c.Keywords {
		if k.Arg == "" {
			return false
		}
	}
	return true
}

// mostPlain is how many positional arguments beside the keyword arguments kw would need
// no tuple if none of them had a star; none where `**` makes the call take a tuple.
func (m *machine) mostPlain(kw *Value) int {
	v := m.code.Version
	if m.g.dynamo {
		return -1
	}
	if kw == nil {
		return v.MostPlainArguments(0)
	}
	d, ok := kw.E.(*pyast.Dict)
	if !ok || v.BuildsCallMaps() || slices.Contains(d.Keys, nil) {
		return -1
	}
	return v.MostPlainArguments(len(d.Keys))
}

// starArgs returns the arguments that a call takes from a tuple. Where it is built at once
// of no more items than plain, it is one of the source, `f(*(a, b), k=c)`: such arguments
// would need none.
func (m *machine) starArgs(args *Value, plain int) []pyast.Expr {
	e := m.expr(args)
	if list, ok := starsOf(&pyast.Starred{Value: e}); ok {
		return list
	}
	if args.Attr == tupleDisplay {
		return []pyast.Expr{&pyast.Starred{Value: e}}
	}
	if args.Attr != tupleBuilt && !isSlot(e) {
		plain = -1
	}
	if t, ok := e.(*pyast.Tuple); ok && len(t.Elts) == 1 && isStar(t.Elts[0]) && !m.g.dynamo {
		return []pyast.Expr{&pyast.Starred{Value: e}} // `f(*(*a,))`: of `*a` alone the compiler builds no tuple
	}
	if c, ok := e.(*pyast.Constant); ok && !m.code.Version.FoldsEmptyTuples() && pyast.Equal(c, pyast.Const(pyc.Tuple{})) {
		plain = 0 // the compiler would build one without items
	}
	if holeOf(e, pyast.TupleOfList) != nil || isSlot(e) && !m.g.dynamo {
		// Its own items, or the keyword arguments, branch.
		h := hole(pyast.ArgumentTuple, e)
		h.N = plain
		return []pyast.Expr{h}
	}
	return spread(e, plain)
}

func (m *machine) starKeywords(kw *Value) []*pyast.Keyword {
	e := m.expr(kw)
	d, ok := e.(*pyast.Dict)
	if unfinishedDisplay(e) && !isSlot(e) {
		return []*pyast.Keyword{{Value: hole(pyast.KeywordDict, e)}}
	}
	if !ok {
		return []*pyast.Keyword{{Value: e}}
	}
	if slotKeys(d) {
		return []*pyast.Keyword{{Value: hole(pyast.KeywordDict, e)}}
	}
	if (kw.Attr == dictDisplay || len(d.Keys) == 0) && !m.g.dynamo {
		return []*pyast.Keyword{{Value: e}}
	}
	if kw.Attr == dictMerged {
		return mergedArguments(d)
	}
	return dictArguments(d)
}

// mergedArguments spells a dict that keyword arguments were merged into. Of a name that is no constant, as Dynamo
// hands over what was begun before a graph break, a dict is made: to go on with one would not refuse a name that
// comes twice.
//
//	BUILD_MAP {k: v}; DICT_MERGE m   →   f(**{k: v}, **m)
func mergedArguments(d *pyast.Dict) []*pyast.Keyword {
	if !slices.ContainsFunc(d.Keys, func(k pyast.Expr) bool { _, ok := identKey(k); return k != nil && !ok }) {
		return dictArguments(d)
	}
	var out []*pyast.Keyword
	var own *pyast.Dict
	for i, k := range d.Keys {
		switch {
		case k == nil:
			own = nil
			out = append(out, &pyast.Keyword{Value: d.Values[i]})
			continue
		case own == nil:
			own = &pyast.Dict{}
			out = append(out, &pyast.Keyword{Value: own})
		}
		own.Keys, own.Values = append(own.Keys, k), append(own.Values, d.Values[i])
	}
	return out
}

// dictArguments spells the dict of a call's keyword arguments.
func dictArguments(d *pyast.Dict) []*pyast.Keyword {
	var e pyast.Expr = d
	var out []*pyast.Keyword
	for i, k := range d.Keys {
		if k == nil {
			// Behind `**x` plain keywords are a dict of their own; elsewhere
			// the source has `**{...}`.
			if x, ok := d.Values[i].(*pyast.Dict); ok && i > 0 && d.Keys[i-1] == nil && !isDict(d.Values[i-1]) {
				if kws, ok := dictKeywords(x); ok {
					out = append(out, kws...)
					continue
				}
			}
			out = append(out, &pyast.Keyword{Value: d.Values[i]})
			continue
		}
		name, ok := identKey(k)
		if !ok {
			return []*pyast.Keyword{{Value: e}}
		}
		out = append(out, &pyast.Keyword{Arg: name, Value: d.Values[i]})
	}
	return out
}

func isDict(e pyast.Expr) bool {
	_, ok := e.(*pyast.Dict)
	return ok
}

func dictKeywords(d *pyast.Dict) ([]*pyast.Keyword, bool) {
	if len(d.Keys) == 0 {
		return nil, false
	}
	var out []*pyast.Keyword
	for i, k := range d.Keys {
		name, ok := identKey(k)
		if !ok {
			return nil, false
		}
		out = append(out, &pyast.Keyword{Arg: name, Value: d.Values[i]})
	}
	return out, true
}

func identKey(k pyast.Expr) (string, bool) {
	c, ok := k.(*pyast.Constant)
	if !ok {
		return "", false
	}
	s, ok := c.Value.(pyc.Str)
	return string(s), ok && pyprint.ValidName(string(s))
}

// makeFunction is MAKE_FUNCTION.
func (m *machine) makeFunction() {
	in := m.in
	if in.Arg&0x100 != 0 {
		m.pop() // the qualified name, which the position of the def implies
	}
	c := m.pop()
	if c.Kind != KCode {
		m.fail("a function is made of something that is no code object")
	}
	fn := &Func{Code: c.Code(), Line: c.Line}
	v := FuncOf(fn)
	for _, bit := range []int{8, 4, 2, 1} {
		if in.Arg&bit != 0 {
			m.functionAttr(fn, bit, m.pop())
		}
	}
	m.push(v)
}

// functionAttr records one attribute of a function under construction.
func (m *machine) functionAttr(fn *Func, bit int, v *Value) {
	if v.Kind == KHidden {
		fn.fromCaller = append(fn.fromCaller, attrFrom{v.Attr, bit})
		return // the caller of a wrapper of type parameters has the values
	}
	switch bit {
	case 1:
		list, err := items(m.expr(v))
		if err != nil {
			m.fail("%v", err)
		}
		fn.Defaults = list
	case 2:
		fn.KwDefaults = m.named(v)
	case 4:
		fn.Annots = m.named(v)
	case 8:
		if v.Kind != KClosure {
			m.fail("a closure is no tuple of cells")
		}
		if t, ok := v.E.(*pyast.Tuple); ok {
			for _, e := range t.Elts {
				n, ok := e.(*pyast.Name)
				if !ok {
					m.fail("a closure is no tuple of cells")
				}
				fn.Closure = append(fn.Closure, n.Id)
			}
		}
	case 16:
		if v.Kind != KFunc {
			m.fail("an annotate function is no function")
		}
		fn.Annotate = v.Fn().Code
	default:
		m.fail("unknown function attribute %d", bit)
	}
}

// named reads names with their values.
func (m *machine) named(v *Value) []*pyast.Keyword {
	list, err := namedItems(m.expr(v))
	if err != nil {
		m.fail("%v", err)
	}
	return list
}

// funcExpr uses a function as an expression: a lambda, or a def of its own just
// before.
func (m *machine) funcExpr(v *Value) pyast.Expr {
	if v.Fn().Code.Name == "<lambda>" && len(v.Fn().Decorators) == 0 {
		e, err := m.g.Host.Lambda(v.Fn())
		if err != nil {
			panic(liftError{err.Error()})
		}
		v.Kind, v.E, v.used = KExpr, e, true
		return e
	}
	// The value of `deco(f)` outside a store: call the decorators by hand.
	decos := v.Fn().Decorators
	v.Fn().Decorators = nil
	name := v.Fn().Code.Name
	if !pyprint.ValidName(name) {
		name = m.g.NewTemp()
	}
	m.emitFunc(v.Fn(), name)
	var e pyast.Expr = pyast.N(name)
	for i := len(decos) - 1; i >= 0; i-- {
		e = pyast.CallE(decos[i], e)
	}
	v.Kind, v.E, v.used = KExpr, e, true
	return e
}

// settleLambdas makes expressions of the lambdas that are left on the stack at
// the block's end: arms of `x if c else lambda: y`.
func (m *machine) settleLambdas() {
	for _, v := range m.stack {
		if v.Kind == KFunc && v.Fn().Code.Name == "<lambda>" && len(v.Fn().Decorators) == 0 {
			m.unnamed(v)
			v.used = false
		}
	}
}

// emitFunc emits a def statement.
func (m *machine) emitFunc(fn *Func, name string) {
	if isComprehension(fn.Code) {
		m.fail("the function of a comprehension is no statement") // its argument has a name that no text can have
	}
	s, err := m.g.Host.Function(fn, name)
	if err != nil {
		panic(liftError{err.Error()})
	}
	if p := s.Position(); p.Line == 0 {
		p.Line = fn.Code.FirstLine
	}
	m.emit(s)
}

// buildClass handles the call of __build_class__.
func (m *machine) buildClass(args []*Value, kw []string) {
	if len(args) < 2 || args[0].Kind != KFunc {
		m.fail("__build_class__ without a body")
	}
	c := &Class{Fn: args[0].Fn(), Name: args[0].Fn().Code.Name}
	if n, ok := args[1].E.(*pyast.Constant); ok {
		if s, ok := n.Value.(pyc.Str); ok {
			c.Name = string(s)
		}
	}
	rest := args[2:]
	n := len(rest) - len(kw)
	for i, a := range rest {
		if i < n {
			m.base(c, m.expr(a))
		} else {
			c.Keywords = withKeyword(c.Keywords, kw[i-n], m.expr(a))
		}
	}
	m.push(&Value{Kind: KClass, special: &special{class: c}})
}

// base adds a base. The one that the compiler adds to a generic class stands for its
// type parameters.
func (m *machine) base(c *Class, e pyast.Expr) {
	if isGenericBase(e) && m.g.params != nil {
		c.TypeParams = m.g.params.Params()
		return
	}
	c.Bases = append(c.Bases, e)
}

// buildClassEx handles `class C(*bases, **kw)`. The body function is the first
// item of a tuple or list display: classArgs has kept it.
func (m *machine) buildClassEx(build, args, kw *Value) {
	if build.Fn() == nil {
		m.fail("a class with starred bases")
	}
	c := &Class{Fn: build.Fn(), Name: build.Fn().Code.Name}
	bases := m.starArgs(args, -1)
	switch {
	case len(bases) == 0:
		m.fail("a class without a name")
	case isSlot(args.E):
		m.fail("the bases of a class are not known")
	default:
		for _, e := range bases[1:] { // behind the name
			m.base(c, e)
		}
	}
	if kw != nil {
		c.Keywords = m.starKeywords(kw)
	}
	m.push(&Value{Kind: KClass, special: &special{class: c}})
}

// classArgs takes the body of `class C(*bases)` out of the display of n items
// on the stack that will be the arguments of __build_class__.
func (m *machine) classArgs(n int) int {
	k := len(m.stack) - n
	if n < 2 || k < 1 || m.stack[k].Kind != KFunc {
		return n
	}
	for _, below := range m.stack[max(0, k-2):k] {
		if below.Kind == KBuild && below.Fn() == nil { // else a function in a starred tuple
			below.special = &special{fn: m.stack[k].Fn()}
			m.stack = append(m.stack[:k], m.stack[k+1:]...)
			return n - 1
		}
	}
	return n
}

func (m *machine) emitClass(c *Class, name string) {
	s, err := m.g.Host.Class(c, name)
	if err != nil {
		panic(liftError{err.Error()})
	}
	if p := s.Position(); p.Line == 0 {
		p.Line = c.Fn.Code.FirstLine
	}
	m.emit(s)
}
