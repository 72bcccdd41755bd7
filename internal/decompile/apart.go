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

// standing writes the unit for itself, under a name where it is a function's.
func (u *unit) standing(name string) standing {
	if isClassBody(u.code) {
		return u.classText()
	}
	if !u.opt.Dynamo {
		if t, ok := u.madeText(name); ok {
			return t
		}
	}
	def := u.def(name)
	return standing{[]pyast.Stmt{def}, def, name, "", u.code.FreeVars()}
}

// madeText writes what no def makes; false where a def does, or the code is of another shape than the compiler's.
func (u *unit) madeText(name string) (standing, bool) {
	switch c := u.code; {
	case isComprehension(c):
		return u.comprehensionText(name)
	case computesAnnotations(c):
		if u.opt.Name == "" {
			name = "annotated" // its function's own name is not known
		}
		return u.annotatedText(name)
	case c.Name == "<lambda>" && c.Flags&(pyc.FlagGenerator|pyc.FlagAsyncGenerator) != 0:
		return u.lambdaText(name)
	case strings.HasPrefix(c.Name, lift.GenericPrefix):
		return u.genericText()
	case isLazyValue(c):
		return u.aliasText()
	}
	return standing{}, false
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

// inText is standing of statements that define name.
func (u *unit) inText(list []pyast.Stmt, name string) standing {
	free := slices.DeleteFunc(u.code.FreeVars(), madeByClass)
	return standing{list, &pyast.FunctionDef{Args: &pyast.Arguments{}, Body: list}, name, u.code.Name, free}
}

// madeByClass reports whether a class statement makes the cell.
func madeByClass(name string) bool {
	return name == classDict || name == lift.ConditionalAnnotations
}

// nameApart is the name that the unit has in statements of its own: where they stand in a function, a global variable that the code
// reads would be what they define.
func (u *unit) nameApart() string {
	name := defName(u.code.Name)
	if u.opt.Dynamo {
		return name
	}
	return u.unlikeGlobals(name)
}

// unlikeGlobals is the name, or a fresh one where the code has variables from a function around it and reads a global one of the name.
func (u *unit) unlikeGlobals(name string) string {
	if len(u.code.FreeVars()) > 0 && readsGlobal(u.code, name) {
		return u.freshName(name)
	}
	return name
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
		p := &page{unit: u, list: u.moduleBody(list)}
		if err := whole.Run(p, nil); err != nil {
			return nil, nil
		}
		return &pyast.Module{Body: p.list}, func(m *pyc.Code) *pyc.Code { return m }
	}
	t := u.standing(u.nameApart())
	if t.inside == "" && strings.HasPrefix(c.Name, "<") && c.Name != "<lambda>" {
		return nil, nil // it is part of an expression
	}
	if u.outer == nil || u.outer.class == "" {
		return t.module(), func(m *pyc.Code) *pyc.Code { return t.find(m, c) }
	}
	class := u.outer.class
	t.list = []pyast.Stmt{&pyast.ClassDef{Name: class, Body: t.list}}
	return t.module(), func(m *pyc.Code) *pyc.Code { return t.find(innerCode(m, class, false), c) } // a class in it may be its namesake
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
	return innerCode(m, cmp.Or(t.inside, t.name), c.IsFunction())
}

// innerCode is the first code object in that of m, itself aside, with the name: a function's, or a class's.
func innerCode(m *pyc.Code, name string, function bool) *pyc.Code {
	if m == nil {
		return nil
	}
	for _, k := range m.All()[1:] {
		if k.Name == name && k.IsFunction() == function {
			return k
		}
	}
	return nil
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
	return slices.ContainsFunc(c.All(), func(c *pyc.Code) bool {
		if !slices.Contains(c.Names, name) {
			return false
		}
		f, err := bytecode.Decode(c)
		return err == nil && slices.ContainsFunc(f.Instrs, func(in bytecode.Instr) bool {
			return in.Name == name && (in.Op == opcode.LoadGlobal || in.Op == opcode.LoadName || in.Op == opcode.LoadFromDictOrGlobals)
		})
	})
}
