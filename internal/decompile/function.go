package decompile

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/thuml/depyf/internal/lift"
	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyast"
	"github.com/thuml/depyf/internal/pyc"
	"github.com/thuml/depyf/internal/pyprint"

	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/cfg"
)

// Function makes a def statement of a nested function.
func (u *unit) Function(fn *lift.Func, name string) (pyast.Stmt, error) {
	n := u.nested(fn.Code)
	def := n.def(name)
	u.nodes[fn.Code] = def
	n.applyFunc(def, fn)
	return def, nil
}

// def decompiles the unit as a function. It never fails: a body that cannot be
// expressed becomes a stub.
func (u *unit) def(name string) *pyast.FunctionDef {
	def := &pyast.FunctionDef{Name: name, Args: u.arguments()}
	def.Line = u.code.FirstLine
	def.IsAsync = u.code.Flags&(pyc.FlagCoroutine|pyc.FlagAsyncGenerator) != 0
	list, err := u.suite()
	if err != nil {
		def.Body = append(u.captured(), u.stub(err)...)
		return def
	}
	if len(list) == 0 {
		if s := u.placeholder(); s != nil {
			list = append(list, s)
		}
	}
	var head []pyast.Stmt
	if doc, ok := docstring(u.code); ok {
		head = append(head, pyast.ES(pyast.Const(doc)))
	}
	head = append(head, u.declarations()...)
	if u.unseen {
		list = append(u.inOrder(slices.Concat(head, list)), list...)
	}
	if u.code.Flags&(pyc.FlagGenerator|pyc.FlagAsyncGenerator) != 0 && !yields(list) {
		list = append(list, unrun(pyast.ES(&pyast.Yield{})))
	}
	def.Body = slices.Concat(head, list)
	front, behind := u.lostFree(def)
	def.Body = slices.Concat(declared(head, front), list, behind)
	def.Body = slices.Concat(def.Body, u.neverStored(def), u.neverRead(def))
	u.lostCells(def, &def.Body)
	return def
}

// neverStored declares the variables that the code reads as its own and the text as global ones: dead code in
// the source had an assignment, or Dynamo cut the function in two.
func (u *unit) neverStored(def *pyast.FunctionDef) []pyast.Stmt {
	read := unassigned(u.ownReads(), def.Body)
	if len(read) == 0 {
		return nil
	}
	text := u.symbols(def)
	taken := u.capturedNames()
	var out []pyast.Stmt
	for _, n := range read {
		if (text.Itself[n] || text.Inside[n] && slices.Contains(taken, n)) && pyprint.ValidName(n) && n != "__class__" && n != classDict {
			out = append(out, unrun(pyast.AssignS(pyast.N(n), pyast.None())))
		}
	}
	return out
}

// neverRead mentions the global variables that are the function's own ones in the text, of which only a comprehension whose code
// stands in the function's binds the names: for the comprehensions behind it that makes a variable of the function (3.12),
// unless the function itself names it, as dead code in the source did.
func (u *unit) neverRead(def *pyast.FunctionDef) (out []pyast.Stmt) {
	names := map[string]bool{}
	instrs := u.decoded()
	for _, g := range u.inlined {
		for _, n := range g.Saved {
			if slices.ContainsFunc(instrs, func(in bytecode.Instr) bool { return in.Op == opcode.LoadGlobal && in.Name == n && !u.never[in.Offset] }) {
				names[n] = true
			}
		}
	}
	if len(names) == 0 {
		return nil
	}
	text := u.symbols(def)
	for _, n := range slices.Sorted(maps.Keys(names)) {
		if text.Bound[n] && !text.Itself[n] && pyprint.ValidName(n) {
			out = append(out, unrun(pyast.ES(pyast.N(n))))
		}
	}
	return out
}

