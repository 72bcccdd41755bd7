package pyast

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"unicode/utf8"

	"github.com/thuml/depyf/internal/pyc"
)

// Constants in JSON: null, true, false, strings and integers up to 2**53 stand
// for themselves. The rest are objects with one key:
//
//	{"int": "0x…"}          a larger integer, in hexadecimal with sign
//	{"float": "1.5"}        shortest text that reads back equal; inf, -inf
//	{"float": "nan:7ff8…"}  a NaN with its bits
//	{"complex": [r, i]}     two such float texts
//	{"wtf8": "hex"}         text with lone surrogates, as WTF-8
//	{"bytes": "hex"}
//	{"ellipsis": true}, {"stopiteration": true}
//	{"tuple": […]}, {"frozenset": […]}, {"list": […]}, {"set": […]}
//	{"slice": [start, stop, step]}
//	{"dict": [k, v, …]}, {"frozendict": [k, v, …]}
//	{"opaque": {"id":…, "type":…, "name":…, "text":…}}

const maxSafeInt = 1 << 53

func (w *jsonWriter) constant(c pyc.Const) {
	switch c := c.(type) {
	case pyc.None:
		w.WriteString("null")
	case pyc.Bool:
		w.WriteString(strconv.FormatBool(bool(c)))
	case pyc.Str:
		if utf8.ValidString(string(c)) {
			w.str(string(c))
		} else {
			w.tagged("wtf8", hex.EncodeToString([]byte(c)))
		}
	case pyc.Int:
		switch {
		case c.Big == nil:
			w.fail("integer without value")
		case c.Big.IsInt64() && abs(c.Big.Int64()) <= maxSafeInt:
			w.WriteString(c.Big.String())
		default:
			sign, b := "", new(big.Int).Abs(c.Big)
			if c.Big.Sign() < 0 {
				sign = "-"
			}
			w.tagged("int", sign+"0x"+b.Text(16))
		}
	case pyc.Float:
		w.tagged("float", floatText(c))
	case pyc.Complex:
		w.tagged("complex", []string{floatText(c.Real), floatText(c.Imag)})
	case pyc.Bytes:
		w.tagged("bytes", hex.EncodeToString([]byte(c)))
	case pyc.Ellipsis:
		w.tagged("ellipsis", true)
	case pyc.StopIteration:
		w.tagged("stopiteration", true)
	case pyc.Tuple:
		w.constants("tuple", c)
	case pyc.FrozenSet:
		w.constants("frozenset", c)
	case pyc.List:
		w.constants("list", c)
	case pyc.Set:
		w.constants("set", c)
	case pyc.Slice:
		w.constants("slice", []pyc.Const{c.Start, c.Stop, c.Step})
	case pyc.Dict:
		w.constants("dict", flatten(c))
	case pyc.FrozenDict:
		w.constants("frozendict", flatten(c))
	case *pyc.Opaque:
		w.tagged("opaque", map[string]any{"id": c.ID, "type": c.Type, "name": c.Name, "text": c.Text})
	default:
		w.fail("cannot encode constant %T", c)
	}
}

func abs(i int64) int64 {
	if i < 0 {
		return -i
	}
	return i
}

func (w *jsonWriter) tagged(tag string, v any) {
	data, err := json.Marshal(v)
	if err != nil {
		w.fail("%v", err)
		return
	}
	w.WriteString(`{"` + tag + `":`)
	w.Write(data)
	w.WriteByte('}')
}

func (w *jsonWriter) constants(tag string, list []pyc.Const) {
	w.WriteString(`{"` + tag + `":[`)
	for i, c := range list {
		if i > 0 {
			w.WriteByte(',')
		}
		w.constant(c)
	}
	w.WriteString("]}")
}

func flatten(items []pyc.DictItem) []pyc.Const {
	var out []pyc.Const
	for _, it := range items {
		out = append(out, it.Key, it.Value)
	}
	return out
}

