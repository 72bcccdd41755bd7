package pyast

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"

	"github.com/thuml/depyf/internal/pyc"
)

// The JSON form is the stable external form of a tree (--format=json).
//
// A node is an object whose "node" is Python's ast class name, followed by its
// fields under Python's names. Fields that are None, empty or false are left
// out, except operators and constants. Three things differ from Python's ast:
// "is_async" replaces the Async… classes, "is_star" replaces TryStar, and there
// is no ctx. "line" and "offset" tell where the node comes from, if known.
// Constants are described in jsonconst.go.

// EncodeJSON returns the JSON form of a tree.
func EncodeJSON(n Node) ([]byte, error) {
	var b jsonWriter
	b.node(reflect.ValueOf(n))
	return b.Bytes(), b.err
}

type jsonWriter struct {
	bytes.Buffer
	err error
}

func (w *jsonWriter) fail(format string, args ...any) {
	if w.err == nil {
		w.err = fmt.Errorf("pyast: "+format, args...)
	}
	w.WriteString("null")
}

func (w *jsonWriter) str(s string) {
	// Marshal of a string cannot fail. HTML escapes would only hurt readers.
	enc := json.NewEncoder(&w.Buffer)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(s)
	w.Truncate(w.Len() - 1) // the encoder's newline
}

func (w *jsonWriter) key(name string) {
	w.WriteByte(',')
	w.str(name)
	w.WriteByte(':')
}

// node writes what v, an interface or a pointer, refers to.
func (w *jsonWriter) node(v reflect.Value) {
	for v.IsValid() && v.Kind() == reflect.Interface && !v.IsNil() {
		v = v.Elem()
	}
	if !v.IsValid() || v.IsNil() {
		w.WriteString("null")
		return
	}
	s := schemaOf[v.Type()]
	if s == nil {
		w.fail("unknown node %s", v.Type())
		return
	}
	w.WriteString(`{"node":`)
	w.str(s.name)
	if pos := v.Interface().(Node).Position(); *pos != (Pos{}) {
		if pos.Line != 0 {
			w.key("line")
			w.WriteString(strconv.Itoa(pos.Line))
		}
		if pos.Offset != 0 {
			w.key("offset")
			w.WriteString(strconv.Itoa(pos.Offset))
		}
	}
	v = v.Elem()
	for _, f := range s.fields {
		fv := v.Field(f.index)
		if !f.always && (fv.IsZero() || fv.Kind() == reflect.Slice && fv.Len() == 0) {
			continue
		}
		w.key(f.name)
		w.value(fv)
	}
	w.WriteByte('}')
}

func (w *jsonWriter) value(v reflect.Value) {
	t := v.Type()
	switch {
	case t == constType:
		c, _ := v.Interface().(pyc.Const)
		w.constant(c)
	case t.Implements(nodeType):
		w.node(v)
	case t.Kind() == reflect.Slice:
		w.WriteByte('[')
		for i := range v.Len() {
			if i > 0 {
				w.WriteByte(',')
			}
			w.value(v.Index(i))
		}
		w.WriteByte(']')
	case t.Kind() == reflect.String:
		w.str(v.String())
	case t.Kind() == reflect.Bool:
		w.WriteString(strconv.FormatBool(v.Bool()))
	case t.Kind() == reflect.Int:
		w.WriteString(strconv.FormatInt(v.Int(), 10))
	case t.Kind() == reflect.Int32: // a conversion
		w.str(string(rune(v.Int())))
	case t.Kind() == reflect.Uint8: // an operator
		w.str(fmt.Sprint(v.Interface()))
	default:
		w.fail("cannot encode a %s", t)
	}
}