// ownReads lists the variables, parameters aside, that the code reads as its own. What comprehensions whose code
// stands in this one do with variables that they have themselves is theirs.
func (u *unit) ownReads() (read []string) {
	own := map[string]bool{}
	for i, n := range u.code.LocalsPlusNames {
		if k := u.code.LocalsPlusKinds[i]; k&pyc.KindFree == 0 && k&pyc.KindHidden == 0 {
			own[u.unmangleName(n)] = true
		}
	}
	for _, n := range u.code.Parameters() {
		delete(own, u.unmangleName(n))
	}
	for _, n := range u.code.FreeVars() {
		delete(own, u.unmangleName(n)) // Dynamo keeps a plain slot of that name as well
	}
	if len(own) == 0 {
		return nil
	}
	theirs := u.comprised()
	instrs := u.decoded()
	for i := range instrs {
		in := &instrs[i]
		switch in.Op {
		case opcode.LoadFast, opcode.LoadDeref, opcode.LoadClosure:
		default:
			continue
		}
		if !own[in.Name] || u.dead[in.Offset] || u.never[in.Offset] || u.reached != nil && !u.reached[in.Name] || theirs[spotOf(in)] {
			continue // the text has no such code
		}
		read = append(read, in.Name)
		if delete(own, in.Name); len(own) == 0 {
			break // as in most functions
		}
	}
	return read
}

// spot is where code names a variable: in the source, for of what the compiler has copied one copy alone becomes the
// text, or, where the column is not known, among the instructions.
type spot struct {
	pos    bytecode.Pos
	offset int
	name   string
}

func spotOf(in *bytecode.Instr) spot {
	if in.Pos.Line > 0 && in.Pos.Col >= 0 {
		return spot{in.Pos, 0, in.Name}
	}
	return spot{bytecode.Pos{}, in.Offset, in.Name}
}

// comprised are the spots at which comprehensions whose code stands in the unit's use variables that they, or others
// around them, have themselves.
func (u *unit) comprised() map[spot]bool {
	theirs := map[spot]bool{}
	var visit func(g *cfg.Graph, names []string)
	visit = func(g *cfg.Graph, names []string) {
		names = slices.Concat(names, g.Saved)
		for i := range g.Func.Instrs {
			in := &g.Func.Instrs[i]
			if slices.Contains(names, in.Name) {
				theirs[spotOf(in)] = true
			}
			if c, ok := in.Const.(*pyc.Code); ok && u.inlined[c] != nil {
				visit(u.inlined[c], names)
			}
		}
	}
	for _, g := range u.inlined {
		visit(g, nil)
	}
	return theirs
}

// yields reports whether the body makes its function a generator.
func yields(list []pyast.Stmt) bool {
	found := false
	pyast.InspectStmts(list, func(n pyast.Node) bool {
		switch n.(type) {
		case *pyast.Yield, *pyast.YieldFrom:
			found = true
		case *pyast.FunctionDef, *pyast.ClassDef, *pyast.Lambda:
			return false
		}
		return !found
	})
	return found
}

// stub is the body of a function that could not be expressed: its bytecode in
// comments, and an exception so that nobody runs it by mistake.
func (u *unit) stub(err error) []pyast.Stmt {
	where := u.code.Name
	if u.code.QualName != "" {
		where = u.code.QualName
	}
	*u.problems = append(*u.problems, fmt.Sprintf("%s: %v", where, err))
	u.stubs[u.code] = err.Error()
	var text strings.Builder
	fmt.Fprintf(&text, "depyf could not express this code: %v", err)
	if !errors.As(err, new(limitError)) {
		u.listing(&text)
	}
	return []pyast.Stmt{
		&pyast.Comment{Text: strings.TrimRight(text.String(), "\n")},
		&pyast.Raise{Exc: pyast.CallE(pyast.N("NotImplementedError"), pyast.Str(stubMessage))},
	}
}

// stubMessage is what a stub raises.
const stubMessage = "depyf: this code could not be decompiled"

