package explain

import (
	"encoding/json"
	"math"
	"strconv"
)

// fields gives typed access to the fields of an event. A field that is missing
// or has another type reads as the zero value: events come from another
// program, possibly of another version, and must never stop the session.
type fields map[string]any

func (f fields) str(k string) string {
	s, _ := f[k].(string)
	return s
}

func (f fields) bool(k string) bool {
	b, _ := f[k].(bool)
	return b
}

func (f fields) int(k string) int {
	n, _ := toInt(f[k])
	return n
}

func (f fields) list(k string) []any {
	l, _ := f[k].([]any)
	return l
}

func (f fields) sub(k string) fields {
	m, _ := f[k].(map[string]any)
	return m
}

func (f fields) strs(k string) []string {
	var out []string
	for _, v := range f.list(k) {
		if s, ok := v.(string); ok {
			out = append(out, s)
		}
	}
	return out
}

// text reads a field that may be text or bytes.
func (f fields) text(k string) string {
	switch v := f[k].(type) {
	case string:
		return v
	case []byte:
		return string(v)
	}
	return ""
}

// strsOf makes the list form that both the packets and JSON use.
func strsOf(ss []string) []any {
	out := make([]any, len(ss))
	for i, s := range ss {
		out[i] = s
	}
	return out
}

// toInt accepts the number types that the packet codec, encoding/json and Go
// callers use.
func toInt(v any) (int, bool) {
	switch v := v.(type) {
	case int64:
		return int(v), true
	case int:
		return v, true
	case json.Number:
		n, err := strconv.Atoi(string(v))
		return n, err == nil
	case float64:
		if v == math.Trunc(v) && math.Abs(v) < 1<<53 {
			return int(v), true
		}
	}
	return 0, false
}

// toFloat is toInt for numbers that may have a fraction.
func toFloat(v any) (float64, bool) {
	switch v := v.(type) {
	case float64:
		return v, true
	case json.Number:
		x, err := v.Float64()
		return x, err == nil
	}
	n, ok := toInt(v)
	return float64(n), ok
}
