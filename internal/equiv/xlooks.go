package equiv

import (
	"slices"
	"strings"
	"unicode"

	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyc"
)

// Some built-in functions look at the variables of the function that calls them:
// locals(), vars() and dir() without an argument, eval and exec without a namespace. What
// they see is an operand of the call then: a temporary that one code has and the
// other has not would be seen. They are followed from where they are looked up, by name,
// to where they are called. Where one goes another way, as in map(eval, texts), it
// may be called anywhere, and the code is not understood.
//
// A value that may be such a function has a name that begins with lookerPrefix.

const (
	lookerPrefix = "looks: "
	anyLooker    = lookerPrefix + "any"
	builtinsDict = "the dict of builtins"
)

// lookerNamed says what is known of the value of a global variable or of an item
// of the dict of builtins.
func lookerNamed(name string) string {
	switch name {
	case "locals", "vars", "dir", "eval", "exec":
		return lookerPrefix + name
	}
	// Dynamo's code finds built-in functions in this dict.
	if strings.HasPrefix(name, "__builtins_dict__") {
		return builtinsDict
	}
	return ""
}

// LooksAtVariables reports whether a function may look at its own variables: an instruction
// of it names what does. (Dynamo's code has all names of the original among its own.)
func LooksAtVariables(c *pyc.Code) bool {
	looks := func(name string) bool { return strings.HasPrefix(lookerNamed(name), lookerPrefix) }
	item := func(k pyc.Const) bool {
		s, ok := k.(pyc.Str)
		return ok && looks(string(s))
	}
	if !slices.ContainsFunc(c.Names, looks) && !slices.ContainsFunc(c.Consts, item) {
		return false // most code is not decoded for this
	}
	f, err := bytecode.Decode(c)
	if err != nil {
		return false
	}
	dict, taken := false, false
	for i := range f.Instrs {
		switch in := &f.Instrs[i]; in.Op {
		case opcode.LoadGlobal, opcode.LoadName:
			if looks(in.Name) {
				return true
			}
			dict = dict || lookerNamed(in.Name) == builtinsDict
		case opcode.LoadConst:
			taken = taken || item(in.Const)
		}
	}
	return dict && taken
}

func looker(v *val) bool { return strings.HasPrefix(lookerName(v), lookerPrefix) }

// lookerName returns what namedEvent said of a value or of the content of a variable.
func lookerName(v *val) string {
	if (v.kind == vSym || v.kind == vMaybe) && (strings.HasPrefix(v.name, lookerPrefix) || v.name == builtinsDict) {
		return v.name
	}
	return ""
}

// joinLookers names the joint value of two: it may be what either may be.
func joinLookers(x, y *val) string {
	p, q := lookerName(x), lookerName(y)
	switch {
	case p == q || q == "":
		return p
	case p == "":
		return q
	}
	return anyLooker
}

// namedEvent is event with one result, of which name says what is known.
func (r *stepper) namedEvent(n int, what string, operands []*val, name string) {
	if name == "" {
		r.event(n, what, operands, rSym)
		return
	}
	r.event(n, what, operands, rNamed)
	if r.ev != nil {
		r.ev.named = name
	}
}

// looks completes the event that has just been made: with the variables that it
// looks at as operands.
func (r *stepper) looks() {
	ev := r.ev
	if !r.s.fn.Code.IsFunction() || ev.what == "return" {
		return
	}
	call := strings.HasPrefix(ev.what, "call ")
	for i, v := range ev.operands {
		switch {
		case !r.holdsLooker(v, map[int]bool{}), call && i == 0 && looker(v), v.kind == vMaybe && strings.HasPrefix(ev.what, "is bound "):
		case call && (hostGlobal(ev.operands[0]) || r.s.object(ev.operands[0], oFunc) != nil):
			// A resume function, or one that has been made here, has variables of its own.
		default:
			r.failf("the code may look at its own variables")
			return
		}
	}
	if !call || len(ev.operands) == 0 || !looker(ev.operands[0]) {
		return
	}
	text, sees := looksAt(ev)
	switch {
	case !sees:
	case text != "":
		r.seesNames(text)
	default:
		r.seesAll()
	}
}

// holdsLooker reports whether v is or holds a function that looks at variables. seen
// are the objects that have been looked into: a function that calls itself holds the
// cell that holds it.
func (r *stepper) holdsLooker(v *val, seen map[int]bool) bool {
	if looker(v) {
		return true
	}
	holds := func(x *val) bool { return r.holdsLooker(x, seen) }
	if slices.ContainsFunc(v.items, holds) {
		return true
	}
	o := r.s.heap[v.id]
	if v.kind != vRef || o == nil || seen[v.id] {
		return false
	}
	seen[v.id] = true
	if slices.ContainsFunc(o.items, holds) {
		return true
	}
	for _, x := range o.attrs {
		if holds(x) {
			return true
		}
	}
	return false
}

