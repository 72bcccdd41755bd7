package answers

import (
	"strings"
	"testing"
)

func TestRemedy(t *testing.T) {
	for check, want := range map[string]string{
		"tensor 'L['x']' size mismatch at index 0. expected 2, actual 3":   "mark_dynamic",
		"tensor 'L['x']' requires_grad mismatch. expected requires_grad=0": "Two versions are the right number",
		"tensor 'L['x']' rank mismatch. expected 1, actual 2":              "number of dimensions",
		"L['k'] == 2.0":                    "burnt into",
		"L['k'] == 2":                      "then an int is made symbolic",
		"L['self'].calls == 2":             "is an attribute",
		"___check_global_state()":          "settings",
		"GLOBAL_STATE changed: grad_mode ": "torch.no_grad()",
		"something torch has never said":   "",
	} {
		if got := Remedy(check); want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("%s: %s", check, got)
		}
	}
}