// captured declares the variables that a stub inside of another function captures:
// the host puts the original code in its place (Result.Functions), which needs them.
func (u *unit) captured() []pyast.Stmt {
	if u.outer == nil || !u.opt.Dynamo {
		return nil
	}
	var names []string
	for _, n := range u.code.FreeVars() {
		if n = u.unmangleName(n); pyprint.ValidName(n) && n != "__class__" && n != "__classdict__" {
			names = append(names, n)
		}
	}
	if len(names) == 0 {
		return nil
	}
	return []pyast.Stmt{&pyast.Nonlocal{Names: names}}
}

// listing writes the instructions of code that could not be expressed.
func (u *unit) listing(w *strings.Builder) {
	f, err := bytecode.Decode(u.code)
	if err != nil {
		return
	}
	w.WriteString("\nIts bytecode:\n")
	for i := range f.Instrs {
		in := &f.Instrs[i]
		fmt.Fprintf(w, "%5d %s", in.Offset, in.Op)
		if in.Name != "" {
			w.WriteString(" " + in.Name)
		} else if in.Arg != 0 {
			fmt.Fprintf(w, " %d", in.Arg)
		}
		if in.Target >= 0 && in.Target < len(f.Instrs) {
			fmt.Fprintf(w, " -> %d", f.Instrs[in.Target].Offset)
		}
		w.WriteString("\n")
	}
}

// docstring returns the code's docstring. Until 3.13 the first constant of a
// function is its docstring or None; later a flag says so.
func docstring(c *pyc.Code) (pyc.Str, bool) {
	if len(c.Consts) == 0 || !c.IsFunction() || c.Name == "<lambda>" || strings.HasPrefix(c.Name, "<") {
		return "", false
	}
	if c.Version.HasDocstringFlag() && c.Flags&pyc.FlagHasDocstring == 0 {
		return "", false
	}
	s, ok := c.Consts[0].(pyc.Str)
	return s, ok
}

// arguments builds the parameter list, without defaults and annotations.
func (u *unit) arguments() *pyast.Arguments {
	c := u.code
	names := c.VarNames()
	a := &pyast.Arguments{}
	i := 0
	next := func() *pyast.Arg {
		i++
		if i > len(names) {
			return &pyast.Arg{Arg: fmt.Sprintf("arg%d", i-1)}
		}
		n := u.unmangleName(names[i-1])
		if strings.HasPrefix(n, ".") {
			n = "iterable" // the hidden argument of a comprehension
		}
		return &pyast.Arg{Arg: n}
	}
	for i < c.PosOnlyArgCount {
		a.PosOnlyArgs = append(a.PosOnlyArgs, next())
	}
	for i < c.ArgCount {
		a.Args = append(a.Args, next())
	}
	for i < c.ArgCount+c.KwOnlyArgCount {
		a.KwOnlyArgs = append(a.KwOnlyArgs, next())
		a.KwDefaults = append(a.KwDefaults, nil)
	}
	if c.Flags&pyc.FlagVarArgs != 0 {
		a.VarArg = next()
	}
	if c.Flags&pyc.FlagVarKeywords != 0 {
		a.KwArg = next()
	}
	return a
}

// applyFunc adds what MAKE_FUNCTION attached: defaults, annotations, decorators.
func (u *unit) applyFunc(def *pyast.FunctionDef, fn *lift.Func) {
	def.DecoratorList = fn.Decorators
	def.TypeParams = fn.TypeParams
	u.applyDefaults(def.Args, fn)
	u.annotateDef(def, fn)
}

// annotateDef adds annotations to a def.
func (u *unit) annotateDef(def *pyast.FunctionDef, fn *lift.Func) {
	annotated := map[string]pyast.Expr{}
	for _, k := range fn.Annots {
		annotated[u.unmangleName(k.Arg)] = k.Value
	}
	if fn.Annotate != nil {
		for _, k := range u.annotations(fn.Annotate) {
			annotated[u.unmangleName(k.Arg)] = k.Value
		}
	}
	for k, e := range annotated {
		annotated[k] = u.futureAnnotation(e)
	}
	each(def.Args, func(a *pyast.Arg) { a.Annotation = annotated[a.Arg] })
	def.Returns = annotated["return"]
}

