package lift

import (
	"slices"

	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyast"
	"github.com/thuml/depyf/internal/pyc"
)

var binOps = []pyast.BinOpKind{
	opcode.Add: pyast.Add, opcode.And: pyast.BitAnd, opcode.FloorDivide: pyast.FloorDiv, opcode.LShift: pyast.LShift,
	opcode.MatMul: pyast.MatMult, opcode.Multiply: pyast.Mult, opcode.Remainder: pyast.Mod, opcode.Or: pyast.BitOr,
	opcode.Power: pyast.Pow, opcode.RShift: pyast.RShift, opcode.Subtract: pyast.Sub, opcode.TrueDivide: pyast.Div,
	opcode.Xor: pyast.BitXor,
}

var cmpOps = []pyast.CmpOpKind{
	opcode.Lt: pyast.Lt, opcode.Le: pyast.LtE, opcode.Eq: pyast.Eq, opcode.Ne: pyast.NotEq, opcode.Gt: pyast.Gt, opcode.Ge: pyast.GtE,
}

var unaryOps = []pyast.UnaryOpKind{
	opcode.UnaryPos: pyast.UAdd, opcode.UnaryNeg: pyast.USub, opcode.UnaryInvert: pyast.Invert, opcode.UnaryNot: pyast.Not,
}

// stepOperators executes operators and comparisons.
func (m *machine) stepOperators() bool {
	in := m.in
	switch in.Op {
	case opcode.UnaryOp:
		m.pushE(&pyast.UnaryOp{Op: unaryOps[in.Arg], Operand: m.popE()})
	case opcode.BinaryOp:
		k := in.Arg &^ opcode.InPlace
		if k < 0 || k >= len(binOps) {
			m.fail("unknown operator %d", k)
		}
		if in.Arg&opcode.InPlace != 0 {
			r := m.popE()
			l := m.pop()
			if l.Kind != KExpr {
				l = exprValue(m.expr(l))
			}
			m.push(&Value{Kind: KExpr, E: l.E, compound: &compound{aug: &Aug{Target: l, Op: binOps[k], Right: r}}})
			break
		}
		r := m.popE()
		l := m.popE()
		if binOps[k] == pyast.Mod {
			l = leftPercent(m.code.Version, l, r)
		}
		m.pushE(&pyast.BinOp{Left: l, Op: binOps[k], Right: r})
	case opcode.Subscr:
		i, o := m.pop(), m.pop()
		oe := m.expr(o)
		m.pushE(pyast.Index(oe, m.index(i)))
		top := m.peek(1)
		top.Obj, top.compound = o, &compound{idx: i}
	case opcode.BinarySlice:
		hi, lo, o := m.pop(), m.pop(), m.pop()
		oe := m.expr(o)
		le := m.expr(lo)
		m.pushE(pyast.Index(oe, m.slice(le, m.expr(hi), nil)))
		top := m.peek(1)
		top.Obj, top.compound = o, &compound{idx: lo, idx2: hi}
	case opcode.Compare:
		m.compare(cmpOps[in.Arg])
		if in.Flag {
			m.toBool() // it makes a bool itself
		}
	case opcode.IsOp:
		if in.Arg != 0 {
			m.compare(pyast.IsNot)
		} else {
			m.compare(pyast.Is)
		}
	case opcode.ContainsOp:
		if in.Arg != 0 {
			m.compare(pyast.NotIn)
		} else {
			m.compare(pyast.In)
		}
	default:
		return false
	}
	return true
}

// cellTuple makes the closure of a function: a tuple of cells alone.
func (m *machine) cellTuple() bool {
	n := len(m.stack) - m.in.Arg
	if m.in.Arg == 0 || n < 0 {
		return false
	}
	names := &pyast.Tuple{}
	for _, w := range m.stack[n:] {
		if w.Kind != KClosure {
			return false
		}
		names.Elts = append(names.Elts, w.E)
	}
	m.stack = m.stack[:n]
	m.push(&Value{Kind: KClosure, E: names})
	return true
}

