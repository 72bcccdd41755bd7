package explain

import "testing"

// What torch before 2.7 says of a break has no name of Dynamo's classes left in it, and its advice is no part of the cause.
func TestPlainReason(t *testing.T) {
	for _, c := range []struct{ reason, cause, rest string }{
		{"builtin: print [<class 'torch._dynamo.variables.constant.ConstantVariable'>, <class 'torch._dynamo.variables.tensor.SymNodeVariable'>] False", "Failed to trace builtin operator `print`", ""},
		{"Graph break due to unsupported builtin time.sleep. This function is either a Python builtin (e.g. _warnings.warn) or a third-party C/C++ Python extension.", "Graph break due to unsupported builtin time.sleep", "This function is either a Python builtin (e.g. _warnings.warn) or a third-party C/C++ Python extension."},
		{"Failed running call_function <built-in function matmul>(*(FakeTensor(..., size=(3, 4)), FakeTensor(..., size=(3, 4))), **{}): a and b must have same reduction dim", "a and b must have same reduction dim", "Failed running call_function <built-in function matmul>(*(FakeTensor(..., size=(3, 4)), FakeTensor(..., size=(3, 4))), **{})"},
		{"Tensor.item", "Tensor.item", ""},
		{"Short. But two", "Short. But two", ""},
		{"a call of module.function with an argument that is not known: see torch. nn for what is meant by that", "a call of module.function with an argument that is not known: see torch. nn for what is meant by that", ""},
	} {
		if cause, rest := PlainReason(c.reason); cause != c.cause || rest != c.rest {
			t.Errorf("%s:\n%q\n%q", c.reason, cause, rest)
		}
	}
	// What is parsed stays what torch says; only the cause is in plain words.
	b := ParseBreak("Graph break in user code at /p/a.py:17\nReason: Unsupported: builtin: print [<class 'X'>] False\n")
	if b.Reason != "Unsupported: builtin: print [<class 'X'>] False" || len(b.Causes) != 1 || b.Causes[0] != "Failed to trace builtin operator `print`" || b.Line != 17 {
		t.Errorf("%+v", b)
	}
}
