package explain

import (
	"encoding/json"
	"testing"
)

func TestPhasesOf(t *testing.T) {
	for _, c := range []struct {
		name, figures string
		backend       float64
		want          Phases
	}{
		{"nested", `{"inductor_cumulative_compile_time_us": 6000000, "triton_compile_time_us": 2000000}`, 10, Phases{4, 4, 2, true}},
		{"no Inductor", `{"inductor_cumulative_compile_time_us": null, "triton_compile_time_us": null}`, 10, Phases{}},
		{"before torch 2.6", `{"entire_frame_compile_time_s": 12}`, 10, Phases{}},
		{"kernels from a cache", `{"triton_compile_time_us": 3000000}`, 4, Phases{1, 0, 3, true}},
		{"kernels beside Inductor", `{"inductor_cumulative_compile_time_us": 1000000, "triton_compile_time_us": 3000000}`, 4, Phases{1, 0, 3, true}},
		{"more than there is", `{"inductor_cumulative_compile_time_us": 9000000, "triton_compile_time_us": 3000000}`, 4, Phases{0, 1, 3, true}},
	} {
		var f fields
		if err := json.Unmarshal([]byte(c.figures), &f); err != nil {
			t.Fatal(err)
		}
		got := phasesOf(c.backend, f)
		if got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
		if sum := got.AOTAutograd + got.Inductor + got.Kernels; got.Told && sum != c.backend {
			t.Errorf("%s: %v of %v s are told", c.name, sum, c.backend)
		}
	}
}