func (m *machine) compare(op pyast.CmpOpKind) {
	r := m.popE()
	l := m.popE()
	c := pyast.Cmp(l, op, r)
	switch op {
	case pyast.Is, pyast.IsNot, pyast.In, pyast.NotIn:
		c.Sense = pyast.AsCompiled
	}
	m.pushE(c)
}

// stepBuild executes displays, slices and strings.
func (m *machine) stepBuild() bool {
	in := m.in
	switch in.Op {
	case opcode.BuildTuple:
		if m.paramTuple() {
			break
		}
		if m.cellTuple() {
			break
		}
		m.pushE(&pyast.Tuple{Elts: m.notFolded(m.popN(m.classArgs(in.Arg)), true)})
		m.peek(1).Attr = tupleBuilt
	case opcode.BuildList:
		if in.Arg == 0 && m.accumulator() {
			break
		}
		m.pushE(&pyast.List{Elts: m.notFolded(m.popN(m.classArgs(in.Arg)), false)})
	case opcode.BuildSet:
		if in.Arg == 0 && m.accumulator() {
			break
		}
		m.pushE(&pyast.Set{Elts: m.inOrder(m.notFolded(m.popN(in.Arg), false))})
	case opcode.BuildMap:
		m.buildMap()
	case opcode.BuildConstKeyMap:
		m.buildConstKeyMap()
	case opcode.BuildString:
		m.pushE(joinParts(m.popParts(in.Arg)))
	case opcode.BuildSlice:
		args := m.popN(in.Arg)
		args = append(args, nil)
		m.pushE(m.slice(args[0], args[1], args[2]))
	case opcode.FormatValue, opcode.FormatSimple, opcode.FormatWithSpec, opcode.ConvertValue:
		m.opFormat()
	case opcode.BuildInterpolation, opcode.BuildTemplate:
		m.opTemplate()
	case opcode.ListAppend, opcode.SetAdd, opcode.ListExtend, opcode.SetUpdate, opcode.DictUpdate, opcode.DictMerge, opcode.MapAdd:
		m.opExtend()
	case opcode.ListToTuple:
		m.listToTuple()
	case opcode.BuildTupleUnpack, opcode.BuildTupleUnpackWithCall, opcode.BuildListUnpack, opcode.BuildSetUnpack:
		m.buildUnpacked()
	case opcode.BuildMapUnpack, opcode.BuildMapUnpackWithCall:
		m.buildMapUnpacked()
	default:
		return false
	}
	return true
}

// buildUnpacked joins sequences into a display with stars (≤3.8).
func (m *machine) buildUnpacked() {
	in := m.in
	elts := unpacked(in.Op, m.popN(in.Arg))
	switch in.Op {
	case opcode.BuildTupleUnpack:
		m.pushE(&pyast.Tuple{Elts: elts})
		m.peek(1).Attr = tupleDisplay
	case opcode.BuildListUnpack:
		m.pushE(&pyast.List{Elts: elts})
	case opcode.BuildSetUnpack:
		m.pushE(&pyast.Set{Elts: elts})
	default:
		// The arguments of a call, which may be computed further behind branches.
		m.pushE(hole(pyast.StarTuple, &pyast.Tuple{Elts: elts}))
	}
}

// buildMapUnpacked joins mappings into a display with double stars (≤3.8).
func (m *machine) buildMapUnpacked() {
	in := m.in
	d := &pyast.Dict{}
	parts := m.popN(in.Arg)
	pairs := false // of the part before
	for _, p := range parts {
		x := pairsOf(p)
		if x != nil && in.Op == opcode.BuildMapUnpackWithCall {
			if _, ok := dictKeywords(x); !ok {
				x = nil // no keyword arguments: the call has `**{1: 2}`
			}
		}
		// Two dicts in a row: the second is a `**{...}` of the source.
		if x != nil && len(parts) > 1 && !pairs {
			d.Keys = append(d.Keys, x.Keys...)
			d.Values = append(d.Values, x.Values...)
		} else {
			d.Keys = append(d.Keys, nil)
			d.Values = append(d.Values, p)
		}
		pairs = x != nil
	}
	m.pushE(d)
	if in.Op == opcode.BuildMapUnpack {
		m.peek(1).Attr = dictDisplay
	}
}

