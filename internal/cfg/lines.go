package cfg

import (
	"fmt"
	"sort"
	"strings"

	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pass"
	"github.com/thuml/depyf/internal/pyast"
	"github.com/thuml/depyf/internal/pyc"
)

// String prints the graph for tests and developers' tools.
func (g *Graph) String() string {
	var sb strings.Builder
	for _, l := range g.Lines() {
		sb.WriteString(l.Text)
		sb.WriteByte('\n')
	}
	return sb.String()
}

// Lines shows the graph: a block's head, its instructions with their offsets, and
// where it leads.
func (g *Graph) Lines() []pass.Line {
	out := g.ownLines()
	codes := make([]*pyc.Code, 0, len(g.Inlined))
	for c := range g.Inlined {
		codes = append(codes, c)
	}
	sort.Slice(codes, func(i, j int) bool { return g.Inlined[codes[i]].first() < g.Inlined[codes[j]].first() })
	for _, c := range codes {
		out = append(out, pass.Line{Text: c.Name + ":"})
		out = append(out, g.Inlined[c].ownLines()...)
	}
	return out
}

// ownLines is Lines without the comprehensions that were taken out, which share
// g.Inlined.
func (g *Graph) ownLines() []pass.Line {
	var out []pass.Line
	name := g.names()
	for _, b := range g.Blocks {
		out = append(out, pass.Line{Text: b.head(name)})
		for i := range b.Instrs {
			in := &b.Instrs[i]
			text := instrText(in)
			if in.Op == opcode.LoadConst && g.Waiting[in.Offset] {
				text += ", waits"
			}
			out = append(out, pass.Line{Text: fmt.Sprintf("  %4d %s", in.Offset, text), At: max(int(in.Pos.Line), 0)})
		}
		switch {
		case b.Next != nil && b.Taken != nil:
			out = append(out, pass.Line{Text: fmt.Sprintf("  -> %s, taken %s", name[b.Next], name[b.Taken])})
		case b.Next != nil:
			out = append(out, pass.Line{Text: "  -> " + name[b.Next]})
		}
	}
	for i, c := range g.Cases {
		text := "the subject"
		if c.Pattern != nil {
			text = pyast.Dump(c.Pattern, "")
		}
		out = append(out, pass.Line{Text: fmt.Sprintf("case %d of match %d: %s", i, c.ID, text)})
	}
	return out
}

// names calls the blocks by their numbers; the parts of one that was split have the
// same, and are told apart.
func (g *Graph) names() map[*Block]string {
	parts := map[int]int{}
	out := make(map[*Block]string, len(g.Blocks))
	for _, b := range g.Blocks {
		parts[b.ID]++
		out[b] = fmt.Sprintf("b%d", b.ID)
		if n := parts[b.ID]; n > 1 {
			out[b] += fmt.Sprintf(".%d", n)
		}
	}
	return out
}

// first is the offset at which the graph of an inlined comprehension begins.
func (g *Graph) first() int {
	for _, b := range g.Blocks {
		if len(b.Instrs) > 0 {
			return b.Instrs[0].Offset
		}
	}
	return 0
}

// head is a block's name and what is known about it.
func (b *Block) head(name map[*Block]string) string {
	var sb strings.Builder
	sb.WriteString(name[b] + ":")
	if b.Exc != nil {
		fmt.Fprintf(&sb, " in r%d, handler %s", b.Exc.ID, name[b.Exc.Handler])
	}
	if b.Ends != nil {
		fmt.Fprintf(&sb, " ends r%d", b.Ends.ID)
	}
	if b.Leaves != nil {
		fmt.Fprintf(&sb, " leaves r%d", b.Leaves.ID)
	}
	for _, f := range []struct {
		set  bool
		name string
	}{
		{b.Dead, "unreachable"},
		{b.Apart, "apart"},
		{b.Caught, "caught"},
		{b.Leaps != 0, "leaps by " + b.Leaps.String()},
	} {
		if f.set {
			sb.WriteString(" " + f.name)
		}
	}
	return sb.String()
}

// instrText is an instruction without its offset.
func instrText(in *bytecode.Instr) string {
	text := in.Op.String()
	if in.Arg != 0 {
		text += fmt.Sprintf(" %d", in.Arg)
	}
	if in.Name != "" {
		text += " " + in.Name
	}
	if in.Const != nil {
		text += " " + pyc.Repr(in.Const)
	}
	if in.Flag {
		text += " flag"
	}
	return text
}
