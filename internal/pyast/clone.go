package pyast

import "reflect"

// Clone copies a tree, positions included. Constants are shared, because they
// never change.
func Clone[T Node](n T) T {
	if isNil(n) {
		return n
	}
	return cloneNode(reflect.ValueOf(n)).Interface().(T)
}

// CloneStmts copies a list of statements.
func CloneStmts(list []Stmt) []Stmt {
	if list == nil {
		return nil
	}
	out := make([]Stmt, len(list))
	for i, s := range list {
		out[i] = Clone(s)
	}
	return out
}

// cloneNode copies the struct that p points to and everything below it.
func cloneNode(p reflect.Value) reflect.Value {
	out := reflect.New(p.Type().Elem())
	dst := out.Elem()
	dst.Set(p.Elem())
	s := schemaOf[p.Type()]
	if s == nil {
		return out
	}
	for _, f := range s.fields {
		cloneValue(dst.Field(f.index))
	}
	return out
}

// cloneValue replaces what v refers to by a copy.
func cloneValue(v reflect.Value) {
	t := v.Type()
	switch {
	case t == constType:
	case t.Implements(nodeType):
		if v.IsNil() {
			return
		}
		p := v
		if t.Kind() == reflect.Interface {
			p = v.Elem()
		}
		if p.Kind() == reflect.Pointer && !p.IsNil() {
			v.Set(cloneNode(p))
		}
	case t.Kind() == reflect.Slice:
		if v.IsNil() {
			return
		}
		c := reflect.MakeSlice(t, v.Len(), v.Len())
		reflect.Copy(c, v)
		v.Set(c)
		if k := t.Elem().Kind(); k == reflect.Interface || k == reflect.Pointer {
			for i := range c.Len() {
				cloneValue(c.Index(i))
			}
		}
	}
}