// buildMap is a display of a dict, or what is filled later.
func (m *machine) buildMap() {
	in := m.in
	if in.Arg == 0 && (m.accumulator() || m.annotationDict()) {
		return
	}
	kv := m.popN(2 * in.Arg)
	d := &pyast.Dict{}
	for i := 0; i < len(kv); i += 2 {
		d.Keys = append(d.Keys, kv[i])
		d.Values = append(d.Values, kv[i+1])
	}
	m.computedKeys(d)
	m.pushE(d)
}

// buildConstKeyMap is a display of a dict whose keys are one constant (≤3.13).
func (m *machine) buildConstKeyMap() {
	in := m.in
	keys := m.constNames(m.pop())
	vals := m.popN(in.Arg)
	if len(keys) != len(vals) {
		m.fail("%d keys for %d values", len(keys), len(vals))
	}
	d := &pyast.Dict{Values: vals}
	for _, k := range keys {
		d.Keys = append(d.Keys, pyast.Const(k))
	}
	m.pushE(d)
}

// listToTuple is a display of a tuple with stars, or the arguments of a call with some.
func (m *machine) listToTuple() {
	v := m.pop()
	l, ok := v.E.(*pyast.List)
	if ok {
		unfold(v, l) // a tuple of constants is one itself
	}
	if v.Kind == KExpr && unfinishedDisplay(v.E) && !isSlot(v.E) {
		m.pushE(hole(pyast.TupleOfList, m.expr(v)))
		return
	}
	if !ok || v.Kind != KExpr || v.used {
		m.pushE(pyast.CallE(pyast.N("tuple"), m.expr(v)))
		return
	}
	m.pushE(&pyast.Tuple{Elts: l.Elts})
}

// slice is one that instructions make. Of literals alone the compiler would make a constant
// (3.14+): then the last of them was computed, `a[:4 + 4]`. A negative number is no literal.
func (m *machine) slice(lower, upper, step pyast.Expr) *pyast.Slice {
	s := &pyast.Slice{Lower: noneToNil(lower), Upper: noneToNil(upper), Step: step} // `a[::None]` is not `a[::]`
	if m.g.dynamo || !m.code.Version.HasSliceConstants() {
		return s
	}
	var last *pyast.Expr
	for _, part := range []*pyast.Expr{&s.Step, &s.Lower, &s.Upper} {
		if *part == nil {
			continue
		}
		if c, ok := (*part).(*pyast.Constant); !ok || pyc.Signed(c.Value) {
			return s
		}
		last = part
	}
	if last != nil {
		*last = pyast.Choice((*last).(*pyast.Constant))
	}
	return s
}

// unpacked are the items of a display or the arguments of a call that is put together of
// parts (≤3.8). The compiler makes one part of all items between two stars, so that of two
// tuples in a row, or two sets, one is of the source: `*(a, b)`.
func unpacked(op opcode.Op, parts []pyast.Expr) (elts []pyast.Expr) {
	plain := len(parts) == 1 // the part before, or a sole one, which has a star
	for i, p := range parts {
		items := partItems(op, p)
		plain = len(items) > 0 && !plain
		if _, ok := p.(*pyast.Constant); ok && i+1 < len(parts) && len(partItems(op, parts[i+1])) > 0 {
			plain = false // `*(0,) * 3` rather than what follows
		}
		if plain {
			elts = append(elts, items...)
		} else {
			elts = append(elts, &pyast.Starred{Value: p})
		}
	}
	return elts
}

// partItems are those of a part that no star needs to stand before, or none.
func partItems(op opcode.Op, part pyast.Expr) (items []pyast.Expr) {
	switch x := part.(type) {
	case *pyast.Set:
		if op == opcode.BuildSetUnpack {
			items = x.Elts
		}
	case *pyast.Tuple:
		if op != opcode.BuildSetUnpack {
			items = x.Elts
		}
	case *pyast.Constant:
		if t, ok := x.Value.(pyc.Tuple); ok && op != opcode.BuildSetUnpack {
			items = constItems(t)
		}
	}
	if slices.ContainsFunc(items, isStar) {
		return nil
	}
	return items
}

