package decompile

import (
	"cmp"
	"slices"
	"strings"

	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/lift"
	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyast"
	"github.com/thuml/depyf/internal/pyc"
)

// What stands for itself: code without the text around it, as a caller hands over a function,
// the search tries one, and a debugger sees a frame. The compiler makes it again of the smallest
// text that has such code:
//
//	function         def f(a): …
//	comprehension    def genexpr(iterable): return (… for x in iterable)
//	class body       class C: …
//	__annotate__     def f(a: int): …, or the variables of a class or module (3.14+)
//	type parameters  def f[T](a): …, class C[T]: …, type Y[T] = …
//	lazy value       type Y = …; a bound or default of a type parameter has such code, too
//
// Free variables are the parameters of a function around that.

// standing is a code object's text by itself.
type standing struct {
	list   []pyast.Stmt
	makes  *pyast.FunctionDef // its function, or one with the same statements
	name   string             // what the text defines, "" for variables of a module
	inside string             // see Result.Inside
	free   []string           // what a function around it has as parameters
}

// standing writes the unit for itself under a name.
func (u *unit) standing(name string) standing {
	free := u.code.FreeVars()
	if isClassBody(u.code) {
		class := u.classDef()
		free = slices.DeleteFunc(free, func(n string) bool { return n == typeParams })
		return standing{[]pyast.Stmt{class}, &pyast.FunctionDef{Args: &pyast.Arguments{}, Body: []pyast.Stmt{class}}, class.Name, "", free}
	}
	if !u.opt.Dynamo {
		made := func() (standing, bool) { return standing{}, false }
		switch {
		case isComprehension(u.code):
			def := u.comprehensionDef(name)
			switch {
			case def == nil:
			case u.code.Name != "<genexpr>" && u.code.Version.InlinesComprehensions():
				// Alone in what a class computes when it is asked the compiler does not write one into the code around it.
				value := def.Body[len(def.Body)-1].(*pyast.Return).Value
				class := u.freshName("Class")
				alias := &pyast.TypeAlias{Name: pyast.N(name), Value: value}
				return u.inText([]pyast.Stmt{&pyast.ClassDef{Name: class, Body: []pyast.Stmt{alias}}}, class)
			default:
				return standing{[]pyast.Stmt{def}, def, name, u.code.Name, free}
			}
		case computesAnnotations(u.code):
			if u.opt.Name == "" {
				name = "annotated" // its function's own name is not known
			}
			made = func() (standing, bool) { return u.annotatedText(name) }
		case u.code.Name == "<lambda>" && u.code.Flags&(pyc.FlagGenerator|pyc.FlagAsyncGenerator) != 0:
			made = func() (standing, bool) { return u.lambdaText(name) }
		case strings.HasPrefix(u.code.Name, lift.GenericPrefix):
			made = u.genericText
		case isLazyValue(u.code):
			made = u.aliasText
		}
		if t, ok := made(); ok {
			return t
		}
	}
	def := u.def(name)
	return standing{[]pyast.Stmt{def}, def, name, "", free}
}

// inClass is standing of a statement that defines name, in a class where the code has the cell of one.
func (u *unit) inClass(s pyast.Stmt, name string) standing {
	if slices.Contains(u.code.FreeVars(), classDict) {
		class := "Class"
		if path := strings.Split(u.code.QualName, "."); len(path) > 1 {
			class = path[len(path)-2]
		}
		if name = defName(class); slices.ContainsFunc(u.code.FreeVars(), func(n string) bool { return !madeByClass(n) }) {
			name = u.freshName(name) // in a function, the code's global of that name would be the class
		}
		s = &pyast.ClassDef{Name: name, Body: []pyast.Stmt{s}}
	}
	return u.inText([]pyast.Stmt{s}, name)
}

func (u *unit) inText(list []pyast.Stmt, name string) standing {
	free := slices.DeleteFunc(u.code.FreeVars(), madeByClass)
	return standing{list, &pyast.FunctionDef{Args: &pyast.Arguments{}, Body: list}, name, u.code.Name, free}
}

// madeByClass reports whether a class statement makes the cell.
func madeByClass(name string) bool {
	return name == classDict || name == lift.ConditionalAnnotations
}

// isComprehension reports whether c is the code of a comprehension or generator expression,
// which takes what it goes over as a parameter without a name.
func isComprehension(c *pyc.Code) bool {
	switch c.Name {
	case "<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>":
		return c.IsFunction() && c.ArgCount == 1 && c.VarNames()[0] == ".0"
	}
	return false
}

// isClassBody reports whether c is the body of a class.
func isClassBody(c *pyc.Code) bool { return !c.IsFunction() && !strings.HasPrefix(c.Name, "<") }

