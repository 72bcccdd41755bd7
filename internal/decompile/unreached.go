package decompile

import (
	"fmt"
	"maps"
	"slices"

	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/cfg"
	"github.com/thuml/depyf/internal/lift"
	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pass"
	"github.com/thuml/depyf/internal/pyast"
	"github.com/thuml/depyf/internal/pyc"
	"github.com/thuml/depyf/internal/pyprint"
)

// reach says what the instructions that control reaches do with a variable.
type reach uint8

const (
	used     reach = 1 << iota
	captured       // a closure is made with it
	stored         // it is stored or deleted
	inCell         // it is used as a captured variable
)

func (u *unit) noteReached(g *cfg.Graph) {
	u.reached, u.never = map[string]reach{}, map[int]bool{}
	cleared := clearedSlots(u.decoded())
	for _, b := range g.Blocks {
		if b.Dead {
			for i := range b.Instrs {
				u.never[b.Instrs[i].Offset] = true
			}
			continue
		}
		for i := range b.Instrs {
			in := &b.Instrs[i]
			if in.Name == "" && in.Op != opcode.SetupAnnotations {
				continue
			}
			if namesCell(in.Op) {
				u.reached[in.Name] |= inCell
			}
			switch in.Op {
			case opcode.MakeCell:
			case opcode.SetupAnnotations:
				u.setsUp = true
			case opcode.LoadClosure:
				u.reached[in.Name] |= used
				if captures(b.Instrs[i:], cleared) {
					u.reached[in.Name] |= captured
				}
			case opcode.StoreFast, opcode.StoreDeref, opcode.StoreName, opcode.DeleteFast, opcode.DeleteDeref, opcode.DeleteName, opcode.LoadFastAndClear:
				u.reached[in.Name] |= used | stored
			default:
				u.reached[in.Name] |= used
			}
		}
	}
}

// clearedSlots are the slots that inlined comprehensions use for variables of their own.
func clearedSlots(instrs []bytecode.Instr) map[string]bool {
	cleared := map[string]bool{}
	for i := range instrs {
		if instrs[i].Op == opcode.LoadFastAndClear {
			cleared[instrs[i].Name] = true
		}
	}
	return cleared
}

// captures reports whether the LOAD_CLOSURE with which the instructions begin takes a
// cell: it may read the variable that an inlined comprehension has in the cell's slot.
func captures(instrs []bytecode.Instr, cleared map[string]bool) bool {
	return !cleared[instrs[0].Name] || bytecode.Captures(instrs[1:])
}

// capturedNames are the cells of the code whose names no function inside reads as those of global variables.
func (u *unit) capturedNames() []string {
	return slices.DeleteFunc(slices.Clone(u.cells()), u.readGlobalInside)
}

// reachedLines shows what noteReached has found out.
func (u *unit) reachedLines() []pass.Line {
	var out []pass.Line
	for _, name := range slices.Sorted(maps.Keys(u.reached)) {
		text := fmt.Sprintf("%q is used", name)
		if u.reached[name]&captured != 0 {
			text += ", captured"
		}
		if u.reached[name]&stored != 0 {
			text += ", stored"
		}
		out = append(out, pass.Line{Text: text})
	}
	if u.setsUp {
		out = append(out, pass.Line{Text: "a dict for annotations is made"})
	}
	return out
}

// unreached mentions the variables that only code which is never reached captures, or
// takes from outside: the compiler has left that code out, but not what it says about
// the function's variables.
func (u *unit) unreached() []pyast.Stmt {
	if u.reached == nil {
		return nil
	}
	var out []pyast.Stmt
	never := func(s pyast.Stmt) {
		out = append(out, &pyast.If{Test: pyast.Bool(false), Body: []pyast.Stmt{s}})
	}
	for _, n := range u.code.CellVars() {
		name := u.unmangleName(n)
		switch {
		case u.reached[name]&captured != 0 || !pyprint.ValidName(name):
		case u.code.Version.InlinesComprehensions() && slices.ContainsFunc(u.decoded(), func(in bytecode.Instr) bool { return in.Name == name && namesGlobal(in.Op) }):
			never(pyast.ES(comprising(name))) // the code's own variable of that name is global
		default:
			never(pyast.AssignS(pyast.N(name), &pyast.Lambda{Args: &pyast.Arguments{}, Body: pyast.N(name)}))
		}
	}
	// Of the other free variables a nonlocal statement says it, see declarations.
	if slices.Contains(u.code.FreeVars(), "__class__") && u.reached["__class__"] == 0 && u.reached["super"] == 0 {
		never(pyast.ES(pyast.N("__class__")))
	}
	return out
}

