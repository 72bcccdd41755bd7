package decompile

import (
	"slices"

	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/cfg"
	"github.com/thuml/depyf/internal/lift"
	"github.com/thuml/depyf/internal/lower"
	"github.com/thuml/depyf/internal/pyast"
	"github.com/thuml/depyf/internal/pyc"
	"github.com/thuml/depyf/internal/pyprint"
)

// The compiler leaves out code that nothing reaches, but not what its symbol table says of the variables there. The text has
// no such code, and what it lacks is added: statements that nothing reaches, which mention the variables. What it lacks
// is asked of its own symbol table, and not of the instructions, for the text may have left out code that these have.

// symbols asks the symbol table of the text of the unit.
func (u *unit) symbols(node pyast.Node) lower.Symbols {
	var free []string
	for _, n := range u.code.FreeVars() {
		free = append(free, n, u.unmangleName(n)) // in the text of a class the table mangles it
	}
	return lower.SymbolsOf(node, free, u.code.Version, u.code.FutureAnnotations())
}

// missing lists the names, as they are written, that the text does not have and can have.
func (u *unit) missing(names []string, has map[string]bool) (out []string) {
	for _, n := range names {
		if name := u.unmangleName(n); !has[n] && !has[name] && pyprint.ValidName(name) && ownCell(name) == nil {
			out = append(out, name)
		}
	}
	return out
}

// lostCells adds to a body what asks for the cells that the code of a function, class or module has and the text has not.
//
//	return; lambda: x    →    MAKE_CELL x; RETURN_VALUE
func (u *unit) lostCells(node pyast.Node, body *[]pyast.Stmt) {
	cells := u.code.CellVars()
	if len(cells) == 0 {
		return
	}
	text := u.symbols(node)
	for _, n := range u.missing(cells, text.Cells) {
		var s pyast.Stmt = pyast.ES(comprising(n))
		if u.code.IsFunction() && !u.isGlobal(n) {
			s = pyast.AssignS(pyast.N(n), u.capturing(n))
		}
		*body = append(*body, unrun(s))
	}
	for _, n := range []string{lift.ConditionalAnnotations, classDict, "__class__"} {
		if slices.Contains(cells, n) && !text.Cells[n] {
			s := ownCell(n)
			if n == lift.ConditionalAnnotations && isClassBody(u.code) && !slices.Contains(cells, classDict) {
				s = &pyast.ClassDef{Name: "_", Body: []pyast.Stmt{unrun(s)}} // a class inside has such, and the one around gets the cell, too
			}
			*body = append(*body, unrun(s))
			text = u.symbols(node) // conditional annotations ask for the names of the class as well
		}
	}
}

// isGlobal reports whether the code, or a function in it, uses the name as that of a global variable: if it has a cell of the name as well, that is
// a comprehension's whose code stands in its own (3.12+).
func (u *unit) isGlobal(name string) bool {
	return u.readGlobalInside(name) || slices.ContainsFunc(u.decoded(), func(in bytecode.Instr) bool { return in.Name == name && namesGlobal(in.Op) })
}

// comprising is a comprehension with a variable that a function in it captures.
func comprising(name string) pyast.Expr {
	return &pyast.ListComp{
		Elt:        lambda(pyast.N(name)),
		Generators: []*pyast.Comprehension{overNothing(pyast.N(name))},
	}
}

func lambda(e pyast.Expr) pyast.Expr { return &pyast.Lambda{Args: &pyast.Arguments{}, Body: e} }

// capturing is a function that captures the variable: a lambda of the code that nothing which is reached loads, if there is one, for
// then it is what the compiler has left out.
func (u *unit) capturing(name string) pyast.Expr {
	loads := func(k *pyc.Code) bool {
		return u.made != nil && slices.ContainsFunc(u.made.Blocks, func(b *cfg.Block) bool {
			return !b.Dead && slices.ContainsFunc(b.Instrs, func(in bytecode.Instr) bool { return in.Const == pyc.Const(k) })
		})
	}
	for k := range u.code.Inner() {
		if k.Name == "<lambda>" && slices.Contains(k.FreeVars(), name) && !loads(k) {
			if e, err := u.Lambda(&lift.Func{Code: k}); err == nil {
				return e
			}
		}
	}
	return lambda(pyast.N(name))
}

// ownCell is what asks for a cell that the compiler makes for a class, or a module, by itself; nil for another name.
func ownCell(name string) pyast.Stmt {
	switch name {
	case lift.ConditionalAnnotations:
		return &pyast.AnnAssign{Target: pyast.Attr(&pyast.Tuple{}, "_"), Annotation: pyast.None()}
	case classDict:
		return &pyast.TypeAlias{Name: pyast.N("_"), Value: pyast.None()}
	case "__class__":
		return pyast.ES(lambda(pyast.N(name)))
	}
	return nil
}

// lostFree declares, in front, or mentions the variables that a function or class has from outside and the text has not.
func (u *unit) lostFree(def pyast.Stmt) (front, behind []pyast.Stmt) {
	if len(u.code.FreeVars()) == 0 {
		return nil, nil
	}
	text := u.symbols(def)
	var names []string
	for _, n := range u.missing(u.code.FreeVars(), text.Free) {
		switch {
		case u.typeParameter(n) && (!u.code.IsFunction() || u.code.Version.AnnotationsAreLazy()):
			behind = append(behind, unrun(pyast.ES(pyast.N(n))))
		case u.typeParameter(n): // which no `nonlocal` may name: an annotation of a local variable uses it (3.12 and 3.13)
			front = append(front, &pyast.AnnAssign{Target: pyast.N(u.unusedName()), Annotation: pyast.N(n), Simple: true})
		case u.ownName(u.decoded(), n) || !u.code.IsFunction() && text.Bound[n]: // a function in the class has it; an annotation binds a name, too
			behind = append(behind, unrun(pyast.ES(lambda(pyast.N(n)))))
		default:
			names = append(names, n)
		}
	}
	if len(names) > 0 {
		front = append([]pyast.Stmt{&pyast.Nonlocal{Names: names}}, front...)
	}
	if u.code.IsFunction() && slices.Contains(u.code.FreeVars(), "__class__") && !text.Free["__class__"] {
		behind = append(behind, unrun(pyast.ES(pyast.N("__class__"))))
	}
	return front, behind
}

// declared joins declarations, of which each list has at most one `nonlocal` statement.
func declared(decls, more []pyast.Stmt) []pyast.Stmt {
	nonlocal := func(s pyast.Stmt) bool { _, ok := s.(*pyast.Nonlocal); return ok }
	i, k := slices.IndexFunc(decls, nonlocal), slices.IndexFunc(more, nonlocal)
	if i >= 0 && k >= 0 {
		both := &pyast.Nonlocal{Names: slices.Concat(decls[i].(*pyast.Nonlocal).Names, more[k].(*pyast.Nonlocal).Names)}
		return slices.Concat(decls[:i], []pyast.Stmt{both}, decls[i+1:], slices.Delete(more, k, k+1))
	}
	return slices.Concat(decls, more)
}

// unrun are statements that the compiler leaves out.
func unrun(list ...pyast.Stmt) pyast.Stmt {
	return &pyast.If{Test: pyast.Bool(false), Body: list}
}