// comprehensionDef is a function of that name that returns the unit's comprehension; nil where
// that has no text.
func (u *unit) comprehensionDef(name string) *pyast.FunctionDef {
	param := u.freshName("iterable")
	e, err := u.expression(func(list []pyast.Stmt) (pyast.Expr, error) {
		return u.comprehension(u.code.Name, list, pyast.N(param))
	})
	if err != nil {
		return nil
	}
	u.mentionLeftOut(e)
	// What a walrus stores belongs to code further outside than this function.
	body := append(u.declarations(), &pyast.Return{Value: e})
	def := &pyast.FunctionDef{Name: name, Args: &pyast.Arguments{Args: []*pyast.Arg{{Arg: param}}}, Body: body}
	def.Line = u.code.FirstLine
	def.IsAsync = u.code.Flags&(pyc.FlagCoroutine|pyc.FlagAsyncGenerator) != 0
	return def
}

// freshName is the name, or one like it that no code in the unit's has.
func (u *unit) freshName(name string) string {
	taken := map[string]bool{}
	mentioned(u.code, taken)
	for taken[name] {
		name += "_"
	}
	return name
}

// readsGlobal reports whether c, or code in it, reads the global variable.
func readsGlobal(c *pyc.Code, name string) bool {
	return slices.ContainsFunc(allCodes(c), func(c *pyc.Code) bool {
		if !slices.Contains(c.Names, name) {
			return false
		}
		f, err := bytecode.Decode(c)
		return err == nil && slices.ContainsFunc(f.Instrs, func(in bytecode.Instr) bool {
			return in.Name == name && (in.Op == opcode.LoadGlobal || in.Op == opcode.LoadName || in.Op == opcode.LoadFromDictOrGlobals)
		})
	})
}

// typeParams is the cell in which a generic class finds its type parameters. Which of its free variables are
// some is not known; they are taken for those of a function around the class.
const typeParams = ".type_params"

// classDef is a class statement with the unit's body. What the class inherits and the decorators are
// written in the code around it.
func (u *unit) classDef() *pyast.ClassDef {
	name := u.code.Name
	if len(u.code.FreeVars()) > 0 && readsGlobal(u.code, name) {
		name = u.freshName(name) // in a function, the global would be this class
	}
	if u.outer == nil {
		u.class = name
		u.mangled = u.writtenMangled()
	}
	class := &pyast.ClassDef{Name: name}
	class.Line = u.code.FirstLine
	u.nodes[u.code] = class
	u.classSuite(class)
	if slices.Contains(u.code.FreeVars(), typeParams) {
		class.TypeParams = []pyast.TypeParam{&pyast.TypeVar{Name: u.freshName("T")}}
	}
	return class
}

// lambdaText gives the lambda a name: one that yields returns nothing by itself, as a def does.
func (u *unit) lambdaText(name string) (standing, bool) {
	e, err := u.expression(asExpr)
	if err != nil {
		return standing{}, false
	}
	s := &pyast.Assign{Targets: []pyast.Expr{pyast.N(name)}, Value: &pyast.Lambda{Args: u.arguments(), Body: e}}
	return u.inText([]pyast.Stmt{s}, name), true
}

// annotatedText is what the compiler makes the unit's __annotate__ function of: a function of that name,
// or the variables of a class or module. False where its body is of another shape.
func (u *unit) annotatedText(name string) (standing, bool) {
	body, err := u.annotateBody()
	if err != nil {
		return standing{}, false
	}
	if params, ok := parameters(body); ok {
		return u.inClass(u.annotatedDef(name, params), name), true
	}
	vars, ok := variables(body)
	if !ok {
		return standing{}, false
	}
	class := "" // around them
	if path := strings.Split(u.code.QualName, "."); len(path) > 1 {
		class = defName(path[len(path)-2])
	}
	var list []pyast.Stmt
	for _, a := range vars {
		var s pyast.Stmt = &pyast.AnnAssign{Target: pyast.N(a.name), Annotation: u.futureAnnotation(a.value), Simple: true}
		if a.mark >= 0 && class != "" {
			s = &pyast.If{Test: dots(), Body: []pyast.Stmt{s}} // some condition
		}
		list = append(list, s)
	}
	if class != "" {
		list = []pyast.Stmt{&pyast.ClassDef{Name: class, Body: list}}
	}
	return u.inText(list, class), true
}

// dots is what stands for an expression that only the code around knows.
func dots() pyast.Expr { return &pyast.Constant{Value: pyc.Ellipsis{}} }

// genericText is the generic function, class or alias whose type parameters the unit makes. How many defaults
// a function has is not known: it has one of the kinds that it is handed.
func (u *unit) genericText() (standing, bool) {
	v, err := u.generic(&lift.Func{Code: u.code})
	if err != nil {
		return standing{}, false
	}
	var s pyast.Stmt
	var name string
	switch v.Kind {
	case lift.KFunc:
		name = v.Fn.Code.Name
		positional, keyword := v.Fn.TakesDefaults()
		if positional {
			v.Fn.Defaults = []pyast.Expr{dots()}
		}
		if last := v.Fn.Code.VarNames(); keyword {
			v.Fn.KwDefaults = []*pyast.Keyword{{Arg: last[v.Fn.Code.ArgCount+v.Fn.Code.KwOnlyArgCount-1], Value: dots()}}
		}
		s, err = u.Function(v.Fn, defName(name))
	case lift.KClass:
		name = v.Class.Name
		s, err = u.Class(v.Class, name)
	case lift.KAlias:
		name = v.Alias.Name
		s = &pyast.TypeAlias{Name: pyast.N(name), TypeParams: v.Alias.Params, Value: v.Alias.Value}
	}
	if s == nil || err != nil {
		return standing{}, false
	}
	return u.inClass(s, name), true
}