// tupleDisplay marks a tuple with starred items that the source spells as one,
// not as the arguments of a call (≤3.8).
const tupleDisplay = "display"

// dictDisplay marks a dict likewise: `f(**{"a": 1, **b})` (≤3.8).
const dictDisplay = "dict display"

// dictMerged marks a dict that keyword arguments were merged into: none of them may come twice.
const dictMerged = "merged"

// computedKeys finds, among keys that are all constants now, one that was none for
// the compiler: constant keys alone would stand in a tuple (≤3.13). An f-string
// without fields becomes one late.
func (m *machine) computedKeys(d *pyast.Dict) {
	if len(d.Keys) < 2 || !m.code.Version.HasConstKeyMaps() || m.g.dynamo {
		return
	}
	first := -1
	for i, k := range d.Keys {
		c, ok := k.(*pyast.Constant)
		if !ok {
			return
		}
		if _, str := c.Value.(pyc.Str); str && first < 0 {
			first = i
		}
	}
	if first >= 0 {
		d.Keys[first] = &pyast.JoinedStr{Values: []pyast.Expr{d.Keys[first]}}
	} else {
		d.Keys[0] = pyast.Choice(d.Keys[0].(*pyast.Constant)) // a test that a constant decides has gone: {2: a, b"x" or c: d}
	}
}

// tupleBuilt marks a tuple that one instruction has made.
const tupleBuilt = "built"

// accumulator pushes the collection that a comprehension's function builds: the
// first thing such a function makes.
func (m *machine) accumulator() bool {
	switch m.code.Name {
	case "<listcomp>", "<setcomp>", "<dictcomp>":
	default:
		return false
	}
	if m.b != m.g.Entry || len(m.b.Stmts) > 0 || len(m.stack) > 1 || len(m.stack) == 1 && m.stack[0].Kind != KNull {
		return false
	}
	m.push(&Value{Kind: KAcc})
	return true
}

// constNames returns the items of a constant tuple that describes another
// instruction's operands.
func (m *machine) constNames(v *Value) []pyc.Const {
	if c, ok := v.E.(*pyast.Constant); ok {
		if t, ok := c.Value.(pyc.Tuple); ok {
			return t
		}
	}
	m.fail("a constant tuple is expected")
	return nil
}

// opExtend adds to a collection that lies deeper in the stack: a display under
// construction, or a comprehension's accumulator.
func (m *machine) opExtend() {
	in := m.in
	var args []pyast.Expr
	if in.Op == opcode.MapAdd {
		args = m.popN(2)
		if in.Flag {
			args[0], args[1] = args[1], args[0]
		}
	} else {
		args = m.popN(1)
	}
	acc := m.peek(in.Arg)
	if in.Op == opcode.DictMerge && acc.Attr == "" {
		acc.Attr = dictMerged
	}
	if in.Op == opcode.SetAdd && m.annotationMark(acc, args[0]) {
		return
	}
	star := in.Op == opcode.ListExtend || in.Op == opcode.SetUpdate || in.Op == opcode.DictUpdate || in.Op == opcode.DictMerge
	if in.Arg > 1 && (m.peek(in.Arg-1).Kind == KIter || m.peek(in.Arg-1).Kind == KIndex) {
		m.emit(&Marker{Kind: MarkAdd, Args: args, Star: star})
		return
	}
	if acc.Kind == KExpr && unfinishedDisplay(acc.E) {
		// The display was begun in an earlier block: `[a, b if c else d]`.
		kind := pyast.Extended
		if star {
			kind = pyast.ExtendedAll
		}
		n := len(m.stack) - in.Arg
		h := hole(kind, append([]pyast.Expr{m.expr(acc)}, args...)...)
		if m.g.named {
			h.N = int(in.Op)
		}
		v := exprValue(h)
		v.seq, v.Line = acc.seq, acc.Line
		m.stack[n] = v
		return
	}
	m.extendDisplay(acc, args, star)
}

