package report

import (
	"fmt"
	"html/template"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/thuml/depyf/internal/answers"
)

// Table is what the processes of a run have in numbers, a row each.
type Table struct {
	Columns []string // without that of the names
	Rows    []Row
}

// Row is one process, or several that have the same numbers.
type Row struct {
	Names []string
	Cells []Number
}

// Number is a cell; it is odd if most processes have another.
type Number struct {
	Text string
	Odd  bool
}

// mostRanks is for how many processes each has a row of its own.
const mostRanks = 12

// rankNumbers puts the numbers of all ranks side by side; nil if there is nothing to count.
func rankNumbers(r answers.Ranks) *Table {
	t := &Table{}
	var counts [][]int // by rank
	for _, p := range r.Processes {
		var row []int
		for _, c := range p.Counts {
			row = append(row, c.Value)
		}
		counts = append(counts, row)
	}
	var columns []int
	for i, c := range r.Processes[0].Counts {
		if slices.ContainsFunc(counts, func(row []int) bool { return row[i] != 0 }) {
			columns = append(columns, i)
			t.Columns = append(t.Columns, c.Name)
		}
	}
	if len(columns) == 0 {
		return nil
	}
	t.Columns = append(t.Columns, "seconds of compiling")
	usual := map[int]int{}
	for _, i := range columns {
		usual[i] = mostCommon(counts, i)
	}
	shown := map[string]int{} // rows of ranks with the same counts
	least, most := []float64{}, []float64{}
	for n, p := range r.Processes {
		key := fmt.Sprint(counts[n])
		at, ok := shown[key]
		if !ok || len(r.Processes) <= mostRanks {
			at = len(t.Rows)
			shown[key] = at
			row := Row{}
			for _, i := range columns {
				row.Cells = append(row.Cells, Number{fmt.Sprint(counts[n][i]), counts[n][i] != usual[i]})
			}
			t.Rows = append(t.Rows, row)
			least, most = append(least, p.Seconds), append(most, p.Seconds)
		}
		t.Rows[at].Names = append(t.Rows[at].Names, p.Name)
		least[at], most[at] = min(least[at], p.Seconds), max(most[at], p.Seconds)
	}
	for i := range t.Rows {
		text := fmt.Sprintf("%.1f", least[i])
		if to := fmt.Sprintf("%.1f", most[i]); to != text {
			text += " to " + to
		}
		t.Rows[i].Cells = append(t.Rows[i].Cells, Number{Text: text})
	}
	return t
}

// mostCommon is the number that most rows have in a column; of those that as many have, the first.
func mostCommon(rows [][]int, column int) int {
	times := map[int]int{}
	for _, row := range rows {
		times[row[column]]++
	}
	best := rows[0][column]
	for _, row := range rows {
		if times[row[column]] > times[best] {
			best = row[column]
		}
	}
	return best
}

// Who names the processes of a row.
func (r Row) Who() string { return r.named(func(name string) string { return name }) }

// Linked are the names with links to the reports.
func (r Row) Linked() template.HTML {
	return template.HTML(r.named(func(name string) string {
		return fmt.Sprintf(`<a href="%s/%s">%[1]s</a>`, template.HTMLEscapeString(name), htmlName)
	}))
}

func (r Row) named(each func(string) string) string {
	const first = 3
	var list []string
	for _, n := range r.Names[:min(first, len(r.Names))] {
		list = append(list, each(n))
	}
	return strings.Join(list, ", ") + andMore(len(r.Names)-first)
}

// text is the table for a terminal, an odd number with a star.
func (t *Table) text() string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	width := 0
	for _, r := range t.Rows {
		width = max(width, len(r.Who()))
	}
	fmt.Fprintf(w, "\t%s\t\n", strings.Join(t.Columns, "\t"))
	for _, r := range t.Rows {
		fmt.Fprintf(w, "%-*s", width, r.Who())
		for _, c := range r.Cells {
			mark := ""
			if c.Odd {
				mark = "*"
			}
			fmt.Fprintf(w, "\t%s%s", mark, c.Text)
		}
		fmt.Fprint(w, "\t\n")
	}
	_ = w.Flush() // into memory
	return b.String() + "\n"
}

// markdown is the table in Markdown, an odd number in bold.
func (t *Table) markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "| | %s |\n|---|%s\n", strings.Join(t.Columns, " | "), strings.Repeat("---:|", len(t.Columns)))
	for _, r := range t.Rows {
		b.WriteString("| " + r.Who())
		for _, c := range r.Cells {
			if c.Odd {
				c.Text = "**" + c.Text + "**"
			}
			b.WriteString(" | " + c.Text)
		}
		b.WriteString(" |\n")
	}
	return b.String() + "\n"
}
