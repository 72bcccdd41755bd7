package lift

import (
	"fmt"
	"strings"

	"github.com/thuml/depyf/internal/pyast"
	"github.com/thuml/depyf/internal/pyc"
	"github.com/thuml/depyf/internal/pyprint"
)

// String prints the graph for tests and pass dumps.
func (g *Graph) String() string {
	var sb strings.Builder
	id := func(b *Block) string {
		if b == nil {
			return "-"
		}
		return fmt.Sprintf("b%d", b.ID)
	}
	for _, b := range g.Blocks {
		fmt.Fprintf(&sb, "%s: line %d, stack %d->%d", id(b), b.Line, len(b.In), len(b.Out))
		if b.Exc != nil {
			fmt.Fprintf(&sb, " exc=r%d", b.Exc.ID)
		}
		for _, r := range b.HandlerOf {
			fmt.Fprintf(&sb, " handles r%d", r.ID)
		}
		sb.WriteByte('\n')
		for _, s := range b.Stmts {
			fmt.Fprintf(&sb, "    %s\n", stmtText(s))
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
		fmt.Fprintf(&sb, "  @%d\n", t.Line)
	}
	return sb.String()
}

func exprText(e pyast.Expr) string {
	if e == nil {
		return ""
	}
	s, _ := pyprint.Expr(e, pyc.Newest)
	return strings.ReplaceAll(s, "\x00", "%")
}

func stmtText(s pyast.Stmt) string {
	if m, ok := s.(*Marker); ok {
		return fmt.Sprintf("<marker %d>", m.Kind)
	}
	t, _ := pyprint.Stmts([]pyast.Stmt{s}, pyc.Newest, pyprint.Options{})
	return strings.ReplaceAll(strings.TrimSpace(strings.ReplaceAll(t, "\x00", "%")), "\n", "\n    ")
}