func each(a *pyast.Arguments, f func(*pyast.Arg)) {
	for _, l := range [][]*pyast.Arg{a.PosOnlyArgs, a.Args, a.KwOnlyArgs} {
		for _, x := range l {
			f(x)
		}
	}
	if a.VarArg != nil {
		f(a.VarArg)
	}
	if a.KwArg != nil {
		f(a.KwArg)
	}
}

func (u *unit) applyDefaults(a *pyast.Arguments, fn *lift.Func) {
	a.Defaults = fn.Defaults
	for _, k := range fn.KwDefaults {
		for i, x := range a.KwOnlyArgs {
			if x.Arg == u.unmangleName(k.Arg) {
				a.KwDefaults[i] = k.Value
			}
		}
	}
}

// declarations are the `global` and `nonlocal` statements that the code's
// stores ask for.
func (u *unit) declarations() []pyast.Stmt {
	instrs := u.decoded()
	free := map[string]bool{}
	for _, n := range u.code.FreeVars() {
		free[u.unmangleName(n)] = true
	}
	// A comprehension inlined into a class body reads globals as a function does; in a module it does
	// not. Of the copies of a finally body one is left, which stands for the others' places.
	inlined, places, theirs := map[int]bool{}, map[bytecode.Pos]bool{}, map[int]bool{}
	for _, g := range u.inlined {
		for i := range g.Func.Instrs {
			in := &g.Func.Instrs[i]
			inlined[in.Offset] = true
			theirs[in.Offset] = slices.Contains(g.Saved, in.Name)
			if in.Op == opcode.LoadGlobal && in.Pos.Line > 0 && in.Pos.Col >= 0 {
				places[in.Pos] = true
			}
		}
	}
	var globals, nonlocals []string
	seen := map[string]bool{}
	for i := range instrs {
		in := &instrs[i]
		switch in.Op {
		case opcode.StoreGlobal, opcode.DeleteGlobal:
			if !seen[in.Name] {
				seen[in.Name] = true
				globals = append(globals, in.Name)
			}
		case opcode.LoadGlobal:
			comprised := isClassBody(u.code) && (inlined[in.Offset] || places[in.Pos]) // the function around declares it, see globalsInside
			if !seen[in.Name] && !comprised && !u.never[in.Offset] && !lift.AssertsByName(u.code, in.Name) && (u.shadowed(in.Name) && !u.ownName(instrs, in.Name) && !u.moduleHas(in.Name) || !u.code.IsFunction()) {
				seen[in.Name] = true
				globals = append(globals, in.Name)
			}
		case opcode.StoreDeref, opcode.DeleteDeref:
			if free[in.Name] && !theirs[in.Offset] && !seen[in.Name] && in.Name != classDict && in.Name != lift.ConditionalAnnotations {
				seen[in.Name] = true
				nonlocals = append(nonlocals, in.Name)
			}
		}
	}
	// A walrus in a comprehension stores in the function around it.
	u.eachComprehension(u.code, func(c *bytecode.Func) {
		for i := range c.Instrs {
			switch in := &c.Instrs[i]; in.Op {
			case opcode.StoreGlobal:
				if !seen[in.Name] {
					seen[in.Name] = true
					globals = append(globals, in.Name)
				}
			case opcode.StoreDeref:
				outer := slices.ContainsFunc(c.Code.FreeVars(), func(n string) bool { return u.unmangleName(n) == in.Name }) // else it is the comprehension's own
				if outer && free[in.Name] && !seen[in.Name] {
					seen[in.Name] = true
					nonlocals = append(nonlocals, in.Name)
				}
			}
		}
	})
	for _, name := range u.globalsInside() {
		if !seen[name] {
			seen[name] = true
			globals = append(globals, name)
		}
	}
	var out []pyast.Stmt
	if len(globals) > 0 {
		out = append(out, &pyast.Global{Names: globals})
	}
	if len(nonlocals) > 0 {
		out = append(out, &pyast.Nonlocal{Names: nonlocals})
	}
	return out
}

