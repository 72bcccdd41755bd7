package sugar

import (
	"cmp"
	"fmt"
	"maps"
	"strings"

	"github.com/thuml/depyf/internal/cfg"
	"github.com/thuml/depyf/internal/lift"
	"github.com/thuml/depyf/internal/pyast"
)

// Naming says what NameTemps knows beside the statements.
type Naming struct {
	// Params gives the parameters of functions that are called by global name: what
	// is passed to one is best called as it is there.
	Params map[string][]string
	// Outputs are what the results of functions called by global name are called.
	Outputs map[string][]string
	// Reserved are names of the program that may not occur in the statements.
	Reserved []string
	// Scratch reports whether a variable is one that no program wrote, to be named
	// like a temporary. Nil: none is.
	Scratch func(name string) bool
}

// NameTemps gives the temporaries that are left readable names, which nothing in
// the list has. A name comes from, in this order: what it serves as (cfg.TempFor); the parameter as which the value
// is passed on, where a called function's parameters are known; what the value was
// loaded from (valuePath); or what kind of value it is. A second value of the same
// name gets a number.
func NameTemps(list []pyast.Stmt, o Naming) {
	n := &namer{Naming: o, taken: map[string]bool{}, last: map[string]int{}}
	left := false // mostly none is
	pyast.InspectStmts(list, func(x pyast.Node) bool {
		eachName(x, func(id *string) { left = left || n.ours(*id) })
		return !left
	})
	if !left {
		return
	}
	for _, id := range o.Reserved {
		n.taken[id] = true
	}
	pyast.InspectStmts(list, func(x pyast.Node) bool {
		eachName(x, func(id *string) {
			if !n.ours(*id) {
				n.taken[*id] = true
				// Where it is the only one, it is shown without the prefix.
				n.taken[strings.TrimPrefix(*id, cfg.BuiltinPrefix)] = true
			}
		})
		return true
	})
	n.scope(list)
}

type namer struct {
	Naming
	taken map[string]bool
	last  map[string]int // the number of the last temporary that got a name with one
}

// ours reports whether a name is for NameTemps to give.
func (n *namer) ours(id string) bool {
	return lift.IsTemp(id) || n.Scratch != nil && n.Scratch(id)
}

// tempScope is what the statements of one function say about its temporaries.
type tempScope struct {
	*namer
	order []string        // as they appear
	seen  map[string]bool // those in order
	defs  map[string][]definition
	wish  map[string]string
	// factories are the calls that make a function, whose arguments are no
	// parameters of it.
	factories map[*pyast.Call]bool
	// graphs tells the variables that hold all results of a function in Outputs.
	graphs map[string]string
	spans  map[string]span
	shared map[string][]span     // the spans of those that share a name
	paths  map[string]*valuePath // by temporary; nil while it is computed
}

// definition is one place where a temporary gets a value.
type definition struct {
	value pyast.Expr
	item  bool // an item of value, in a loop
	at    int  // its place where value is unpacked, else -1
	of    int  // into so many
}

// scope names the temporaries of one function's statements, then those of the
// functions in it: a temporary of the same name there is another variable.
func (n *namer) scope(list []pyast.Stmt) {
	s := &tempScope{namer: n, seen: map[string]bool{}, defs: map[string][]definition{}, wish: map[string]string{}, factories: map[*pyast.Call]bool{}, graphs: map[string]string{}, shared: map[string][]span{}, paths: map[string]*valuePath{}}
	var inner [][]pyast.Stmt
	own := func(x pyast.Node) bool {
		switch d := x.(type) {
		case *pyast.FunctionDef:
			inner = append(inner, d.Body)
		case *pyast.ClassDef:
			inner = append(inner, d.Body)
		}
		s.note(x)
		return true
	}
	inspectScope(list, own)
	s.spans = spansIn(list, n.ours)
	names := map[string]string{}
	for _, t := range s.order {
		if names[t] = s.share(t); names[t] == "" {
			names[t] = s.choose(t)
		}
		n.taken[names[t]] = true
	}
	inspectScope(list, func(x pyast.Node) bool {
		eachName(x, func(id *string) {
			if w, ok := names[*id]; ok {
				*id = w
			}
		})
		return true
	})
	for _, body := range inner {
		before := maps.Clone(n.last)
		n.scope(body)
		n.last = before
	}
	for _, w := range names {
		delete(n.taken, w) // free again for the functions beside this one
	}
}

