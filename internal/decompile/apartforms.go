package decompile

import (
	"slices"
	"strings"

	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/lift"
	"github.com/thuml/depyf/internal/pyast"
	"github.com/thuml/depyf/internal/pyc"
)

// The texts of code that no def makes, each in the form that apart.go lists.

// isComprehension reports whether c is the code of a comprehension or generator expression,
// which takes what it goes over as a parameter without a name.
func isComprehension(c *pyc.Code) bool {
	switch c.Name {
	case "<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>":
		return c.IsFunction() && c.ArgCount == 1 && c.VarNames()[0] == ".0"
	}
	return false
}

// comprehensionText is a function that returns the unit's comprehension. From 3.12 on the compiler writes one
// into the code around it, but for generator expressions, and from 3.13 on in what a class computes when it is asked.
func (u *unit) comprehensionText(name string) (standing, bool) {
	param := u.freshName("iterable")
	e, err := u.expression(func(list []pyast.Stmt) (pyast.Expr, error) {
		return u.comprehension(u.code.Name, list, pyast.N(param))
	})
	if err != nil {
		return standing{}, false
	}
	u.mentionLeftOut(e)
	if u.code.Name != "<genexpr>" && u.code.Version.InlinesComprehensions() {
		class := u.freshName("Class")
		alias := &pyast.TypeAlias{Name: pyast.N(name), Value: e}
		return u.inText([]pyast.Stmt{&pyast.ClassDef{Name: class, Body: []pyast.Stmt{alias}}}, class), true
	}
	// What a walrus stores belongs to code further outside than this function.
	body := append(u.declarations(), &pyast.Return{Value: e})
	def := &pyast.FunctionDef{Name: name, Args: &pyast.Arguments{Args: []*pyast.Arg{{Arg: param}}}, Body: body}
	def.Line = u.code.FirstLine
	def.IsAsync = u.code.Flags&(pyc.FlagCoroutine|pyc.FlagAsyncGenerator) != 0
	return standing{[]pyast.Stmt{def}, def, name, u.code.Name, u.code.FreeVars()}, true
}

// isClassBody reports whether c is the body of a class.
func isClassBody(c *pyc.Code) bool { return !c.IsFunction() && !strings.HasPrefix(c.Name, "<") }

// typeParams is the cell in which a generic class finds its type parameters. Which of its free variables are
// some is not known; they are taken for those of a function around the class.
const typeParams = ".type_params"

// classText is a class statement with the unit's body. What the class inherits and the decorators are
// written in the code around it.
func (u *unit) classText() standing {
	name := u.unlikeGlobals(u.code.Name) // in a function, the global would be this class
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
	list := []pyast.Stmt{class}
	free := slices.DeleteFunc(u.code.FreeVars(), func(n string) bool { return n == typeParams })
	return standing{list, &pyast.FunctionDef{Args: &pyast.Arguments{}, Body: list}, name, "", free}
}

// lambdaText gives the lambda a name: one that yields returns nothing by itself, as a def does.
func (u *unit) lambdaText(name string) (standing, bool) {
	e, err := u.expression(u.asValue)
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
		name = v.Fn().Code.Name
		positional, keyword := v.Fn().TakesDefaults()
		if positional {
			v.Fn().Defaults = []pyast.Expr{dots()}
		}
		if last := v.Fn().Code.VarNames(); keyword {
			v.Fn().KwDefaults = []*pyast.Keyword{{Arg: last[v.Fn().Code.ArgCount+v.Fn().Code.KwOnlyArgCount-1], Value: dots()}}
		}
		s, err = u.Function(v.Fn(), defName(name))
	case lift.KClass:
		name = v.Class().Name
		s, err = u.Class(v.Class(), name)
	case lift.KAlias:
		name = v.Alias().Name
		s = &pyast.TypeAlias{Name: pyast.N(name), TypeParams: v.Alias().Params, Value: v.Alias().Value}
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
	list, err := u.lazyBody()
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
	if c.Name != "__annotate__" {
		return false
	}
	f, err := bytecode.Decode(c)
	return err == nil && lift.ComputesAnnotations(f)
}
