package lift

import (
	"fmt"
	"strings"

	"github.com/thuml/depyf/internal/pass"
	"github.com/thuml/depyf/internal/pyast"
	"github.com/thuml/depyf/internal/pyc"
	"github.com/thuml/depyf/internal/pyprint"
)

// Lines shows the graph: a block's head, its statements and how it ends.
func (g *Graph) Lines() []pass.Line {
	var out []pass.Line
	var sb strings.Builder
	end := func(at int) {
		for text := range strings.SplitSeq(strings.TrimSuffix(sb.String(), "\n"), "\n") {
			out = append(out, pass.Line{Text: text, At: max(at, 0)})
		}
		sb.Reset()
	}
	id := func(b *Block) string {
		if b == nil {
			return "-"
		}
		return fmt.Sprintf("b%d", b.ID)
	}
	for _, b := range g.Blocks {
		fmt.Fprintf(&sb, "%s: stack %d->%d", id(b), len(b.In), len(b.Out))
		if b.Exc != nil {
			fmt.Fprintf(&sb, " in r%d", b.Exc.ID)
		}
		for _, r := range b.HandlerOf {
			fmt.Fprintf(&sb, " handles r%d", r.ID)
		}
		end(b.Line)
		for _, s := range b.Stmts {
			sb.WriteString("    " + stmtText(s))
			end(s.Position().Line)
		}
		t := &b.Term
		switch t.Kind {
		case Goto:
			fmt.Fprintf(&sb, "    goto %s", id(b.Next))
			if t.EndFinally {
				sb.WriteString(" (end finally)")
			}
			if t.EndBody != nil {
				fmt.Fprintf(&sb, " (end of r%d)", t.EndBody.ID)
			}
		case Branch:
			fmt.Fprintf(&sb, "    if %s: %s else %s", exprText(t.Cond), id(b.True), id(b.False))
			if t.KeepTrue {
				sb.WriteString(" keep-true")
			}
			if t.KeepFalse {
				sb.WriteString(" keep-false")
			}
		case For:
			fmt.Fprintf(&sb, "    for: %s else %s", id(b.True), id(b.False))
		case Return:
			fmt.Fprintf(&sb, "    return %s", exprText(t.Value))
		case Raise:
			fmt.Fprintf(&sb, "    raise %s", exprText(t.Value))
		case Reraise:
			sb.WriteString("    reraise")
		}
		end(t.Line)
	}
	return out
}

func exprText(e pyast.Expr) string {
	if e == nil {
		return ""
	}
	s, _ := pyprint.Expr(e, pyc.Newest)
	return s
}

func stmtText(s pyast.Stmt) string {
	t, _ := pyprint.Stmts([]pyast.Stmt{s}, pyc.Newest, pyprint.Options{})
	return strings.ReplaceAll(strings.TrimSpace(t), "\n", "\n    ")
}

// StatementLines shows statements that may have markers among them.
func StatementLines(list []pyast.Stmt, v pyc.Version) []pass.Line {
	spans := map[pyast.Node]pyprint.Span{}
	text, _ := pyprint.Stmts(list, v, pyprint.Options{Spans: spans})
	var out []pass.Line
	for t := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		out = append(out, pass.Line{Text: t})
	}
	for n, s := range spans {
		if k := s.First - 1; k >= 0 && k < len(out) && out[k].At == 0 {
			out[k].At = max(n.Position().Line, 0)
		}
	}
	return out
}

// String shows a marker as the statement that it will be a part of.
func (m *Marker) String() string {
	text := "<" + [...]string{"except as", "enter with", "leave with", "add", "yield", "case", "match"}[m.Kind]
	if m.With != nil && m.With.Context != nil {
		text += " " + exprText(m.With.Context)
	}
	if m.Target != nil {
		text += " " + exprText(m.Target)
	}
	for _, e := range m.Args {
		text += " " + exprText(e)
	}
	if m.Kind == MarkCase {
		text += fmt.Sprintf(" %d", m.ID)
	}
	return text + ">"
}