// inspectScope visits what belongs to the function whose statements these are: of
// a function inside, only what is evaluated here.
func inspectScope(list []pyast.Stmt, f func(pyast.Node) bool) {
	var visit func(x pyast.Node) bool
	visit = func(x pyast.Node) bool {
		if !f(x) {
			return false
		}
		switch d := x.(type) {
		case *pyast.FunctionDef:
			outside(d.DecoratorList, visit)
			if d.Args != nil {
				pyast.Inspect(d.Args, visit)
			}
			if d.Returns != nil {
				pyast.Inspect(d.Returns, visit)
			}
			return false
		case *pyast.ClassDef:
			outside(d.DecoratorList, visit)
			outside(d.Bases, visit)
			for _, k := range d.Keywords {
				pyast.Inspect(k, visit)
			}
			return false
		}
		return true
	}
	pyast.InspectStmts(list, visit)
}

func outside(list []pyast.Expr, visit func(pyast.Node) bool) {
	for _, e := range list {
		pyast.Inspect(e, visit)
	}
}

// note collects what one node says.
func (s *tempScope) note(x pyast.Node) {
	eachName(x, func(id *string) {
		if s.ours(*id) && !s.seen[*id] {
			s.seen[*id] = true
			s.order = append(s.order, *id)
		}
	})
	switch x := x.(type) {
	case *pyast.Assign:
		for _, t := range x.Targets {
			s.define(t, definition{value: x.Value, at: -1})
			if c, ok := x.Value.(*pyast.Call); ok {
				f, ok1 := c.Func.(*pyast.Name)
				if g, ok2 := t.(*pyast.Name); ok1 && ok2 {
					s.graphs[g.Id] = f.Id
				}
			}
		}
	case *pyast.For:
		s.define(x.Target, definition{value: x.Iter, item: true, at: -1})
	case *pyast.WithItem:
		if x.OptionalVars != nil {
			s.define(x.OptionalVars, definition{value: x.ContextExpr, at: -1})
		}
	case *pyast.Attribute:
		if t, ok := x.Value.(*pyast.Name); ok && x.Attr == "__enter__" && s.ours(t.Id) && s.wish[t.Id] == "" {
			s.wish[t.Id] = "ctx"
		}
	case *pyast.Call:
		f, ok := x.Func.(*pyast.Name)
		if made, isCall := x.Func.(*pyast.Call); isCall {
			// The factory of a function with cells: __resume_at_34_3((w,))(y).
			f, ok = made.Func.(*pyast.Name)
			s.factories[made] = true
		}
		if !ok || s.factories[x] {
			return
		}
		params := s.Params[f.Id]
		for i, a := range x.Args {
			if t, ok := a.(*pyast.Name); ok && s.ours(t.Id) && i < len(params) && s.wish[t.Id] == "" && !strings.HasPrefix(params[i], "___") {
				s.wish[t.Id] = params[i]
			}
		}
	}
}

func (s *tempScope) define(target pyast.Expr, d definition) {
	switch t := target.(type) {
	case *pyast.Name:
		if s.ours(t.Id) {
			s.defs[t.Id] = append(s.defs[t.Id], d)
		}
	case *pyast.Tuple:
		for i, x := range t.Elts {
			s.define(x, definition{value: d.value, item: d.item, at: i, of: len(t.Elts)})
		}
	}
}

// choose returns a free name for a temporary.
func (s *tempScope) choose(t string) string {
	name := cmp.Or(cfg.TempFor(t), s.wish[t])
	if name == "" || !usable(name) {
		name = s.path(t).name()
	}
	if !usable(name) {
		name = "value"
	}
	if !s.taken[name] {
		return name
	}
	for s.last[name] = max(1, s.last[name]); ; {
		s.last[name]++
		if w := fmt.Sprintf("%s_%d", name, s.last[name]); !s.taken[w] {
			return w
		}
	}
}

// eachName calls f for each name of a variable that n itself holds.
func eachName(n pyast.Node, f func(id *string)) {
	switch x := n.(type) {
	case *pyast.Name:
		f(&x.Id)
	case *pyast.Arg:
		f(&x.Arg)
	case *pyast.FunctionDef:
		f(&x.Name)
	case *pyast.ClassDef:
		f(&x.Name)
	case *pyast.ExceptHandler:
		f(&x.Name)
	case *pyast.Alias:
		f(&x.Name)
		f(&x.AsName)
	case *pyast.MatchAs:
		f(&x.Name)
	case *pyast.MatchStar:
		f(&x.Name)
	case *pyast.MatchMapping:
		f(&x.Rest)
	case *pyast.Global:
		eachOf(x.Names, f)
	case *pyast.Nonlocal:
		eachOf(x.Names, f)
	}
}

func eachOf(names []string, f func(id *string)) {
	for i := range names {
		f(&names[i])
	}
}
