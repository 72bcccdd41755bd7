package explain

import (
	"encoding/json"
	"strings"
	"unicode/utf8"
)

// readEnvelope reads the JSON of an entry of torch's structured log. What nothing asks for is passed over: the figures of a
// compilation carry torch's whole configuration, 30 kB of it, and each symbol the stack within torch that made it.
// Texts are copies, so that nothing holds on to the entry.
func readEnvelope(text string) (fields, bool) {
	r := envelopeReader{text: text}
	if v, ok := r.value(0); ok && r.token() == 0 {
		f, ok := v.(map[string]any)
		return f, ok
	}
	// What is not read here is unusual. The library has the last word.
	var f map[string]any
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	return f, dec.Decode(&f) == nil
}

// unasked are the keys within an entry whose values no report uses.
var unasked = map[string]bool{
	"inductor_config": true, "dynamo_config": true, "functorch_config": true, "compiler_config": true,
	"stack_trace": true,
}

type envelopeReader struct {
	text string
	at   int
	kind string // the first key: what the entry is about
}

// asked reports whether the value of a key within an entry is read.
func (r *envelopeReader) asked(key string) bool {
	return !unasked[key] && (key != "stack" || r.kind == "dynamo_start")
}

// token is the next byte that is no space, or 0 at the end.
func (r *envelopeReader) token() byte {
	for ; r.at < len(r.text); r.at++ {
		switch c := r.text[r.at]; c {
		case ' ', '\t', '\n', '\r':
		default:
			return c
		}
	}
	return 0
}

// next moves behind the next token if it is c.
func (r *envelopeReader) next(c byte) bool {
	if r.token() != c {
		return false
	}
	r.at++
	return true
}

const deepestEnvelope = 100

// value reads a value, as encoding/json would with UseNumber; not ok where the text is not of the usual form.
func (r *envelopeReader) value(depth int) (any, bool) {
	if depth > deepestEnvelope {
		return nil, false
	}
	switch c := r.token(); c {
	case '{':
		return r.object(depth)
	case '[':
		return r.list(depth)
	case '"':
		from := r.at
		if !r.skipText() {
			return nil, false
		}
		return plainText(r.text[from:r.at])
	default:
		word := r.word()
		switch word {
		case "true":
			return true, true
		case "false":
			return false, true
		case "null", "NaN", "Infinity", "-Infinity": // as Python writes what JSON has no word for
			return nil, true
		}
		if word == "" || !(c == '-' || c >= '0' && c <= '9') || !json.Valid([]byte(word)) {
			return nil, false
		}
		return json.Number(strings.Clone(word)), true
	}
}

func (r *envelopeReader) object(depth int) (any, bool) {
	out := map[string]any{}
	r.at++
	for first := true; !r.next('}'); first = false {
		if !first && !r.next(',') || r.token() != '"' {
			return nil, false
		}
		from := r.at + 1
		if !r.skipText() {
			return nil, false
		}
		key := r.text[from : r.at-1] // the map does not outlive the entry
		if strings.IndexByte(key, '\\') >= 0 || !utf8.ValidString(key) || !r.next(':') {
			return nil, false
		}
		if r.kind == "" {
			r.kind = key
		}
		if depth > 0 && !r.asked(key) {
			if !r.skip() {
				return nil, false
			}
			continue
		}
		v, ok := r.value(depth + 1)
		if !ok {
			return nil, false
		}
		out[key] = v
	}
	return out, true
}

func (r *envelopeReader) list(depth int) (any, bool) {
	out := []any{}
	r.at++
	for first := true; !r.next(']'); first = false {
		if !first && !r.next(',') {
			return nil, false
		}
		v, ok := r.value(depth + 1)
		if !ok {
			return nil, false
		}
		out = append(out, v)
	}
	return out, true
}

// skip moves behind a value without reading it.
func (r *envelopeReader) skip() bool {
	for open := 0; ; {
		switch r.token() {
		case 0:
			return false
		case '"':
			if !r.skipText() {
				return false
			}
		case '{', '[':
			open++
			r.at++
			continue
		case '}', ']':
			open--
			r.at++
		case ',', ':':
			r.at++
			continue
		default:
			if r.word() == "" {
				return false
			}
		}
		if open <= 0 {
			return open == 0
		}
	}
}

// skipText moves behind a string, on whose first quote it stands.
func (r *envelopeReader) skipText() bool {
	for at := r.at + 1; ; {
		n := strings.IndexByte(r.text[at:], '"')
		if n < 0 {
			return false
		}
		at += n + 1
		escapes := 0
		for r.text[at-2-escapes] == '\\' {
			escapes++
		}
		if escapes%2 == 0 {
			r.at = at
			return true
		}
	}
}

// word is what stands before the next punctuation.
func (r *envelopeReader) word() string {
	from := r.at
	for r.at < len(r.text) && strings.IndexByte(",:]}[{\" \t\r\n", r.text[r.at]) < 0 {
		r.at++
	}
	return r.text[from:r.at]
}

// plainText is what a string in quotes says.
func plainText(quoted string) (any, bool) {
	text := quoted[1 : len(quoted)-1]
	for i := 0; i < len(text); i++ {
		if c := text[i]; c < ' ' || c == '\\' || c >= utf8.RuneSelf {
			var out string
			err := json.Unmarshal([]byte(quoted), &out)
			return out, err == nil
		}
	}
	return strings.Clone(text), true
}
