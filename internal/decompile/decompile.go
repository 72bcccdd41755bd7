package decompile

import (
	"cmp"
	"errors"
	"fmt"
	"go/token"
	"slices"
	"strings"

	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/cfg"
	"github.com/thuml/depyf/internal/equiv"
	"github.com/thuml/depyf/internal/lazyregexp"
	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyast"
	"github.com/thuml/depyf/internal/pyc"
	"github.com/thuml/depyf/internal/pyprint"
	"github.com/thuml/depyf/internal/structure"
	"github.com/thuml/depyf/internal/sugar"
)

// Code decompiles any code object: a module, or what stands by itself, a function, the body of a class,
// a generator expression.
func Code(code *pyc.Code, opt Options) (*Result, error) {
	if code != nil && code.IsFunction() {
		return Func(code, opt)
	}
	return Module(code, opt)
}

// Func decompiles the code object of a function to a def statement. When the
// function has free variables the def stands inside another one, whose
// parameters they are (Result.Wrapped).
//
// Several ways of lifting are tried until one is proven; an unproven result is
// the first that printed.
func Func(code *pyc.Code, opt Options) (*Result, error) {
	if code == nil {
		return nil, fmt.Errorf("no code object")
	}
	opt.Dynamo = opt.Dynamo || madeByDynamo(code)
	opt.Rename = withStableNames(code, opt.Rename)
	opt = opt.judged(code)
	var best *Result
	for i, w := range attempts(code, opt.Dynamo) {
		if i > 0 && w.spill == wholly && w.dispatch == structure.Never && opt.Dynamo && !best.tail {
			continue // the same as before
		}
		l := newLadder(inPieces)
		for again := true; again; {
			var r *Result
			r, again = funcOnce(code, opt, w, l)
			r.Repaired = (i > 0 || len(l.choices) > 0) && r.Verdict.Proven()
			if best == nil || r.betterThan(best) {
				best = r
			}
			again = again && !best.finished(opt)
		}
		if best.finished(opt) {
			break
		}
	}
	if best.refused {
		// No text that compiles was found.
		opt.Resist = func(c *pyc.Code) error {
			if c == code {
				return errors.New(best.Detail)
			}
			return nil
		}
		best, _ = funcOnce(code, opt, ways[asCompiled], newLadder(asCompiled))
	}
	return best, nil
}

// madeByDynamo reports whether torch._dynamo made a code object: it reads what only
// Dynamo installs, or is the rest of a function after a graph break. Whoever asks for
// such a code gets what the dump of its frame says.
func madeByDynamo(code *pyc.Code) bool {
	return cfg.ResumeName(code.Name) || slices.ContainsFunc(code.Names, cfg.StableGlobal)
}

// way is a way of lifting.
type way struct {
	spill  spilling
	unseen bool // no temporary is seen by what looks at variables, see sugar.Options

	dispatch structure.Dispatch
	copies   bool // what the compiler has copied stays, see cfg.Job
	named    bool // each question of a pattern is a match statement, and what is needed twice has a name
	pieces   bool // an expression that there is none for is a stub
}

// attempts orders the ways of lifting: with the stack emptied first, which
// Dynamo's code needs, or as the compiler's code reads best.
func attempts(code *pyc.Code, dynamo bool) []way {
	if !dynamo {
		return ways[:]
	}
	list := []way{{spill: inHead}, {spill: wholly}, {spill: never}}
	if equiv.LooksAtVariables(code) || code.HasInner(equiv.LooksAtVariables) {
		list = slices.Insert(list, 1, way{spill: inHead, unseen: true})
		list = append(list, way{spill: never, unseen: true})
	}
	return append(list, way{spill: inHead, dispatch: structure.Resisting}, ways[resisting], ways[emptiedResisting], ways[dispatched], ways[emptiedDispatched])
}

// finished reports whether no other way of lifting can do better.
func (r *Result) finished(opt Options) bool {
	return r.Verdict.Proven() && r.Detail == "" || opt.unproven() && r.Verdict == Unproved
}

func (r *Result) betterThan(s *Result) bool {
	if r.refused != s.refused {
		return s.refused
	}
	if x, y := rank(r.Verdict), rank(s.Verdict); x != y {
		return x > y
	}
	return r.Verdict.Proven() && len(r.Texts) < len(s.Texts)
}

func rank(v Verdict) int {
	switch v {
	case Exact:
		return 5
	case Proved:
		return 4
	case Unproved:
		return 3
	case Differs:
		return 2
	}
	return 1
}

