package bytecode

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyc"
)

// PrintOptions chooses what Print shows.
type PrintOptions struct {
	Normalized bool // our instructions instead of CPython's
	Positions  bool // line:column ranges instead of lines
}

// Print lists c and the code objects among its constants, as CPython's dis
// does, in one layout for all versions.
func Print(w io.Writer, c *pyc.Code, opt PrintOptions) error {
	p := &printer{w: bufio.NewWriter(w), opt: opt}
	p.code(c, 0)
	if err := p.w.Flush(); err != nil {
		return err
	}
	return p.err
}

type printer struct {
	w   *bufio.Writer
	opt PrintOptions
	err error // the first that kept a code object from being listed in full
}

// maxNesting bounds how deep code objects contain each other; marshal data with
// references could otherwise list one of them very often.
const maxNesting = 100

func (p *printer) code(c *pyc.Code, depth int) {
	if depth > 0 {
		p.w.WriteByte('\n')
	}
	fmt.Fprintf(p.w, "%s: <code object %s, file %q, line %d> of CPython %s\n",
		c.QualName, c.Name, c.Filename, c.FirstLine, c.Version)
	fmt.Fprintf(p.w, "  arguments %d (positional-only %d), keyword-only %d, stack %d, flags %#x%s\n",
		c.ArgCount, c.PosOnlyArgCount, c.KwOnlyArgCount, c.StackSize, uint32(c.Flags), flagNames(c.Flags))
	p.names("variables", c.VarNames())
	p.names("cells", c.CellVars())
	p.names("free", c.FreeVars())
	var err error
	if p.opt.Normalized {
		err = p.normalized(c)
	} else {
		err = p.raw(c)
	}
	if err != nil {
		fmt.Fprintf(p.w, "  %v\n", err)
		if p.err == nil {
			p.err = err
		}
	}
	if depth == maxNesting {
		return
	}
	for _, k := range c.Consts {
		if k, ok := k.(*pyc.Code); ok {
			p.code(k, depth+1)
		}
	}
}

func (p *printer) names(title string, names []string) {
	if len(names) > 0 {
		fmt.Fprintf(p.w, "  %s: %s\n", title, strings.Join(names, ", "))
	}
}

// raw lists the instructions as CPython encodes them, EXTENDED_ARG folded and
// caches left out, and the exception table.
func (p *printer) raw(c *pyc.Code) error {
	raws, err := Scan(c)
	if err != nil {
		return err
	}
	entries, err := ExceptionTable(c)
	targets := map[int]bool{}
	for i := range raws {
		targets[raws[i].Target] = true
	}
	for _, e := range entries {
		targets[e.Target] = true
	}
	positions := Positions(c)
	last := Pos{Line: math.MinInt32}
	for i := range raws {
		r := &raws[i]
		p.place(positions[r.Offset/2], &last)
		mark := "  "
		if targets[r.Begin] {
			mark = ">>"
		}
		name, arg := r.Info.Name, ""
		if r.Info.Flags&opcode.HasArg != 0 {
			arg = strconv.Itoa(r.Arg)
			if s := ArgRepr(c, r); s != "" {
				arg += " (" + s + ")"
			}
		}
		if name == "" {
			name, arg = "<"+strconv.Itoa(int(r.Op))+">", strconv.Itoa(r.Arg)
		}
		p.instruction(fmt.Sprintf("%s %6d  %-24s %s", mark, r.Begin, name, arg))
	}
	if len(entries) > 0 {
		p.w.WriteString("ExceptionTable:\n")
	}
	for _, e := range entries {
		fmt.Fprintf(p.w, "  %d to %d -> %d [%d]%s\n", e.Start, e.End, e.Target, e.Depth, lasti(e.Lasti))
	}
	return err
}

