package explain

import "testing"

func TestIsExpression(t *testing.T) {
	yes := []string{
		"x", "L['a'].size()[0] == 10", "2 <= L['a'].size()[0]", "not ___needs_nopython()",
		"hasattr(L['a'], '_dynamo_dynamic_indices') == False",
		"___check_tensors(L['a'], L['b'], tensor_check_names=tensor_check_names)",
		"(___skip_backend_check() or ___current_backend() == ___lookup_backend(139842656877008))",
		"a if b else c", "lambda x, *y, z=1: x", "[i for i, j in xs if i not in ys]", "{'a': 1, **b}", "{1, 2}",
		"x[1:2, ::3]", "f(*a, **k)", "L['self']._modules['0'].weight is not None", "x ** -2", "(yield_ := 3)",
		"'# no comment'", "f\"{x['a']!r:>{w}}\"", "...", "()", "1 < 2 < 3", "b'x' 'y'", "f(x for x in y)", "-1.5e-3j", "0", "0_0", "0.", ".5", "1_000.5e+3", "0x_ff", "0b1", "0o7", "00.5", "3j", "1e9",
	}
	no := []string{
		"", "a b", "torch.x.top_saved_tensors_hooks ids == None", "___check_global_state() against {\"a\": 1}",
		"___check_obj_id(G['torch'], 140), type=<class 'module'>", "x # c", "x = 1", "f(", "'abc", "x[]", "a\nb",
		"class", "a if b", "not", "x.", "lambda", "1 +", "x == -0....", "1..2", "1.2.3", "012", "1__0", "0x", "1e", "1a", ")", "(a]", "x is",
	}
	for _, s := range yes {
		if !IsExpression(s) {
			t.Errorf("rejected: %s", s)
		}
	}
	for _, s := range no {
		if IsExpression(s) {
			t.Errorf("accepted: %s", s)
		}
	}
}

func FuzzIsExpression(f *testing.F) {
	f.Add("f(x)[1:2] if a else {b: c}")
	f.Add("x[")
	f.Fuzz(func(t *testing.T, s string) { IsExpression(s) })
}