// funcOnce decompiles and proves in one way. Those of the functions inside are in l;
// again reports that some of these have a next one, which it has put there.
func funcOnce(code *pyc.Code, opt Options, w way, l *ladder) (r *Result, again bool) {
	u := newUnit(code, opt)
	u.spill, u.how, u.copies, u.named, u.pieces, u.ladder = w.spill, w.dispatch, w.copies, w.named, w.pieces, l
	u.hides, u.unseen = w.unseen, w.unseen && equiv.LooksAtVariables(code)
	defer func() {
		r.tail = u.tail
		if u.limits.met() != nil {
			return
		}
		for _, c := range u.failing() {
			again = !opt.Dynamo && u.search(c) || c != code && l.next(c, true) || again
		}
		for _, c := range r.Texts {
			again = c != code && (u.search(c) || l.next(c, false)) || again
		}
		if opt.Dynamo && r.Verdict == Differs && !slices.ContainsFunc(code.Names, cfg.StableGlobal) {
			again = u.search(code) || again // the rest of a function, which its compiler made
		}
		for _, c := range r.differing {
			again = u.search(c) || c != code && l.next(c, false) || again
		}
	}()
	t := u.standing(cmp.Or(opt.Name, u.nameApart()))
	names := sugar.Naming{Params: opt.ArgNames, Reserved: append(code.CellVars(), code.FreeVars()...)}
	if opt.Dynamo {
		names.Outputs = opt.Origin.outputs()
		if !u.unseen {
			names.Scratch = scratch(code, opt.Origin.Code)
		}
	}
	r = &Result{Name: t.name, Inside: t.inside, Wrapped: len(t.free) > 0, Problems: *u.problems, Renames: invert(opt.Rename)}
	text := &page{u, t.list, t.makes, names, r.Renames}
	if err := whole.Run(text, u.watch()); err != nil {
		r.Verdict, r.Detail = Partial, err.Error()
		return r, false
	}
	t.list = text.list
	mod := t.module(&pyast.Return{Value: pyast.N(t.name)})
	source, err := pyprint.Print(mod, code.Version, pyprint.Options{AsWritten: !opt.Dynamo, Diamond: code.Diamond()})
	r.Source = source
	switch {
	case len(r.Problems) > 0 && (!opt.Dynamo || u.stubs[code] != "" || opt.unproven()):
		r.Verdict, r.Detail = Partial, strings.Join(r.Problems, "; ")
		return r, false
	case err != nil:
		r.Verdict, r.Detail = Differs, err.Error()
		return r, false
	case opt.unproven():
		r.Verdict, r.Detail = Unproved, noInterpreter
		return r, false
	}
	defer r.settled(&opt)
	module, funcs, err := opt.again(mod, source, "<depyf>", code.Version, code.Flags&pyc.FutureMask)
	if err != nil {
		r.Verdict, r.Detail, r.refused = Differs, refused(&opt, err), !opt.lowers()
		return r, false
	}
	inner := t.find(module, code)
	if inner == nil {
		r.Verdict, r.Detail = Differs, "the recompiled source does not define "+cmp.Or(t.inside, t.name)
		return r, false
	}
	restoreNames(inner, funcs, r.Renames)
	putInPlace(inner, code)
	prove(r, code, inner, funcs, opt)
	return r, false
}

// putInPlace gives code that was made apart what says where the original stands and not
// what it does: its name, and two flags (Method is set from 3.14 on for a function in a class). The
// qualified name stays, which the code of a class holds as well.
func putInPlace(again, code *pyc.Code) {
	const place = pyc.FlagNested | pyc.FlagMethod
	again.Name = code.Name
	again.Flags = again.Flags&^place | code.Flags&place
}

// prove compares the recompiled code with the original.
func prove(r *Result, code, inner *pyc.Code, funcs map[*pyc.Code]*bytecode.Func, opt Options) {
	// What follows a graph break is the function's own code, which mostly compares as such:
	// in a tenth of the time.
	if !opt.Dynamo || !slices.ContainsFunc(code.Names, cfg.StableGlobal) {
		switch res := equiv.Compare(code, inner, equiv.Options{AnyQualName: true, All: !opt.Dynamo, Lowered: funcs}); {
		case res.Equal && opt.Dynamo:
			r.Verdict = Proved
			r.replaced(code, inner, res.Functions)
			return
		case res.Equal:
			r.Verdict = Exact
			return
		default:
			r.Verdict, r.Detail = Differs, res.Diff.String()
			for _, d := range res.Diffs {
				if c := d.Codes[0]; c != nil && !opt.Dynamo {
					r.differing = append(r.differing, c)
				}
			}
		}
	}
	effects := equiv.Options{OpaqueNames: true, StableGlobal: stable(opt), AnyQualName: true, Replaced: opt.Dynamo, Lowered: funcs}
	var res equiv.Result
	for _, effects.BareUntil = range bareUntil(code, inner, opt) {
		effects.Bare = effects.BareUntil >= 0
		if res = equiv.CompareEffects(code, inner, effects); res.Equal {
			break
		}
	}
	r.Bare, r.BareUntil = effects.Bare, max(effects.BareUntil, 0)
	if res.Equal {
		r.Verdict, r.Detail, r.differing = Proved, "", nil
		if opt.Dynamo {
			r.replaced(code, inner, res.Functions)
			r.texts(res.Inner)
		}
	} else if opt.Dynamo {
		r.Verdict, r.Detail = Differs, res.Diff.String()
	}
}