// looksAt says whether a call of such a function sees variables of the caller, and
// if it evaluates a text that is known and sees no others than it names, the text.
func looksAt(ev *event) (text string, sees bool) {
	args := ev.operands[1:]
	switch strings.TrimPrefix(ev.operands[0].name, lookerPrefix) {
	case "vars", "dir":
		if ev.what == "call 2" { // they look at their argument
			return "", false
		}
	case "eval", "exec":
		if ev.what == "call 3" && args[1].kind == vRef {
			return "", false // a new dict is the namespace
		}
		if ev.what == "call 2" && ev.operands[0].name == lookerPrefix+"eval" {
			if s, ok := strOf(args[0]); ok && plainExpression(s) {
				return s, true
			}
		}
	}
	return "", true
}

// plainExpression reports whether evaluating s looks up the names in it and no
// others, and binds none.
func plainExpression(s string) bool {
	if s == "" || strings.Contains(s, ":=") || strings.ContainsFunc(s, func(c rune) bool { return c > unicode.MaxASCII || c < ' ' || c == '\\' }) {
		return false
	}
	for _, name := range words(s) {
		switch name {
		case "locals", "vars", "dir", "eval", "exec", "sys", "inspect", "builtins", "lambda", "for":
			return false
		}
		if strings.HasPrefix(name, "__") {
			return false
		}
	}
	return true
}

// words returns what may be a name in s, in order.
func words(s string) []string {
	return strings.FieldsFunc(s, func(c rune) bool {
		return c != '_' && !unicode.IsLetter(c) && !unicode.IsDigit(c)
	})
}

// seesNames makes the variables that text names operands.
func (r *stepper) seesNames(text string) {
	s := r.s
	for _, name := range words(text) {
		if s.captured[name] && s.slot(name) != name {
			r.failf("the code may look at its own variables (%s)", name) // which of two, versions differ in
			return
		}
		r.ev.what += " " + name
		if i := variable(s.fn.Code, name); i < 0 || !r.seesVariable(i) {
			r.ev.what += " unbound"
		}
	}
}

// seesAll makes all variables that hold something operands: they may be listed, in
// their order.
func (r *stepper) seesAll() {
	code := r.s.fn.Code
	for i, name := range code.LocalsPlusNames {
		if r.seesVariable(i) {
			r.ev.what += " " + name
		}
	}
}

// variable returns the place of a variable of the code, or -1.
func variable(c *pyc.Code, name string) int {
	for i, n := range c.LocalsPlusNames {
		if n == name {
			return i
		}
	}
	return -1
}

// seesVariable makes what variable i holds an operand, and reports whether it
// holds something.
func (r *stepper) seesVariable(i int) bool {
	s := r.s
	code := s.fn.Code
	name := code.LocalsPlusNames[i]
	kind := pyc.KindLocal
	if i < len(code.LocalsPlusKinds) {
		kind = code.LocalsPlusKinds[i]
	}
	v, captured := s.locals[name], s.captured[name]
	if slot := s.slot(name); captured && slot != name && s.v.HasLocalsPlus() {
		// Two variables of one name: resume functions keep one that they never store beside one that they capture.
		if captured = kind&(pyc.KindCell|pyc.KindFree) != 0; captured {
			v = s.locals[slot]
		}
	} else if captured && slot != name {
		r.failf("the code may look at its own variables (%s)", name)
		return false
	}
	switch {
	case kind&pyc.KindHidden != 0:
		r.failf("the code may look at its own variables (%s)", name)
		return false
	case captured && (v == nil || v.kind != vRef && v.kind != vSym && v.kind != vCell):
		r.failf("the code may look at its own variables (%s)", name)
		return false
	case captured:
		o := s.cellOf(v)
		if o == nil {
			// What a cell holds that others know is the same on both sides: to
			// store in it is an effect.
			r.ev.what += " the cell of"
			r.ev.operands = append(r.ev.operands, v)
			return true
		}
		v = o.items[0]
	}
	switch {
	case v == nil || v.kind == vUnbound:
		return false
	case v.kind != vSym && v.kind != vConst && v.kind != vTuple && v.kind != vSlice && v.kind != vRef && v.kind != vBool && v.kind != vIs && v.kind != vMaybe:
		r.failf("the code may look at its own variables (%s)", name)
		return false
	}
	r.ev.operands = append(r.ev.operands, v)
	return true
}