// lostCells mentions, in a module or a class, the variables that only comprehensions which are
// never reached capture: the compiler has left those out, but their cells are the body's (3.12+).
//
//	raise; [lambda: x for x in y]    →    MAKE_CELL x; RAISE_VARARGS
func (u *unit) lostCells(list []pyast.Stmt) (out []pyast.Stmt) {
	if u.code.IsFunction() || !u.code.Version.InlinesComprehensions() {
		return nil
	}
	kept := map[string]bool{}
	for _, g := range u.inlined {
		for _, name := range g.Cells {
			kept[name] = true
		}
	}
	for _, n := range u.code.CellVars() {
		name := u.unmangleName(n)
		if kept[name] || u.reached[name]&captured != 0 || !pyprint.ValidName(name) || ownCells[name] {
			continue
		}
		out = append(out, &pyast.If{Test: pyast.Bool(false), Body: []pyast.Stmt{pyast.ES(comprising(name))}})
	}
	return out
}

// comprising is a comprehension with a variable that a function in it captures.
func comprising(name string) pyast.Expr {
	return &pyast.ListComp{
		Elt:        &pyast.Lambda{Args: &pyast.Arguments{}, Body: pyast.N(name)},
		Generators: []*pyast.Comprehension{{Target: pyast.N(name), Iter: &pyast.Tuple{}}},
	}
}

// ownCells are the cells that the compiler makes for a class by itself.
var ownCells = map[string]bool{"__class__": true, classDict: true, lift.ConditionalAnnotations: true}

// ownNames binds the names that a class body reads as its own or global ones, though a
// function around it has variables of these names: only code that is never reached binds
// them in the class.
func (u *unit) ownNames() []pyast.Stmt {
	if u.reached == nil {
		return nil
	}
	reads, stores := map[string]bool{}, map[string]bool{}
	for _, in := range u.decoded() {
		switch in.Op {
		case opcode.LoadName:
			reads[in.Name] = true
		case opcode.StoreName, opcode.DeleteName:
			stores[in.Name] = stores[in.Name] || !u.never[in.Offset]
		}
	}
	var out []pyast.Stmt
	for _, n := range slices.Sorted(maps.Keys(reads)) {
		if !stores[n] && (u.shadowed(n) || slices.Contains(u.code.FreeVars(), n)) && pyprint.ValidName(n) {
			out = append(out, &pyast.If{Test: pyast.Bool(false), Body: []pyast.Stmt{pyast.AssignS(pyast.N(n), pyast.None())}})
		}
	}
	return out
}

// unannotated adds an annotation to a module or class that has made room for some and
// has none: those of attributes and items leave no name, and those of code that is never
// reached leave nothing at all.
//
//	a.b: int = 0
func (u *unit) unannotated(list []pyast.Stmt) []pyast.Stmt {
	if u.code.IsFunction() {
		return list
	}
	if !u.setsUp && u.code.Version.OverlooksAnnotationsInMatch() {
		list, _ = overlooked(list)
	}
	v, cells := u.code.Version, u.code.CellVars()
	conditional := v.AnnotationsAreLazy() && slices.Contains(cells, lift.ConditionalAnnotations) && !takenInside(u.code, lift.ConditionalAnnotations)
	if u.annotate != nil && !conditional {
		return list
	}
	counts := list
	if conditional && isClassBody(u.code) { // in a class, those in its blocks are
		counts = slices.DeleteFunc(slices.Clone(list), func(s pyast.Stmt) bool { _, plain := s.(*pyast.AnnAssign); return plain })
	}
	if u.annotates(counts) {
		return list
	}
	var s pyast.Stmt
	switch {
	case u.setsUp:
		s = &pyast.AnnAssign{Target: pyast.N("__annotations__"), Annotation: pyast.None(), Simple: true}
	case conditional:
		s = &pyast.AnnAssign{Target: pyast.Attr(&pyast.Tuple{}, "_"), Annotation: pyast.None()}
	case v.HasTypeParams() && slices.Contains(cells, classDict) && !u.classDictWanted(list):
		s = &pyast.TypeAlias{Name: pyast.N("_"), Value: pyast.None()} // wants the names of the class
	}
	if s == nil {
		return list
	}
	return append(list, &pyast.If{Test: pyast.Bool(false), Body: []pyast.Stmt{s}})
}

