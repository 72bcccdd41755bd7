package lower

import (
	"slices"

	"github.com/thuml/depyf/internal/pyast"
	"github.com/thuml/depyf/internal/pyc"
)

// kind says what a scope belongs to.
type kind uint8

const (
	moduleScope kind = iota
	classScope
	functionScope   // def, lambda and comprehensions
	annotationScope // __annotate__ (3.14+)
	typeParamScope  // what stands around a generic function, class or alias
	typeScope       // the value of an alias, a bound, a default
)

// comprehension kinds of a function scope.
type compKind uint8

const (
	noComp compKind = iota
	listComp
	setComp
	dictComp
	genExp
)

// use says how a name occurs in a scope.
type use uint16

const (
	isGlobal use = 1 << iota // declared global
	isNonlocal
	isLocal // assigned
	isParam
	isUsed
	isImported
	isTypeParam
	isFreeClass // a class assigns what a function inside reads from further out
	isCompCell  // a cell of a comprehension that is inlined
	isAnnotated

	bound = isLocal | isParam | isImported | isTypeParam
)

// place is where a name lives.
type place uint8

const (
	unknownPlace place = iota
	localPlace
	cellPlace
	freePlace
	globalExplicit
	globalImplicit
)

// symbol is a name in a scope.
type symbol struct {
	use   use
	place place
}

// scope is one block of the symbol table (Python/symtable.c).
type scope struct {
	kind      kind
	comp      compKind
	name      string
	class     string // the class whose private names are mangled
	parent    *scope
	children  []*scope
	comprised []*scope // comprehensions without a function of their own
	only      names    // if not nil, no other names are mangled: around a generic class (3.13+)
	symbols   map[string]*symbol
	order     []string // names, as they are first met
	params    []string

	nested, generator, coroutine bool
	free, childFree              bool
	returnsValue                 bool
	seesClass                    bool // names are looked up in the class around too (3.12+)
	method                       bool // directly in a class (3.14+)
	asyncFirst                   bool // a comprehension whose first clause is asynchronous
	named                        bool // an alias's value, which counts in qualified names (3.12 and 3.13)
	inlined                      bool // a comprehension without a function of its own
	needsClass                   bool // a class: some method needs __class__
	needsClassDict               bool
	// annotations of the block (3.14+), which live in a scope of their own
	annotations      *scope
	conditionalNames bool
}

func (s *scope) functionLike() bool {
	return s.kind == functionScope || s.kind >= annotationScope
}

// table is the symbol table of a module.
type table struct {
	v         pyc.Version
	module    *scope
	at        map[any]*scope // by the node that opens it
	cur       *scope
	future    bool // annotations are texts
	cond      int  // depth of conditional blocks
	iterables int  // how many comprehensions' iterables it is in
}

type extraKey struct {
	node any
	what string
}

func newTable(m *pyast.Module, v pyc.Version, future bool) *table {
	t := &table{v: v, at: map[any]*scope{}, future: future}
	t.module = t.open(m, moduleScope, "top")
	t.stmts(m.Body)
	t.close()
	t.analyze()
	return t
}

// open begins a scope inside of the current one.
func (t *table) open(node any, k kind, name string) *scope {
	s := &scope{kind: k, name: name, parent: t.cur, symbols: map[string]*symbol{}}
	if p := t.cur; p != nil {
		s.nested = p.nested || p.functionLike()
		s.class = p.class
		if k != classScope { // there all names are mangled
			s.only = p.only
		}
		s.method = k == functionScope && p.kind == classScope
		p.children = append(p.children, s)
	}
	t.at[node] = s
	t.cur = s
	return s
}

func (t *table) close() { t.cur = t.cur.parent }

// mangle is the name as the compiler keeps it: private names of a class carry its name.
func mangle(class, name string) string {
	if class == "" || len(name) < 2 || name[:2] != "__" {
		return name
	}
	if n := len(name); name[n-1] == '_' && name[n-2] == '_' || slices.Contains([]byte(name), '.') {
		return name
	}
	for len(class) > 0 && class[0] == '_' {
		class = class[1:]
	}
	if class == "" {
		return name
	}
	return "_" + class + name
}

func (s *scope) mangle(name string) string {
	if s.only != nil && !s.only[name] {
		return name
	}
	return mangle(s.class, name)
}

func (t *table) def(name string, u use) { t.defIn(t.cur, name, u) }

func (t *table) defIn(s *scope, name string, u use) {
	name = s.mangle(name)
	y := s.symbols[name]
	if y == nil {
		y = &symbol{}
		s.symbols[name] = y
		s.order = append(s.order, name)
	}
	y.use |= u
	if m := t.module; u&isGlobal != 0 && s != m {
		// The module's own symbols learn of it (symtable_add_def_helper).
		t.defIn(m, name, isGlobal)
	}
	if u&isParam != 0 {
		s.params = append(s.params, name)
	}
}

func (s *scope) use(name string) use {
	if y := s.symbols[name]; y != nil {
		return y.use
	}
	return 0
}

func (s *scope) where(name string) place {
	if y := s.symbols[name]; y != nil {
		return y.place
	}
	return unknownPlace
}

// names is a set of names.
type names map[string]bool

func (n names) clone() names {
	c := make(names, len(n))
	for k := range n {
		c[k] = true
	}
	return c
}

func (n names) add(m names) {
	for k := range m {
		n[k] = true
	}
}

func (n names) sorted() []string {
	list := make([]string, 0, len(n))
	for k := range n {
		list = append(list, k)
	}
	slices.Sort(list)
	return list
}

// analyze finds out where each name lives (analyze_block).
func (t *table) analyze() {
	free := names{}
	t.block(t.module, nil, free, names{}, nil)
}

