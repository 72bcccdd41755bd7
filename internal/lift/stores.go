package lift

import (
	"sort"
	"strings"

	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyast"
	"github.com/thuml/depyf/internal/pyc"
	"github.com/thuml/depyf/internal/pyprint"
)

// store pops a value into target.
func (m *machine) store(target pyast.Expr) {
	v := m.pop()
	m.nameApart(v)
	m.place(target)
	name, _ := target.(*pyast.Name)
	if m.storeRole(v, target, name) {
		return
	}
	if m.dupOnStack(v) && !m.hasName(v) {
		v.setTargets(append(v.Targets(), target))
		return
	}
	if v.Aug() != nil && name != nil && len(v.Targets()) == 0 {
		if t, ok := v.Aug().Target.E.(*pyast.Name); ok && t.Id == name.Id && v.Aug().Target.Kind == KExpr {
			m.emitAug(v)
			return
		}
	}
	// `a, b = x, y` pushes both values and stores them one by one: as long as
	// values of the same statement wait below, the stores are collected.
	if m.pendingBelow() && (len(m.group) > 0 || !m.hasName(v) || m.swapped(v)) {
		m.gather(target, v)
		return
	}
	if len(m.group) > 0 {
		m.gather(target, v)
		m.flushGroup()
		return
	}
	m.assignTo(v, target)
}

// assignTo emits the assignment of a value to target, and to those that a duplicate of it was stored in before.
func (m *machine) assignTo(v *Value, target pyast.Expr) {
	targets := append(v.Targets(), target)
	v.setTargets(nil)
	m.emit(&pyast.Assign{Targets: targets, Value: m.expr(v)})
}

// storeRole stores a value that is more than an expression: a function, an import, an item being unpacked.
// name is the target if it is one.
func (m *machine) storeRole(v *Value, target pyast.Expr, name *pyast.Name) bool {
	switch v.Kind {
	case KBind:
		m.bind(v.Bind(), target)
		return true
	case KClosure:
		// A class body hands its cells to type.__new__ under these names.
		if name != nil && (name.Id == "__classcell__" || name.Id == "__classdictcell__") {
			return true
		}
	case KExc:
		m.emit(&Marker{Kind: MarkExcAs, Target: target})
		return true
	case KParams:
		return true // the parameter's own variable
	case KAlias:
		if name != nil && name.Id == v.Alias().Name {
			m.emit(&pyast.TypeAlias{Name: target, TypeParams: v.Alias().Params, Value: v.Alias().Value})
			return true
		}
	case KFunc:
		if name != nil && isAnnotate(m, v.Fn().Code, name.Id) {
			m.g.Host.Annotate(v.Fn())
			return true
		}
		if name != nil && v.Fn().Code.Name != "<lambda>" && m.definedAs(v.Fn().Code.Name, name.Id) {
			m.emitFunc(v.Fn(), v.Fn().Code.Name)
			return true
		}
	case KClass:
		if name != nil && m.definedAs(v.Class().Name, name.Id) {
			m.emitClass(v.Class(), v.Class().Name)
			return true
		}
	case KImport:
		m.storeImport(v, target, "")
		return true
	case KFrom:
		m.storeFrom(v, target)
		return true
	}
	return false
}

// definedAs reports whether a def or class statement of that name stores to the variable: the compiler may mangle it.
func (m *machine) definedAs(name, variable string) bool {
	if name == variable {
		return true
	}
	class, private := strings.CutSuffix(variable, name)
	return private && m.code.Version.MangledBehindGenericClass() && strings.HasPrefix(name, "__") && !strings.HasSuffix(name, "__") &&
		len(class) > 1 && class[0] == '_'
}

// pendingBelow reports whether values of the statement at hand wait on the stack.
func (m *machine) pendingBelow() bool {
	n := len(m.stack)
	if n == 0 {
		return false
	}
	v := m.stack[n-1]
	switch v.Kind {
	case KExpr:
		if isAnnotationDict(v) {
			return false
		}
		if n, ok := v.E.(*pyast.Name); ok && bytecode.IsStackSlot(n.Id) {
			return false // what a resume function is handed may be an iterator, which waits below statements
		}
		return true
	case KFunc, KClass:
		return true
	}
	return false
}

// swapped reports whether the value just popped was pushed in front of the one below it: both belong to one assignment then,
// and a variable that has it already comes from an assignment expression.
//
//	(x, z), q = (v := a), b   →   a; COPY 1; STORE v; b; SWAP 2; UNPACK_SEQUENCE 2; …
func (m *machine) swapped(v *Value) bool { return m.peek(1).seq > v.seq }

// gather adds a store to the group.
func (m *machine) gather(target pyast.Expr, v *Value) {
	m.group = append(m.group, groupStore{target, v})
	m.gathered = m.seq
}

