package explain

import (
	"reflect"
	"strings"
	"testing"
)

// The texts are torch's, of the version named.
func TestGuards(t *testing.T) {
	seen := Identities{
		"94034560001": {Name: "True"}, "94034560002": {Name: "prog.Mode.A"}, "94034560003": {About: "function f.<locals>.g"},
		"94034560004": {Name: "prog.P"}, "94034560006": {About: "type builtins.method"},
	}
	tests := []struct {
		in, conds, where, code string
		kind                   GuardKind
	}{
		{
			"check_tensor(L['a'], Tensor, DispatchKeySet(CPU, BackendSelect, ADInplaceOrView, AutogradCPU), torch.float32, device=None, requires_grad=False, size=[10], stride=[1])  # x = a / (torch.abs(a) + 1)  # mp/ex/toy.py:20 in toy_example", // 2.15
			"type(L['a']) is torch.Tensor & L['a'].shape == (10,) & L['a'].dtype == torch.float32 & L['a'].device.type == 'cpu' & not L['a'].requires_grad & L['a'].stride() == (1,)",
			"toy.py:20", "x = a / (torch.abs(a) + 1)", GuardUser,
		},
		{
			"check_tensor(L['x'], Parameter, DispatchKeySet(CUDA, BackendSelect), torch.bfloat16, device=0, requires_grad=True, size=[None, 3], stride=[3, 1])", // 2.6
			"type(L['x']) is torch.nn.Parameter & L['x'].ndim == 2 & L['x'].shape[1] == 3 & L['x'].dtype == torch.bfloat16 & L['x'].device == torch.device('cuda:0') & L['x'].requires_grad & L['x'].stride() == (3, 1)",
			"", "", GuardUser,
		},
		{"2 <= L['a'].size()[0]  # x = a / b  # mp/ex/toy.py:20 in toy_example (user code shown is first use of this value--the guard itself is not due user code)", "2 <= L['a'].shape[0]", "toy.py:20", "x = a / b", GuardUser},
		{"L['x'].size()[0] == L['b'].size()[0]                          # _dynamo/output_graph.py:371 in init_ambient_guards", "L['x'].shape[0] == L['b'].shape[0]", "", "", GuardUser}, // 2.2
		{"___check_obj_id(G['torch'], 139640254899168), type=<class 'module'>  # x = a  # mp/ex/toy.py:20 in f", "___check_obj_id(G['torch'], 'the module seen when compiling')", "toy.py:20", "x = a", GuardWorld},
		{"___check_obj_id(G['torch'].abs, 140409961715952)            ", "___check_obj_id(G['torch'].abs, 'the object seen when compiling')", "", "", GuardWorld},
		{"___check_type_id(L['self'], 94034567890)", "___check_type_id(L['self'], 'the type seen when compiling')", "", "", GuardUser},
		{"___check_type_id(L['rest'], 94034567890), type=<class 'tuple'>  # y  # p/closure.py:11 in f", "type(L['rest']) is tuple", "closure.py:11", "y", GuardUser},
		{"___check_type_id(L['rest'], 94034567890), type=<class 'tuple'> (HINT: type tuple)", "type(L['rest']) is tuple", "", "", GuardUser}, // 2.15, without a line
		{"L['key'] == ' (HINT: none)' (HINT: guard on \"key\")", "L['key'] == ' (HINT: none)'", "", "", GuardUser},
		{"___check_type_id(L['x'], 94034567890), type=<class 'm.f.<locals>.C'>", "___check_type_id(L['x'], 'the type m.f.<locals>.C seen when compiling')", "", "", GuardUser},
		{"___check_type_id(L['m'], 94034560006), type=<class 'method'>", "___check_type_id(L['m'], 'the type builtins.method seen when compiling')", "", "", GuardUser},       // no name of Python's
		{"___check_obj_id(L['flag'], 94034560001), type=<built-in function <lambda>>  # x = a  # mp/ex/toy.py:20 in f", "L['flag'] is True", "toy.py:20", "x = a", GuardUser}, // torch 2.12 shows the object itself
		{"___check_obj_id(L['flag'], 94034560001), type=typing.Any  # x = a  # mp/ex/toy.py:20 in f", "L['flag'] is True", "toy.py:20", "x = a", GuardUser},
		{"___check_obj_id(L['flag'], 94034560001), type=[1, {'a': (2,\n 3)}] (HINT: x)", "L['flag'] is True", "", "", GuardUser},
		{"___check_obj_id(L['flag'], 94034560001), type=<class 'bool'>", "L['flag'] is True", "", "", GuardUser},
		{"___check_obj_id(L['mode'], 94034560002)  # if m:  # p/closure.py:11 in f", "L['mode'] is prog.Mode.A", "closure.py:11", "if m:", GuardUser},
		{"___check_obj_id(G['g'], 94034560003)", "___check_obj_id(G['g'], 'the function f.<locals>.g seen when compiling')", "", "", GuardWorld},
		{"___check_type_id(L['p'], 94034560004)", "type(L['p']) is prog.P", "", "", GuardUser},
		{"all(___check_type_id(p, 94034560004) for p in L['d'][')'])", "all(type(p) is prog.P for p in L['d'][')'])", "", "", GuardUser},
		{"___check_type_id(p, 94034560004) == ___check_obj_id(q, 94034560005)", "(type(p) is prog.P) == ___check_obj_id(q, 'the object seen when compiling')", "", "", GuardUser},
		{"check_no_aliasing(L['a'], L['b'])", "L['a'] is not L['b']", "", "", GuardUser},
		{"check_no_aliasing(L['a'], L['b'], L['c'])", "check_no_aliasing(L['a'], L['b'], L['c'])", "", "", GuardUser},
		{"hasattr(L['a'], '_dynamo_dynamic_indices') == False           # if b.sum() < 0:  # mp/ex/toy.py:21 in toy_example", "hasattr(L['a'], '_dynamo_dynamic_indices') == False", "toy.py:21", "if b.sum() < 0:", GuardNoise},
		{"torch._functorch.aot_autograd.utils.top_saved_tensors_hooks ids == None  # _dynamo/output_graph.py:1235 in init_ambient_guards", "", "", "", GuardNoise},
		{"___check_global_state() against {\"allow_bf16_reduce\":0}", "___check_global_state()", "", "", GuardNoise},
		{"(___skip_backend_check() or ___current_backend() == ___lookup_backend(139842656877008))", "(___skip_backend_check() or ___current_backend() == ___lookup_backend(...))", "", "", GuardNoise},
		{"L['n'] == 1234567890123456", "L['n'] == 1234567890123456", "", "", GuardUser},
		{"G['MODE'] == '# fast'", "G['MODE'] == '# fast'", "", "", GuardUser},
	}
	for _, tt := range tests {
		gs := Guards([]GuardPart{{Text: tt.in}}, seen)
		if len(gs) != 1 {
			t.Fatalf("%s: %d guards", tt.in, len(gs))
		}
		g := gs[0]
		if got := strings.Join(g.Conds, " & "); got != tt.conds {
			t.Errorf("%s\n got %s\nwant %s", tt.in, got, tt.conds)
		}
		if where := placeOf(g.At); where != tt.where || g.At.Code != tt.code || g.Kind != tt.kind {
			t.Errorf("%s: where %q, code %q, kind %d", tt.in, where, g.At.Code, g.Kind)
		}
	}
}