// extendDisplay adds args to a display under construction, all items of the first with a star.
func (m *machine) extendDisplay(acc *Value, args []pyast.Expr, star bool) {
	in := m.in
	if acc.Kind != KExpr || acc.used {
		m.fail("a collection that is not under construction is extended")
	}
	if n, ok := acc.E.(*pyast.Name); ok && m.g.named {
		acc.E = beginning(in.Op, n)
	}
	if _, dict := acc.E.(*pyast.Dict); dict != (len(args) == 2) && !(dict && star) {
		m.fail("a display is extended by what belongs to another kind of display")
	}
	switch c := acc.E.(type) {
	case *pyast.List:
		unfold(acc, c)
		if t, ok := constTuple(args[0]); ok && star && len(c.Elts) == 0 && len(t) >= leastFolded {
			c.Elts, acc.Attr = constItems(t), listFolded
			break
		}
		c.Elts = append(asFolded(c.Elts), displayItems(args[0], star)...)
	case *pyast.Set:
		c.Elts = asFolded(c.Elts)
		c.Elts = append(c.Elts, displayItems(args[0], star)...)
	case *pyast.Dict:
		if star {
			if x, ok := args[0].(*pyast.Dict); ok && in.Op == opcode.DictUpdate && isPart(c, x, m.code.Version.PairsAtOnce()) {
				c.Keys = append(c.Keys, x.Keys...)
				c.Values = append(c.Values, x.Values...)
				break
			}
			c.Keys = append(c.Keys, nil)
			c.Values = append(c.Values, args[0])
		} else {
			c.Keys = append(c.Keys, args[0])
			c.Values = append(c.Values, args[1])
		}
	default:
		m.fail("an expression that is no display is extended")
	}
}

// isPart reports whether the display x, with which the display c is updated, stands in the
// source as pairs of c, and not behind two stars: behind something with two stars,
// or where the pairs in front are as many as are added in one go, which is most.
//
//	{**a, "b": c}   →   BUILD_MAP 0; a; DICT_UPDATE; "b"; c; BUILD_MAP 1; DICT_UPDATE
func isPart(c, x *pyast.Dict, most int) bool {
	if pairsOf(x) == nil || len(x.Keys) > most {
		return false
	}
	pairs := len(c.Keys)
	for i, k := range c.Keys {
		if k == nil {
			pairs = len(c.Keys) - i - 1
		}
	}
	return len(c.Keys) > 0 && pairs%most == 0
}

// pairsOf returns e if it is a dict display of pairs alone, at least one.
func pairsOf(e pyast.Expr) *pyast.Dict {
	if x, ok := e.(*pyast.Dict); ok && len(x.Keys) > 0 && !slices.Contains(x.Keys, nil) {
		return x
	}
	return nil
}

// inOrder keeps the order in which BUILD_SET adds constants, where that can show: as
// `{8, 0, 16}` they would come from a frozen set. Only code that no compiler made has
// them on the stack.
func (m *machine) inOrder(items []pyast.Expr) []pyast.Expr {
	if len(items) < leastFolded || !m.code.Version.FoldsDisplays() {
		return items
	}
	consts := make(pyc.Tuple, len(items))
	for i, e := range items {
		c, ok := e.(*pyast.Constant)
		if !ok {
			return items
		}
		consts[i] = c.Value
	}
	if pyc.SetOrderFree(consts) {
		return items
	}
	return []pyast.Expr{&pyast.Starred{Value: pyast.Const(consts)}}
}

func constTuple(e pyast.Expr) (pyc.Tuple, bool) {
	c, ok := e.(*pyast.Constant)
	if !ok {
		return nil, false
	}
	t, ok := c.Value.(pyc.Tuple)
	return t, ok
}

// notFolded are the items of a display that one instruction makes. Of constants alone the
// compiler makes a constant, so one of them was a choice; which one cannot be told.
func (m *machine) notFolded(items []pyast.Expr, tuple bool) []pyast.Expr {
	n := len(items)
	if m.g.dynamo || n == 0 || !tuple && (n < leastFolded || !m.code.Version.FoldsDisplays()) {
		return items
	}
	for _, e := range items {
		if _, ok := e.(*pyast.Constant); !ok {
			return items
		}
	}
	items[n-1] = pyast.Choice(items[n-1].(*pyast.Constant))
	return items
}