// flushGroup emits the collected stores as one tuple assignment, ordered as the
// values were pushed. What was pushed since comes behind it: a display that is being built cannot wait in a variable.
func (m *machine) flushGroup() {
	g := m.group
	m.group = nil
	since := len(m.stack)
	for since > 0 && m.stack[since-1].seq > m.gathered {
		since--
	}
	later := m.stack[since:]
	m.stack = m.stack[:since:since]
	defer func() { m.stack = append(m.stack, later...) }()
	if len(g) == 1 { // what waits below was none of the statement: `return a` with `x.y = z = b` in the finally clause
		m.assignTo(g[0].v, g[0].target)
		return
	}
	sort.SliceStable(g, func(i, j int) bool { return g[i].v.seq < g[j].v.seq })
	t, v := &pyast.Tuple{}, &pyast.Tuple{}
	for _, s := range g {
		t.Elts = append(t.Elts, s.target)
		v.Elts = append(v.Elts, m.expr(s.v))
	}
	m.emit(&pyast.Assign{Targets: []pyast.Expr{t}, Value: v})
}

// emitAug emits an augmented assignment.
func (m *machine) emitAug(v *Value) {
	m.emit(&pyast.AugAssign{Target: v.Aug().Target.E, Op: v.Aug().Op, Value: v.Aug().Right})
}

// bind fills a target. Completing the last item of an unpacking completes the
// unpacking's own statement or target.
func (m *machine) bind(b *Bind, target pyast.Expr) {
	if b.Target != nil {
		m.fail("an item is stored twice")
	}
	b.Target = target
	u := b.unpack
	if u == nil {
		m.b.bound = append(m.b.bound, bound{b, len(m.b.Stmts)})
		return
	}
	u.left--
	if u.left > 0 {
		return
	}
	t := &pyast.Tuple{}
	for i, it := range u.items {
		e := it.Target
		if i == u.star {
			e = &pyast.Starred{Value: e}
		}
		t.Elts = append(t.Elts, e)
	}
	m.finishUnpack(u, t)
}

func (m *machine) finishUnpack(u *Unpack, t pyast.Expr) {
	if u.src.Kind == KBind {
		m.bind(u.src.Bind(), t)
		return
	}
	if m.dupOnStack(u.src) && !m.hasName(u.src) {
		u.src.setTargets(append(u.src.Targets(), t))
		return
	}
	if !m.g.named && (len(m.group) > 0 || m.pendingBelow() && (len(u.src.Targets()) == 0 || m.swapped(u.src))) {
		// One side of `a, (b, c) = x, y`.
		m.gather(t, u.src)
		if !m.pendingBelow() {
			m.flushGroup()
		}
		return
	}
	m.assignTo(u.src, t)
}

func (m *machine) dupOnStack(v *Value) bool {
	for _, w := range m.stack {
		if w == v {
			return true
		}
	}
	return false
}

// stepUnpack executes unpacking, matching and imports.
func (m *machine) stepUnpack() bool {
	in := m.in
	switch in.Op {
	case opcode.UnpackSequence:
		if in.Arg == 1 && m.starredAnnotation() {
			m.pushE(&pyast.Starred{Value: m.popE()})
			break
		}
		m.unpack(in.Arg, -1)
	case opcode.UnpackEx:
		before, after := in.Arg&0xff, in.Arg>>8
		m.unpack(before+1+after, before)
	case opcode.ImportName:
		from := m.pop()
		level := m.pop()
		imp := &Import{Module: in.Name, Lazy: in.Arg, Line: int(in.Pos.Line)}
		if c, ok := level.E.(*pyast.Constant); ok {
			if i, ok := c.Value.(pyc.Int); ok {
				if !i.Big.IsInt64() || i.Big.Sign() < 0 || i.Big.Int64() > maxImportLevel {
					m.fail("an import of level %s", i.Big)
				}
				imp.Level = int(i.Big.Int64())
			}
		}
		if c, ok := from.E.(*pyast.Constant); ok {
			if t, ok := c.Value.(pyc.Tuple); ok {
				imp.From = []string{}
				for _, x := range t {
					if s, ok := x.(pyc.Str); ok {
						imp.From = append(imp.From, string(s))
					}
				}
			}
		}
		m.push(&Value{Kind: KImport, special: &special{imported: imp}})
	case opcode.ImportFrom:
		v := m.peek(1)
		switch {
		case v.Kind == KImport && v.Import().From != nil:
			m.push(&Value{Kind: KFrom, Attr: in.Name, special: &special{imported: v.Import()}})
		case v.Kind == KImport:
			v.Import().Walked = true
			m.push(&Value{Kind: KImport, special: &special{imported: v.Import()}})
		default:
			m.fail("IMPORT_FROM on something that is no import")
		}
	case opcode.ImportStar:
		v := m.pop()
		if v.Kind != KImport {
			m.fail("IMPORT_STAR on something that is no import")
		}
		m.emit(&pyast.ImportFrom{Module: v.Import().Module, Level: v.Import().Level, Names: []*pyast.Alias{{Name: "*"}}})
	default:
		return false
	}
	return true
}

