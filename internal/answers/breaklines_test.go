package answers

import (
	"slices"
	"strings"
	"testing"

	"github.com/thuml/depyf/internal/explain"
)

// What to write instead of a line is said in the words of old and of new versions of torch.
func TestBreakRemedies(t *testing.T) {
	for _, c := range []struct{ cause, explanation, want string }{
		{"Failed to trace builtin operator", "Dynamo does not know how to trace builtin operator `print` with argument types ['str'] (has_kwargs False)", "reorderable_logging_functions.add(print)"},
		{"builtin: print [<class 'torch._dynamo.variables.constant.ConstantVariable'>] False", "", "reorderable_logging_functions.add(print)"},
		{"Failed to trace builtin operator", "Dynamo does not know how to trace builtin operator `sorted`", ""},
		{"Unsupported Tensor.item() call with capture_scalar_outputs=False", "", "capture_scalar_outputs = True"},
		{"Tensor.item", "", "capture_scalar_outputs = True"},
		{"Data-dependent branching", "Detected data-dependent branching (e.g. `if my_tensor.sum() > 0:`).", "torch.where("},
		{"generic_jump TensorVariable()", "", "torch.where("},
		{"Attempted to call function marked as skipped", "Dynamo does not know how to trace the builtin `time.sleep.`", "outside the compiled function"},
		{"Graph break due to unsupported builtin time.sleep", "", "outside the compiled function"},
		{"'skip function sleep in file <frozen>'", "", "outside the compiled function"},
		{"Call to a time function", "", "outside the compiled function"},
		{"Unsupported Tensor.backward() call", "", "call backward() outside"},
		{"Call to `torch._dynamo.graph_break()`", "User-inserted graph break. Message: None", "remove the call"},
		{"Skip calling `torch.compiler.disable()`d function", "", "torch.compiler.disable()"},
		{"call torch._dynamo.disable() wrapped function <function f at 0x7f>", "", "torch.compiler.disable()"},
		{"graph break in loop", "Detected data-dependent branching", "move the body of the loop"},
		{"something else", "", ""},
	} {
		got := BreakRemedy(c.cause, c.explanation)
		if c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%s: %q", c.cause, got)
		}
	}
}

// Brief answers show the first hint: it has to be one that says what to write.
func TestUsefulHintsFirst(t *testing.T) {
	p := &explain.Program{Model: &explain.Model{Compiles: []*explain.Compile{{ID: "0/0", Func: "f", File: "/p/a.py", Breaks: []explain.Break{{
		File: "/p/a.py", Line: 3, Reason: "r", Hints: []string{
			"This graph break is fundamental - it is unlikely that Dynamo will ever be able to trace through your code. Consider finding a workaround.",
			"If it is a Python builtin, please file an issue on GitHub so the PyTorch team can add support for it and see the next case for a workaround.",
			"Use `torch.cond` to express dynamic control flow.", "Please report an issue to PyTorch.", "Or not.",
		},
	}}}}}}
	got := BreakLines(p)
	if len(got) != 1 || len(got[0].Hints) != 5 || !slices.Equal(got[0].Hints[:2], []string{"Use `torch.cond` to express dynamic control flow.", "Or not."}) {
		t.Errorf("%+v", got)
	}
}

// A break that a library asks for is not the user's to take away.
func TestBreakThatALibraryAsksFor(t *testing.T) {
	for file, want := range map[string]int{"/p/a.py": 1, "/x/site-packages/torch/optim/optimizer.py": 0} {
		p := &explain.Program{Model: &explain.Model{Compiles: []*explain.Compile{{ID: "0/0", Func: "f", File: file, Breaks: []explain.Break{{
			File: file, Line: 3, Causes: []string{"Call to `torch._dynamo.graph_break()`"},
		}}}}}}
		if got := BreakLines(p); len(got) != 1 || len(got[0].Remedies) != want {
			t.Errorf("%s: %+v", file, got)
		}
	}
}

// The function of a line goes with its class where the text of the file is known, and as torch has it elsewhere.
func TestFunctionOfABreak(t *testing.T) {
	m, err := explain.Replay("../../testdata/sessions/torch215_loop_eager")
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range For(explain.Link(m)).BreakLines() {
		if b.Function == "" || strings.Contains(b.Function, "torch_dynamo_resume_in") {
			t.Errorf("%s:%d is in %q", b.File, b.Line, b.Function)
		}
	}
	p := &explain.Program{Model: &explain.Model{Compiles: []*explain.Compile{{ID: "0/0", Func: "f", File: "/p/a.py", Breaks: []explain.Break{
		{File: "/p/a.py", Line: 3, Func: "forward"}, {File: "/p/a.py", Line: 4},
	}}}}}
	got := BreakLines(p)
	if len(got) != 2 || got[0].Function != "forward" || got[1].Function != "" {
		t.Errorf("%+v", got)
	}
	lines := strings.Split("class A:\n    def forward(self, x):\n        print(x)\n", "\n")
	s := surroundings{p, map[string][]string{"/p/a.py": lines}}
	if in := s.name(explain.Break{File: "/p/a.py", Line: 3, Func: "forward"}); in != "A.forward" {
		t.Error(in)
	}
}

func TestAFunctionOfWhichALineIsKnown(t *testing.T) {
	line, alone, other := Caller{"f", "a.py", 3, "g()"}, Caller{Function: "f", File: "a.py"}, Caller{Function: "f", File: "b.py"}
	if got := exactly([]Caller{alone, line, other}); !slices.Equal(got, []Caller{line, other}) {
		t.Error(got)
	}
	if got := exactly([]Caller{alone}); !slices.Equal(got, []Caller{alone}) {
		t.Error(got)
	}
}