// What is read for many sources at once says the same as what is read for each.
func TestGuardsOfManySources(t *testing.T) {
	ids := Identities{"94034560001": {Name: "True"}, "94034560003": {About: "function f.<locals>.g"}}
	sources := []string{"L['x']", "L['self']._modules['a'].b", "G['torch'].abs", "L['n']._dynamo", "L['h'].0x7f0011223344", "L['a'].size()[1]"}
	texts := []string{
		"check_tensor(§, Tensor, DispatchKeySet(CPU), torch.float32, device=None, requires_grad=False, size=[10], stride=[1])  # x = a  # p/toy.py:20 in f",
		"___check_type_id(§, 94034567890), type=<class 'tuple'>  # y  # p/closure.py:11 in f (HINT: type tuple)",
		"___check_obj_id(§, 94034560001)", "___check_obj_id(§.g, 94034560003)", "§.size()[0] == 3", "id(§) == 12345678901234", "hasattr(§, '_dynamo_dynamic_indices') == False",
		"§ == '# fast'", "not ___dict_contains('forward', §.__dict__)", "check_no_aliasing(§, L['b'])", "len(§) == 1 against", "§ is not §",
		"check_tensor(§, torch.nn.Parameter, DispatchKeySet(CPU, BackendSelect), torch.float32, device=None, requires_grad=True, size=[3, 4], stride=[4, 1])",
		"check_tensor(§, Tensor, DispatchKeySet(CUDA), torch.int64, device=cuda, requires_grad=False, size=[], stride=[])",
		"check_tensor(§, a type, DispatchKeySet(CUDA), torch.int64, device=0, requires_grad=False, size=[], stride=[])",
		"check_tensor(§)",
	}
	for _, text := range texts {
		var together []GuardPart
		for _, source := range sources {
			together = append(together, GuardPart{Text: strings.ReplaceAll(text, "§", source), Source: source})
		}
		all := Guards(together, ids)
		if len(all) != len(sources) {
			t.Fatalf("%s: %d guards", text, len(all))
		}
		for i, part := range together {
			r := guardReader{ids: ids, origins: map[string]Guard{}}
			expr, comment := splitComment(part.Text)
			want := r.worded(expr, part.Source)
			want.origin(comment, nil)
			if !reflect.DeepEqual(*all[i], want) {
				t.Errorf("%s\n got %+v\nwant %+v", part.Text, *all[i], want)
			}
		}
	}
}

