package asm

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyc"
)

// assembler makes the bytes of one code object.
type assembler struct {
	code   *pyc.Code
	lines  []line
	labels map[string]int // the instruction that each stands in front of
	tries  [][]string
	begin  []int // byte offsets of the instructions, and the end
}

// line is one instruction.
type line struct {
	op      byte
	info    *opcode.Info
	arg     int
	label   string // jumped to
	pos     bytecode.Pos
	extends int // EXTENDED_ARGs in front of it
}

// instruction reads "L1: 2:4-8 LOAD_FAST x # comment".
func (a *assembler) instruction(text string) error {
	text, _, _ = strings.Cut(text, " # ")
	words := strings.Fields(text)
	if l, ok := strings.CutSuffix(words[0], ":"); ok {
		a.labels[l] = len(a.lines)
		words = words[1:]
	}
	if len(words) < 2 {
		return fmt.Errorf("a place and an instruction are wanted")
	}
	l := line{}
	var err error
	if l.pos, err = parsePlace(words[0]); err != nil {
		return err
	}
	table := opcode.For(a.code.Version)
	if table == nil {
		return fmt.Errorf("the version is missing")
	}
	found := slices.IndexFunc(table.Ops[:], func(i opcode.Info) bool {
		return i.Name == words[1] && i.Flags&(opcode.Specialized|opcode.Instrumented) == 0
	})
	if found < 0 {
		return fmt.Errorf("CPython %v has no %s", a.code.Version, words[1])
	}
	l.op, l.info = byte(found), &table.Ops[found]
	if len(words) > 2 {
		if err := a.operand(&l, words[2]); err != nil {
			return err
		}
	}
	a.lines = append(a.lines, l)
	return nil
}

// operand reads a number, a name or a label.
func (a *assembler) operand(l *line, text string) error {
	if n, err := strconv.Atoi(text); err == nil {
		l.arg = n
		return nil
	}
	if l.info.Flags&opcode.Jumps != 0 {
		l.label = text
		return nil
	}
	names := a.code.LocalsPlusNames
	switch l.info.Kind {
	case opcode.ArgName:
		names = a.code.Names
	case opcode.ArgDeref:
		if !a.code.Version.HasLocalsPlus() {
			names = append(a.code.CellVars(), a.code.FreeVars()...)
		}
	case opcode.ArgLocal:
	default:
		return fmt.Errorf("%s takes a number", l.info.Name)
	}
	if l.arg = slices.Index(names, text); l.arg < 0 {
		return fmt.Errorf("there is no name %s", text)
	}
	return nil
}

func parsePlace(text string) (bytecode.Pos, error) {
	p := bytecode.NoPos
	if text == "-" {
		return p, nil
	}
	var err error
	number := func(s string) int32 {
		n, e := strconv.Atoi(s)
		if e != nil {
			err = e
		}
		return int32(n)
	}
	from, to, hasTo := strings.Cut(text, "-")
	lineText, col, hasCol := strings.Cut(from, ":")
	p.Line = number(lineText)
	p.EndLine = p.Line
	if hasCol && hasTo {
		p.Col = number(col)
		if l, c, ok := strings.Cut(to, ":"); ok {
			p.EndLine, p.EndCol = number(l), number(c)
		} else {
			p.EndCol = number(to)
		}
	}
	return p, err
}

// assemble encodes the instructions and the tables.
func (a *assembler) assemble() error {
	a.labels["END"] = len(a.lines)
	for again := true; again; {
		// A longer operand moves what lies behind it, and that makes others longer.
		again = false
		a.place()
		for i := range a.lines {
			l := &a.lines[i]
			if l.label != "" {
				if err := a.jump(i); err != nil {
					return err
				}
			}
			n := 0
			for x := l.arg >> 8; x > 0; x >>= 8 {
				n++
			}
			if n > l.extends {
				l.extends, again = n, true
			}
		}
	}
	for i := range a.lines {
		l := &a.lines[i]
		for k := l.extends; k > 0; k-- {
			a.code.Bytecode = append(a.code.Bytecode, extendedArg(a.code.Version), byte(l.arg>>(8*k)))
		}
		a.code.Bytecode = append(a.code.Bytecode, l.op, byte(l.arg))
		a.code.Bytecode = append(a.code.Bytecode, make([]byte, 2*int(l.info.Caches))...)
	}
	a.places()
	return a.handlers()
}

func extendedArg(v pyc.Version) byte {
	ops := opcode.For(v).Ops
	return byte(slices.IndexFunc(ops[:], func(i opcode.Info) bool { return i.Kind == opcode.ArgExtend }))
}

// place computes where each instruction begins.
func (a *assembler) place() {
	a.begin = a.begin[:0]
	at := 0
	for i := range a.lines {
		a.begin = append(a.begin, at)
		at += a.lines[i].size()
	}
	a.begin = append(a.begin, at)
}

func (l *line) size() int { return 2 * (l.extends + 1 + int(l.info.Caches)) }

// jump computes the operand of a jump.
func (a *assembler) jump(i int) error {
	l := &a.lines[i]
	k, ok := a.labels[l.label]
	if !ok {
		return fmt.Errorf("there is no label %s", l.label)
	}
	to, next := a.begin[k], a.begin[i+1]
	switch l.info.Flags & opcode.Jumps {
	case opcode.JumpForward:
		to -= next
	case opcode.JumpBackward:
		to = next - to
	}
	if to < 0 {
		return fmt.Errorf("%s cannot jump to %s", l.info.Name, l.label)
	}
	if a.code.Version.WordJumps() {
		to /= 2
	}
	l.arg = to
	return nil
}

// handlers encodes the exception table.
func (a *assembler) handlers() error {
	var table []bytecode.ExceptionEntry
	for _, w := range a.tries {
		if len(w) < 4 {
			return fmt.Errorf("try needs three labels and a depth")
		}
		var at [3]int
		for i := range at {
			k, ok := a.labels[w[i]]
			if !ok {
				return fmt.Errorf("there is no label %s", w[i])
			}
			at[i] = a.begin[k]
		}
		depth, err := strconv.Atoi(w[3])
		if err != nil {
			return err
		}
		table = append(table, bytecode.ExceptionEntry{Start: at[0], End: at[1], Target: at[2], Depth: depth, Lasti: len(w) > 4})
	}
	a.code.ExceptionTable = bytecode.WriteExceptionTable(table)
	return nil
}