// ownName reports whether a class has a variable of its own of the name, though only code that is never reached may bind it: the class
// reads that of a function around it as a cell.
func (u *unit) ownName(instrs []bytecode.Instr, name string) bool {
	return !u.code.IsFunction() && usesOwn(instrs, name)
}

// usesOwn reports whether a variable of the name is looked up, stored or deleted where the code of a module or class keeps its own.
func usesOwn(instrs []bytecode.Instr, name string) bool {
	return slices.ContainsFunc(instrs, func(in bytecode.Instr) bool {
		return in.Name == name && (in.Op == opcode.LoadName || in.Op == opcode.StoreName || in.Op == opcode.DeleteName)
	})
}

// globalsInside are global variables that expressions with code of their own in a function read (lambdas, generator
// expressions, bounds of type parameters), or comprehensions in a class there (3.12+), which cannot declare them, where a function around
// has variables of these names.
func (u *unit) globalsInside() (out []string) {
	if !u.code.IsFunction() || u.outer == nil {
		return nil
	}
	read := func(instrs []bytecode.Instr) (names []string) {
		for i := range instrs {
			if in := &instrs[i]; in.Op == opcode.LoadGlobal && u.shadowedUnmangled(in.Name) {
				names = append(names, u.unmangleName(in.Name))
			}
		}
		return names
	}
	var visit func(c *pyc.Code)
	visit = func(c *pyc.Code) {
		for k := range c.Inner() {
			switch u.nodes[k].(type) {
			case *pyast.FunctionDef:
				continue // It declares them itself.
			case *pyast.ClassDef: // It, too, but what it declares is not passed on to its functions and comprehensions.
				var names []string
				for _, g := range u.units[k].inlined {
					names = append(names, read(g.Func.Instrs)...)
				}
				slices.Sort(names)
				out = append(out, names...)
				visit(k)
				continue
			}
			if slices.ContainsFunc(k.Names, u.shadowedUnmangled) {
				if f, err := bytecode.Decode(k); err == nil {
					out = append(out, read(f.Instrs)...)
				}
			}
			visit(k)
		}
	}
	visit(u.code)
	return out
}

func (u *unit) shadowedUnmangled(name string) bool {
	name = u.unmangleName(name)
	return u.shadowed(name) && !u.moduleHas(name)
}

// moduleHas reports whether the module around reads or stores a variable as its own: none of its functions declares
// that global, for the module would use it as one then (symtable_add_def in Python/symtable.c).
func (u *unit) moduleHas(name string) bool {
	for u.outer != nil {
		u = u.outer
	}
	if u.code.IsFunction() || isClassBody(u.code) || strings.HasPrefix(name, "__") && !strings.HasSuffix(name, "__") { // a private name may be another one in a class
		return false
	}
	return usesOwn(u.decoded(), name)
}

// typeParameter reports whether a captured variable is a type parameter, which no
// `nonlocal` may name: only an annotation uses it (3.12 and 3.13). It belongs to the code
// around that of a generic function or class, which is a unit of its own only where it, or the class, stands apart.
func (u *unit) typeParameter(name string) bool {
	inner := u
	has := func(c *pyc.Code) bool {
		return slices.ContainsFunc(c.CellVars(), func(n string) bool { return n == name || inner.unmangleName(n) == name })
	}
	for o := u.outer; o != nil; u, o = o, o.outer {
		if g := u.genericAround(); g != nil && has(g) {
			return true
		}
		if has(o.code) {
			return strings.HasPrefix(o.code.Name, lift.GenericPrefix)
		}
	}
	return false
}

// genericAround is the code in that of the unit around which makes the type parameters of the generic function or class that u
// is, or nil.
func (u *unit) genericAround() *pyc.Code {
	if !u.askedGeneric { // every global name asks, and a module may have thousands of functions to look through
		u.askedGeneric = true
		for c := range u.outer.code.Inner() {
			if strings.HasPrefix(c.Name, lift.GenericPrefix) && c.HasInner(func(k *pyc.Code) bool { return k == u.code }) {
				u.makesTypes, u.typeNames = c, typeParameters(c)
				break
			}
		}
	}
	return u.makesTypes
}

