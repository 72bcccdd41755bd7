package service

import (
	"fmt"
	"math"
	"math/big"

	"github.com/thuml/depyf/internal/pyc"
)

// ReadCodePacket decodes the packet of one code object.
func ReadCodePacket(data []byte) (*pyc.Code, error) {
	v, err := DecodeValue(data)
	if err != nil {
		return nil, err
	}
	return CodeFromValue(v)
}

// Recording is one frame that Dynamo transformed, as tests/torch/record_dynamo.py
// stores it under testdata/dynamo.
type Recording struct {
	Func     string // co_name of the frame's code
	Old, New *pyc.Code
}

// ReadRecording decodes a file of testdata/dynamo.
func ReadRecording(data []byte) (*Recording, error) {
	v, err := DecodeValue(data)
	if err != nil {
		return nil, err
	}
	m, _ := v.(map[string]any)
	r := &Recording{}
	r.Func, _ = m["func"].(string)
	if r.Old, err = CodeFromValue(m["old"]); err != nil {
		return nil, fmt.Errorf("old: %w", err)
	}
	if r.New, err = CodeFromValue(m["new"]); err != nil {
		return nil, fmt.Errorf("new: %w", err)
	}
	return r, nil
}

// CodeFromValue converts a decoded code packet (a map with "t": "code").
func CodeFromValue(v any) (*pyc.Code, error) {
	m, _ := v.(map[string]any)
	if m["t"] != "code" {
		return nil, fmt.Errorf("%w: not a code object", errMalformed)
	}
	f := fields{m: m}
	version := f.list("version")
	if len(version) < 2 || version[0] != int64(3) {
		return nil, fmt.Errorf("%w: version %v of a code object", errMalformed, m["version"])
	}
	minor, _ := version[1].(int64)
	if minor < int64(pyc.Oldest) || minor > int64(pyc.Newest) {
		return nil, fmt.Errorf("CPython 3.%d is not supported: %w", minor, errMalformed)
	}
	c := &pyc.Code{
		Version:         pyc.Version(minor),
		ArgCount:        f.int("argcount"),
		PosOnlyArgCount: f.int("posonly"),
		KwOnlyArgCount:  f.int("kwonly"),
		StackSize:       f.int("stacksize"),
		Flags:           pyc.CodeFlags(f.int("flags")),
		Bytecode:        f.bytes("code"),
		Names:           f.strings("names"),
		LocalsPlusNames: f.strings("localsplusnames"),
		Filename:        f.str("filename"),
		Name:            f.str("name"),
		QualName:        f.str("qualname"),
		FirstLine:       f.int("firstlineno"),
		LineTable:       f.bytes("linetable"),
		ExceptionTable:  f.bytes("exceptiontable"),
	}
	kinds := f.bytes("localspluskinds")
	for _, k := range kinds {
		c.LocalsPlusKinds = append(c.LocalsPlusKinds, pyc.LocalKind(k))
	}
	for i, item := range f.list("consts") {
		k, err := constFromValue(item)
		if err != nil {
			return nil, fmt.Errorf("constant %d of %s: %w", i, c.Name, err)
		}
		c.Consts = append(c.Consts, k)
	}
	c.HostName, _ = m["as"].(string)
	if f.err == nil && len(kinds) != len(c.LocalsPlusNames) {
		f.err = fmt.Errorf("%w: %d slots, %d kinds", errMalformed, len(c.LocalsPlusNames), len(kinds))
	}
	return c, f.err
}

func constFromValue(v any) (pyc.Const, error) {
	switch v := v.(type) {
	case nil:
		return pyc.None{}, nil
	case bool:
		return pyc.Bool(v), nil
	case int64:
		return pyc.Int{Big: big.NewInt(v)}, nil
	case float64:
		return pyc.Float{Bits: math.Float64bits(v)}, nil
	case string:
		return pyc.Str(v), nil
	case []byte:
		return pyc.Bytes(v), nil
	case map[string]any:
		return taggedConst(v)
	}
	return nil, fmt.Errorf("%w: a constant cannot be a %T", errMalformed, v)
}

func taggedConst(m map[string]any) (pyc.Const, error) {
	f := fields{m: m}
	switch m["t"] {
	case "int":
		n, ok := new(big.Int).SetString(f.str("v"), 0)
		if !ok {
			return nil, fmt.Errorf("%w: bad integer", errMalformed)
		}
		return pyc.Int{Big: n}, f.err
	case "complex":
		return pyc.Complex{Real: f.float("re"), Imag: f.float("im")}, f.err
	case "ellipsis":
		return pyc.Ellipsis{}, nil
	case "code":
		return CodeFromValue(m)
	case "tuple", "frozenset", "slice":
		var items []pyc.Const
		for _, item := range f.list("v") {
			k, err := constFromValue(item)
			if err != nil {
				return nil, err
			}
			items = append(items, k)
		}
		switch {
		case f.err != nil:
			return nil, f.err
		case m["t"] == "tuple":
			return pyc.Tuple(items), nil
		case m["t"] == "frozenset":
			return pyc.FrozenSet(items), nil
		case len(items) != 3:
			return nil, fmt.Errorf("%w: slice of %d parts", errMalformed, len(items))
		}
		return pyc.Slice{Start: items[0], Stop: items[1], Step: items[2]}, nil
	case "opaque":
		return &pyc.Opaque{
			ID: int64(f.int("id")), Type: f.str("type"), Name: f.str("name"), Text: f.str("text"),
		}, f.err
	}
	return nil, fmt.Errorf("%w: constant tagged %v", errMalformed, m["t"])
}

// fields reads typed fields of a map and keeps the first error.
type fields struct {
	m   map[string]any
	err error
}

func field[T any](f *fields, key string) T {
	v, ok := f.m[key].(T)
	if !ok && f.err == nil {
		f.err = fmt.Errorf("%w: field %q is a %T", errMalformed, key, f.m[key])
	}
	return v
}

func (f *fields) str(key string) string   { return field[string](f, key) }
func (f *fields) bytes(key string) []byte { return field[[]byte](f, key) }
func (f *fields) list(key string) []any   { return field[[]any](f, key) }

func (f *fields) int(key string) int {
	n := field[int64](f, key)
	if n < 0 || n > math.MaxUint32 {
		if f.err == nil {
			f.err = fmt.Errorf("%w: field %q is %d", errMalformed, key, n)
		}
		return 0
	}
	return int(n)
}

func (f *fields) float(key string) pyc.Float {
	return pyc.Float{Bits: math.Float64bits(field[float64](f, key))}
}

func (f *fields) strings(key string) []string {
	var out []string
	for _, item := range f.list(key) {
		s, ok := item.(string)
		if !ok && f.err == nil {
			f.err = fmt.Errorf("%w: field %q holds a %T", errMalformed, key, item)
		}
		out = append(out, s)
	}
	return out
}