// starredAnnotation reports whether the UNPACK_SEQUENCE 1 at hand is that of
// `*args: *Ts` (PEP 646): its item goes into the annotations, not to a target.
func (m *machine) starredAnnotation() bool {
	if len(m.rest) == 0 {
		return false
	}
	height := 1 // of the item
	for i := range m.rest {
		in := &m.rest[i]
		if in.Op.Conditional() {
			break
		}
		pop, push := bytecode.StackEffect(m.code.Version, in, false)
		if pop >= height {
			return in.Op == opcode.BuildTuple || in.Op == opcode.BuildMap ||
				in.Op == opcode.Return // the default of a TypeVarTuple, `*Ts = *X`
		}
		height += push - pop
	}
	// A test decides an operand of the target, or the annotation of another parameter: then the names of both are there.
	return m.rest[0].Op == opcode.LoadConst && namesParameter(m.rest[0].Const) && len(m.stack) > 1 && namesParameter(constOf(m.peek(2)))
}

// namesParameter reports whether a constant may be the name of a parameter among annotations.
func namesParameter(c pyc.Const) bool {
	s, ok := c.(pyc.Str)
	return ok && pyprint.ValidName(string(s))
}

// constOf is the constant that a value is, or nil.
func constOf(v *Value) pyc.Const {
	if c, ok := v.E.(*pyast.Constant); ok && v.Kind == KExpr {
		return c.Value
	}
	return nil
}

// nameApart gives the items of an unpacking that another block has begun variables of their own there: ways that are no
// one expression lead here, and to other blocks that store the same items.
//
//	a[b < c < d], e = f       %t1, %t2 = f
func (m *machine) nameApart(v *Value) {
	if v.Kind != KBind || v.Bind().unpack == nil {
		return
	}
	b := v.Bind().unpack.b
	for b.Into != nil {
		b = b.Into
	}
	if b == m.b {
		return
	}
	first := -1
	for i, w := range b.Out {
		if w.Kind != KBind || w.Bind().unpack != v.Bind().unpack {
			continue
		}
		if first < 0 {
			first = i
		}
		(&machine{g: m.g, b: b, code: m.code, stack: b.Out[:first:first]}).unnamed(w)
	}
}

func (m *machine) unpack(n, star int) {
	v := m.pop()
	m.nameApart(v)
	if v.Kind != KBind && v.Kind != KExpr {
		e := m.unnamed(v)                     // its targets stay
		v.Kind, v.E, v.used = KExpr, e, false // in place: `() = x = lambda: y` has a duplicate of it
	}
	u := &Unpack{src: v, star: star, left: n, b: m.b}
	if n == 0 {
		m.finishUnpack(u, &pyast.Tuple{})
		return
	}
	u.items = make([]*Bind, n)
	for i := range u.items {
		u.items[i] = &Bind{unpack: u}
	}
	for i := n - 1; i >= 0; i-- {
		m.push(&Value{Kind: KBind, special: &special{bind: u.items[i]}})
	}
	if m.g.named { // another way to the block that stores them may have taken them by index
		for i := range u.items {
			m.unnamed(m.peek(i + 1))
		}
	}
}

// storeImport stores an imported module.
func (m *machine) storeImport(v *Value, target pyast.Expr, temp string) {
	imp := v.Import()
	name, ok := target.(*pyast.Name)
	if !ok {
		m.fail("an import is stored in something that is no name")
	}
	if m.dupOnStack(v) {
		m.fail("an import is stored twice")
	}
	a := &pyast.Alias{Name: imp.Module}
	if top, _, _ := strings.Cut(imp.Module, "."); imp.Walked || name.Id != top {
		a.AsName = name.Id
	}
	if imp.From != nil {
		m.fail("a from-import is stored as a module")
	}
	s := &pyast.Import{Names: []*pyast.Alias{a}, IsLazy: imp.Lazy == 1}
	m.emit(s)
}

// maxImportLevel bounds the dots of a relative import: no file path is as deep.
const maxImportLevel = 1000

// storeFrom stores one name of `from m import names`.
func (m *machine) storeFrom(v *Value, target pyast.Expr) {
	name, ok := target.(*pyast.Name)
	if !ok {
		m.fail("an import is stored in something that is no name")
	}
	a := &pyast.Alias{Name: v.Attr}
	if name.Id != v.Attr {
		a.AsName = name.Id
	}
	v.Import().Names = append(v.Import().Names, a)
}

// popImport ends an import statement.
func (m *machine) popImport(v *Value) {
	imp := v.Import()
	if m.dupOnStack(v) || imp.From == nil && imp.Walked {
		return
	}
	if imp.From != nil {
		if len(imp.Names) == 0 {
			m.fail("a from-import without names")
		}
		m.emit(&pyast.ImportFrom{Module: imp.Module, Level: imp.Level, Names: imp.Names, IsLazy: imp.Lazy == 1})
		return
	}
	m.fail("an import is dropped")
}
