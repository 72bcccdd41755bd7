package lower

import (
	"github.com/thuml/depyf/internal/pyast"
	"github.com/thuml/depyf/internal/pyc"
)

// Symbols is what the symbol table of a text says of the names in a function, class, comprehension or module.
type Symbols struct {
	Cells, Free map[string]bool
	Bound       map[string]bool // in the code itself
	// The names of a comprehension in the table's order, which is that of what is put aside for it; all of them, and those that it binds.
	Order, BoundHere []string
	// What is read as a global variable without being declared one, by the code itself and by the functions and classes
	// inside of it. That is not the same: what one comprehension binds is the function's own variable for
	// those behind it, but not for functions.
	Itself, Inside map[string]bool
}

// SymbolsOf makes the symbol table of the text of a function, class or comprehension, or of a module. captured are the variables that it has
// from outside.
func SymbolsOf(node pyast.Node, captured []string, v pyc.Version, future bool) Symbols {
	m, isModule := node.(*pyast.Module)
	outer := &pyast.FunctionDef{Name: "_", Args: &pyast.Arguments{}}
	if !isModule {
		for _, n := range captured {
			outer.Args.Args = append(outer.Args.Args, &pyast.Arg{Arg: n})
		}
		switch n := node.(type) {
		case *pyast.FunctionDef:
			named := *n
			named.Name = "" // which is no variable that the function could read
			node = &named
			outer.Body = []pyast.Stmt{&named}
		case pyast.Stmt:
			outer.Body = []pyast.Stmt{n}
		case pyast.Expr:
			outer.Body = []pyast.Stmt{pyast.ES(n)}
		}
		m = &pyast.Module{Body: []pyast.Stmt{outer}}
	}
	t := newTable(m, v, future)
	s, around := t.module, (*scope)(nil)
	if !isModule {
		s, around = t.at[node], t.at[outer]
	}
	y := Symbols{
		Cells: map[string]bool{}, Free: map[string]bool{}, Bound: map[string]bool{}, Itself: map[string]bool{}, Inside: map[string]bool{},
		Order: s.order,
	}
	for _, n := range s.order {
		if s.use(n)&isLocal != 0 && s.use(n)&isNonlocal == 0 {
			y.BoundHere = append(y.BoundHere, n)
		}
		if s.use(n)&isLocal != 0 {
			y.Bound[n] = true
		}
	}
	for _, n := range s.cells() {
		y.Cells[n] = true
	}
	for _, n := range s.frees() {
		y.Free[n] = true
	}
	var visit func(s *scope, read map[string]bool)
	visit = func(s *scope, read map[string]bool) {
		for _, n := range s.order {
			if s.where(n) == globalImplicit || s.use(n)&isNonlocal != 0 && !s.boundAround(n, around) {
				read[n] = true
			}
		}
		for _, c := range s.children {
			visit(c, y.Inside)
		}
		for _, c := range s.comprised {
			if v.ComprehensionsKeepScopes() {
				visit(c, read)
			}
		}
	}
	visit(s, y.Itself)
	return y
}

// boundAround reports whether a scope between s and outer, or outer itself, has the variable that s declares nonlocal.
func (s *scope) boundAround(name string, outer *scope) bool {
	for s != outer && s.parent != nil {
		s = s.parent
		if p := s.where(name); s.kind != classScope && (p == localPlace || p == cellPlace) {
			return true
		}
	}
	return false
}
