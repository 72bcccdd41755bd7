package generate

import (
	"fmt"
	"reflect"
	"sort"
	"strings"

	"github.com/thuml/depyf/internal/pyast"
	"github.com/thuml/depyf/internal/pyc"
)

// Failure is a program that is not proven, shrunk or as it was made.
type Failure struct {
	Version pyc.Version
	Program *Program
	Outcome Outcome
	Shrunk  bool
}

// Group is a set of failures that seem to have one cause.
type Group struct {
	Key      string
	Failures []Failure
}

// Groups sorts failures into groups, the largest first. One group holds what fails in
// the same way, in one shape: the kinds of statements and expressions of the shrunk program.
func Groups(all []Failure) []*Group {
	by := map[string]*Group{}
	var out []*Group
	for _, f := range all {
		key := fmt.Sprintf("%s: %s", f.Outcome.Class, f.Outcome.Reason)
		if f.Shrunk {
			key += "\n" + Shape(f.Program.Module)
		}
		g := by[key]
		if g == nil {
			g = &Group{Key: key}
			by[key] = g
			out = append(out, g)
		}
		g.Failures = append(g.Failures, f)
	}
	sort.SliceStable(out, func(i, j int) bool { return len(out[i].Failures) > len(out[j].Failures) })
	return out
}

// Shape names the statements of a program as they stand in one another, without the
// functions around them, and the expressions that are more than names and calls.
func Shape(m *pyast.Module) string {
	var b strings.Builder
	shapeOf(&b, reflect.ValueOf(m.Body))
	return strings.TrimSpace(b.String())
}

// plain are the nodes that say nothing about a cause.
var plain = map[string]bool{
	"Name": true, "Constant": true, "ExprStmt": true, "FunctionDef": true, "Arguments": true, "Arg": true, "Keyword": true, "Pass": true,
}

func shapeOf(b *strings.Builder, v reflect.Value) {
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer:
		if v.IsNil() {
			return
		}
		if _, ok := v.Interface().(pyast.Node); ok && v.Kind() == reflect.Pointer {
			name := v.Elem().Type().Name()
			if !plain[name] {
				b.WriteString(name)
			}
			inner := &strings.Builder{}
			for i := range v.Elem().NumField() {
				shapeOf(inner, v.Elem().Field(i))
			}
			if text := strings.TrimSpace(inner.String()); text != "" && plain[name] {
				b.WriteString(text)
			} else if text != "" {
				b.WriteString("(" + text + ")")
			}
			b.WriteByte(' ')
			return
		}
		shapeOf(b, v.Elem())
	case reflect.Slice:
		for i := range v.Len() {
			shapeOf(b, v.Index(i))
		}
	}
}
