package answers

import (
	"slices"
	"testing"
)

// One slow measurement of several does not make a function costly, and a group that could go is one thing in all versions.
func TestGuardBudget(t *testing.T) {
	micros := func(n float64) *float64 { return &n }
	drop := []GuardGroup{{On: onModules, Guards: 30, Drop: "leave them out"}}
	b := BudgetOf([]GuardSet{
		{Name: "h", File: "a.py", Line: 20, Total: 8, Micros: micros(5000)}, // before a reset
		{Resets: 1, Name: "f", File: "a.py", Line: 1, Total: 12, Micros: micros(9000)},
		{Resets: 1, Name: "f", File: "a.py", Line: 1, Total: 10, Micros: micros(20)},
		{Resets: 1, Name: "f", File: "a.py", Line: 1, Total: 10, Micros: micros(30)},
		{Resets: 1, Name: "g", File: "a.py", Line: 9, Total: 40, Micros: micros(60), Groups: drop},
		{Resets: 1, Name: "__resume_at_2_3", Resumes: "g", File: "a.py", Line: 11, Total: 40, Groups: drop},
	})
	if b.Guards != 120 || b.Versions != 6 || len(b.Functions) != 2 {
		t.Errorf("%+v", b)
	}
	if f := b.Functions[0]; f.Name != "g" || *f.Micros != 60 || f.Resumes != 1 || f.Versions != 2 || f.Line != 9 || f.Call() != 120 {
		t.Errorf("the costliest: %+v", f)
	}
	if f := b.Functions[1]; f.Name != "f" || f.Versions != 3 || f.Guards != 12 || *f.Micros != 30 {
		t.Errorf("%+v", f)
	}
	if len(b.Drops) != 1 || b.Drops[0].Guards != 60 || !slices.Equal(b.Drops[0].Functions, []string{"g"}) {
		t.Errorf("%+v", b.Drops)
	}
	for _, c := range []struct {
		budget GuardBudget
		want   bool
	}{
		{b, true},
		{GuardBudget{Functions: []GuardCost{{Guards: 12, Versions: 3, Micros: micros(90)}, {Guards: 30}}}, false},
		{GuardBudget{Functions: []GuardCost{{Guards: 12, Versions: 10, Micros: micros(longCheck / 10)}}}, true},
		{GuardBudget{Functions: []GuardCost{{Guards: manyGuards}}}, true},
		{GuardBudget{}, false},
	} {
		if got := c.budget.WorthTelling(); got != c.want {
			t.Errorf("%+v: %v", c.budget, got)
		}
	}
}