// asFolded takes back what notFolded has done: the display goes on, so that the compiler
// makes no constant of it.
func asFolded(items []pyast.Expr) []pyast.Expr {
	if n := len(items); n > 0 {
		if c, ok := pyast.Chosen(items[n-1]); ok {
			items[n-1] = c
		}
	}
	return items
}

// beginning is a display that begins with all that a variable has, to which an operation adds: a display under construction
// got a name where statements stand in it.
//
//	%t = {a}; …; SET_ADD     {*%t, …}
func beginning(op opcode.Op, n *pyast.Name) pyast.Expr {
	switch op {
	case opcode.ListAppend, opcode.ListExtend:
		return &pyast.List{Elts: []pyast.Expr{&pyast.Starred{Value: n}}}
	case opcode.SetAdd, opcode.SetUpdate:
		return &pyast.Set{Elts: []pyast.Expr{&pyast.Starred{Value: n}}}
	}
	return &pyast.Dict{Keys: []pyast.Expr{nil}, Values: []pyast.Expr{n}}
}

func unfinishedDisplay(e pyast.Expr) bool {
	h, ok := e.(*pyast.Hole)
	return ok && (h.Kind == pyast.Extended || h.Kind == pyast.ExtendedAll || h.Kind == pyast.StackItem)
}

func isSlot(e pyast.Expr) bool {
	_, ok := slotOf(e)
	return ok
}

// leastFolded is how many constants a display has that the compiler makes one constant of:
// `[1, 2, 3]` is BUILD_LIST 0; LOAD_CONST (1, 2, 3); LIST_EXTEND since 3.9
// (starunpack_helper in compile.c). With fewer, or with more behind it, the source has `*(1, 2)`.
const leastFolded = 3

// listFolded marks a list that was one constant.
const listFolded = "folded"

// unfold takes back that a display was one constant: it goes on, or is no list.
func unfold(v *Value, l *pyast.List) {
	if v.Attr != listFolded {
		return
	}
	items := make(pyc.Tuple, len(l.Elts))
	for i, e := range l.Elts {
		c, ok := e.(*pyast.Constant)
		if !ok {
			return
		}
		items[i] = c.Value
	}
	l.Elts = []pyast.Expr{&pyast.Starred{Value: pyast.Const(items)}}
	v.Attr = ""
}

func constItems(items []pyc.Const) []pyast.Expr {
	out := make([]pyast.Expr, len(items))
	for i, item := range items {
		out[i] = pyast.Const(item)
	}
	return out
}

// displayItems is what `*x` or x adds to a display. A frozen set comes from a display of
// three or more constants, as leastFolded says.
func displayItems(x pyast.Expr, star bool) []pyast.Expr {
	if !star {
		return []pyast.Expr{x}
	}
	if c, ok := x.(*pyast.Constant); ok {
		if items, ok := c.Value.(pyc.FrozenSet); ok && len(items) > 0 {
			for len(items) < leastFolded {
				items = append(items[:len(items):len(items)], items[0]) // {1, 1, 1} is as long
			}
			return constItems(items)
		}
	}
	return []pyast.Expr{&pyast.Starred{Value: x}}
}

func (m *machine) opFormat() {
	in := m.in
	conv := rune(0)
	convs := [...]rune{0, 's', 'r', 'a'}
	switch in.Op {
	case opcode.ConvertValue:
		// Travels as a field without format; FormatSimple or FormatWithSpec
		// completes it.
		e := m.popE()
		f := &pyast.FormattedValue{Value: e, Conversion: convs[in.Arg&3]}
		m.place(f)
		m.push(&Value{Kind: KExpr, E: f})
		return
	case opcode.FormatSimple:
		m.pushField(m.field(m.popE(), nil))
		return
	case opcode.FormatWithSpec:
		spec := m.spec(m.pop())
		m.pushField(m.field(m.popE(), spec))
		return
	}
	var spec pyast.Expr
	if in.Arg&4 != 0 {
		spec = m.spec(m.pop())
	}
	conv = convs[in.Arg&3]
	f := &pyast.FormattedValue{Value: m.popE(), Conversion: conv, FormatSpec: spec}
	m.place(f)
	m.pushField(f)
}

