package answers

import (
	"slices"
	"strings"
	"testing"

	"github.com/thuml/depyf/internal/explain"
)

func guardedBy(id string, micros float64, texts ...string) *explain.Version {
	var parts []explain.GuardPart
	for _, t := range texts {
		parts = append(parts, explain.GuardPart{Text: t})
	}
	return &explain.Version{
		CompileID: id, Title: "GPT.forward", HasGuards: true, Guards: explain.Guards(parts, explain.Identities{}),
		Compile: &explain.Compile{ID: id, GuardTime: micros},
	}
}

const (
	noise   = "___check_global_state() against {}"
	global  = "G['torch'].nn is torch.nn"
	flag    = "L['flag'] == True"
	tensor  = "check_tensor(L['x'], Tensor, DispatchKeySet(CPU), torch.float32, device=None, requires_grad=False, size=[%], stride=[1])"
	atLayer = "type(L['self']._modules['layers']._modules['%']) is torch.nn.modules.linear.Linear"
)

func guardedProgram() *explain.Program {
	var layers []string
	for i := range 30 {
		layers = append(layers, strings.Replace(atLayer, "%", strings.Repeat("1", i+1), 1))
	}
	f := &explain.Function{Title: "GPT.forward", Where: explain.Place{File: "/m.py", Line: 3}}
	f.Versions = []*explain.Version{
		guardedBy("0/0", 12, append([]string{noise, global, flag, strings.Replace(tensor, "%", "2", 1)}, layers...)...),
		guardedBy("0/1", 30, noise, flag, strings.Replace(tensor, "%", "4", 1)),
	}
	f.Versions[1].Number = 1
	return &explain.Program{Model: &explain.Model{Start: explain.Start{Torch: "2.15.0+cpu"}}, Functions: []*explain.Function{f}}
}

// What tells versions apart comes first, sizes before all; the framework's state is nowhere among it.
func TestValidWhen(t *testing.T) {
	p := guardedProgram()
	var got []string
	for _, c := range ValidWhen(p, p.Functions[0], p.Functions[0].Versions[1]) {
		got = append(got, c.Text)
	}
	want := []string{
		"L['x'].shape == (4,)", "L['flag'] == True", "type(L['x']) is torch.Tensor", "L['x'].dtype == torch.float32", "L['x'].device.type == 'cpu'",
		"not L['x'].requires_grad", "L['x'].stride() == (1,)",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
	if first := ValidWhen(p, p.Functions[0], p.Functions[0].Versions[0])[0].Text; first != "L['x'].shape == (2,)" {
		t.Errorf("the first version begins with %s", first)
	}
}

func TestGuardSets(t *testing.T) {
	sets := GuardSets(guardedProgram())
	if len(sets) != 2 || sets[0].Compilation != "0/1" || sets[0].Micros == nil || *sets[0].Micros != 30 {
		t.Fatalf("%+v", sets)
	}
	g := sets[1]
	if g.Total != 34 || g.Groups[0].On != "modules" || g.Groups[0].Guards != 30 || !strings.Contains(g.Groups[0].Drop, "skip_guard_on_all_nn_modules_unsafe") {
		t.Errorf("%+v", g.Groups)
	}
	for _, group := range append(g.Groups[1:], sets[0].Groups...) {
		if group.Drop != "" {
			t.Errorf("few guards are to be dropped: %+v", group)
		}
	}
}

// A filter is named where torch has it, and never for guards that have told versions apart.
func TestDropping(t *testing.T) {
	many := GuardGroup{On: "modules", Guards: 100}
	failed := many
	failed.Failed = 1
	for _, c := range []struct {
		torch string
		group GuardGroup
		total int
		want  bool
	}{
		{"2.9.1", many, 120, true},
		{"2.10.0", many, 120, true},
		{"2.8.0", many, 120, false},
		{"", many, 120, false},
		{"2.15.0", failed, 120, false},
		{"2.15.0", many, 1000, false},
		{"2.15.0", GuardGroup{On: "arguments", Guards: 100}, 120, false},
	} {
		if got := dropping(c.torch, c.group, c.total) != ""; got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}
