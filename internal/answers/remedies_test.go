package answers

import (
	"strings"
	"testing"
)

func TestRemedy(t *testing.T) {
	for check, want := range map[string]string{
		"tensor 'L['x']' size mismatch at index 0. expected 2, actual 3":   "mark_dynamic(x, 0)",
		"tensor 'L['x']' requires_grad mismatch. expected requires_grad=0": "two versions are the right number",
		"tensor 'L['x']' rank mismatch. expected 1, actual 2":              "number of dimensions",
		"L['k'] == 2.0":                    "baked into",
		"L['k'] == 2":                      "from then on, an int is symbolic",
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

// The advice against a size that varies names the call to write, where there is one.
func TestRemedyOfSizes(t *testing.T) {
	for _, c := range []struct {
		cause       Cause
		want, never string
	}{
		{Cause{Subjects: []string{"batch['x'].size(2)"}, Values: []string{"4", "8"}}, "Call torch._dynamo.mark_dynamic(batch['x'], 2) before the first call", "Sizes 0 and 1"},
		{Cause{Subjects: []string{"kwargs['input_ids'].size(1)"}, Values: []string{"5", "1"}}, "mark_dynamic(input_ids, 1) before the first call, or compile with dynamic=True; or pad to a few sizes. Sizes 0 and 1", "kwargs"},
		{Cause{Subjects: []string{"x.size(0)", "h.size(0)"}}, "Compile with dynamic=True, which makes all of them symbolic; torch._dynamo.mark_dynamic(x, 0)", "dynamic=False"},
		{Cause{Subjects: []string{"x.size(0)"}, Fixed: true}, "compiled with dynamic=False, or a line in it needs the exact number", "dynamic=True"},
		{Cause{Subjects: []string{"___stack1.size(0)"}}, "mark_dynamic(tensor, dim)", "___stack"},
	} {
		c.cause.Kind = KindSize
		if got := remedy(&c.cause); !strings.Contains(got, c.want) || strings.Contains(got, c.never) {
			t.Errorf("%v: %s", c.cause.Subjects, got)
		}
	}
}

// A value that a broken line leaves to the resume function is not one that the caller could pass otherwise.
func TestRemedyOfResults(t *testing.T) {
	c := &Cause{Kind: KindObject, Subjects: []string{"___stack0"}}
	if got := remedy(c); got != onlyResumed {
		t.Error(got)
	}
	if got := title(c); got != "an object was replaced by another: the result of a line that breaks the graph" {
		t.Error(got)
	}
	for _, value := range []string{"2", "0.5"} {
		c := &Cause{Kind: KindValue, Subjects: []string{"___stack0"}, Values: []string{value}}
		if got := remedy(c); !strings.Contains(got, "without the graph break") || strings.Contains(got, "as a tensor") {
			t.Error(got)
		}
		if got := title(c); got != "a Python value varies: the result of a line that breaks the graph" {
			t.Error(got)
		}
	}
}

// Nothing that the caller marks makes a size of a parameter symbolic: torch's own hint names the setting.
func TestRemedyOfParameters(t *testing.T) {
	c := &Cause{Kind: KindSize, Subjects: []string{"p.size(0)"}, Hints: []string{"Guard failed on a parameter, consider using torch._dynamo.config.force_parameter_static_shapes = False to allow dynamism on parameters."}}
	if got := remedy(c); got != "" {
		t.Error(got)
	}
}

// What is said of a number goes by what came of it: a version for each value, or a symbolic one.
func TestRemedyOfNumbers(t *testing.T) {
	for _, c := range []struct {
		subject, want string
		values        []string
	}{
		{"n", "from then on, an int is symbolic", []string{"1", "2"}},
		{"n", "Each value gets a version of its own", []string{"1", "2", "3"}},
		{"self.param_groups[0]['lr']", "lr=torch.tensor(0.01)", []string{"0.01"}},
		{"self.n", "allow_unspec_int_on_nn_module", []string{"1", "2", "3"}},
	} {
		if got := remedy(&Cause{Kind: KindValue, Subjects: []string{c.subject}, Values: c.values}); !strings.Contains(got, c.want) {
			t.Errorf("%s %v: %s", c.subject, c.values, got)
		}
	}
}
