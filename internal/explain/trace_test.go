package explain

import (
	"reflect"
	"strings"
	"testing"
)

// torch 2.15 and 2.6 word a graph break differently.
func TestParseBreak(t *testing.T) {
	b := ParseBreak("Graph break in user code at /p/toy.py:21\nGraph Break Reason: Data-dependent branching\n  Explanation: Detected it.\n\n" +
		"      # File \"/p/toy.py\", line 21, in toy_example, code: if b.sum() < 0:\n  Hint: Use `torch.cond`.\n  Hint: Use `torch.cond`.\n\n" +
		" For more details about this graph break, please visit: https://meta-pytorch.github.io/compile-graph-break-site/gb/gb0170.html\n\n" +
		"User code traceback:\n  File \"/p/toy.py\", line 27, in <module>\n    r = c(a,b)\n        ~^^^^^\n  File \"/p/toy.py\", line 21, in toy_example\n    if b.sum() < 0:\n       ^^^^^^^^^^^\n\nNoneType: None\n")
	if b.File != "/p/toy.py" || b.Line != 21 || b.Reason != "Data-dependent branching" || b.Explanation != "Detected it." ||
		len(b.Hints) != 1 || b.Code != "if b.sum() < 0:" || !strings.HasSuffix(b.Link, "gb0170.html") {
		t.Errorf("%+v", b)
	}
	b = ParseBreak("Graph break in user code at /p/toy.py:21\nReason: Data-dependent jump\nUser code traceback:\n  File \"/p/toy.py\", line 21, in toy_example\n    if b.sum() < 0:\n\n")
	if b.Reason != "Data-dependent jump" || b.Line != 21 || b.Code != "if b.sum() < 0:" {
		t.Errorf("%+v", b)
	}
	if b = ParseBreak("nonsense"); b.Reason != "" || b.Raw != "nonsense" {
		t.Errorf("%+v", b)
	}
}

