package decompile

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/thuml/depyf/internal/lift"
	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyast"
	"github.com/thuml/depyf/internal/pyc"
)

// futureAnnotation shows an annotation of a module with `from __future__ import
// annotations`. The compiler has replaced it by its text, which is printed as
// it is: compiled again it gives the same text.
func (u *unit) futureAnnotation(e pyast.Expr) pyast.Expr {
	if !u.code.FutureAnnotations() {
		return e
	}
	c, ok := e.(*pyast.Constant)
	if !ok {
		return e
	}
	s, ok := c.Value.(pyc.Str)
	if !ok || s == "" {
		return e
	}
	text := string(s)
	if n := len(text); n > 2 && text[0] == '\'' && text[n-1] == '\'' && !strings.ContainsAny(text[1:n-1], `'"\`) {
		text = `"` + text[1:n-1] + `"` // the quotes of the rest of the file
	}
	if u.code.Version.FoldsAnnotationText() {
		text = unfoldEllipsis(text)
	}
	return &pyast.Verbatim{Text: text, Prec: pyast.VerbatimAtom, Value: c.Value}
}

// unfoldEllipsis writes `...` in the tuples in brackets that were folded. One with the name
// Ellipsis would not be a constant.
func unfoldEllipsis(text string) string {
	var b strings.Builder
	quote, depth := byte(0), 0 // depth counts the brackets since `[(`
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case quote != 0:
			if c == '\\' && i+1 < len(text) {
				b.WriteByte(c)
				i++
				c = text[i]
			} else if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case c == '(' && (depth > 0 || i > 0 && text[i-1] == '['):
			depth++
		case c == ')' && depth > 0:
			depth--
		case depth > 0 && strings.HasPrefix(text[i:], "Ellipsis") && strings.ContainsRune("(, ", rune(text[i-1])):
			b.WriteString("...")
			i += len("Ellipsis") - 1
			continue
		}
		b.WriteByte(c)
	}
	return b.String()
}

// futureAnnotations does so for the annotated assignments of a body.
func (u *unit) futureAnnotations(list []pyast.Stmt) {
	if !u.code.FutureAnnotations() {
		return
	}
	for _, s := range list {
		switch n := s.(type) {
		case *pyast.FunctionDef, *pyast.ClassDef:
			continue
		case *pyast.AnnAssign:
			n.Annotation = u.futureAnnotation(n.Annotation)
		}
		pyast.Blocks(s, func(b *[]pyast.Stmt) { u.futureAnnotations(*b) })
	}
}

// Annotate receives the function that computes the annotations of this module
// or class.
func (u *unit) Annotate(fn *lift.Func) { u.annotate = fn }

// annotation is one annotated variable of a module or class.
type annotation struct {
	name  string
	value pyast.Expr
	line  int
	mark  int // number in __conditional_annotations__, or -1
}

func (a *annotation) statement() *pyast.AnnAssign {
	return &pyast.AnnAssign{Pos: pyast.At(a.line, 0), Target: pyast.N(a.name), Annotation: a.value, Simple: true}
}

// annotations decompiles the __annotate__ function of a def.
func (u *unit) annotations(code *pyc.Code) []*pyast.Keyword {
	n := u.nested(code)
	list, err := n.annotateBody()
	if err == nil {
		if out, ok := parameters(list); ok {
			var rest []pyast.Expr
			for i := 1; i < len(out); i++ {
				rest = append(rest, out[i].Value)
			}
			if len(out) > 0 {
				out[0].Value = n.mentionTaken(out[0].Value, rest...)
			}
			return out
		}
		err = n.unknownAnnotations()
	}
	*u.problems = append(*u.problems, err.Error())
	return nil
}

// unknownAnnotations is noted as the unit's error: other decisions about it may give what is known.
func (u *unit) unknownAnnotations() error {
	err := fmt.Errorf("%s: annotations of an unknown shape", u.code.QualName)
	u.note(err)
	return err
}

// parameters lists what the __annotate__ function of a def computes, whose body returns one dict display.
func parameters(list []pyast.Stmt) (out []*pyast.Keyword, ok bool) {
	if len(list) != 1 {
		return nil, false
	}
	r, ok := list[0].(*pyast.Return)
	if !ok {
		return nil, false
	}
	d, ok := r.Value.(*pyast.Dict)
	if !ok {
		return nil, false
	}
	for i, k := range d.Keys {
		if s, ok := strConst(k); ok {
			out = append(out, &pyast.Keyword{Arg: s, Value: d.Values[i]})
		}
	}
	return out, true
}

// annotateBody returns the statements of an __annotate__ function behind its
// check of the format:
//
//	if format > 2:
//	    raise NotImplementedError
func (u *unit) annotateBody() ([]pyast.Stmt, error) {
	list, err := u.body()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", u.code.QualName, err)
	}
	if len(list) > 0 {
		if n, ok := list[0].(*pyast.If); ok && len(n.Body) == 1 {
			if _, ok := n.Body[0].(*pyast.Raise); ok {
				if len(n.OrElse) > 0 {
					return n.OrElse, nil
				}
				return list[1:], nil
			}
		}
	}
	return nil, u.unknownAnnotations()
}

// variables lists what the __annotate__ function of a module or class computes:
//
//	annotations["x"] = int
//	if 0 in __conditional_annotations__:
//	    annotations["y"] = str
//	return annotations
func variables(list []pyast.Stmt) (out []annotation, ok bool) {
	one := func(s pyast.Stmt, mark int) bool {
		a, ok := s.(*pyast.Assign)
		if !ok || len(a.Targets) != 1 {
			return false
		}
		t, ok := a.Targets[0].(*pyast.Subscript)
		if !ok || !isName(t.Value, lift.AnnotationDict) {
			return false
		}
		name, ok := strConst(t.Slice)
		line := 0 // the statement itself has that of the class
		pyast.Inspect(a.Value, func(n pyast.Node) bool {
			line = cmp.Or(line, n.Position().Line)
			return line == 0
		})
		out = append(out, annotation{name, a.Value, line, mark})
		return ok
	}
	for _, s := range list {
		switch n := s.(type) {
		case *pyast.Return:
			if !isName(n.Value, lift.AnnotationDict) {
				return nil, false
			}
		case *pyast.If:
			c, ok := n.Test.(*pyast.Compare)
			if !ok || len(n.Body) != 1 || len(n.OrElse) > 0 || c.Ops[0] != pyast.In || !isName(c.Comparators[0], lift.ConditionalAnnotations) {
				return nil, false
			}
			mark, ok := intConst(c.Left)
			if !ok || !one(n.Body[0], mark) {
				return nil, false
			}
		case *pyast.ExprStmt: // the names of the class, which are loaded in front of each name that is looked for
			if !isName(n.Value, classDict) {
				return nil, false
			}
		default:
			if !one(s, -1) {
				return nil, false
			}
		}
	}
	return out, true
}

// annotated is lazyAnnotations that never fails: annotations that cannot be expressed
// cost themselves alone.
func (u *unit) annotated(list []pyast.Stmt) []pyast.Stmt {
	out, err := u.lazyAnnotations(list)
	if err == nil {
		return out
	}
	*u.problems = append(*u.problems, err.Error())
	if u.annotate != nil {
		u.stubs[u.annotate.Code] = err.Error()
	}
	return withoutMarks(list)
}

// withoutMarks drops the marks of conditional annotations.
func withoutMarks(list []pyast.Stmt) (out []pyast.Stmt) {
	for _, s := range list {
		if _, is := markOf(s); is {
			continue
		}
		if a, ok := s.(*pyast.Assign); ok && len(a.Targets) == 1 && isName(a.Targets[0], lift.ConditionalAnnotations) {
			continue
		}
		switch s.(type) {
		case *pyast.FunctionDef, *pyast.ClassDef:
		default:
			pyast.Blocks(s, func(b *[]pyast.Stmt) { *b = withoutMarks(*b) })
		}
		out = append(out, s)
	}
	return out
}

// lazyAnnotations puts the annotations of a module or class (3.14+) to the
// assignments that they were written at.
func (u *unit) lazyAnnotations(list []pyast.Stmt) ([]pyast.Stmt, error) {
	if !u.code.Version.AnnotationsAreLazy() {
		return list, nil
	}
	vars := u.unknown()
	if u.annotate != nil {
		n := u.nested(u.annotate.Code)
		body, err := n.annotateBody()
		if err != nil {
			return nil, err
		}
		var ok bool
		if vars, ok = variables(body); !ok {
			return nil, n.unknownAnnotations()
		}
	}
	marked := map[int]annotation{}
	for _, a := range vars {
		if a.mark >= 0 {
			marked[a.mark] = a
		}
	}
	list, err := u.placeMarked(list, marked, isClassBody(u.code))
	if err != nil {
		return nil, err
	}
	return u.unmarked(placePlain(list, vars), vars), nil
}

// unknown are annotations for all marks of the code: where its body never ends, nothing makes the function that knows them.
func (u *unit) unknown() (vars []annotation) {
	instrs := u.decoded()
	for i := 2; i < len(instrs); i++ {
		if n, ok := instrs[i-1].Const.(pyc.Int); ok && instrs[i].Op == opcode.SetAdd && instrs[i-2].Name == lift.ConditionalAnnotations {
			for last := n.Big.Int64(); int64(len(vars)) <= last && len(vars) < len(instrs); {
				vars = append(vars, annotation{"_", &pyast.Constant{Value: pyc.Ellipsis{}}, int(instrs[i].Pos.Line), len(vars)})
			}
		}
	}
	return vars
}

// placeMarked replaces the marks of conditional annotations. In a class only those have a mark that may not run, so that one
// among the statements of the class itself stood in a statement that left nothing else.
//
//	mark 0    →    if True:
//	                   x: int
func (u *unit) placeMarked(list []pyast.Stmt, marked map[int]annotation, always bool) ([]pyast.Stmt, error) {
	var out []pyast.Stmt
	var err error
	var left *pyast.If // the last statement, where it is made here
	for _, s := range list {
		if a, ok := s.(*pyast.Assign); ok && len(a.Targets) == 1 && isName(a.Targets[0], lift.ConditionalAnnotations) {
			continue
		}
		mark, ok := markOf(s)
		if !ok {
			switch s.(type) {
			case *pyast.FunctionDef, *pyast.ClassDef:
			default:
				pyast.Blocks(s, func(b *[]pyast.Stmt) {
					if l, e := u.placeMarked(*b, marked, false); e != nil {
						err = e
					} else {
						*b = l
					}
				})
			}
			out, left = append(out, s), nil
			continue
		}
		a, ok := marked[mark]
		if !ok {
			return nil, fmt.Errorf("an annotated variable without annotation")
		}
		node := a.statement()
		node.Pos = *s.Position()
		if n := len(out); n > 0 && valueOf(out[n-1], a.name, 0) {
			node.Value = out[n-1].(*pyast.Assign).Value
			out, left = out[:n-1], nil
		}
		switch {
		case !always:
			out = append(out, node)
		case left != nil:
			left.Body = append(left.Body, node)
		default:
			left = &pyast.If{Pos: node.Pos, Test: pyast.Bool(true), Body: []pyast.Stmt{node}}
			out = append(out, left)
		}
	}
	return out, err
}

// placePlain puts the annotations that are computed unconditionally in place: to the assignment of their line, or between
// the statements around their line. They stand in the order in which they are computed.
func placePlain(list []pyast.Stmt, vars []annotation) []pyast.Stmt {
	before := -1 // where the one in front stands
	for i := range vars {
		a := &vars[i]
		has := func(s pyast.Stmt) bool { return hasAnnotation(s, a.value) }
		if a.mark >= 0 {
			if k := slices.IndexFunc(list[before+1:], has); k >= 0 {
				before += 1 + k
			}
			continue
		}
		node := a.statement()
		if k := slices.IndexFunc(list, func(s pyast.Stmt) bool { return valueOf(s, a.name, a.line) }); k >= 0 && a.line > 0 {
			node.Value = list[k].(*pyast.Assign).Value
			list[k], before = node, max(k, before)
			continue
		}
		behind := len(list)
		for k := i + 1; k < len(vars) && behind == len(list); k++ {
			if vars[k].mark >= 0 {
				a = &vars[k]
				if at := slices.IndexFunc(list, has); at > before {
					behind = at
				}
			}
		}
		before = min(max(byLine(list, node.Line), before+1), behind)
		list = slices.Insert(list, before, pyast.Stmt(node))
	}
	return list
}

// compilerMade reports whether the compiler added the statement to a class
// body: such statements bear the class's own line.
func compilerMade(s pyast.Stmt) bool {
	a, ok := s.(*pyast.Assign)
	if !ok || len(a.Targets) != 1 {
		return false
	}
	n, ok := a.Targets[0].(*pyast.Name)
	return ok && (n.Id == "__module__" || n.Id == "__qualname__" || n.Id == "__firstlineno__" || n.Id == "__classdict__")
}

// valueOf reports whether s gives the variable its value; line 0 is any line.
func valueOf(s pyast.Stmt, name string, line int) bool {
	a, ok := s.(*pyast.Assign)
	return ok && len(a.Targets) == 1 && isName(a.Targets[0], name) && (line == 0 || a.Line == line || a.Targets[0].Position().Line == line)
}

func markOf(s pyast.Stmt) (int, bool) {
	e, ok := s.(*pyast.ExprStmt)
	if !ok {
		return 0, false
	}
	h, ok := e.Value.(*pyast.Hole)
	if !ok || h.Kind != pyast.AnnotationPlace {
		return 0, false
	}
	return intConst(h.Args[0])
}

func isName(e pyast.Expr, id string) bool {
	n, ok := e.(*pyast.Name)
	return ok && n.Id == id
}

func strConst(e pyast.Expr) (string, bool) {
	c, ok := e.(*pyast.Constant)
	if !ok {
		return "", false
	}
	s, ok := c.Value.(pyc.Str)
	return string(s), ok
}

func intConst(e pyast.Expr) (int, bool) {
	c, ok := e.(*pyast.Constant)
	if !ok {
		return 0, false
	}
	i, ok := c.Value.(pyc.Int)
	if !ok || !i.Big.IsInt64() {
		return 0, false
	}
	return int(i.Big.Int64()), true
}