// replaced finds out which code objects of the original the host puts in the place
// of the recompiled ones (Result.Functions).
func (r *Result) replaced(code, again *pyc.Code, pairs [][2]*pyc.Code) {
	before := slices.Collect(code.Inner())
	for b := range again.Inner() {
		at := -1
		for _, p := range pairs {
			i := slices.Index(before, p[0])
			switch {
			case p[1] != b:
			case at >= 0 && i != at:
				r.Verdict, r.Detail = Differs, fmt.Sprintf("one %s stands for two functions of the original", b.Name)
				return
			default:
				at = i
			}
		}
		r.Functions = append(r.Functions, Replaced{at, b.Name, b.FirstLine - again.FirstLine})
	}
}

// texts notes the functions inside whose text is not proven. The host runs the
// original's own code in their place.
func (r *Result) texts(diffs []equiv.Diff) {
	var names []string
	for _, d := range diffs {
		r.Texts = append(r.Texts, d.Codes[0])
		names = append(names, d.Codes[0].Name+" ("+d.Reason+")")
	}
	if len(names) > 0 && r.Verdict == Proved {
		r.Detail = "the text of functions inside of it is not proven, and their own code runs: " + strings.Join(names, ", ")
	}
}

// bareUntil says to which lines of the recompiled function, counted from its first, the
// host may take away the handler with which CPython makes a RuntimeError of a
// StopIteration that leaves a generator or coroutine (3.12+): 0 is to its end, -1 that it
// stays. Dynamo's code for a coroutine has none, and where the function's own code
// follows, that has it still: then each line may be where that begins.
func bareUntil(code, inner *pyc.Code, opt Options) []int {
	if !opt.Dynamo || code.Version < pyc.V312 || code.Flags&(pyc.FlagGenerator|pyc.FlagCoroutine|pyc.FlagAsyncGenerator) == 0 {
		return []int{-1}
	}
	f, err := bytecode.Decode(code)
	g, err2 := bytecode.Decode(inner)
	if err != nil || err2 != nil {
		return []int{-1}
	}
	from := len(f.Instrs)
	for _, h := range f.Handlers {
		if f.Instrs[h.Target].Op == opcode.StopIterationError {
			from = min(from, h.Start)
		}
	}
	switch raising := func(in bytecode.Instr) bool { return !in.Op.Silent() }; {
	case from == len(f.Instrs):
		return []int{0}
	case !slices.ContainsFunc(f.Instrs[:from], raising):
		return []int{-1}
	}
	lines := []int{-1}
	for i := range g.Instrs {
		if line := int(g.Instrs[i].Pos.Line) - inner.FirstLine; line > 0 && !slices.Contains(lines, line) && len(lines) < maxBareLines {
			lines = append(lines, line)
		}
	}
	return lines
}

// maxBareLines is how many lines are tried; Dynamo's part is a few statements.
const maxBareLines = 100

// stable says which globals may be read later than the original reads them:
// those that Dynamo installs.
func stable(opt Options) func(string) bool {
	if !opt.Dynamo {
		return nil
	}
	return cfg.StableGlobal
}

// OuterName is the name of the function that declares free variables.
const OuterName = "__depyf_outer__"

// capturing is a function whose parameters are the free variables of the code in its body.
func capturing(free []string, body ...pyast.Stmt) *pyast.FunctionDef {
	outer := &pyast.FunctionDef{Name: OuterName, Args: &pyast.Arguments{}, Body: body}
	for _, n := range free {
		outer.Args.Args = append(outer.Args.Args, &pyast.Arg{Arg: n})
	}
	return outer
}

func defName(name string) string {
	switch {
	case name == "<lambda>":
		return "lambda_"
	case !pyprint.ValidName(name):
		return strings.Trim(strings.Map(func(r rune) rune {
			if r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
				return r
			}
			return '_'
		}, name), "_")
	}
	return name
}

