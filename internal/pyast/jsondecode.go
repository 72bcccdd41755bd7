package pyast

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
)

// DecodeJSON reads what EncodeJSON wrote. It checks that every node stands
// where its kind is allowed, but not that required children are present.
func DecodeJSON(data []byte) (Node, error) {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		return nil, fmt.Errorf("pyast: %w", err)
	}
	out, err := decodeNode(v)
	if err != nil {
		return nil, err
	}
	if !out.IsValid() {
		return nil, fmt.Errorf("pyast: null instead of a node")
	}
	return out.Interface().(Node), nil
}

// DecodeModule is DecodeJSON for a whole module.
func DecodeModule(data []byte) (*Module, error) {
	n, err := DecodeJSON(data)
	if err != nil {
		return nil, err
	}
	m, ok := n.(*Module)
	if !ok {
		return nil, fmt.Errorf("pyast: %s instead of a Module", NameOf(n))
	}
	return m, nil
}

// decodeNode returns a pointer to a new node, or the zero Value for null.
func decodeNode(v any) (reflect.Value, error) {
	if v == nil {
		return reflect.Value{}, nil
	}
	m, ok := v.(map[string]any)
	if !ok {
		return reflect.Value{}, fmt.Errorf("pyast: %T instead of a node", v)
	}
	name, _ := m["node"].(string)
	s := schemaName[name]
	if s == nil {
		return reflect.Value{}, fmt.Errorf("pyast: unknown node %q", name)
	}
	out := reflect.New(s.typ)
	pos := out.Interface().(Node).Position()
	pos.Line = decodeInt(m["line"])
	pos.Offset = decodeInt(m["offset"])
	for _, f := range s.fields {
		x, ok := m[f.name]
		if !ok {
			if f.always && s.typ.Field(f.index).Type == constType {
				return out, fmt.Errorf("pyast: %s without %s", name, f.name)
			}
			continue
		}
		if err := decodeValue(out.Elem().Field(f.index), x); err != nil {
			return out, fmt.Errorf("%w in %s.%s", err, name, f.name)
		}
	}
	return out, nil
}

func decodeInt(v any) int {
	n, ok := v.(json.Number)
	if !ok {
		return 0
	}
	i, _ := n.Int64()
	return int(i)
}

var opNames = map[reflect.Type][]string{
	reflect.TypeFor[BoolOpKind]():   boolOpNames[:],
	reflect.TypeFor[BinOpKind]():    binOpNames[:],
	reflect.TypeFor[UnaryOpKind]():  unaryOpNames[:],
	reflect.TypeFor[CmpOpKind]():    cmpOpNames[:],
	reflect.TypeFor[VerbatimPrec](): precNames[:],
	reflect.TypeFor[HoleKind]():     holeNames[:],
}

func decodeValue(dst reflect.Value, v any) error {
	t := dst.Type()
	wrong := fmt.Errorf("pyast: %T does not fit", v)
	switch {
	case t == constType:
		c, err := decodeConst(v)
		if err == nil {
			dst.Set(reflect.ValueOf(c))
		}
		return err
	case t.Implements(nodeType):
		n, err := decodeNode(v)
		if err != nil || !n.IsValid() {
			return err
		}
		if !n.Type().AssignableTo(t) {
			return fmt.Errorf("pyast: misplaced %s", NameOf(n.Interface().(Node)))
		}
		dst.Set(n)
	case t.Kind() == reflect.Slice:
		list, ok := v.([]any)
		if !ok {
			return wrong
		}
		dst.Set(reflect.MakeSlice(t, len(list), len(list)))
		for i, x := range list {
			if err := decodeValue(dst.Index(i), x); err != nil {
				return err
			}
		}
	case t.Kind() == reflect.String:
		s, ok := v.(string)
		if !ok {
			return wrong
		}
		dst.SetString(s)
	case t.Kind() == reflect.Bool:
		b, ok := v.(bool)
		if !ok {
			return wrong
		}
		dst.SetBool(b)
	case t.Kind() == reflect.Int:
		dst.SetInt(int64(decodeInt(v)))
	case t.Kind() == reflect.Int32:
		s, _ := v.(string)
		if s != "s" && s != "r" && s != "a" {
			return wrong
		}
		dst.SetInt(int64(s[0]))
	case t.Kind() == reflect.Uint8:
		s, _ := v.(string)
		for i, name := range opNames[t] {
			if name == s {
				dst.SetUint(uint64(i))
				return nil
			}
		}
		return fmt.Errorf("pyast: unknown operator %q", s)
	default:
		return wrong
	}
	return nil
}
