package explain

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"unicode/utf8"
)

// Record is one line of events.jsonl: what was told, and what depyf derived
// from it with the help of the outside world.
type Record struct {
	N      int     // counts from 1
	Time   float64 // seconds since 1970
	Type   string
	Fields map[string]any
	Result map[string]any
}

// inlineLimit is the size from which a text is stored beside the log. Most
// texts below it are names and paths, which are useful to see in the line.
const inlineLimit = 4096

// encode makes the line of a record. Large texts and all bytes go to put.
func (r Record) encode(put func([]byte) (string, error)) ([]byte, error) {
	fields, err := shrinkLists(r.Fields, put)
	if err != nil {
		return nil, err
	}
	line := map[string]any{"n": r.N, "t": math.Round(r.Time*1e6) / 1e6, "type": r.Type, "fields": fields}
	if len(r.Result) > 0 {
		if line["result"], err = shrinkLists(r.Result, put); err != nil {
			return nil, err
		}
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(line); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// shrinkLists is shrink for the fields of a record. A long list (the guards of a
// function, the files of a folder) goes to put as a whole, as JSON: it repeats
// itself, and in the line nobody would read it.
func shrinkLists(v map[string]any, put func([]byte) (string, error)) (map[string]any, error) {
	out := make(map[string]any, len(v))
	for k, x := range v {
		y, err := shrink(x, put)
		if err != nil {
			return nil, err
		}
		if list, ok := y.([]any); ok && size(list) >= inlineLimit {
			var b bytes.Buffer
			enc := json.NewEncoder(&b)
			enc.SetEscapeHTML(false)
			if err := enc.Encode(list); err != nil {
				return nil, err
			}
			name, err := put(b.Bytes())
			if err != nil {
				return nil, err
			}
			y = map[string]any{"blob": name, "json": true}
		}
		out[k] = y
	}
	return out, nil
}

// size is the number of bytes of text in v, about.
func size(v any) int {
	n := 1
	switch v := v.(type) {
	case string:
		n += len(v)
	case []any:
		for _, x := range v {
			n += size(x)
		}
	case map[string]any:
		for k, x := range v {
			n += len(k) + size(x)
		}
	}
	return n
}

func shrink(v any, put func([]byte) (string, error)) (any, error) {
	switch v := v.(type) {
	case string:
		// JSON cannot carry lone surrogates, which Python strings may have.
		if len(v) < inlineLimit && utf8.ValidString(v) {
			return v, nil
		}
		name, err := put([]byte(v))
		return map[string]any{"blob": name, "text": true}, err
	case []byte:
		name, err := put(v)
		return map[string]any{"blob": name}, err
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Sprint(v), nil
		}
	case []any:
		if inline(v) {
			return v, nil
		}
		out := make([]any, len(v))
		for i, x := range v {
			var err error
			if out[i], err = shrink(x, put); err != nil {
				return nil, err
			}
		}
		return out, nil
	case map[string]any:
		if inline(v) {
			return v, nil
		}
		out := make(map[string]any, len(v))
		for k, x := range v {
			y, err := shrink(x, put)
			if err != nil {
				return nil, err
			}
			out[k] = y
		}
		return out, nil
	}
	return v, nil
}

// inline reports whether a value stands in the line as it is. The guards of a large
// model are thousands of small maps, which need no copies.
func inline(v any) bool {
	switch v := v.(type) {
	case string:
		return len(v) < inlineLimit && utf8.ValidString(v)
	case []byte:
		return false
	case float64:
		return !math.IsNaN(v) && !math.IsInf(v, 0)
	case []any:
		for _, x := range v {
			if !inline(x) {
				return false
			}
		}
	case map[string]any:
		for _, x := range v {
			if !inline(x) {
				return false
			}
		}
	}
	return true
}

// decodeRecord is the inverse of encode. A blob that is gone reads as a text
// that says so: the rest of the record is still worth having.
func decodeRecord(line []byte, get func(string) ([]byte, error)) (Record, error) {
	var raw struct {
		N      int
		T      float64
		Type   string
		Fields map[string]any
		Result map[string]any
	}
	dec := json.NewDecoder(bytes.NewReader(line))
	dec.UseNumber()
	if err := dec.Decode(&raw); err != nil {
		return Record{}, err
	}
	if raw.Type == "" {
		return Record{}, fmt.Errorf("a record without a type")
	}
	r := Record{N: raw.N, Time: raw.T, Type: raw.Type}
	r.Fields, _ = grow(raw.Fields, get, 0).(map[string]any)
	r.Result, _ = grow(raw.Result, get, 0).(map[string]any)
	return r, nil
}

func grow(v any, get func(string) ([]byte, error), depth int) any {
	if depth > 100 {
		return nil
	}
	switch v := v.(type) {
	case []any:
		for i := range v {
			v[i] = grow(v[i], get, depth+1)
		}
	case map[string]any:
		if name, ok := v["blob"].(string); ok && len(v) <= 2 {
			data, err := get(name)
			if v["json"] == true {
				dec := json.NewDecoder(bytes.NewReader(data))
				dec.UseNumber()
				var list []any
				if err != nil || dec.Decode(&list) != nil {
					return nil
				}
				return grow(list, get, depth+1)
			}
			if v["text"] == true {
				if err != nil {
					return "# this text is missing: " + name
				}
				return string(data)
			}
			return data
		}
		for k := range v {
			v[k] = grow(v[k], get, depth+1)
		}
	}
	return v
}
