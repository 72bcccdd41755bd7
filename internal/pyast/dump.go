package pyast

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"

	"github.com/thuml/depyf/internal/pyc"
)

// Dump writes a tree as text in the manner of ast.dump of Python 3.13: fields
// that are None, empty or false are left out. With a non-empty indent, lists of
// statements and the like take one line per item. The text is for tests and
// for people; nothing reads it back.
func Dump(n Node, indent string) string {
	d := dumper{indent: indent}
	d.value(reflect.ValueOf(n), 0)
	return d.String()
}

// DumpStmts dumps statements one after the other, each on its own line.
func DumpStmts(list []Stmt, indent string) string {
	var b strings.Builder
	for _, s := range list {
		b.WriteString(Dump(s, indent))
		b.WriteByte('\n')
	}
	return b.String()
}

type dumper struct {
	strings.Builder
	indent string
}

func (d *dumper) newline(level int) {
	if d.indent != "" {
		d.WriteByte('\n')
		for range level {
			d.WriteString(d.indent)
		}
	}
}

func (d *dumper) node(n Node, level int) {
	v := reflect.ValueOf(n)
	s := schemaOf[v.Type()]
	if s == nil {
		fmt.Fprintf(d, "?%T", n)
		return
	}
	d.WriteString(s.name)
	d.WriteByte('(')
	first := true
	for _, f := range s.fields {
		fv := v.Elem().Field(f.index)
		if !f.always && (fv.IsZero() || fv.Kind() == reflect.Slice && fv.Len() == 0) {
			continue
		}
		if !first {
			d.WriteString(", ")
		}
		first = false
		d.WriteString(f.name)
		d.WriteByte('=')
		d.value(fv, level)
	}
	d.WriteByte(')')
}

func (d *dumper) value(v reflect.Value, level int) {
	if !v.IsValid() {
		d.WriteString("None")
		return
	}
	if t := v.Type(); t == constType {
		c, _ := v.Interface().(pyc.Const)
		d.WriteString(ConstRepr(c))
		return
	} else if t.Implements(nodeType) {
		if n, _ := v.Interface().(Node); isNil(n) {
			d.WriteString("None")
		} else {
			d.node(n, level)
		}
		return
	}
	switch v.Kind() {
	case reflect.Slice:
		d.WriteByte('[')
		// Only statements, handlers and cases are worth a line each.
		elem := v.Type().Elem()
		long := elem == reflect.TypeFor[Stmt]() || elem == reflect.TypeFor[*ExceptHandler]() || elem == reflect.TypeFor[*MatchCase]()
		for i := range v.Len() {
			if i > 0 {
				d.WriteByte(',')
				if !long || d.indent == "" {
					d.WriteByte(' ')
				}
			}
			if long {
				d.newline(level + 1)
			}
			d.value(v.Index(i), level+1)
		}
		d.WriteByte(']')
	case reflect.String:
		d.WriteString(reprStr(v.String()))
	case reflect.Bool:
		if v.Bool() {
			d.WriteString("True")
		} else {
			d.WriteString("False")
		}
	case reflect.Int32:
		d.WriteString(strconv.QuoteRune(rune(v.Int())))
	case reflect.Uint8:
		fmt.Fprintf(d, "%v()", v.Interface())
	default:
		fmt.Fprint(d, v.Interface())
	}
}

// ConstRepr is a constant in the manner of Python's repr, for dumps.
func ConstRepr(c pyc.Const) string {
	switch c := c.(type) {
	case nil:
		return "<nil>"
	case pyc.None:
		return "None"
	case pyc.Ellipsis:
		return "Ellipsis"
	case pyc.StopIteration:
		return "StopIteration"
	case pyc.Null:
		return "<NULL>"
	case pyc.Bool:
		if c {
			return "True"
		}
		return "False"
	case pyc.Int:
		if c.Big == nil {
			return "<no int>"
		}
		if c.Big.BitLen() > 4096 {
			return "0x" + c.Big.Text(16)
		}
		return c.Big.String()
	case pyc.Float:
		return reprFloat(c)
	case pyc.Complex:
		return "complex(" + reprFloat(c.Real) + ", " + reprFloat(c.Imag) + ")"
	case pyc.Str:
		return reprStr(string(c))
	case pyc.Bytes:
		return "b" + reprStr(string(c))
	case pyc.Tuple:
		if len(c) == 1 {
			return "(" + ConstRepr(c[0]) + ",)"
		}
		return "(" + reprList(c) + ")"
	case pyc.FrozenSet:
		return "frozenset({" + reprList(c) + "})"
	case pyc.List:
		return "[" + reprList(c) + "]"
	case pyc.Set:
		return "{" + reprList(c) + "}"
	case pyc.Dict:
		return "{" + reprItems(c) + "}"
	case pyc.FrozenDict:
		return "frozendict({" + reprItems(c) + "})"
	case pyc.Slice:
		return "slice(" + reprList([]pyc.Const{c.Start, c.Stop, c.Step}) + ")"
	case *pyc.Opaque:
		return "<" + c.Name + ": " + c.Type + ">"
	}
	return fmt.Sprintf("<%T>", c)
}

func reprList(list []pyc.Const) string {
	parts := make([]string, len(list))
	for i, c := range list {
		parts[i] = ConstRepr(c)
	}
	return strings.Join(parts, ", ")
}

func reprItems(items []pyc.DictItem) string {
	parts := make([]string, len(items))
	for i, it := range items {
		parts[i] = ConstRepr(it.Key) + ": " + ConstRepr(it.Value)
	}
	return strings.Join(parts, ", ")
}

func reprFloat(f pyc.Float) string {
	v := math.Float64frombits(f.Bits)
	s := floatText(f)
	if v == math.Trunc(v) && !strings.ContainsAny(s, "einf") {
		s += ".0"
	}
	return s
}

// reprStr quotes like Python for ordinary text. Bytes that are not UTF-8, such
// as those of lone surrogates, show as \x escapes.
func reprStr(s string) string {
	q := strconv.Quote(s)
	if !strings.Contains(s, "'") {
		q = "'" + strings.ReplaceAll(q[1:len(q)-1], `\"`, `"`) + "'"
	}
	return q
}