// normalized lists what Decode makes of c, with instruction indices for offsets.
func (p *printer) normalized(c *pyc.Code) error {
	f, err := Decode(c)
	if err != nil {
		return err
	}
	targets := map[int]bool{}
	for _, in := range f.Instrs {
		targets[in.Target] = true
	}
	for _, h := range f.Handlers {
		targets[h.Target] = true
	}
	last := Pos{Line: math.MinInt32}
	for i := range f.Instrs {
		in := &f.Instrs[i]
		p.place(in.Pos, &last)
		mark := "  "
		if targets[i] {
			mark = ">>"
		}
		p.instruction(fmt.Sprintf("%s %6d  %s", mark, i, in))
	}
	if len(f.Handlers) > 0 {
		p.w.WriteString("Handlers:\n")
	}
	for _, h := range f.Handlers {
		fmt.Fprintf(p.w, "  %d to %d -> %d [%d]%s\n", h.Start, h.End, h.Target, h.Depth, lasti(h.Lasti))
	}
	return nil
}

// String returns the instruction as the normalized listing shows it.
func (in *Instr) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%-24s", in.Op)
	if in.Arg != 0 {
		fmt.Fprintf(&b, " %d", in.Arg)
	}
	if in.Name != "" {
		b.WriteString(" " + in.Name)
	}
	if in.Const != nil {
		b.WriteString(" " + pyc.Repr(in.Const))
	}
	if in.Flag {
		b.WriteString(" flag")
	}
	if in.Target >= 0 {
		fmt.Fprintf(&b, " -> %d", in.Target)
	}
	return strings.TrimRight(b.String(), " ")
}

// place writes the line or range of an instruction where it differs from the
// one before, with an empty line between source lines.
func (p *printer) place(at Pos, last *Pos) {
	text := ""
	switch {
	case p.opt.Positions:
		text = at.String()
	case at.Line != last.Line:
		text = at.line()
	}
	if at.Line != last.Line && last.Line != math.MinInt32 {
		p.w.WriteByte('\n')
	}
	width := 6
	if p.opt.Positions {
		width = 18
	}
	fmt.Fprintf(p.w, "%*s ", width, text)
	*last = at
}

func (p *printer) instruction(s string) {
	p.w.WriteString(strings.TrimRight(s, " "))
	p.w.WriteByte('\n')
}

func (at Pos) line() string {
	if at.Line < 0 {
		return "--"
	}
	return strconv.Itoa(int(at.Line))
}

// String returns line:column-line:column with "?" for what is unknown.
func (at Pos) String() string {
	n := func(i int32) string {
		if i < 0 {
			return "?"
		}
		return strconv.Itoa(int(i))
	}
	switch {
	case at == NoPos:
		return "--"
	case at.EndLine < 0:
		return n(at.Line)
	}
	return n(at.Line) + ":" + n(at.Col) + "-" + n(at.EndLine) + ":" + n(at.EndCol)
}

func lasti(set bool) string {
	if set {
		return " lasti"
	}
	return ""
}

// offset writes a jump target, which may lie outside the code.
func offset(n int) string {
	if n < 0 || n == math.MaxInt {
		return "?"
	}
	return strconv.Itoa(n)
}

func flagNames(f pyc.CodeFlags) string {
	names := []struct {
		bit  pyc.CodeFlags
		name string
	}{
		{pyc.FlagOptimized, "optimized"},
		{pyc.FlagNewLocals, "newlocals"},
		{pyc.FlagVarArgs, "*args"},
		{pyc.FlagVarKeywords, "**kwargs"},
		{pyc.FlagNested, "nested"},
		{pyc.FlagGenerator, "generator"},
		{pyc.FlagCoroutine, "coroutine"},
		{pyc.FlagIterableCoroutine, "iterable coroutine"},
		{pyc.FlagAsyncGenerator, "async generator"},
		{pyc.FlagHasDocstring, "docstring"},
		{pyc.FlagMethod, "method"},
	}
	var out []string
	for _, n := range names {
		if f&n.bit != 0 {
			out = append(out, n.name)
		}
	}
	if len(out) == 0 {
		return ""
	}
	return " (" + strings.Join(out, ", ") + ")"
}