// typeParameters lists the type parameters that the code around a generic function or class makes. A comprehension among the
// keyword arguments of the class has variables there as well.
//
//	LOAD_CONST "T"; CALL_INTRINSIC_1 (TypeVar); COPY 1; STORE_DEREF T
func typeParameters(c *pyc.Code) (names []string) {
	f, err := bytecode.Decode(c)
	if err != nil {
		return nil
	}
	for i := 2; i < len(f.Instrs); i++ {
		made, again, in := f.Instrs[i-2].Op, &f.Instrs[i-1], &f.Instrs[i]
		if (made == opcode.Intrinsic1 || made == opcode.Intrinsic2) && again.Op == opcode.Copy && again.Arg == 1 && in.Op.Stores() {
			names = append(names, in.Name)
		}
	}
	return names
}

// unusedName is a name that nothing in the code has.
func (u *unit) unusedName() string {
	name := "_"
	for slices.Contains(u.code.LocalsPlusNames, name) || slices.Contains(u.code.Names, name) {
		name += "_"
	}
	return name
}

// namesGlobal reports whether an instruction names a global variable.
func namesGlobal(op opcode.Op) bool {
	return op == opcode.LoadGlobal || op == opcode.StoreGlobal || op == opcode.DeleteGlobal
}

// eachComprehension calls f for the comprehensions in c that have code of their
// own, also those inside others.
func (u *unit) eachComprehension(c *pyc.Code, f func(*bytecode.Func)) {
	for _, k := range c.Consts {
		inner, ok := k.(*pyc.Code)
		if !ok {
			continue
		}
		switch inner.Name {
		case "<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>":
		default:
			continue
		}
		if fn, err := bytecode.Decode(inner); err == nil {
			u.unmangle(fn)
			f(fn)
		}
		u.eachComprehension(inner, f)
	}
}

// shadowed reports whether an enclosing function has a local of that name, or a type parameter has it, so
// that reading the global takes a declaration.
func (u *unit) shadowed(name string) bool {
	for o := u.outer; o != nil; u, o = o, o.outer {
		if g := u.genericAround(); g != nil && slices.Contains(u.typeNames, name) {
			return true
		}
		if !o.code.IsFunction() {
			continue
		}
		if slices.Contains(o.code.LocalsPlusNames, name) && !o.onlyInComprehensions(name) {
			return true
		}
	}
	return false
}

// onlyInComprehensions reports whether the code has the variable for a comprehension's sake alone, whose
// code stands in its own: no other function sees it. What the code itself does with the name is about a global variable.
func (u *unit) onlyInComprehensions(name string) bool {
	saves := func(g *cfg.Graph) bool { return slices.Contains(g.Saved, name) }
	if u.made == nil || !slices.ContainsFunc(slices.Collect(maps.Values(u.inlined)), saves) || slices.Contains(u.code.Parameters(), name) {
		return false
	}
	return !slices.ContainsFunc(u.made.Blocks, func(b *cfg.Block) bool {
		return !b.Dead && slices.ContainsFunc(b.Instrs, func(in bytecode.Instr) bool { return in.Name == name && in.Op.UsesVariable() && !namesGlobal(in.Op) })
	})
}

// Lambda makes a lambda expression.
func (u *unit) Lambda(fn *lift.Func) (pyast.Expr, error) {
	n := u.nested(fn.Code)
	e, err := n.expression(n.asValue)
	if err != nil {
		return nil, fmt.Errorf("lambda: %w", err)
	}
	l := &pyast.Lambda{Args: n.arguments(), Body: e}
	n.applyDefaults(l.Args, fn)
	return l, nil
}