func TestParseReasons(t *testing.T) {
	for in, want := range map[string][]string{
		"":                            nil,
		"0/0: tensor 'a' mismatch":    {"0/0: tensor 'a' mismatch"},
		`["0/1: new", "0/0: old "]`:   {"0/1: new", "0/0: old"},
		`"0/0: f at 0x7fa81c8105a0."`: {"0/0: f."},
		"[not json":                   {"[not json"},
	} {
		if got := ParseReasons(in); !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func trace(m *Model, envelope, payload string) {
	m.apply(Record{Type: "trace", Fields: map[string]any{"envelope": envelope, "payload": payload}})
}

// What the hooks delivered is not taken from the structured log again, what
// they missed is, and stages that say nothing new are left out.
func TestLinkFillsGapsFromTrace(t *testing.T) {
	m := newModel()
	trace(m, `{"str": ["/p/toy.py", 3]}`, "")
	trace(m, `{"dynamo_start": {"stack": [{"line": 19, "name": "toy", "filename": 3}]}, "frame_id": 0, "frame_compile_id": 0, "attempt": 0}`, "")
	const at = `, "frame_id": 0, "frame_compile_id": 0, "attempt": 1}`
	trace(m, `{"dynamo_output_graph": {}`+at, "captured")
	trace(m, `{"artifact": {"name": "before_pre_grad_graph"}`+at, "same")
	trace(m, `{"artifact": {"name": "after_pre_grad_graph"}`+at, "same")
	trace(m, `{"aot_forward_graph": {}`+at, "forward")
	trace(m, `{"artifact": {"name": "before_post_grad_graph"}`+at, "forward")
	trace(m, `{"inductor_post_grad_graph": {}`+at, "forward")
	trace(m, `{"inductor_output_code": {"filename": "/t/a.py"}`+at, "kernel 1")
	trace(m, `{"inductor_output_code": {"filename": "/t/b.py"}`+at, "kernel 2")
	m.apply(Record{Type: "graph", Fields: map[string]any{"stage": "Captured_Graph", "text": "captured!", "compile_id": "0/0_1"}, Result: map[string]any{"graph": "__compiled_fn_1", "file": "__compiled_fn_1.Captured_Graph.0.py"}})
	var got []string
	for _, a := range Link(m).Files {
		got = append(got, a.File)
	}
	want := []string{
		"__compiled_fn_1.Captured_Graph.0.py", "__compiled_fn_1.Forward_graph.0.py", "__compiled_fn_1.AFTER_POST_GRAD.0.py",
		"__compiled_fn_1.kernel_0.py", "__compiled_fn_1.kernel_1.py",
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %q", got)
	}
	if c := m.Compile("0/0"); c.File != "/p/toy.py" || c.Line != 19 || c.Func != "toy" {
		t.Errorf("%+v", c)
	}
}

// Without global events, names decide which resume function a code calls.
func TestLinkGuessesResumes(t *testing.T) {
	m := newModel()
	add := func(key, name, file string, names, inner []any) {
		m.apply(Record{Type: "bytecode", Fields: map[string]any{
			"key": key, "old_key": "o" + key, "func": name, "source_file": file, "source_line": int64(3),
			"old": map[string]any{"name": name}, "new": map[string]any{"names": names, "inner": inner},
		}})
	}
	add("1", "f", "a.py", []any{"__resume_at_4_1"}, nil)
	add("2", "torch_dynamo_resume_in_f_at_4", "a.py", nil, nil)
	add("3", "g", "a.py", nil, []any{"resume_in_g"})
	add("4", "resume_in_g", "a.py", nil, nil)
	add("5", "f", "b.py", []any{"__resume_at_4_7"}, nil)
	p := Link(m)
	for i, want := range []string{"torch_dynamo_resume_in_f_at_4", "resume_in_g", ""} {
		r := p.Functions[i].Versions[0].Resumes
		got := ""
		if len(r) == 1 && r[0].To != nil {
			got = r[0].To.Name
		}
		if got != want {
			t.Errorf("%s resumes in %q, want %q", p.Functions[i].Name, got, want)
		}
	}
	if g := p.Resumes[0].Global; g != "__resume_at_4_1" {
		t.Errorf("global %q", g)
	}
}

// Versions are listed in the order of compiling; Tried is the cache's own order.
func TestLinkOrdersVersions(t *testing.T) {
	m := newModel()
	for _, id := range []string{"0/0", "0/1", "0/10", "0/2"} {
		m.apply(Record{Type: "bytecode", Fields: map[string]any{"key": id, "old_key": "o", "func": "f", "compile_id": id}})
	}
	var entries []any
	for i, id := range []string{"0/2", "0/10", "0/0", "0/1"} {
		entries = append(entries, map[string]any{"compile_id": id, "key": id, "order": int64(i)})
	}
	m.apply(Record{Type: "guards", Fields: map[string]any{"key": "o", "entries": entries}})
	f := Link(m).Functions[0]
	var versions, tried []string
	for i := range f.Versions {
		versions = append(versions, f.Versions[i].CompileID)
		tried = append(tried, f.Tried[i].CompileID)
	}
	if strings.Join(versions, " ") != "0/0 0/1 0/2 0/10" || strings.Join(tried, " ") != "0/2 0/10 0/0 0/1" {
		t.Errorf("versions %q, tried %q", versions, tried)
	}
}

func TestRangeText(t *testing.T) {
	for in, want := range map[string]string{
		"[2, int_oo]": "2 or more", "[2, 9223372036854775806]": "2 or more", "VR[2, 64]": "2 to 64", "[-int_oo, int_oo]": "",
		"[-9223372036854775808, 9223372036854775806]": "", "[-int_oo, 5]": "5 or less", "": "", "odd": "",
	} {
		if got := (&Compile{}).Variation(Symbol{Name: "s0", Bounds: in}).Range; got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// A restarted attempt tells its symbols again; compile times are those of the last word.
func TestTraceSymbolsAndTimes(t *testing.T) {
	m := newModel()
	const symbol = `{"create_symbol": {"symbol": "s0", "val": "4", "vr": "[2, int_oo]", "source": "L['x'].size()[0]"}`
	trace(m, symbol+`, "frame_id": 0, "frame_compile_id": 1, "attempt": 0}`, "")
	trace(m, symbol+`, "frame_id": 0, "frame_compile_id": 1, "attempt": 1}`, "")
	trace(m, `{"compilation_metrics": {"co_name": "f", "entire_frame_compile_time_s": 1.5, "backend_compile_time_s": 0.5, "fail_reason": "odd"}, "frame_id": 0, "frame_compile_id": 1}`, "")
	c := m.Compile("0/1")
	want := []Symbol{{Name: "s0", Value: "4", Source: "L['x'].size()[0]", Bounds: "[2, int_oo]"}}
	if !reflect.DeepEqual(c.Symbols, want) || c.Seconds != 1.5 || c.Backend != 0.5 || c.Failure != "odd" {
		t.Errorf("%+v", c)
	}
}

// Of a size that a library's line meets, the user's line is told, and what that line asks narrows the range.
func TestTraceSymbolsHaveTheUsersLine(t *testing.T) {
	m := newModel()
	const at = `"user_stack": [{"filename": "/p/toy.py", "line": 7, "name": "f"}, {"filename": "/v/lib/python3.13/site-packages/torch/nn/modules/linear.py", "line": 134, "name": "forward"}]}`
	const in = `, "frame_id": 0, "frame_compile_id": 1, "attempt": 0}`
	trace(m, `{"create_symbol": {"symbol": "s0", "val": "4", "vr": "[2, int_oo]", "source": "L['x'].size()[0]", `+at+in, "")
	trace(m, `{"guard_added_fast": {"expr": "s0 <= 128", `+at+in, "")
	c := m.Compile("0/1")
	if len(c.Symbols) != 1 {
		t.Fatalf("%+v", c.Symbols)
	}
	s, v := c.Symbols[0], c.Variation(c.Symbols[0])
	if s.At.File != "/p/toy.py" || s.At.Line != 7 || v.Range != "2 to 128" || len(v.Narrow) != 1 || v.Narrow[0].At.Line != 7 {
		t.Errorf("%+v, %+v", s, v)
	}
}
