package report

import (
	"fmt"
	"strings"
	"testing"

	"github.com/thuml/depyf/internal/explain"
)

// Of many rows that of a check that has failed stands first, and most are folded.
func TestManyRows(t *testing.T) {
	version := func(n int) *explain.Version {
		v := &explain.Version{Number: n}
		for i := range 60 {
			cond := fmt.Sprintf("L['x%d'].shape == (%d,)", i, n)
			v.Guards = append(v.Guards, &explain.Guard{Conds: []string{cond}, Text: cond})
		}
		return v
	}
	f := &explain.Function{Versions: []*explain.Version{version(0), version(1)}}
	f.Versions[0].Guards[50].Reason = "L['x50'].shape == (0,)"
	table := compareGuards(&explain.Program{}, f)
	if table.More == nil || len(table.Rows) != mostRows || len(table.More.Rows) != 60-mostRows || len(table.More.Versions) != 2 {
		t.Fatalf("%+v", table)
	}
	if r := table.Rows[0]; r.What != "L['x50'].shape" || !r.Cells[0].Failed || r.Cells[1] != (guardCell{"(1,)", false}) {
		t.Errorf("%+v", r)
	}
	if r := table.Rows[1]; r.What != "L['x0'].shape" {
		t.Errorf("%+v", r)
	}
	when := validWhen(&explain.Program{Model: &explain.Model{}}, f, f.Versions[1])
	if !strings.HasPrefix(when, "not known") {
		t.Errorf("without guards that are known: %s", when)
	}
}

// What every version checks says nothing about which one runs.
func TestValidWhenTellsVersionsApart(t *testing.T) {
	version := func(n int) *explain.Version {
		v := &explain.Version{Number: n, HasGuards: true}
		for _, cond := range []string{
			"type(L['kwargs']) is dict", "L['a'].shape == (2,)", "L['b'].shape == (2,)", "L['c'].shape == (2,)",
			fmt.Sprintf("L['n'] == %d", n), fmt.Sprintf("L['d'].shape == (%d,)", n),
		} {
			v.Guards = append(v.Guards, &explain.Guard{Conds: []string{cond}, Text: cond})
		}
		return v
	}
	f := &explain.Function{Versions: []*explain.Version{version(0), version(1)}}
	p := &explain.Program{Model: &explain.Model{}}
	want := "`L['d'].shape == (1,)`<br>`L['n'] == 1`<br>`L['a'].shape == (2,)`<br>`L['b'].shape == (2,)`<br>and 2 more"
	if got := validWhen(p, f, f.Versions[1]); got != want {
		t.Errorf("got %s", got)
	}
}

// A framework's check that failed in one version is a row, and stands in the other versions too, which check it as well.
func TestEachCellSaysWhatIsChecked(t *testing.T) {
	state := func(reason string) *explain.Guard {
		return &explain.Guard{Kind: explain.GuardNoise, Conds: []string{"___check_global_state()"}, Text: "___check_global_state()", Reason: reason}
	}
	size := func(n string) *explain.Guard { return &explain.Guard{Conds: []string{n}, Text: n} }
	f := &explain.Function{Versions: []*explain.Version{
		{Number: 0, Guards: []*explain.Guard{state("GLOBAL_STATE changed: grad_mode")}},
		{Number: 1, Guards: []*explain.Guard{state(""), size("2 <= L['x'].shape[0]"), size("L['x'].shape[0] <= 128")}},
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

// A version whose guards on values were left out runs for all inputs, and that is not the same as one that needs none.
func TestValidWhenGuardsWereLeftOut(t *testing.T) {
	state := &explain.Guard{Conds: []string{"___check_global_state()"}, Text: "___check_global_state()", Kind: explain.GuardNoise}
	user := &explain.Guard{Conds: []string{"L['x'].ndim == 1"}, Text: "L['x'].ndim == 1"}
	size := []explain.Symbol{{Name: "s0", Value: "4", Source: "L['x'].size()[0]"}}
	p := &explain.Program{Model: &explain.Model{}}
	for _, c := range []struct {
		guards  []*explain.Guard
		symbols []explain.Symbol
		when    string
	}{
		{[]*explain.Guard{state}, size, "always: the guards on values were left out"},
		{nil, size, "always: the guards on values were left out"},
		{[]*explain.Guard{state}, nil, "always"},
		{[]*explain.Guard{state}, []explain.Symbol{{Name: "u0"}}, "always"}, // made inside, so no input needs a guard
		{[]*explain.Guard{state, user}, size, "`L['x'].ndim == 1`"},
	} {
		v := &explain.Version{HasGuards: true, Guards: c.guards, Compile: &explain.Compile{Symbols: c.symbols}}
		got := validWhen(p, &explain.Function{Versions: []*explain.Version{v}}, v)
		if words := uncheckedWords(v); got != c.when || (words != "") != strings.Contains(c.when, "left out") {
			t.Errorf("%+v: got %q, %q", c, got, words)
		}
	}
}