// expression decompiles the unit's code to an expression, which what makes of its
// statements. Where there is none it is a stub: only what evaluates it raises.
func (u *unit) expression(what func([]pyast.Stmt) (pyast.Expr, error)) (pyast.Expr, error) {
	list, err := u.lazyBody()
	if err == nil {
		var e pyast.Expr
		if e, err = what(list); err == nil {
			return e, nil
		}
		u.note(err)
	}
	if u.graph != nil && u.outer.pieces {
		u.stubs[u.outer.code] = err.Error()
		return u.stubExpr(err), nil
	}
	if u.graph != nil || u.ladder.last == asCompiled {
		return nil, err
	}
	return u.stubExpr(err), nil
}

// asValue is asExpr for the code of a lambda, a bound or an alias. Where nothing is evaluated the expression names
// the variables that only code which the compiler has left out takes, and the text that the code has for a docstring
// because its source begins with one that decides a test (3.12, 3.13).
//
//	lambda: ~(False and x)    →    lambda: ~False if True else x
//	T: "x" and a              →    T: a if "x" else None
func (u *unit) asValue(list []pyast.Stmt) (pyast.Expr, error) {
	e, err := asExpr(list)
	if err != nil {
		return e, err
	}
	return u.mentionTaken(e), nil
}

// mentionTaken does so for one of the expressions in the code; rest are the others.
func (u *unit) mentionTaken(e pyast.Expr, rest ...pyast.Expr) pyast.Expr {
	var names []pyast.Expr
	if len(u.code.CellVars())+len(u.code.FreeVars()) > 0 {
		text := u.symbols(&pyast.FunctionDef{Args: u.arguments(), Body: []pyast.Stmt{&pyast.Return{Value: allOf(append(rest, e))}}})
		for _, n := range u.missing(u.code.CellVars(), text.Cells) {
			mention := u.capturing(n)
			switch {
			case slices.Contains(u.code.Parameters(), n):
			case u.code.Name == "<lambda>":
				mention = &pyast.NamedExpr{Target: pyast.N(n), Value: mention}
			default: // a bound, say, in which only a comprehension binds a variable
				mention = comprising(n)
			}
			names = append(names, mention)
		}
		for _, n := range u.missing(u.code.FreeVars(), text.Free) {
			names = append(names, pyast.N(n))
		}
	}
	doc, text := docstring(u.code)
	if len(names) == 0 && !u.hidesFirst() {
		return e
	}
	x := &pyast.IfExp{Test: pyast.Bool(true), OrElse: pyast.None()}
	if text {
		x.Test = pyast.Const(doc) // the first constant
	}
	if len(names) > 0 {
		x.OrElse = allOf(names)
	}
	place := &e
	if t, ok := e.(*pyast.Tuple); ok && len(t.Elts) > 0 {
		place = &t.Elts[0] // a bound that is no tuple itself is another kind of bound
		if star, ok := t.Elts[0].(*pyast.Starred); ok {
			place = &star.Value
		}
	}
	x.Body, *place = *place, x
	if text && doc == "" {
		x.Body, x.OrElse = x.OrElse, x.Body
	}
	return e
}

// hidesFirst reports whether the code's first constant is another than the one that it loads first, and one of them is
// a text, which would be taken for a docstring.
func (u *unit) hidesFirst() bool {
	if strings.HasPrefix(u.code.Name, "<") || u.code.Version.HasDocstringFlag() || len(u.code.Consts) == 0 {
		return false
	}
	var loaded pyc.Const
	instrs := u.decoded()
	if i := slices.IndexFunc(instrs, func(in bytecode.Instr) bool { return in.Op == opcode.LoadConst }); i >= 0 {
		loaded = instrs[i].Const
	}
	s, isText := u.code.Consts[0].(pyc.Str)
	t, loadsText := loaded.(pyc.Str)
	return isText != loadsText || s != t
}

// allOf is an expression with all others.
func allOf(list []pyast.Expr) pyast.Expr {
	if len(list) == 1 {
		return list[0]
	}
	return &pyast.Tuple{Elts: list}
}

// stubExpr is stub for what must be an expression.
func (u *unit) stubExpr(err error) pyast.Expr {
	u.stub(err)
	return pyast.CallE(pyast.N("exec"), pyast.Str("raise NotImplementedError('"+stubMessage+"')"))
}

