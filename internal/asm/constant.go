package asm

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/thuml/depyf/internal/pyc"
)

// constant reads a constant that fills the text.
func (p *parser) constant(text string) (pyc.Const, error) {
	var err error
	r := pyc.ReprReader{Named: func(text string) (pyc.Const, int) {
		c, n, e := p.named(text)
		if e != nil && err == nil {
			err = e
		}
		return c, n
	}}
	c, ok := r.Read(text)
	switch {
	case err != nil:
		return nil, err
	case !ok:
		return nil, fmt.Errorf("%q is no constant", text)
	}
	return c, nil
}

// named reads what repr does not tell: "code 1", "object 2 name", and "float:0x…", all of
// the bits of a float.
func (p *parser) named(text string) (c pyc.Const, length int, err error) {
	kind, rest, ok := strings.Cut(text, " ")
	if bits, isFloat := strings.CutPrefix(text, "float:"); isFloat {
		word := word(bits)
		n, err := strconv.ParseUint(word, 0, 64)
		return pyc.Float{Bits: n}, len("float:") + len(word), err
	}
	if !ok || kind != "code" && kind != "object" {
		return nil, 0, nil
	}
	number := word(rest)
	length = len(kind) + 1 + len(number)
	n, err := strconv.Atoi(number)
	switch {
	case err != nil:
		return nil, 0, err
	case kind == "code" && p.inner[n] == nil:
		return nil, 0, fmt.Errorf("there is no code object %d behind this one", n)
	case kind == "code":
		return p.inner[n], length, nil
	}
	name := word(strings.TrimPrefix(text[length:], " "))
	return &pyc.Opaque{ID: int64(n), Name: name}, length + 1 + len(name), nil
}

// word is what lies in front of a comma, a space or a bracket.
func word(text string) string {
	if n := strings.IndexAny(text, ", )}"); n >= 0 {
		return text[:n]
	}
	return text
}