// A path is an expression, whatever it holds.
func TestIsPath(t *testing.T) {
	for _, path := range []string{"L['x']", "G['a b'].c", "L['self']._modules['0'][12].d", "L['x'][0]", "L['é'].é", "L['#'][0]['(']"} {
		if !isPath(path) || !IsExpression(path) {
			t.Errorf("%s: %v, expression %v", path, isPath(path), IsExpression(path))
		}
	}
	for _, other := range []string{
		"", "L", "L[", "L['", "L['x", "L['x'", "x", "L['x'].", "L['x'].if", "L['x'].0", "L['x'][", "L['x'][]", "L['x'][01]", "L['x'][1", "L['x']y",
		"L['x'] ", `L['\'].x`, "L['x'](1)", "list(L['x'])[0]", "L['x'][-1]", "L['x'][f()]", "L['a\nb']", "L['x'].y ids",
	} {
		if isPath(other) {
			t.Errorf("%q is taken for a path", other)
		}
	}
}

func placeOf(at Frame) string {
	if at.File == "" {
		return ""
	}
	return (&Files{}).Place(at.File, at.Line)
}

// torch names the innermost line, here its own; the user's is in the stack.
func TestGuardIsFromTheUsersLine(t *testing.T) {
	gs := Guards([]GuardPart{{Text: "L['x'].size()[0] <= 8  # return F.linear(x)  # nn/modules/linear.py:134 in forward", Stack: []string{
		"  File \"/p/toy.py\", line 7, in f", "    y = self.fc(x)", "  File \"/v/lib/python3.13/site-packages/torch/nn/modules/linear.py\", line 134, in forward", "    return F.linear(x)",
	}}}, nil)
	if at := gs[0].At; at.File != "/p/toy.py" || at.Line != 7 || at.Code != "y = self.fc(x)" {
		t.Errorf("%+v", at)
	}
}

func TestGuardsListEqualOnesOnce(t *testing.T) {
	gs := Guards([]GuardPart{{Text: "check_no_aliasing(L['a'], L['b'])"}, {Text: "check_no_aliasing(L['a'], L['b'])", Source: "L['a']", FailCount: 2}, {Text: " "}}, nil)
	if len(gs) != 1 || gs[0].Fails != 2 {
		t.Errorf("got %+v", gs)
	}
}

func TestPartsOfTree(t *testing.T) {
	parts := PartsOfTree("\nTREE_GUARD_MANAGER:\n+- RootGuardManager\n| +- GLOBAL_STATE: ___check_global_state()\n"+
		"| +- GuardManager: source=L['a'], accessed_by=X(key='a')\n| | +- TENSOR_MATCH: check_tensor(L['a'])\n| | +- NO_TENSOR_ALIASING\n\nGuard latency = 36.53 us\n", newModel().keep)
	if len(parts) != 2 || parts[1].Text != "check_tensor(L['a'])" {
		t.Errorf("got %+v", parts)
	}
}