// overlooked puts annotations for which no room was made into match statements, whose one case matches
// everything and has left nothing but the subject. It reports whether all annotations stand in one now.
//
//	a            match a:
//	x: int   →       case _:
//	                     x: int
func overlooked(list []pyast.Stmt) ([]pyast.Stmt, bool) {
	var out []pyast.Stmt
	all := true
	for _, s := range list {
		done := true
		switch n := s.(type) {
		case *pyast.FunctionDef, *pyast.ClassDef, *pyast.Match:
		case *pyast.AnnAssign:
			done = false
			if name, ok := n.Target.(*pyast.Name); ok && n.Value != nil {
				captured := &pyast.MatchAs{Name: name.Id}
				bare := *n
				bare.Value = nil
				s, done = matchAll(n.Value, captured, &bare), true
			}
		default:
			pyast.Blocks(s, func(b *[]pyast.Stmt) {
				inner, ok := overlooked(*b)
				*b, done = inner, done && ok
			})
		}
		out = append(out, s)
		for i := len(out) - 2; !done && i >= 0; i-- {
			switch before := out[i].(type) {
			case *pyast.ExprStmt:
				out, done = append(out[:i], matchAll(before.Value, &pyast.MatchAs{}, slices.Clone(out[i+1:])...)), true
			case *pyast.Assign:
				if name, ok := before.Targets[0].(*pyast.Name); ok && len(before.Targets) == 1 && !lift.IsTemp(name.Id) {
					out, done = append(out[:i], matchAll(before.Value, &pyast.MatchAs{Name: name.Id}, slices.Clone(out[i+1:])...)), true
				}
			}
		}
		all = all && done
	}
	return out, all
}

func matchAll(subject pyast.Expr, p pyast.Pattern, body ...pyast.Stmt) pyast.Stmt {
	return &pyast.Match{Pos: *body[0].Position(), Subject: subject, Cases: []*pyast.MatchCase{{Pattern: p, Body: body}}}
}

// takenInside reports whether code inside of c takes a variable from outside: of a class with conditional annotations
// the compiler makes the class around it have a cell for its own (3.14).
func takenInside(c *pyc.Code, name string) bool {
	return slices.ContainsFunc(c.All()[1:], func(k *pyc.Code) bool { return isClassBody(k) && slices.Contains(k.FreeVars(), name) })
}

// classDict is the cell in which a class keeps its names for annotations and the like.
const classDict = "__classdict__"

// classDictWanted reports whether code inside of the class reads its names, or could: the
// annotations of a function (3.14+).
func (u *unit) classDictWanted(list []pyast.Stmt) bool {
	wanted := slices.ContainsFunc(u.decoded(), func(in bytecode.Instr) bool {
		c, ok := in.Const.(*pyc.Code)
		return ok && !u.never[in.Offset] && slices.Contains(c.FreeVars(), classDict)
	})
	pyast.InspectStmts(list, func(n pyast.Node) bool {
		switch n.(type) {
		case *pyast.FunctionDef:
			wanted = wanted || u.code.Version.AnnotationsAreLazy()
			return false
		case *pyast.ClassDef, *pyast.Lambda:
			return false
		}
		return !wanted
	})
	return wanted
}

// annotates reports whether there is an annotation of a variable among the statements, or
// the mark of one. Those that the compiler overlooks do not count.
func (u *unit) annotates(list []pyast.Stmt) bool {
	found := false
	pyast.InspectStmts(list, func(n pyast.Node) bool {
		switch n := n.(type) {
		case *pyast.AnnAssign:
			found = true
		case *pyast.ExprStmt:
			_, mark := markOf(n)
			found = found || mark
		case *pyast.Match:
			return !found && !u.code.Version.OverlooksAnnotationsInMatch()
		case *pyast.FunctionDef, *pyast.ClassDef, *pyast.Lambda:
			return false
		}
		return !found
	})
	return found
}