// asExpr turns the body of a lambda back into one expression.
func asExpr(list []pyast.Stmt) (pyast.Expr, error) {
	if len(list) == 0 {
		return pyast.None(), nil
	}
	switch s := list[0].(type) {
	case *pyast.Return:
		if s.Value == nil {
			return pyast.None(), nil
		}
		return s.Value, nil
	case *pyast.Pass:
		return asExpr(list[1:])
	case *pyast.If:
		a, err := asExpr(slices.Concat(s.Body, list[1:]))
		if err != nil {
			return nil, err
		}
		b, err := asExpr(slices.Concat(s.OrElse, pyast.CloneStmts(list[1:])))
		if err != nil {
			return nil, err
		}
		return &pyast.IfExp{Test: s.Test, Body: a, OrElse: b}, nil
	case *pyast.ExprStmt:
		// A generator lambda: `lambda: (yield)`.
		if len(list) == 1 {
			return s.Value, nil
		}
	}
	return nil, fmt.Errorf("a lambda's body is no expression")
}

// Class makes a class statement.
func (u *unit) Class(c *lift.Class, name string) (pyast.Stmt, error) {
	n := u.nested(c.Fn.Code)
	n.class, n.mangled = c.Name, nil
	n.mangled = n.writtenMangled()
	def := &pyast.ClassDef{Name: name, Bases: c.Bases, Keywords: c.Keywords, DecoratorList: c.Decorators, TypeParams: c.TypeParams}
	def.Line = c.Fn.Code.FirstLine
	u.nodes[c.Fn.Code] = def
	n.classSuite(def)
	return def, nil
}

// classSuite makes the statements of a class. It never fails, as def.
func (u *unit) classSuite(def *pyast.ClassDef) {
	list, err := u.suite()
	if err != nil {
		def.Body = u.stub(err)
		return
	}
	body, head := u.classBody(u.annotated(list)), u.declarations()
	def.Body = afterDoc(body, head)
	body = append(body, u.ownNames(def)...)
	def.Body = afterDoc(body, head)
	front, behind := u.lostFree(def)
	def.Body = append(afterDoc(body, declared(head, front)), behind...)
	u.lostAttributes(def)
	u.lostCells(def, &def.Body)
	if len(def.Body) == 0 {
		if s := u.placeholder(); s != nil {
			def.Body = append(def.Body, s)
		}
	}
}

// afterDoc puts declarations at the front of a class body, behind its docstring.
func afterDoc(body, decls []pyast.Stmt) []pyast.Stmt {
	at := 0
	if len(body) > 0 {
		if e, ok := body[0].(*pyast.ExprStmt); ok {
			if _, isStr := strConst(e.Value); isStr {
				at = 1
			}
		}
	}
	return append(body[:at:at], append(decls, body[at:]...)...)
}

// classBody drops what the compiler adds to a class body.
func (u *unit) classBody(list []pyast.Stmt) []pyast.Stmt {
	out := make([]pyast.Stmt, 0, len(list))
	told := map[string]bool{}
	for i, s := range list {
		if a, ok := s.(*pyast.Assign); ok {
			last, isName := a.Targets[len(a.Targets)-1].(*pyast.Name)
			if isName {
				switch last.Id {
				case "__module__", "__qualname__":
					if i < 3 && !told[last.Id] && len(a.Targets) == 1 {
						told[last.Id] = true
						continue // the compiler's own; a later one is the source's
					}
				case "__firstlineno__":
					if u.code.Version.HasClassFirstLine() && !told[last.Id] {
						told[last.Id] = true
						continue
					}
				case "__static_attributes__", "__classdictcell__", "__classdict__", "__type_params__":
					continue
				case "__doc__":
					if c, ok := docAssigned(a, u.code.Version); ok && len(out) == 0 && len(a.Targets) == 1 {
						d := pyast.ES(c)
						d.Line = a.Line
						out = append(out, d)
						continue
					}
				}
			}
		}
		out = append(out, s)
	}
	return out
}