func (t *table) name(s *scope, name string, y *symbol, boundNames, local, free, global names, class *scope) {
	u := y.use
	switch {
	case u&isGlobal != 0:
		y.place = globalExplicit
		global[name] = true
		delete(boundNames, name)
		return
	case u&isNonlocal != 0:
		y.place = freePlace
		s.free = true
		free[name] = true
		return
	case u&bound != 0:
		y.place = localPlace
		local[name] = true
		delete(global, name)
		return
	}
	if class != nil && t.v.HasTypeParams() {
		switch cu := class.use(name); {
		case cu&isGlobal != 0:
			y.place = globalExplicit
			return
		case cu&bound != 0 && cu&isNonlocal == 0:
			y.place = globalImplicit
			return
		}
	}
	switch {
	case boundNames[name]:
		y.place = freePlace
		s.free = true
		free[name] = true
	case global[name]:
		y.place = globalImplicit
	default:
		if s.nested {
			s.free = true
		}
		y.place = globalImplicit
	}
}

func (t *table) block(s *scope, boundIn names, free names, global names, class *scope) {
	local, newGlobal, newFree, newBound, inlinedCells := names{}, names{}, names{}, names{}, names{}
	if s.kind == classScope {
		newGlobal.add(global)
		newBound.add(boundIn)
	}
	for _, n := range s.order {
		t.name(s, n, s.symbols[n], boundIn, local, free, global, class)
	}
	if s.kind != classScope {
		if s.functionLike() {
			newBound.add(local)
		}
		newBound.add(boundIn)
		newGlobal.add(global)
	} else {
		newBound["__class__"] = true
		if t.v.HasTypeParams() {
			newBound["__classdict__"] = true
		}
		if t.v.AnnotationsAreLazy() {
			newBound["__conditional_annotations__"] = true
		}
	}
	var children []*scope
	for _, c := range s.children {
		var entry *scope
		if c.seesClass {
			if entry = class; s.kind == classScope {
				entry = s
			}
		}
		inline := t.v.InlinesComprehensions() && c.comp != noComp && c.comp != genExp && !s.seesClass
		childFree := names{}
		t.block(c, newBound.clone(), childFree, newGlobal.clone(), entry)
		if inline {
			t.inline(s, c, childFree, inlinedCells)
			c.inlined = true
		}
		newFree.add(childFree)
		if c.free || c.childFree {
			s.childFree = true
		}
		children = append(children, c)
	}
	s.children = s.children[:0:0]
	for _, c := range children {
		if !c.inlined {
			s.children = append(s.children, c)
			continue
		}
		s.comprised = append(s.comprised, c)
		for _, g := range c.children {
			g.parent = s
			s.children = append(s.children, g)
		}
	}
	if s.functionLike() {
		for _, n := range s.order {
			y := s.symbols[n]
			if y.place == localPlace && (newFree[n] || inlinedCells[n]) {
				y.place = cellPlace
				delete(newFree, n)
			}
		}
	} else if s.kind == classScope {
		drop := func(n string, need *bool) {
			if newFree[n] {
				delete(newFree, n)
				*need = true
			}
		}
		drop("__class__", &s.needsClass)
		drop("__classdict__", &s.needsClassDict)
		drop("__conditional_annotations__", &s.conditionalNames)
	}
	if len(inlinedCells) > 0 {
		for n := range inlinedCells {
			if y := s.symbols[n]; y != nil {
				y.use |= isCompCell
			}
		}
	}
	for n := range newFree {
		if y := s.symbols[n]; y != nil {
			if s.kind == classScope && y.use&(bound|isGlobal) != 0 {
				y.use |= isFreeClass
			}
			continue
		}
		if boundIn != nil && !boundIn[n] || boundIn == nil {
			continue
		}
		s.symbols[n] = &symbol{place: freePlace}
		s.order = append(s.order, n)
	}
	free.add(newFree)
}

// inline takes the names of an inlined comprehension into the scope around it
// (inline_comprehension).
func (t *table) inline(s, c *scope, childFree, inlinedCells names) {
	for _, n := range c.order {
		y := c.symbols[n]
		if y.use&isParam != 0 {
			continue
		}
		p := y.place
		if p == freePlace && s.kind == classScope && (n == "__class__" || n == "__classdict__" || n == "__conditional_annotations__") {
			p = globalImplicit
			delete(childFree, n)
			y.place = p
		}
		if p == cellPlace || y.use&isCompCell != 0 {
			inlinedCells[n] = true
		}
		old := s.symbols[n]
		if old == nil {
			s.symbols[n] = &symbol{use: y.use, place: p}
			s.order = append(s.order, n)
			continue
		}
		if old.use&bound != 0 && s.kind != classScope && !freeInChild(c, n) {
			delete(childFree, n)
		}
	}
}

func freeInChild(s *scope, n string) bool {
	for _, c := range s.children {
		if c.where(n) == freePlace {
			return true
		}
	}
	return false
}

// cells and frees of a scope are sorted, but for the cells that a class makes for itself.
func (s *scope) cells() []string {
	set := names{}
	for n, y := range s.symbols {
		if y.place == cellPlace || y.use&isCompCell != 0 {
			set[n] = true
		}
	}
	list := set.sorted()
	add := func(n string, needed bool) {
		if needed && !set[n] {
			list = append(list, n)
		}
	}
	add("__class__", s.needsClass)
	add("__classdict__", s.needsClassDict)
	add("__conditional_annotations__", s.conditionalNames)
	return list
}

func (s *scope) frees() []string {
	set := names{}
	for n, y := range s.symbols {
		if y.place == freePlace || y.use&isFreeClass != 0 {
			set[n] = true
		}
	}
	return set.sorted()
}
