package decompile

import (
	"fmt"
	"maps"
	"slices"

	"github.com/thuml/depyf/internal/cfg"
	"github.com/thuml/depyf/internal/lift"
	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pass"
	"github.com/thuml/depyf/internal/pyast"
	"github.com/thuml/depyf/internal/pyprint"
)

func (u *unit) noteReached(g *cfg.Graph) {
	u.reached, u.never = nil, nil
	if u.opt.Dynamo || u.spill != never || slices.ContainsFunc(g.Blocks, func(b *cfg.Block) bool { return b.Dead }) {
		u.reached = make(map[string]bool, len(u.code.LocalsPlusNames))
	}
	for _, b := range g.Blocks {
		for i := range b.Instrs {
			switch in := &b.Instrs[i]; {
			case b.Dead:
				if u.never == nil { // mostly there is none
					u.never = map[int]bool{}
				}
				u.never[in.Offset] = true
			case in.Op == opcode.SetupAnnotations:
				u.setsUp = true
			case u.reached != nil && in.Op.UsesVariable():
				u.reached[in.Name] = true
			}
		}
	}
}

// capturedNames are the cells of the code whose names no function inside reads as those of global variables.
func (u *unit) capturedNames() []string {
	return slices.DeleteFunc(slices.Clone(u.cells()), u.readGlobalInside)
}

// reachedLines shows what noteReached has found out.
func (u *unit) reachedLines() []pass.Line {
	var out []pass.Line
	for _, name := range slices.Sorted(maps.Keys(u.reached)) {
		out = append(out, pass.Line{Text: fmt.Sprintf("%q is used", name)})
	}
	if u.setsUp {
		out = append(out, pass.Line{Text: "a dict for annotations is made"})
	}
	return out
}

// ownNames binds the names that a class body reads as its own or global ones, though a
// function around it has variables of these names: what binds them in the class is code that is never reached, and
// not in the text.
func (u *unit) ownNames(class *pyast.ClassDef) []pyast.Stmt {
	reads := map[string]bool{}
	for _, in := range u.decoded() {
		if in.Op == opcode.LoadName && (u.shadowed(in.Name) || slices.Contains(u.code.FreeVars(), in.Name)) && pyprint.ValidName(in.Name) {
			reads[in.Name] = true
		}
	}
	if len(reads) > 0 {
		for n := range u.symbols(class).Bound {
			delete(reads, u.unmangleName(n))
		}
	}
	var out []pyast.Stmt
	for _, n := range slices.Sorted(maps.Keys(reads)) {
		out = append(out, unrun(pyast.AssignS(pyast.N(n), pyast.None())))
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
		all := false
		if list, all = overlooked(list); !all {
			list = underConstant(list)
		}
	}
	if u.setsUp && !u.annotates(list) {
		list = append(list, unrun(&pyast.AnnAssign{Target: pyast.N("__annotations__"), Annotation: pyast.None(), Simple: true}))
	}
	return list
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
				if name, ok := before.Targets[0].(*pyast.Name); ok && len(before.Targets) == 1 && !lift.IsTemp(name.Id) && !compilerMade(before) {
					out, done = append(out[:i], matchAll(before.Value, &pyast.MatchAs{Name: name.Id}, slices.Clone(out[i+1:])...)), true
				}
			}
		}
		all = all && done
	}
	return out, all
}

// underConstant puts those annotations that overlooked has found no subject for, and what stands behind them, under a constant:
// nothing is left of that.
func underConstant(list []pyast.Stmt) []pyast.Stmt {
	for i, s := range list {
		switch s.(type) {
		case *pyast.FunctionDef, *pyast.ClassDef, *pyast.Match:
		case *pyast.AnnAssign:
			return append(list[:i:i], matchAll(pyast.None(), &pyast.MatchAs{}, list[i:]...))
		default:
			pyast.Blocks(s, func(b *[]pyast.Stmt) { *b = underConstant(*b) })
		}
	}
	return list
}

func matchAll(subject pyast.Expr, p pyast.Pattern, body ...pyast.Stmt) pyast.Stmt {
	return &pyast.Match{Pos: *body[0].Position(), Subject: subject, Cases: []*pyast.MatchCase{{Pattern: p, Body: body}}}
}

// classDict is the cell in which a class keeps its names for annotations and the like.
const classDict = "__classdict__"

// annotates reports whether there is an annotation of a variable among the statements. Those that the compiler overlooks do not count.
func (u *unit) annotates(list []pyast.Stmt) bool {
	found := false
	pyast.InspectStmts(list, func(n pyast.Node) bool {
		switch n.(type) {
		case *pyast.AnnAssign:
			found = true
		case *pyast.Match:
			return !found && !u.code.Version.OverlooksAnnotationsInMatch()
		case *pyast.FunctionDef, *pyast.ClassDef, *pyast.Lambda:
			return false
		}
		return !found
	})
	return found
}
