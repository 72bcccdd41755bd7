package report

import (
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
	Same     int // rows that were left out, since all versions agree
}

type guardRow struct {
	What  string
	Where string
	Cells []guardCell
}

type guardCell struct {
	Text   string
	Failed bool // the check that failed, so that a later version was compiled
}

// compareGuards makes the table of f, or nil where there is nothing to compare.
func compareGuards(f *explain.Function) *guardTable {
	if len(f.Versions) < 2 {
		return nil
	}
	t := &guardTable{}
	rows := map[string]int{}
	for col, v := range f.Versions {
		t.Versions = append(t.Versions, v.Number)
		for i := range t.Rows {
			t.Rows[i].Cells = append(t.Rows[i].Cells, guardCell{})
		}
		for _, g := range v.Guards {
			if g.Kind != explain.GuardUser && g.Reason == "" {
				continue
			}
			conds := g.Conds
			if conds == nil {
				conds = []string{g.Text}
			}
			for i, c := range conds {
				what, value := splitCondition(c)
				at, known := rows[what]
				if !known {
					at = len(t.Rows)
					rows[what] = at
					t.Rows = append(t.Rows, guardRow{What: what, Where: strings.TrimSpace(g.Where + " " + g.Code), Cells: make([]guardCell, col+1)})
				}
				t.Rows[at].Cells[col] = guardCell{Text: value, Failed: g.Reason != "" && i == blamed(g)}
			}
		}
	}
	var differ []guardRow
	for _, r := range t.Rows {
		if r.same() {
			t.Same++
		} else {
			differ = append(differ, r)
		}
	}
	t.Rows = differ
	return t
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
