package report

import (
	"testing"

	"github.com/thuml/depyf/internal/explain"
)

// A framework's check that failed in one version is a row, and stands in the other versions too, which check it as well.
func TestEachCellSaysWhatIsChecked(t *testing.T) {
	state := func(reason string) explain.Guard {
		return explain.Guard{Kind: explain.GuardNoise, Conds: []string{"___check_global_state()"}, Text: "___check_global_state()", Reason: reason}
	}
	size := func(n string) explain.Guard { return explain.Guard{Conds: []string{n}, Text: n} }
	f := &explain.Function{Versions: []*explain.Version{
		{Number: 0, Guards: []explain.Guard{state("GLOBAL_STATE changed: grad_mode")}},
		{Number: 1, Guards: []explain.Guard{state(""), size("2 <= L['x'].shape[0]"), size("L['x'].shape[0] <= 128")}},
	}}
	table := compareGuards(&explain.Program{}, f)
	if len(table.Rows) != 2 {
		t.Fatalf("%+v", table)
	}
	if r := table.Rows[0]; r.Cells[0] != (guardCell{"yes", true}) || r.Cells[1] != (guardCell{"yes", false}) {
		t.Errorf("%+v", r)
	}
	if r := table.Rows[1]; r.Cells[0].Text != "" || r.Cells[1].Text != ">= 2 and <= 128" {
		t.Errorf("%+v", r)
	}
}