// uuidName is a compiled function's global since torch 2.9.
var uuidName = lazyregexp.New(`^(__compiled_fn_\d+)_[0-9a-f]{8}(?:_[0-9a-f]{4}){3}_[0-9a-f]{12}$`)

// idName is a global that holds an object found while compiling, named after
// the object's address.
var idName = lazyregexp.New(`^(___\w+?)_\d{7,}_c\d+$`)

// withStableNames adds a short name for every global that carries a UUID or an
// address or that no source can spell, unless two would share it.
func withStableNames(code *pyc.Code, given map[string]string) map[string]string {
	out := map[string]string{}
	taken := map[string]string{}
	for k, v := range given {
		out[k] = v
		taken[v] = k
	}
	for _, n := range code.Names {
		if _, ok := out[n]; ok {
			continue
		}
		short := n
		if m := uuidName.FindStringSubmatch(n); m != nil {
			short = m[1]
		} else if m := idName.FindStringSubmatch(n); m != nil {
			short = m[1]
		} else if !token.IsIdentifier(n) {
			short = noIdentifier.ReplaceAllString(n, "")
		}
		if short != n && token.IsIdentifier(short) && taken[short] == "" {
			taken[short] = n
			out[n] = short
		}
	}
	return out
}

// noIdentifier is what no identifier has: a comprehension in a lambda is
// __comprehension_<lambda>_at_12_3 to Dynamo.
var noIdentifier = lazyregexp.New(`[^\w]`)

func invert(m map[string]string) map[string]string {
	out := make(map[string]string, len(m))
	for k, v := range m {
		out[v] = k
	}
	return out
}

// restoreNames puts the real global names into recompiled code.
func restoreNames(c *pyc.Code, funcs map[*pyc.Code]*bytecode.Func, names map[string]string) {
	if f := funcs[c]; f != nil {
		for i := range f.Instrs {
			if in := &f.Instrs[i]; in.Op == opcode.LoadGlobal || in.Op == opcode.StoreGlobal || in.Op == opcode.DeleteGlobal {
				in.Name = cmp.Or(names[in.Name], in.Name)
			}
		}
	}
	for i, n := range c.Names {
		if real, ok := names[n]; ok {
			c.Names[i] = real
		}
	}
	for _, k := range c.Consts {
		if n, ok := k.(*pyc.Code); ok {
			restoreNames(n, funcs, names)
		}
	}
}

// rename shows globals under their short names.
func (u *unit) rename(f *bytecode.Func) {
	if len(u.opt.Rename) == 0 {
		return
	}
	f.Instrs = slices.Clone(f.Instrs)
	for i := range f.Instrs {
		in := &f.Instrs[i]
		if in.Op == opcode.LoadGlobal || in.Op == opcode.StoreGlobal || in.Op == opcode.DeleteGlobal {
			if s, ok := u.opt.Rename[in.Name]; ok {
				in.Name = s
			}
		}
	}
}

// Module decompiles the code object of a module.
func Module(code *pyc.Code, opt Options) (*Result, error) {
	if code == nil {
		return nil, fmt.Errorf("no code object")
	}
	r, _ := isolated(code, opt, opt.DispatchAll)
	return r, nil
}

// moduleText is what a module consists of.
func (u *unit) moduleText() []pyast.Stmt {
	list, err := u.suite()
	if err != nil {
		return u.stub(err)
	}
	return u.moduleBody(list)
}

// moduleBody adds what the statements of a module do not tell.
func (u *unit) moduleBody(list []pyast.Stmt) []pyast.Stmt {
	m := &pyast.Module{Body: u.annotated(list)}
	u.lostCells(m, &m.Body)
	return m.Body
}