func (m *machine) field(e pyast.Expr, spec pyast.Expr) *pyast.FormattedValue {
	if f, ok := e.(*pyast.FormattedValue); ok {
		f.FormatSpec = spec
		return f
	}
	return &pyast.FormattedValue{Value: e, FormatSpec: spec}
}

func (m *machine) pushField(f *pyast.FormattedValue) {
	m.push(&Value{Kind: KExpr, FStr: true, E: &pyast.JoinedStr{Values: []pyast.Expr{f}}})
}

// spec is a format specification: always a JoinedStr in the syntax tree.
func (m *machine) spec(v *Value) pyast.Expr {
	e := m.expr(v)
	if j, ok := e.(*pyast.JoinedStr); ok {
		return j
	}
	return &pyast.JoinedStr{Values: []pyast.Expr{e}}
}

// popParts pops the parts of an f-string.
func (m *machine) popParts(n int) []pyast.Expr {
	if n > len(m.stack) {
		m.fail("pop of %d from a stack of %d", n, len(m.stack))
	}
	vals := append([]*Value(nil), m.stack[len(m.stack)-n:]...)
	m.stack = m.stack[:len(m.stack)-n]
	var parts []pyast.Expr
	for _, v := range vals {
		e := m.expr(v)
		if j, ok := e.(*pyast.JoinedStr); ok && v.FStr {
			parts = append(parts, j.Values...)
		} else if _, ok := e.(*pyast.Constant); ok {
			parts = append(parts, e)
		} else if isSlot(e) || m.g.dynamo {
			parts = append(parts, e) // becomes a field when the slot is filled
		} else {
			parts = append(parts, &pyast.FormattedValue{Value: e})
		}
	}
	return parts
}

func joinParts(parts []pyast.Expr) *pyast.JoinedStr { return &pyast.JoinedStr{Values: parts} }

// opTemplate executes the 3.14+ t-string instructions.
func (m *machine) opTemplate() {
	in := m.in
	if in.Op == opcode.BuildInterpolation {
		i := &pyast.Interpolation{Conversion: [...]rune{0, 's', 'r', 'a'}[in.Arg>>2&3]}
		if in.Arg&1 != 0 {
			i.FormatSpec = m.spec(m.pop())
		}
		text := m.popE()
		i.Value = m.popE()
		m.pushE(tidyField(hole(pyast.TemplateField, i, text)))
		return
	}
	fields := m.popE()
	m.pushE(tidyTemplate(hole(pyast.Template, m.popE(), fields)))
}

// tidyField gives an interpolation the text of its expression, once that is
// known: it lies on the stack while a format specification is computed.
func tidyField(c *pyast.Hole) pyast.Expr {
	text, ok := c.Args[1].(*pyast.Constant)
	if !ok {
		return c
	}
	i := c.Args[0].(*pyast.Interpolation)
	if s, ok := text.Value.(pyc.Str); ok {
		i.Str = string(s)
	}
	return i
}

// tidyTemplate makes a t-string of its strings and fields, once both are known:
// the strings lie on the stack while the fields are computed.
func tidyTemplate(c *pyast.Hole) pyast.Expr {
	strs, ok := c.Args[0].(*pyast.Constant)
	if !ok {
		return c
	}
	list, ok := strs.Value.(pyc.Tuple)
	if !ok {
		return c
	}
	var items []pyast.Expr
	switch f := c.Args[1].(type) {
	case *pyast.Tuple:
		items = f.Elts
	case *pyast.Constant:
	default:
		return c
	}
	t := &pyast.TemplateStr{}
	for i, s := range list {
		if x, ok := s.(pyc.Str); ok && x != "" {
			t.Values = append(t.Values, pyast.Const(s))
		}
		if i >= len(items) {
			continue
		}
		if _, ok := items[i].(*pyast.Interpolation); !ok {
			return c
		}
		t.Values = append(t.Values, items[i])
	}
	return t
}