// The counts of torch are those of a tree: a failure below counts above, too.
func TestFailCounts(t *testing.T) {
	gs := Guards([]GuardPart{
		{Text: "___check_global_state()", Source: "L", FailCount: 3},
		{Text: "___check_type_id(L['self'], 1234567)", Source: "L['self']", FailCount: 3},
		{Text: "L['self'].n == 1", Source: "L['self'].n", FailCount: 2},
		{Text: "L['selfish'] == 1", Source: "L['selfish']", FailCount: 1},
		{Text: "check_tensor(L['x'])", Source: "L['x']", FailCount: 1}, // which of the two it was, the count does not say
		{Text: "check_no_aliasing(L['x'], L['y'])", Source: "L['x']", FailCount: 1},
	}, nil)
	for i, want := range []int{0, 0, 2, 1, 0, 0} {
		if gs[i].Fails != want {
			t.Errorf("%s: %d failures, want %d", gs[i].Text, gs[i].Fails, want)
		}
	}
}

func TestBlame(t *testing.T) {
	const tensor = "check_tensor(L['a'], Tensor, DispatchKeySet(CPU), torch.float32, device=None, requires_grad=False, size=[10], stride=[1])"
	for _, tt := range []struct {
		reason string
		guard  int
	}{
		{"tensor 'a' size mismatch at index 0. expected 10, actual 12", 0},      // 2.15
		{"tensor 'L['a']' size mismatch at index 0. expected 10, actual 12", 0}, // 2.6
		{"GLOBAL_STATE changed: grad_mode ", 1},
		{"L['n'] == 3  # if n == 3:  # p/toy.py:4 in f", 2},
		{"something else", -1},
	} {
		gs := Guards([]GuardPart{{Text: tensor}, {Text: "___check_global_state()"}, {Text: "L['n'] == 3"}}, nil)
		Blame(gs, tt.reason)
		for i, g := range gs {
			if (g.Reason != "") != (i == tt.guard) {
				t.Errorf("%s: guard %d has reason %q", tt.reason, i, g.Reason)
			}
		}
	}
}