// module writes the unit's module and compares. The error is what the compiler
// has against the text.
func (u *unit) module() (*Result, equiv.Result, map[pyast.Node]pyprint.Span, error) {
	code, opt := u.code, u.opt
	spans := map[pyast.Node]pyprint.Span{}
	var t standing
	p := &page{unit: u}
	if isClassBody(code) {
		t = u.standing(code.Name)
		p.list, p.makes, p.renames = t.list, t.makes, map[string]string{}
	} else {
		p.list = u.moduleText()
	}
	r := &Result{Problems: *u.problems}
	if err := whole.Run(p, u.watch()); err != nil {
		return r, equiv.Result{}, spans, err
	}
	tree := &pyast.Module{Body: p.list}
	if p.makes != nil {
		t.list = p.list
		tree = t.module()
	}
	if opt.Printed != nil {
		opt.Printed(tree)
	}
	text, err := pyprint.Print(tree, code.Version, pyprint.Options{Spans: spans, Definitions: true, Diamond: code.Diamond(), AsWritten: true})
	r.Source = text
	if err != nil {
		r.Problems = append(r.Problems, err.Error())
	}
	if opt.unproven() || opt.lowers() && u.limits.met() != nil {
		r.Verdict, r.Detail = Unproved, noInterpreter
		if len(r.Problems) > 0 {
			r.Verdict, r.Detail = Partial, strings.Join(r.Problems, "; ")
		}
		r.Objects = u.objects(spans, Unproved, nil)
		return r, equiv.Result{}, spans, nil
	}
	defer func() { r.settled(&opt) }()
	again, funcs, err := opt.again(tree, text, code.Filename, code.Version, code.Flags&pyc.FutureMask)
	if err != nil {
		r.Verdict, r.Detail = Differs, refused(&opt, err)
		r.Objects = u.objects(spans, Differs, nil)
		if opt.lowers() {
			err = nil // it says nothing of the text
		}
		return r, equiv.Result{}, spans, err
	}
	apart := p.makes != nil
	if apart {
		if again = t.find(again, code); again == nil {
			r.Verdict, r.Detail = Differs, "the recompiled source does not define "+code.Name
			return r, equiv.Result{}, spans, nil
		}
		restoreNames(again, funcs, p.renames)
		putInPlace(again, code)
	}
	res := equiv.Compare(code, again, equiv.Options{All: true, AnyQualName: apart, Lowered: funcs})
	left := u.proveRest(&res, funcs)
	defer func() { r.Objects = u.objects(spans, Exact, &res) }()
	switch {
	case res.Equal:
		r.Verdict = Exact
	case left == nil && len(r.Problems) == 0:
		r.Verdict = Proved
	case left != nil && len(r.Problems) == 0:
		r.Verdict, r.Detail = Differs, left.String()
	case len(r.Problems) > 0:
		r.Verdict, r.Detail = Partial, strings.Join(r.Problems, "; ")
	default:
		r.Verdict, r.Detail = Differs, res.Diff.String()
	}
	return r, res, spans, nil
}

// refused says that no code was made again of a text.
func refused(opt *Options, err error) string {
	if opt.lowers() {
		return err.Error()
	}
	return "the source does not compile: " + err.Error()
}

// withDeclarations puts the module's own `global` statements, which change how
// its names are stored, behind docstring and imports from __future__.
func (u *unit) withDeclarations(list []pyast.Stmt) []pyast.Stmt {
	decl := withoutImplied(u.declarations(), list)
	if !u.code.Version.ModulesAnnotateGlobals() {
		var behind []pyast.Stmt
		decl, behind = u.declaredInside(decl, list)
		list = slices.Concat(list, behind)
	}
	if len(decl) == 0 {
		return list
	}
	k := 0
	for k < len(list) {
		if e, ok := list[k].(*pyast.ExprStmt); ok && k == 0 {
			if _, ok := e.Value.(*pyast.Constant); ok {
				k++
				continue
			}
		}
		if f, ok := list[k].(*pyast.ImportFrom); ok && f.Module == "__future__" {
			k++
			continue
		}
		break
	}
	return append(append(append([]pyast.Stmt(nil), list[:k]...), decl...), list[k:]...)
}

// ModuleScore decompiles a module in the first way alone and returns the comparison
// with its recompiled source too.
func ModuleScore(code *pyc.Code, opt Options) (*Result, equiv.Result) {
	return isolated(code, opt, true)
}

// ModuleCompared decompiles as Module does, and returns all differences.
func ModuleCompared(code *pyc.Code, opt Options) (*Result, equiv.Result) {
	return isolated(code, opt, false)
}

// docAssigned reports whether an assignment to __doc__ may be the compiler's own.
func docAssigned(a *pyast.Assign, v pyc.Version) (*pyast.Constant, bool) {
	c, ok := a.Value.(*pyast.Constant)
	if !ok {
		return nil, false
	}
	s, ok := c.Value.(pyc.Str)
	return c, ok && pyprint.IsDocstring(string(s), v)
}

// moduleDocstring restores the docstring.
func moduleDocstring(list []pyast.Stmt, v pyc.Version) []pyast.Stmt {
	if len(list) == 0 {
		return list
	}
	if a, ok := list[0].(*pyast.Assign); ok && len(a.Targets) == 1 {
		n, ok := a.Targets[0].(*pyast.Name)
		if c, isDoc := docAssigned(a, v); ok && isDoc && n.Id == "__doc__" {
			list[0] = pyast.ES(c)
		}
	}
	return list
}
