package asm

import (
	"fmt"
	"slices"
	"strings"

	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyc"
)

// Format writes a code object and those in it.
func Format(c *pyc.Code) (string, error) {
	f := &formatter{}
	if err := f.code(c, ""); err != nil {
		return "", err
	}
	for i := 0; i < len(f.inner); i++ {
		f.sb.WriteByte('\n')
		if err := f.code(f.inner[i], fmt.Sprintf("%d ", i+1)); err != nil {
			return "", err
		}
	}
	return f.sb.String(), nil
}

// noName stands for the empty name, that of the module in `from . import a`.
const noName = "''"

type formatter struct {
	sb    strings.Builder
	inner []*pyc.Code // in the order of their numbers
}

func (f *formatter) line(format string, args ...any) { fmt.Fprintf(&f.sb, format+"\n", args...) }

func (f *formatter) code(c *pyc.Code, number string) error {
	f.line("code %s%s", number, c.Name)
	f.line("version %v", c.Version)
	if c.QualName != c.Name {
		f.line("qualname %s", c.QualName)
	}
	f.line("flags %#x", uint32(c.Flags))
	f.line("args %d %d %d", c.ArgCount, c.PosOnlyArgCount, c.KwOnlyArgCount)
	if len(c.LocalsPlusNames) > 0 {
		var list []string
		for i, n := range c.LocalsPlusNames {
			list = append(list, fmt.Sprintf("%s:%#x", n, uint8(c.LocalsPlusKinds[i])))
		}
		f.line("locals %s", strings.Join(list, " "))
	}
	if len(c.Names) > 0 {
		list := slices.Clone(c.Names)
		for i, n := range list {
			if n == "" {
				list[i] = noName
			}
		}
		f.line("names %s", strings.Join(list, " "))
	}
	f.line("line %d", c.FirstLine)
	for _, k := range c.Consts {
		text, err := f.constant(k)
		if err != nil {
			return err
		}
		f.line("const %s", text)
	}
	return f.instructions(c)
}

func (f *formatter) instructions(c *pyc.Code) error {
	raws, err := bytecode.Scan(c)
	if err != nil {
		return err
	}
	table, err := bytecode.ExceptionTable(c)
	if err != nil {
		return err
	}
	labels := map[int]string{}
	want := map[int]bool{}
	for i := range raws {
		want[raws[i].Target] = true
	}
	for _, e := range table {
		want[e.Start], want[e.End], want[e.Target] = true, true, true
	}
	for i := range raws {
		if at := raws[i].Begin; want[at] {
			labels[at] = fmt.Sprintf("L%d", len(labels)+1)
		}
	}
	end := len(c.Bytecode)
	if want[end] {
		labels[end] = "END"
	}
	pos := bytecode.Positions(c)
	for i := range raws {
		r := &raws[i]
		text := ""
		if l := labels[r.Begin]; l != "" {
			text = l + ": "
		}
		text += place(pos[r.Offset/2]) + " " + r.Info.Name
		switch {
		case r.Target >= 0:
			l := labels[r.Target]
			if l == "" {
				return fmt.Errorf("offset %d: a jump into an instruction", r.Offset)
			}
			text += " " + l
		case r.Info.Flags&opcode.HasArg != 0:
			text += fmt.Sprintf(" %d", r.Arg)
			if s := bytecode.ArgRepr(c, r); s != "" {
				text += " # " + strings.ReplaceAll(s, "\n", " ")
			}
		case r.Arg != 0:
			text += fmt.Sprintf(" %d", r.Arg)
		}
		f.line("%s", text)
	}
	for _, e := range table {
		text := fmt.Sprintf("try %s %s %s %d", labels[e.Start], labels[e.End], labels[e.Target], e.Depth)
		if e.Lasti {
			text += " lasti"
		}
		f.line("%s", text)
	}
	return nil
}

// place writes a position.
func place(p bytecode.Pos) string {
	switch {
	case p.Line < 0:
		return "-"
	case p.Col < 0 || p.EndCol < 0:
		return fmt.Sprint(p.Line)
	case p.EndLine == p.Line:
		return fmt.Sprintf("%d:%d-%d", p.Line, p.Col, p.EndCol)
	}
	return fmt.Sprintf("%d:%d-%d:%d", p.Line, p.Col, p.EndLine, p.EndCol)
}

// constant writes a constant that Parse can read.
func (f *formatter) constant(k pyc.Const) (string, error) {
	switch k := k.(type) {
	case *pyc.Code:
		f.inner = append(f.inner, k)
		return fmt.Sprintf("code %d", len(f.inner)), nil
	case pyc.None, pyc.Bool, pyc.Ellipsis, pyc.Int, pyc.Str, pyc.Bytes:
		return pyc.Repr(k), nil
	case pyc.Float:
		return fmt.Sprintf("float:%#x", k.Bits), nil
	case *pyc.Opaque:
		return fmt.Sprintf("object %d %s", k.ID, k.Name), nil
	case pyc.Tuple:
		return f.items("(", k, ")")
	case pyc.FrozenSet:
		return f.items("frozenset({", k, "})")
	case pyc.Slice:
		return f.items("slice(", []pyc.Const{k.Start, k.Stop, k.Step}, ")")
	}
	return "", fmt.Errorf("no text for the constant %s", pyc.Repr(k))
}

func (f *formatter) items(open string, list []pyc.Const, end string) (string, error) {
	var parts []string
	for _, k := range list {
		text, err := f.constant(k)
		if err != nil {
			return "", err
		}
		parts = append(parts, text)
	}
	return open + strings.Join(parts, ", ") + end, nil
}
