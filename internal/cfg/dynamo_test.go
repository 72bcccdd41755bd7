package cfg

import "testing"

func TestStableGlobal(t *testing.T) {
	for name, want := range map[string]bool{
		"__compiled_fn_1_7f3a":                true,
		"__resume_at_10_2":                    true,
		"__import_torch_dot_utils":            true,
		"__comprehension_f_at_12_3":           true,
		"___module_iter_140620544598128_c13":  true,
		"___module_iter_140620544598128_c0/0": true, // torch up to 2.8 writes the compile id
		"_140620544598128_c2":                 true,
		"___module_iter_140620544598128_c":    false,
		"___module_iter_140620544598128":      false,
		"layer_12_c3":                         false, // a person's
		"vec_c":                               false,
		"config":                              false,
	} {
		if got := StableGlobal(name); got != want {
			t.Errorf("StableGlobal(%q) = %v", name, got)
		}
	}
}