// annotatedDef is a function whose parameters have these annotations. Of which kind they are is not known:
// the order is.
func (u *unit) annotatedDef(name string, params []*pyast.Keyword) *pyast.FunctionDef {
	def := &pyast.FunctionDef{Name: name, Args: &pyast.Arguments{}, Body: []pyast.Stmt{&pyast.Pass{}}}
	for _, k := range params {
		arg := &pyast.Arg{Arg: k.Arg, Annotation: u.futureAnnotation(k.Value)}
		switch _, starred := k.Value.(*pyast.Starred); {
		case k.Arg == "return":
			def.Returns = arg.Annotation
		case starred:
			def.Args.VarArg = arg
		case def.Args.VarArg != nil:
			def.Args.KwOnlyArgs = append(def.Args.KwOnlyArgs, arg)
			def.Args.KwDefaults = append(def.Args.KwDefaults, nil)
		default:
			def.Args.Args = append(def.Args.Args, arg)
		}
	}
	return def
}

// isLazyValue reports whether c computes what a type alias stands for, a bound or a default, as far as
// that can be told: until 3.13 such code is a function's, if it is not in a class.
func isLazyValue(c *pyc.Code) bool {
	if !c.IsFunction() || strings.HasPrefix(c.Name, "<") {
		return false
	}
	if c.Version.AnnotationsAreLazy() {
		return c.ArgCount == 1 && c.VarNames()[0] == ".format"
	}
	return c.ArgCount == 0 && slices.Contains(c.FreeVars(), classDict)
}

// aliasText is a type alias whose value the unit computes, or one whose parameter has it for a default: `*X` is a
// default alone. False where its body is of another shape.
func (u *unit) aliasText() (standing, bool) {
	body := u.body
	if u.code.Version.AnnotationsAreLazy() {
		body = u.annotateBody
	}
	list, err := body()
	if err != nil {
		return standing{}, false
	}
	value, err := asExpr(list)
	if err != nil {
		return standing{}, false
	}
	name := u.code.Name
	if len(u.code.FreeVars()) > 0 {
		name = u.freshName(name)
	}
	alias := &pyast.TypeAlias{Name: pyast.N(name), Value: value}
	if _, starred := value.(*pyast.Starred); starred {
		alias.TypeParams = []pyast.TypeParam{&pyast.TypeVarTuple{Name: name, DefaultValue: value}}
		alias.Name, alias.Value = pyast.N(u.freshName("Alias")), pyast.N(name)
	}
	t := u.inClass(alias, alias.Name.(*pyast.Name).Id)
	t.inside = name
	return t, true
}

// computesAnnotations reports whether c is an __annotate__ function that the compiler made.
func computesAnnotations(c *pyc.Code) bool {
	f, err := bytecode.Decode(c)
	return err == nil && lift.ComputesAnnotations(f)
}

// apart writes the unit as a module of its own, in statements that give its names the meaning that
// they have where it stands, and says where in that module's code its own is. Nil where it has no text.
func (u *unit) apart() (*pyast.Module, func(*pyc.Code) *pyc.Code) {
	c := u.code
	if u.outer == nil && !c.IsFunction() && !isClassBody(c) {
		list, err := u.body()
		if err != nil {
			return nil, nil
		}
		p := &page{unit: u, list: u.annotated(list)}
		if err := whole.Run(p, nil); err != nil {
			return nil, nil
		}
		return &pyast.Module{Body: p.list}, func(m *pyc.Code) *pyc.Code { return m }
	}
	t := u.standing(defName(c.Name))
	if t.inside == "" && strings.HasPrefix(c.Name, "<") && c.Name != "<lambda>" {
		return nil, nil // it is part of an expression
	}
	if u.outer != nil && u.outer.class != "" {
		t.list = []pyast.Stmt{&pyast.ClassDef{Name: u.outer.class, Body: t.list}}
	}
	return t.module(), func(m *pyc.Code) *pyc.Code { return t.find(m, c) }
}

// module is the text as a module's tree.
func (t *standing) module(then ...pyast.Stmt) *pyast.Module {
	if len(t.free) == 0 {
		return &pyast.Module{Body: t.list}
	}
	return &pyast.Module{Body: []pyast.Stmt{capturing(t.free, append(slices.Clone(t.list), then...)...)}}
}

// find returns what stands for c in the code of the module; nil where nothing does.
func (t *standing) find(m, c *pyc.Code) *pyc.Code {
	name := cmp.Or(t.inside, t.name)
	for _, k := range allCodes(m)[1:] {
		if k.Name == name && k.IsFunction() == c.IsFunction() {
			return k
		}
	}
	return nil
}
