package explain

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// globalState is the state of torch that a version was compiled in, as torch writes it: by name, in JSON
// (GlobalStateGuard in torch/csrc/dynamo/guards.cpp).
type globalState map[string]json.RawMessage

const checkState = "___check_global_state()"

// readGlobalState reads what stands behind the check in later torches.
func readGlobalState(text string) globalState {
	_, text, ok := strings.Cut(text, checkState+" against ")
	if !ok {
		return nil
	}
	var s globalState
	if err := json.NewDecoder(strings.NewReader(text)).Decode(&s); err != nil {
		return nil
	}
	return s
}

// switches are the parts of the state that are on or off, as a program asks for them.
var switches = []struct{ name, asked string }{
	{"grad_mode", "torch.is_grad_enabled()"},
	{"deterministic_algorithms", "torch.are_deterministic_algorithms_enabled()"},
	{"deterministic_algorithms_warn_only", "torch.is_deterministic_algorithms_warn_only_enabled()"},
	{"allow_tf32", "torch.backends.cuda.matmul.allow_tf32"},
}

// autocastDevices are those that the lists in autocast_state begin with (c10/core/DeviceType.h).
var autocastDevices = []string{"cpu", "cuda"}

// conditions are the parts of a state that a program can ask for, as expressions of Python.
func (s globalState) conditions() []string {
	var out []string
	onOff := func(asked string, on bool) {
		if !on {
			asked = "not " + asked
		}
		out = append(out, asked)
	}
	for _, each := range switches {
		var on bool
		if json.Unmarshal(s[each.name], &on) == nil {
			onOff(each.asked, on)
		}
	}
	var threads int
	if json.Unmarshal(s["num_threads"], &threads) == nil {
		out = append(out, fmt.Sprintf("torch.get_num_threads() == %d", threads))
	}
	var autocast struct{ Enabled []bool }
	if json.Unmarshal(s["autocast_state"], &autocast) == nil {
		for i, on := range autocast.Enabled[:min(len(autocastDevices), len(autocast.Enabled))] {
			onOff(fmt.Sprintf("torch.is_autocast_enabled('%s')", autocastDevices[i]), on)
		}
	}
	return out
}

// tellStates makes conditions of what the versions of f do not have in common of torch's state.
func (f *Function) tellStates() {
	versions := map[string]int{} // that have a condition
	known := 0
	for _, v := range f.Versions {
		if g := v.stateGuard(); g != nil {
			known++
			for _, c := range g.state.conditions() {
				versions[c]++
			}
		}
	}
	for _, v := range f.Versions {
		g := v.stateGuard()
		if g == nil {
			continue
		}
		conds := slices.DeleteFunc(g.state.conditions(), func(c string) bool { return versions[c] == known })
		if len(conds) == 0 {
			continue
		}
		told := *g // versions share what they have in common
		told.Kind, told.Conds = GuardState, conds
		v.Guards[slices.Index(v.Guards, g)] = &told
	}
}

func (v *Version) stateGuard() *Guard {
	for _, g := range v.Guards {
		if g.state != nil {
			return g
		}
	}
	return nil
}
