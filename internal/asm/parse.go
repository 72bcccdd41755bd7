package asm

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/thuml/depyf/internal/pyc"
)

// Parse makes the code object that a text describes.
func Parse(text string) (*pyc.Code, error) {
	p := &parser{inner: map[int]*pyc.Code{}}
	var blocks [][]string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		case strings.HasPrefix(line, "code "):
			blocks = append(blocks, []string{line})
		case len(blocks) == 0:
			return nil, fmt.Errorf("the text begins with %q instead of a code object", line)
		default:
			blocks[len(blocks)-1] = append(blocks[len(blocks)-1], line)
		}
	}
	if len(blocks) == 0 {
		return nil, fmt.Errorf("there is no code object in the text")
	}
	// Those inside come behind those that they are in.
	for i, b := range slices.Backward(blocks) {
		c, err := p.block(b)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", b[0], err)
		}
		if i == 0 {
			return c, nil
		}
	}
	return nil, nil
}

type parser struct {
	inner map[int]*pyc.Code
}

// block reads one code object.
func (p *parser) block(lines []string) (*pyc.Code, error) {
	c := &pyc.Code{Filename: "test.py", FirstLine: 1}
	number := 0
	name := strings.TrimPrefix(lines[0], "code ")
	if first, rest, ok := strings.Cut(name, " "); ok {
		if n, err := strconv.Atoi(first); err == nil {
			number, name = n, rest
		}
	}
	c.Name, c.QualName = name, name
	a := &assembler{code: c, labels: map[string]int{}}
	for _, line := range lines[1:] {
		word, rest, _ := strings.Cut(line, " ")
		var err error
		switch word {
		case "version":
			if c.Version, err = version(rest); err != nil {
				return nil, err
			}
		case "qualname":
			c.QualName = rest
		case "flags":
			n, e := strconv.ParseUint(rest, 0, 32)
			c.Flags, err = pyc.CodeFlags(n), e
		case "args":
			_, err = fmt.Sscan(rest, &c.ArgCount, &c.PosOnlyArgCount, &c.KwOnlyArgCount)
		case "locals":
			err = locals(c, rest)
		case "names":
			for n := range strings.FieldsSeq(rest) {
				c.Names = append(c.Names, strings.ReplaceAll(n, noName, ""))
			}
		case "line":
			c.FirstLine, err = strconv.Atoi(rest)
		case "const":
			var k pyc.Const
			if k, err = p.constant(rest); err == nil {
				c.Consts = append(c.Consts, k)
			}
		case "try":
			a.tries = append(a.tries, strings.Fields(rest))
		default:
			err = a.instruction(line)
		}
		if err != nil {
			return nil, fmt.Errorf("%q: %w", line, err)
		}
	}
	if err := a.assemble(); err != nil {
		return nil, err
	}
	p.inner[number] = c
	return c, nil
}

func version(text string) (pyc.Version, error) {
	for v := pyc.Oldest; v <= pyc.Newest; v++ {
		if v.String() == text {
			return v, nil
		}
	}
	return 0, fmt.Errorf("CPython %s is not known", text)
}

func locals(c *pyc.Code, text string) error {
	for w := range strings.FieldsSeq(text) {
		i := strings.LastIndexByte(w, ':')
		if i < 0 {
			return fmt.Errorf("%s has no kind", w)
		}
		kind, err := strconv.ParseUint(w[i+1:], 0, 8)
		if err != nil {
			return err
		}
		c.LocalsPlusNames = append(c.LocalsPlusNames, w[:i])
		c.LocalsPlusKinds = append(c.LocalsPlusKinds, pyc.LocalKind(kind))
	}
	return nil
}