func floatText(f pyc.Float) string {
	v := math.Float64frombits(f.Bits)
	switch {
	case v != v:
		return fmt.Sprintf("nan:%016x", f.Bits)
	case math.IsInf(v, 1):
		return "inf"
	case math.IsInf(v, -1):
		return "-inf"
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

func parseFloat(s string) (pyc.Float, error) {
	if len(s) == 20 && s[:4] == "nan:" {
		bits, err := strconv.ParseUint(s[4:], 16, 64)
		return pyc.Float{Bits: bits}, err
	}
	v, err := strconv.ParseFloat(s, 64)
	return pyc.Float{Bits: math.Float64bits(v)}, err
}

// decodeConst reads a constant from what encoding/json made of it.
func decodeConst(v any) (pyc.Const, error) {
	switch v := v.(type) {
	case nil:
		return pyc.None{}, nil
	case bool:
		return pyc.Bool(v), nil
	case string:
		return pyc.Str(v), nil
	case json.Number:
		if b, ok := new(big.Int).SetString(string(v), 10); ok {
			return pyc.Int{Big: b}, nil
		}
	case map[string]any:
		if len(v) != 1 {
			break
		}
		for tag, x := range v {
			return decodeTagged(tag, x)
		}
	}
	return nil, fmt.Errorf("pyast: bad constant %v", v)
}

func decodeTagged(tag string, v any) (pyc.Const, error) {
	bad := fmt.Errorf("pyast: bad %q constant", tag)
	switch v := v.(type) {
	case bool:
		switch tag {
		case "ellipsis":
			return pyc.Ellipsis{}, nil
		case "stopiteration":
			return pyc.StopIteration{}, nil
		}
	case string:
		switch tag {
		case "int":
			if b, ok := new(big.Int).SetString(v, 0); ok {
				return pyc.Int{Big: b}, nil
			}
		case "float":
			return parseFloat(v)
		case "wtf8":
			b, err := hex.DecodeString(v)
			return pyc.Str(b), err
		case "bytes":
			b, err := hex.DecodeString(v)
			return pyc.Bytes(b), err
		}
	case map[string]any:
		if tag == "opaque" {
			o := &pyc.Opaque{}
			if id, ok := v["id"].(json.Number); ok {
				o.ID, _ = id.Int64()
			}
			o.Type, _ = v["type"].(string)
			o.Name, _ = v["name"].(string)
			o.Text, _ = v["text"].(string)
			return o, nil
		}
	case []any:
		return decodeSequence(tag, v)
	}
	return nil, bad
}

func decodeSequence(tag string, v []any) (pyc.Const, error) {
	bad := fmt.Errorf("pyast: bad %q constant", tag)
	if tag == "complex" {
		if len(v) != 2 {
			return nil, bad
		}
		r, _ := v[0].(string)
		i, _ := v[1].(string)
		re, err1 := parseFloat(r)
		im, err2 := parseFloat(i)
		if err1 != nil || err2 != nil {
			return nil, bad
		}
		return pyc.Complex{Real: re, Imag: im}, nil
	}
	list := make([]pyc.Const, len(v))
	for i, x := range v {
		c, err := decodeConst(x)
		if err != nil {
			return nil, err
		}
		list[i] = c
	}
	items := func() []pyc.DictItem {
		var out []pyc.DictItem
		for i := 0; i+1 < len(list); i += 2 {
			out = append(out, pyc.DictItem{Key: list[i], Value: list[i+1]})
		}
		return out
	}
	switch {
	case tag == "tuple":
		return pyc.Tuple(list), nil
	case tag == "frozenset":
		return pyc.FrozenSet(list), nil
	case tag == "list":
		return pyc.List(list), nil
	case tag == "set":
		return pyc.Set(list), nil
	case tag == "slice" && len(list) == 3:
		return pyc.Slice{Start: list[0], Stop: list[1], Step: list[2]}, nil
	case tag == "dict" && len(list)%2 == 0:
		return pyc.Dict(items()), nil
	case tag == "frozendict" && len(list)%2 == 0:
		return pyc.FrozenDict(items()), nil
	}
	return nil, bad
}
