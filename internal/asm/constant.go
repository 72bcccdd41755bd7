package asm

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/thuml/depyf/internal/pyc"
)

// constant reads a constant that fills the text.
func (p *parser) constant(text string) (pyc.Const, error) {
	r := &reader{p, text}
	k, err := r.constant()
	if err == nil && r.rest != "" {
		err = fmt.Errorf("%q behind the constant", r.rest)
	}
	return k, err
}

// reader reads constants from the front of a text.
type reader struct {
	p    *parser
	rest string
}

func (r *reader) take(prefix string) bool {
	rest, ok := strings.CutPrefix(r.rest, prefix)
	if ok {
		r.rest = rest
	}
	return ok
}

func (r *reader) constant() (pyc.Const, error) {
	switch {
	case r.take("None"):
		return pyc.None{}, nil
	case r.take("True"):
		return pyc.Bool(true), nil
	case r.take("False"):
		return pyc.Bool(false), nil
	case r.take("Ellipsis"):
		return pyc.Ellipsis{}, nil
	case r.take("code "):
		n, _ := strconv.Atoi(r.word())
		if c := r.p.inner[n]; c != nil {
			return c, nil
		}
		return nil, fmt.Errorf("there is no code object %d behind this one", n)
	case r.take("object "):
		id, err := strconv.ParseInt(r.word(), 10, 64)
		r.take(" ")
		return &pyc.Opaque{ID: id, Name: r.word()}, err
	case r.take("float:"):
		bits, err := strconv.ParseUint(r.word(), 0, 64)
		return pyc.Float{Bits: bits}, err
	case r.take("frozenset("):
		list, err := r.items()
		return pyc.FrozenSet(list), err
	case r.take("slice("):
		list, err := r.items()
		if err != nil || len(list) != 3 {
			return nil, fmt.Errorf("a slice of %d parts", len(list))
		}
		return pyc.Slice{Start: list[0], Stop: list[1], Step: list[2]}, nil
	case r.take("("):
		list, err := r.items()
		return pyc.Tuple(list), err
	case strings.HasPrefix(r.rest, "b'") || strings.HasPrefix(r.rest, `b"`):
		r.rest = r.rest[1:]
		text, err := r.quoted(true)
		return pyc.Bytes(text), err
	case strings.HasPrefix(r.rest, "'") || strings.HasPrefix(r.rest, `"`):
		text, err := r.quoted(false)
		return pyc.Str(text), err
	}
	word := r.word()
	n, ok := new(big.Int).SetString(word, 10)
	if !ok {
		return nil, fmt.Errorf("%q is no constant", word)
	}
	return pyc.Int{Big: n}, nil
}

// word takes what lies in front of a comma, a space or a parenthesis.
func (r *reader) word() string {
	n := strings.IndexAny(r.rest, ", )")
	if n < 0 {
		n = len(r.rest)
	}
	word := r.rest[:n]
	r.rest = r.rest[n:]
	return word
}

// items reads what stands in front of a closing parenthesis.
func (r *reader) items() ([]pyc.Const, error) {
	list := []pyc.Const{}
	for !r.take(")") {
		k, err := r.constant()
		if err != nil {
			return nil, err
		}
		list = append(list, k)
		if !r.take(", ") && !strings.HasPrefix(r.rest, ")") {
			return nil, fmt.Errorf("%q instead of a comma", r.rest)
		}
	}
	return list, nil
}

var escapes = map[byte]byte{'n': '\n', 'r': '\r', 't': '\t', '\\': '\\', '\'': '\'', '"': '"'}

// quoted reads a string as Python's repr writes it.
func (r *reader) quoted(bytes bool) (string, error) {
	quote := r.rest[0]
	var out []byte
	for i := 1; i < len(r.rest); i++ {
		switch b := r.rest[i]; {
		case b == quote:
			r.rest = r.rest[i+1:]
			return string(out), nil
		case b != '\\' || i+1 == len(r.rest):
			out = append(out, b)
		default:
			i++
			digits := map[byte]int{'x': 2, 'u': 4, 'U': 8}[r.rest[i]]
			if digits == 0 {
				e, ok := escapes[r.rest[i]]
				if !ok {
					return "", fmt.Errorf("an unknown escape \\%c", r.rest[i])
				}
				out = append(out, e)
				continue
			}
			n, err := strconv.ParseUint(r.rest[i+1:min(i+1+digits, len(r.rest))], 16, 32)
			if err != nil {
				return "", err
			}
			switch {
			case bytes:
				out = append(out, byte(n))
			case n >= 0xd800 && n < 0xe000: // a lone surrogate, as WTF-8 has it
				out = append(out, 0xe0|byte(n>>12), 0x80|byte(n>>6)&0x3f, 0x80|byte(n)&0x3f)
			default:
				out = utf8.AppendRune(out, rune(n))
			}
			i += digits
		}
	}
	return "", fmt.Errorf("a string without end")
}
