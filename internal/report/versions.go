package report

import (
	"slices"
	"strconv"
	"strings"

	"github.com/thuml/depyf/internal/explain"
)

// guardTable compares the guards of the versions of a function: a row for each
// thing that is checked, a column for each version. Only it shows at a glance
// what tells the versions apart.
type guardTable struct {
	Versions []int
	Rows     []guardRow
	More     *guardTable // the rows behind the first of many, to be opened; or nil
	Same     int         // rows that were left out, since all versions agree
}

// mostRows is how many rows of a table stand open: of a large model hundreds may differ.
const mostRows = 20

type guardRow struct {
	What  string
	Where string
	Cells []guardCell
}

type guardCell struct {
	Text   string
	Failed bool // the check that failed, so that a later version was compiled
}

// compareGuards makes the table of f, or nil where there is nothing to compare. Rows are what is about the
// user's values and what has failed; a row says of each version what that one checks, whatever the check is about.
func compareGuards(p *explain.Program, f *explain.Function) *guardTable {
	if len(f.Versions) < 2 {
		return nil
	}
	t := &guardTable{}
	rows := map[string]int{}
	for _, v := range f.Versions {
		t.Versions = append(t.Versions, v.Number)
		for _, g := range v.Guards {
			if !g.Kind.OfCalls() && g.Reason == "" {
				continue
			}
			for _, c := range conditions(g) {
				what, _ := splitCondition(c)
				if _, known := rows[what]; known {
					continue
				}
				rows[what] = len(t.Rows)
				row := guardRow{What: what, Cells: make([]guardCell, len(f.Versions))}
				if g.At.File != "" {
					row.Where = strings.TrimSpace(p.Places.Place(g.At.File, g.At.Line) + " " + g.At.Code)
				}
				t.Rows = append(t.Rows, row)
			}
		}
	}
	for col, v := range f.Versions {
		for _, g := range v.Guards {
			for i, c := range conditions(g) {
				what, value := splitCondition(c)
				if at, known := rows[what]; known {
					t.Rows[at].Cells[col].add(value, g.Reason != "" && i == blamed(g))
				}
			}
		}
	}
	var failed, differ []guardRow
	for _, r := range t.Rows {
		switch {
		case r.same():
			t.Same++
		case slices.ContainsFunc(r.Cells, func(c guardCell) bool { return c.Failed }):
			failed = append(failed, r)
		default:
			differ = append(differ, r)
		}
	}
	t.Rows = append(failed, differ...) // What made torch compile again comes first.
	if open := max(mostRows, len(failed)); len(t.Rows) > open+mostRows/2 {
		t.More = &guardTable{Versions: t.Versions, Rows: t.Rows[open:]}
		t.Rows = t.Rows[:open]
	}
	return t
}

// conditions are what a guard checks, in torch's words where these are no Python.
func conditions(g *explain.Guard) []string {
	if g.Conds == nil {
		return []string{g.Text}
	}
	return g.Conds
}

// add puts one more condition on the same thing into a cell: 2 <= x and x <= 128 are two.
func (c *guardCell) add(value string, failed bool) {
	if c.Text == "" {
		c.Text = value
	} else if c.Text != value {
		c.Text += " and " + value
	}
	c.Failed = c.Failed || failed
}

func (r guardRow) same() bool {
	for _, c := range r.Cells {
		if c.Text != r.Cells[0].Text || c.Failed {
			return false
		}
	}
	return true
}

// splitCondition parts a condition into what is checked and what it has to be,
// so that L['x'].shape == (2,) and L['x'].shape == (3,) get one row.
func splitCondition(c string) (what, value string) {
	for _, op := range []string{" == ", " is not ", " is ", " >= ", " <= ", " > ", " < "} {
		if l, r, ok := strings.Cut(c, op); ok && !strings.Contains(r, op) {
			switch {
			case op == " == ":
				return l, r
			case isNumber(l) && mirrored[op] != "": // 2 <= L['x'].shape[0]
				return r, mirrored[op] + " " + l
			}
			return l, strings.TrimSpace(op) + " " + r
		}
	}
	if rest, ok := strings.CutPrefix(c, "not "); ok {
		return rest, "no"
	}
	return c, "yes"
}

var mirrored = map[string]string{" >= ": "<=", " <= ": ">=", " > ": "<", " < ": ">"}

func isNumber(s string) bool {
	_, err := strconv.ParseFloat(s, 64)
	return err == nil
}