// torch words a failed check alone, with the line it is from, or with a stack below.
func TestReadReason(t *testing.T) {
	for in, want := range map[string][3]string{
		"L['n'] == 2": {"L['n'] == 2"},
		"n == '#'  # y = x * n  # t/toy.py:13 in f\nUser stack trace:\n  File \"/t/toy.py\", line 13": {"n == '#'", "toy.py:13", "y = x * n"},
		"len(L['m']) == 3  # for m in self:  # nn/modules/container.py:249 in forward":                {"len(L['m']) == 3"},
		"tensor 'L['x']' size mismatch at index 0. expected 3, actual 4":                              {"tensor 'L['x']' size mismatch at index 0. expected 3, actual 4"},
	} {
		check, at, _ := ReadReason(in)
		if got := [3]string{check, placeOf(at), at.Code}; got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestBlameShortNames(t *testing.T) {
	guards := Guards([]GuardPart{{Text: "L['m'] == 2"}, {Text: "L['n'] == 2"}}, nil)
	Blame(guards, "n == 2  # y = x * n  # t/toy.py:13 in f")
	if guards[0].Reason != "" || guards[1].Reason != "n == 2" {
		t.Errorf("%+v", guards)
	}
}

// torch drops a version whose optimizer or module is gone; what its guards were stays known.
func TestGuardsOfDroppedVersion(t *testing.T) {
	s, err := NewSession(start(t.TempDir()), nil)
	if err != nil {
		t.Fatal(err)
	}
	c := bytecode("k0", "c0", code("f"))
	c["compile_id"] = "0/0"
	event(t, s, "bytecode", c)
	event(t, s, "trace", map[string]any{
		"envelope": `{"dynamo_cpp_guards_str": {}, "frame_id": 0, "frame_compile_id": 0, "attempt": 0}`,
		"payload":  "TREE_GUARD_MANAGER:\n+- RootGuardManager\n| | +- EQUALS_MATCH: L['n'] == 2   # y = x * n  # a.py:3 in f\n",
	})
	event(t, s, "guards", map[string]any{
		"key": "c0", "entries": []any{map[string]any{"compile_id": "0/0", "key": "k0", "order": int64(0), "parts": []any{}}},
	})
	v := Link(s.Model()).Functions[0].Versions[0]
	if len(v.Guards) != 1 || v.Guards[0].Text != "L['n'] == 2" {
		t.Errorf("got %+v", v.Guards)
	}
}

// An address that two objects have had says nothing any more, even if it was told of the first.
func TestAddressUsedAgain(t *testing.T) {
	m := newModel()
	const text = "___check_obj_id(L['flag'], 139640254899168)"
	for _, step := range []struct {
		told any
		want string
	}{
		{map[string]any{"name": "True"}, "L['flag'] is True"},
		{nil, "___check_obj_id(L['flag'], 'the object seen when compiling')"},
	} {
		m.apply(Record{Type: "objects", Fields: map[string]any{"objects": map[string]any{"139640254899168": step.told}}})
		if got := m.Identities.Readable(text); got != step.want {
			t.Errorf("told %v: %s", step.told, got)
		}
	}
}

// A reason names a tensor as the user would: torch 2.15 writes n for L['n'].
func TestBlameTensors(t *testing.T) {
	const check = "check_tensor(%s, Tensor, DispatchKeySet(CPU), torch.float32, device=None, requires_grad=False, size=[5], stride=[1])"
	var parts []GuardPart
	for _, source := range []string{"L['x']", "L['kwargs']['x']", "L['kwargs']['layers'][0].keys"} {
		parts = append(parts, GuardPart{Text: strings.Replace(check, "%s", source, 1), Source: source})
	}
	for i, reason := range []string{
		"tensor 'x' size mismatch at index 0. expected 5, actual 6",
		"tensor 'kwargs['x']' size mismatch at index 0. expected 5, actual 6",
		"tensor 'L['kwargs']['layers'][0].keys' size mismatch at index 0. expected 5, actual 6",
	} {
		guards := Guards(parts, nil)
		Blame(guards, reason)
		for j, g := range guards {
			if (g.Reason != "") != (i == j) {
				t.Errorf("%s: %s is blamed: %q", reason, g.Source, g.Reason)
			}
		}
	}
}

// A # within quotes begins no comment.
func TestSplitComment(t *testing.T) {
	for _, c := range [][3]string{
		{"L['a'] == 3  # x = a  # f.py:1 in f", "L['a'] == 3", "# x = a  # f.py:1 in f"},
		{"L['#'] == 3  # x", "L['#'] == 3", "# x"},
		{`L["#'"] == 3  # x`, `L["#'"] == 3`, "# x"},
		{`L['\'#'] == 3  # x`, `L['\'#'] == 3`, "# x"},
		{"L['a'] == '''\n#' # '''  # x", "L['a'] == ''' #' # '''", "# x"},
		{"# x", "", "# x"},
		{"L['a']  # it's", "L['a']", "# it's"},
		{"L['a'] (HINT: # x)", "L['a']", "(HINT: # x)"},
	} {
		if expr, comment := splitComment(c[0]); expr != c[1] || comment != c[2] {
			t.Errorf("%q: got %q, %q", c[0], expr, comment)
		}
	}
}

// Versions share guards, but a reason is that of one version.
func TestBlameIsOfOneVersion(t *testing.T) {
	read := newGuardReader(nil)
	parts := []GuardPart{{Text: "L['n'] == 3"}, {Text: "L['n'] == 3"}}
	first, second := read.all(parts), read.all(parts)
	if len(first) != 1 || first[0] != second[0] {
		t.Fatalf("%d guards; shared: %t", len(first), first[0] == second[0])
	}
	Blame(first, "L['n'] == 3")
	if first[0].Reason != "L['n'] == 3" || second[0].Reason != "" || read.all(parts)[0].Reason != "" {
		t.Errorf("first %q, second %q", first[0].Reason, second[0].Reason)
	}
}
