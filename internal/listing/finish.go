package listing

import (
	"fmt"
	"strings"

	"github.com/thuml/depyf/internal/bytecode"

	"github.com/thuml/depyf/internal/pyc"
)

// finish makes what is not an instruction: tables of names, flags, parameters, lines.
func (b *builder) finish() {
	c := b.code
	for i := range top(b.names) {
		c.Names = append(c.Names, or(b.names[i], fmt.Sprintf("name_%d", i)))
	}
	for i := range top(b.consts) {
		k, ok := b.consts[i]
		if !ok {
			k = pyc.None{}
		}
		c.Consts = append(c.Consts, k)
	}
	b.flags()
	args := 0
	if c.IsFunction() {
		b.captured()
		args = b.namedBefore(b.parameters())
		b.missing["which parameters are keyword-only, collect others or have defaults, and those that are never used; docstrings"] = true
	}
	b.variables(args)
	c.ArgCount = args
	c.StackSize = len(c.Bytecode)/2 + 1
	if c.QualName == "" {
		c.QualName = c.Name
	}
	for _, p := range b.places {
		if c.FirstLine == 0 && p.line > 0 {
			c.FirstLine = p.line
		}
	}
	b.lines()
}

func top[T any](m map[int]T) int {
	n := 0
	for i := range m {
		n = max(n, i+1)
	}
	return n
}

func or(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

// flags are told by the instructions: what yields is a generator, what uses names is a module or a class.
func (b *builder) flags() {
	c := b.code
	has := func(names ...string) bool {
		for _, n := range names {
			if b.ops[n] {
				return true
			}
		}
		return false
	}
	module := c.Name == "<module>" || has("STORE_NAME", "LOAD_NAME", "DELETE_NAME", "SETUP_ANNOTATIONS", "LOAD_LOCALS") && len(b.slots)-b.free-len(b.cells) <= 0
	if module {
		c.Name = or(c.Name, "<module>")
		return
	}
	c.Name = or(c.Name, "function")
	c.Flags = pyc.FlagOptimized | pyc.FlagNewLocals
	awaits := has("GET_AWAITABLE", "GET_ANEXT", "BEFORE_ASYNC_WITH", "SETUP_ASYNC_WITH", "END_ASYNC_FOR")
	switch {
	case b.asyncGenerator:
		c.Flags |= pyc.FlagAsyncGenerator
	case awaits, has("RETURN_GENERATOR") && !has("YIELD_VALUE"):
		c.Flags |= pyc.FlagCoroutine
	case has("YIELD_VALUE", "YIELD_FROM", "RETURN_GENERATOR"):
		c.Flags |= pyc.FlagGenerator
	}
	if b.hasFree() {
		c.Flags |= pyc.FlagNested
	}
}

func (b *builder) hasFree() bool { return b.free > 0 }

// parameters counts those that are read before anything was stored in them, and all in front of these.
func (b *builder) parameters() int {
	if strings.HasPrefix(b.code.Name, "<") && b.code.Name != "<lambda>" && b.slots[0] == ".0" {
		return 1
	}
	n := 0
	seen := map[int]bool{}
	last := top(b.slots) - b.free
	locals := 0
	for _, u := range b.uses {
		if !u.deref && u.slot < last {
			locals = max(locals, u.slot+1)
		}
	}
	for _, u := range b.uses {
		if seen[u.slot] || u.slot >= last {
			continue
		}
		seen[u.slot] = true
		if u.loads && (!u.deref || b.cells[u.slot]) {
			n = max(n, u.slot+1)
		}
	}
	for slot := range b.cells {
		if slot < locals || !b.stored[slot] { // cells of their own stand behind all local variables
			n = max(n, slot+1)
		}
	}
	return n
}

// namedBefore counts the parameters, of which this code may use fewer than the one that it was made of, and
// gives those the names of that one that no instruction uses here.
func (b *builder) namedBefore(args int) int {
	old := b.opt.Before
	if old == nil || b.head != "" {
		return args
	}
	all := min(max(args, old.ArgCount), len(old.LocalsPlusNames))
	for i, name := range old.LocalsPlusNames[:all] {
		if b.slots[i] != "" && b.slots[i] != name && name != unused(i) {
			return args // it has other variables
		}
	}
	for i, name := range old.LocalsPlusNames[:all] {
		if b.slots[i] == "" && name != unused(i) {
			b.slots[i] = name
		}
	}
	return max(args, all)
}

// unused names a variable that no instruction uses.
func unused(slot int) string { return fmt.Sprintf("unused_%d", slot) }

// variables fills the slots.
func (b *builder) variables(args int) {
	c := b.code
	n := max(top(b.slots), args)
	for i := range n {
		name, kind := b.slots[i], pyc.KindLocal
		switch {
		case b.version.HasLocalsPlus() && i >= n-b.free:
			kind = pyc.KindFree
		case b.cells[i] && i < args:
			kind = pyc.KindLocal | pyc.KindCell
		case b.cells[i]:
			kind = pyc.KindCell
		}
		if i < args && b.version.HasArgKinds() {
			kind |= pyc.KindArgPos | pyc.KindArgKw
		}
		if name == "" {
			name = unused(i)
			b.missing["names of variables that no instruction uses"] = true
		}
		c.LocalsPlusNames = append(c.LocalsPlusNames, name)
		c.LocalsPlusKinds = append(c.LocalsPlusKinds, kind)
	}
	if b.version.HasLocalsPlus() {
		return
	}
	for i := range top(b.derefs) {
		kind := pyc.KindFree
		if b.isCell(i) {
			kind = pyc.KindCell
		}
		c.LocalsPlusNames = append(c.LocalsPlusNames, or(b.derefs[i], fmt.Sprintf("cell_%d", i)))
		c.LocalsPlusKinds = append(c.LocalsPlusKinds, kind)
	}
	if len(b.derefs) > 0 {
		b.missing["which variables of closures are a function's own"] = true
	}
}

// isCell reports whether a variable of a closure is the function's own, to 3.10. It is where the function
// that holds this one does not give it.
func (b *builder) isCell(deref int) bool {
	name := b.derefs[deref]
	return name != "__class__" && !b.given[b.head][name]
}

// captured puts parameters that inner functions use into the slots that no instruction names: to 3.10
// the instructions name their cells alone.
func (b *builder) captured() {
	if b.version.HasLocalsPlus() {
		return
	}
	var names []string
	for i := range top(b.derefs) {
		if b.isCell(i) && (b.read[i] || !b.stored[i]) {
			names = append(names, b.derefs[i])
		}
	}
	for slot := 0; len(names) > 0; slot++ {
		if b.slots[slot] == "" {
			b.slots[slot], names = names[0], names[1:]
			b.uses = append(b.uses, use{slot, true, false})
		}
	}
}

// lines writes the table of lines in the form of the version.
func (b *builder) lines() {
	if len(b.places) > 0 && b.places[0].offset > 0 {
		b.places = append([]place{{0, noLine}}, b.places...)
	}
	var runs []bytecode.Run
	for i, p := range b.places {
		end := len(b.code.Bytecode)
		if i+1 < len(b.places) {
			end = b.places[i+1].offset
		}
		pos := bytecode.NoPos
		if p.line != noLine {
			pos.Line, pos.EndLine = int32(p.line), -1
		}
		runs = append(runs, bytecode.Run{Bytes: end - p.offset, Pos: pos})
	}
	b.code.LineTable = bytecode.WritePositions(b.version, b.code.FirstLine, runs)
}
