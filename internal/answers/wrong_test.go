package answers

import (
	"testing"

	"github.com/thuml/depyf/internal/explain"
)

func number(x float64) *float64 { return &x }

func count(n int) *int { return &n }

// The float64 reference says who is wrong; where there is none, nobody is accused.
func TestWhoIsWrong(t *testing.T) {
	apart := func(eager, compiled float64) explain.Finding {
		m := explain.Measure{Difference: number(1), Explained: number(0.1), EagerError: number(eager), CompiledError: number(compiled)}
		return explain.Finding{Kind: "differs", Operations: []explain.Operation{{Node: "y"}}, Measures: []explain.Measure{m}}
	}
	lost := apart(0, 1)
	lost.Lost = "y"
	unlike := func(eager, compiled int, explained float64) explain.Finding {
		m := explain.Measure{Unequal: count(eager + compiled), EagerUnlike: count(eager), CompiledUnlike: count(compiled), Explained: number(explained)}
		return explain.Finding{Kind: "differs", Measures: []explain.Measure{m}}
	}
	yes, no := true, false
	for name, c := range map[string]struct {
		finding explain.Finding
		want    Who
	}{
		"compiled is off":                  {apart(0.01, 1), WhoCompiled},
		"eager is off":                     {apart(1, 0.01), WhoEager},
		"both are off":                     {apart(1, 2), WhoBoth},
		"neither is off by much":           {apart(0.05, 0.06), WhoUnknown},
		"no reference":                     {lost, WhoUnknown},
		"eager overflows":                  {unlike(4, 0, 0), WhoEager},
		"compiled loses an infinity":       {unlike(0, 4, 0), WhoCompiled},
		"more than roundings decide":       {unlike(1, 40, 16), WhoCompiled},
		"each has another whole number":    {unlike(3, 4, 0), WhoBoth},
		"another type":                     {explain.Finding{Kind: "differs", Measures: []explain.Measure{{CompiledDType: "float32"}}}, WhoCompiled},
		"memory of another":                {explain.Finding{Kind: "differs", Measures: []explain.Measure{{Result: "memory"}}}, WhoCompiled},
		"too small a type":                 {explain.Finding{Kind: "not finite", ReferenceFinite: &yes}, WhoPrecision},
		"the operation itself":             {explain.Finding{Kind: "not finite", ReferenceFinite: &no}, WhoProgram},
		"not finite and no reference":      {explain.Finding{Kind: "not finite"}, WhoUnknown},
		"only the compiled function fails": {explain.Finding{Kind: "raises"}, WhoCompiled},
	} {
		if got := who(c.finding); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

// Of a program with a dump, the kernels that compute the operation are named, those of its pass alone.
func TestKernelsOfWrongNumbers(t *testing.T) {
	kernels := []Kernel{
		{Name: "cpp_fused_tanh_0", Compilation: "0/0", Pass: "forward", Sources: []string{"y"}, Aten: []string{"aten.tanh"}},
		{Name: "cpp_fused_mul_0", Compilation: "0/0", Pass: "backward", Sources: []string{"y"}},
		{Name: "cpp_fused_tanh_1", Compilation: "0/1", Pass: "forward", Sources: []string{"y"}},
	}
	f := explain.Finding{Kind: "differs", Pass: "forward", CompileID: "0/0", Operations: []explain.Operation{{Node: "y"}}}
	got := Wrong([]explain.Comparison{{Findings: []explain.Finding{f}}}, kernels)[0].Wrong[0]
	if len(got.Fused) != 1 || got.Fused[0] != "cpp_fused_tanh_0" || len(got.Aten) != 1 {
		t.Errorf("kernels %v, aten %v", got.Fused, got.Aten)
	}
}

// What is not finite in float64 either may be meant; what compiled code does wrong is told before.
func TestOrderOfWrongNumbers(t *testing.T) {
	no := false
	got := Wrong([]explain.Comparison{{Findings: []explain.Finding{
		{Kind: "not finite", ReferenceFinite: &no},
		{Kind: "differs", Measures: []explain.Measure{{Missing: true}}},
	}}}, nil)[0].Wrong
	if got[0].Kind != "differs" || got[1].Kind != "not finite" {
		t.Errorf("%s comes before %s", got[0].Kind, got[1].Kind)
	}
}

// What is apart and in no graph is told, unless precision explains what the graphs have.
func TestUnplaced(t *testing.T) {
	apart := []explain.Measure{{Difference: number(1)}, {CompiledDType: "float32"}}
	for explained, want := range map[bool]int{false: 2, true: 1} {
		c := explain.Comparison{Apart: apart}
		if explained {
			c.Explained = apart[:1]
		}
		got := Wrong([]explain.Comparison{c}, nil)[0]
		if len(got.Unplaced) != want || got.Agree {
			t.Errorf("explained %v: %d unplaced, agree %v", explained, len(got.Unplaced), got.Agree)
		}
	}
	if !Wrong([]explain.Comparison{{}}, nil)[0].Agree {
		t.Error("nothing is apart, and they do not agree")
	}
}
