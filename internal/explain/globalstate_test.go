package explain

import (
	"slices"
	"testing"
)

// What of torch's state tells versions apart is asked for as a program asks; what all of them share is not.
func TestTellStates(t *testing.T) {
	version := func(grad, threads, cuda string) *Version {
		text := `___check_global_state() against {"allow_tf32":false,"autocast_state":{"enabled":[false,` + cuda + `,false]},"default_dtype":6,"grad_mode":` + grad + `,"num_threads":` + threads + `}`
		return &Version{HasGuards: true, Guards: Guards([]GuardPart{{Text: text}, {Text: "utils_device.CURRENT_DEVICE == None"}}, Identities{})}
	}
	f := &Function{Versions: []*Version{version("true", "2", "false"), version("false", "2", "false"), version("true", "2", "true"), {}}}
	before := f.Versions[1].Guards[0]
	f.tellStates()
	for i, want := range [][]string{
		{"torch.is_grad_enabled()", "not torch.is_autocast_enabled('cuda')"},
		{"not torch.is_grad_enabled()", "not torch.is_autocast_enabled('cuda')"},
		{"torch.is_grad_enabled()", "torch.is_autocast_enabled('cuda')"},
	} {
		g := f.Versions[i].Guards[0]
		if g.Kind != GuardState || g.Text != "___check_global_state()" || !slices.Equal(g.Conds, want) {
			t.Errorf("version %d: %+v", i, *g)
		}
		if other := f.Versions[i].Guards[1]; other.Kind != GuardNoise {
			t.Errorf("version %d: %+v", i, *other)
		}
	}
	if before.Kind != GuardNoise {
		t.Error("a guard that others may share was changed")
	}
	same := &Function{Versions: []*Version{version("true", "2", "false"), version("true", "2", "false")}}
	same.tellStates()
	if g := same.Versions[0].Guards[0]; g.Kind != GuardNoise {
		t.Errorf("%+v", *g)
	}
}

// Before torch 2.12 the check has no state behind it; what is none is left alone.
func TestUnknownState(t *testing.T) {
	for _, text := range []string{"___check_global_state()", "___check_global_state() against {", "___check_global_state() against [1]"} {
		g := Guards([]GuardPart{{Text: text}}, Identities{})[0]
		if len(g.state.conditions()) != 0 || g.Kind != GuardNoise {
			t.Errorf("%s: %+v", text, *g)
		}
	}
}
