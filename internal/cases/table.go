package cases

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/thuml/depyf/internal/pyc"
)

const tableHead = `# What is shown on which version

Made by ` + "`depyf coverage -table`" + ` from the cases; a test compares. A case is Python source, compiled by each CPython version, and the text that
depyf makes of it. The texts are compared everywhere, and proven (recompiled and compared with the bytecode) where the CPython is at hand.

` + "`=`" + ` the source comes out as it was written · ` + "`≡`" + ` other words for the same bytecode, exact · ` + "`open`" + ` not exact yet · blank: that version has no such syntax
`

// Table is docs/versions.md: every case, by topic, on every version, and how
// much of each instruction set the cases contain.
func Table(dir string) (string, error) {
	list, err := Load(dir)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString(tableHead)
	topic := ""
	for _, c := range list {
		t, name, _ := strings.Cut(c.Name, "/")
		if t != topic {
			topic = t
			fmt.Fprintf(&b, "\n## %s\n\n| case | shows |", topic)
			for v := pyc.Oldest; v <= pyc.Newest; v++ {
				fmt.Fprintf(&b, " %v |", v)
			}
			b.WriteString("\n|---|---|" + strings.Repeat("---|", int(pyc.Newest-pyc.Oldest)+1) + "\n")
		}
		fmt.Fprintf(&b, "| [%s](../testdata/cases/%s.txtar) | %s |", name, c.Name, cell(c.About()))
		for v := pyc.Oldest; v <= pyc.Newest; v++ {
			b.WriteString(" " + c.mark(v) + " |")
		}
		b.WriteString("\n")
	}
	dynamo, err := dynamoGaps(dir)
	if err != nil {
		return "", err
	}
	b.WriteString(dynamo)
	b.WriteString("\n## Instructions\n\nAn instruction is an opcode and, where its operand chooses between meanings (operators, comparisons, intrinsics, common constants), that meaning.\n\n" +
		"| CPython | instructions in the cases | that a compiler writes |\n|---|---|---|\n")
	never := map[string]string{}
	var order []string
	for v := pyc.Oldest; v <= pyc.Newest; v++ {
		c, err := Cover(dir, v)
		if err != nil {
			return "", err
		}
		n := len(all(v)) - len(c.Never)
		fmt.Fprintf(&b, "| %v | %d | %d |\n", v, n-len(c.Missing), n)
		for _, in := range all(v) {
			if why := c.Never[in]; why != "" && never[in] == "" {
				never[in] = why
				order = append(order, in)
			}
		}
	}
	b.WriteString("\nNot counted, besides the specialised and instrumented forms that only running code has:\n\n")
	for _, in := range order {
		fmt.Fprintf(&b, "* `%s`: %s\n", in, never[in])
	}
	return b.String(), nil
}

func (c *Case) mark(v pyc.Version) string {
	switch {
	case !c.Applies(v):
		return ""
	case c.Open(v) != "":
		return "open"
	case c.Want(v) == c.Source():
		return "="
	}
	return "≡"
}

// cell makes text fit for a table.
func cell(s string) string {
	return strings.NewReplacer("|", "\\|", "*", "\\*", "__", "\\_\\_").Replace(s)
}

// dynamoGaps is the table of what Dynamo makes of random programs and depyf does not prove. The file
// dynamo.tsv has a line of Markdown for each kind: torch versions, what the code does, the reason.
func dynamoGaps(dir string) (string, error) {
	data, err := os.ReadFile(filepath.Join(dir, "dynamo.tsv"))
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString("\n## Transformed code that is not proven\n\nKinds of frames that random programs under `torch.compile` (`make fuzz-torch`) have shown. Their code is dumped with a verdict that says so; " +
		"it is never swapped, so that the program runs as without depyf.\n\n| torch | what | why |\n|---|---|---|\n")
	for line := range strings.Lines(string(data)) {
		fields := strings.Split(strings.TrimRight(line, "\n"), "\t")
		if len(fields) != 3 {
			return "", fmt.Errorf("dynamo.tsv: three fields are wanted in %q", line)
		}
		fmt.Fprintf(&b, "| %s |\n", strings.Join(fields, " | "))
	}
	return b.String(), nil
}
