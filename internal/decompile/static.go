package decompile

import (
	"slices"

	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyast"
	"github.com/thuml/depyf/internal/pyc"
)

// staticAttributes are the attributes that the methods of the class at hand store in what
// they call self, as written (3.13+).
func (u *unit) staticAttributes() (names []string) {
	instrs := u.decoded()
	for i := 1; i < len(instrs); i++ {
		if instrs[i].Op != opcode.StoreName || instrs[i].Name != "__static_attributes__" || instrs[i-1].Op != opcode.LoadConst {
			continue
		}
		t, _ := instrs[i-1].Const.(pyc.Tuple)
		for _, c := range t {
			if s, ok := c.(pyc.Str); ok {
				names = append(names, string(s))
			}
		}
		return names
	}
	return nil
}

// writtenMangled are the private names that the class at hand has in their mangled form:
//
//	class C:
//	    def f(self):
//	        self._C__x = 1   # __static_attributes__ = ("_C__x",)
func (u *unit) writtenMangled() map[string]bool {
	if !u.code.Version.HasStaticAttributes() {
		return nil
	}
	names := u.staticAttributes()
	u.instrs = nil // their names are not known yet
	var out map[string]bool
	for _, n := range names {
		if short := u.unmangleName(n); short != n && !slices.Contains(names, short) {
			if out == nil {
				out = map[string]bool{}
			}
			out[n] = true
		}
	}
	return out
}

// lostAttributes puts the attributes that only code which is never reached stores into a
// method of the class: the compiler has left that code out, but not the names.
func (u *unit) lostAttributes(def *pyast.ClassDef) {
	if !u.code.Version.HasStaticAttributes() {
		return
	}
	there := map[string]bool{}
	var method *pyast.FunctionDef
	pyast.InspectStmts(def.Body, func(n pyast.Node) bool {
		switch x := n.(type) {
		case *pyast.ClassDef:
			return false
		case *pyast.FunctionDef:
			if a := x.Args; len(a.Args) > 0 && a.Args[0].Arg == "self" {
				method = x
			}
		}
		eachTarget(n, func(target pyast.Expr) {
			if x, ok := target.(*pyast.Attribute); ok && isName(x.Value, "self") {
				there[x.Attr] = true
			}
		})
		return true
	})
	var lost []pyast.Stmt
	for _, n := range u.staticAttributes() {
		if !there[n] {
			lost = append(lost, pyast.AssignS(pyast.Attr(pyast.N("self"), n), pyast.None()))
		}
	}
	if len(lost) == 0 {
		return
	}
	if method == nil { // only what a function in the class stores is one
		self := &pyast.Arguments{Args: []*pyast.Arg{{Arg: "self"}}}
		def.Body = append(def.Body, unrun(&pyast.FunctionDef{Name: u.unusedName(), Args: self, Body: lost}))
		return
	}
	method.Body = append(method.Body, unrun(lost...))
}

// eachTarget calls f for the targets that n stores to; an augmented assignment adds no static
// attribute.
func eachTarget(n pyast.Node, f func(pyast.Expr)) {
	visit := func(target pyast.Expr) { eachPart(target, f) }
	switch x := n.(type) {
	case *pyast.Assign:
		for _, t := range x.Targets {
			visit(t)
		}
	case *pyast.AnnAssign:
		if x.Value != nil {
			visit(x.Target)
		}
	case *pyast.For:
		visit(x.Target)
	case *pyast.Comprehension:
		visit(x.Target)
	case *pyast.WithItem:
		visit(x.OptionalVars)
	}
}

// eachPart calls f for the parts of a target that each store one value: those of a tuple or list in turn.
func eachPart(target pyast.Expr, f func(pyast.Expr)) {
	switch x := target.(type) {
	case *pyast.Tuple:
		for _, y := range x.Elts {
			eachPart(y, f)
		}
	case *pyast.List:
		for _, y := range x.Elts {
			eachPart(y, f)
		}
	case *pyast.Starred:
		eachPart(x.Value, f)
	case nil:
	default:
		f(target)
	}
}
