package explain

import (
	"reflect"
	"testing"
)

// The limit prevents a compilation that torch logs no name of: it belongs to the function of its id.
func TestLimitBelongsToFunction(t *testing.T) {
	s := open(t, start(t.TempDir()), false)
	event(t, s, "bytecode", bytecode("k0", "c0", code("f"), "__compiled_fn_1"))
	event(t, s, "trace", map[string]any{
		"envelope": `{"artifact": {"name": "recompile_reasons"}, "frame_id": 0, "frame_compile_id": 8}`, "payload": "0/0: L['n'] == 1", "compile_id": "0/8",
	})
	event(t, s, "outcome", map[string]any{
		"compile_id": "0/8", "func": "f", "file": "/project/a.py", "line": int64(3), "raised": false,
		"limit": "recompile_limit", "limit_value": int64(8), "then": "run_only",
	})
	event(t, s, "outcome", map[string]any{"compile_id": "7/8", "func": "g", "file": "/project/a.py", "line": int64(9), "limit": "recompile_limit", "limit_value": int64(8)})
	p := Link(s.Model())
	if c := p.Functions[0].Limit; c == nil || c.Outcome.Limit != "recompile_limit" || c.Outcome.Value != 8 || c.Outcome.Then != "run_only" || len(c.Recompile) != 1 {
		t.Errorf("%+v", c)
	}
	if len(p.Lost) != 1 || p.Lost[0].Func != "g" || p.Lost[0].Line != 9 {
		t.Errorf("a function without versions at its limit: %+v", p.Lost)
	}
}

// Whether the caller got the error decides whether it is a failure; equal ones are counted.
func TestFailures(t *testing.T) {
	s := open(t, start(t.TempDir()), false)
	for i, raised := range []bool{true, true, false} {
		id := "0/" + string(rune('0'+i))
		event(t, s, "trace", map[string]any{"compile_id": id, "envelope": `{"compilation_metrics": {"compile_id": "` + id + `", "co_name": "f", "co_filename": "a.py", "co_firstlineno": 3, "fail_type": "BackendCompilerFailed", "fail_reason": "backend='b' raised:\nRuntimeError: no"}}`})
		event(t, s, "outcome", map[string]any{"compile_id": id, "func": "f", "file": "a.py", "line": int64(3), "raised": raised, "error_type": "BackendCompilerFailed", "error": "backend='b' raised:\nRuntimeError: no"})
	}
	p := Link(s.Model())
	if len(p.Failed) != 1 || p.Failed[0].Times != 2 || p.Failed[0].ID != "0/0" || len(p.Lost) != 1 || p.Lost[0].ID != "0/2" {
		t.Errorf("failed %+v, lost %+v", p.Failed, p.Lost)
	}
}

// After a reset the ids start again. What is compiled then is filed under its own graph.
func TestIDsAfterReset(t *testing.T) {
	s := open(t, start(t.TempDir()), false)
	for i, id := range []string{"0/0", "0/0@1"} {
		graph := "__compiled_fn_" + string(rune('1'+i))
		event(t, s, "graph", map[string]any{"graph": graph, "stage": "Captured_Graph", "text": "", "compile_id": id})
		event(t, s, "graph", map[string]any{"graph": nil, "stage": "Forward_graph", "text": "", "compile_id": id})
		b := bytecode("k"+string(rune('0'+i)), "c0", code("f"), graph)
		b["compile_id"] = id
		event(t, s, "bytecode", b)
		event(t, s, "trace", map[string]any{"compile_id": id, "envelope": `{"aot_joint_graph": {}, "frame_id": 0, "frame_compile_id": 0}`, "payload": "joint"})
	}
	event(t, s, "trace", map[string]any{"compile_id": "0/1@1", "envelope": `{"artifact": {"name": "recompile_reasons"}, "frame_id": 0, "frame_compile_id": 1}`, "payload": "0/0: L['n'] == 1"})
	p := Link(s.Model())
	var got []string
	for _, a := range p.Files {
		got = append(got, a.File)
	}
	want := []string{
		"__compiled_fn_1.Captured_Graph.0.py", "__compiled_fn_1.Forward_graph.0.py", "__compiled_fn_2.Captured_Graph.0.py",
		"__compiled_fn_2.Forward_graph.0.py", "__compiled_fn_1.Joint_graph.0.py", "__compiled_fn_2.Joint_graph.0.py",
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("files %q", got)
	}
	if v := p.Functions[0].Versions; len(v) != 2 || v[0].CompileID != "0/0" || v[1].CompileID != "0/0@1" || v[0].Compile == v[1].Compile {
		t.Errorf("versions %+v", v)
	}
	c := s.Model().Compile("0/1@1")
	if v, words := p.Functions[0].Failed(c, c.Recompile[0]); v != p.Functions[0].Versions[1] || words != "L['n'] == 1" {
		t.Errorf("%+v, %q", v, words)
	}
	if got := CompileIDText("0/0@1") + ", " + CompileIDText("0/0"); got != "0/0 after reset 1, 0/0" {
		t.Error(got)
	}
}

func TestReadCause(t *testing.T) {
	c := ReadCause("backend='b' raised:\nRuntimeError: no\n\nSet TORCHDYNAMO_VERBOSE=1 for the full Dynamo stack trace\n")
	if !reflect.DeepEqual(c.Reasons, []string{"backend='b' raised: RuntimeError: no"}) {
		t.Errorf("%+v", c)
	}
	c = ReadCause("Failed to trace builtin operator\n  Explanation: It prints.\n  Hint: Do not.\n\n  Developer debug context: x\n\n" +
		"*** While handling this graph break, another graph break occurred: ***\n\ngraph break in loop\n  Explanation: In a loop.\n  Hint: Do not.\n\n" +
		"from user code:\n   File \"/p/toy.py\", line 6, in f\n    print(1)\n\nSet TORCHDYNAMO_VERBOSE=1\n")
	if !reflect.DeepEqual(c.Reasons, []string{"Failed to trace builtin operator", "graph break in loop"}) || c.Explanation != "It prints. In a loop." ||
		len(c.Hints) != 1 || c.File != "/p/toy.py" || c.Line != 6 || c.Code != "print(1)" {
		t.Errorf("%+v", c)
	}
}

// That Dynamo has reached a limit is no failure of a backward pass, though torch 2.6 has it among the figures of one.
func TestLimitIsNoBackwardFailure(t *testing.T) {
	c := &Compile{}
	for kind, reason := range map[string]string{"RecompileLimitExceeded": "cache_size_limit reached", "CacheLimitExceeded": "cache_size_limit reached"} {
		c.backwardMetrics(fields{"fail_type": kind, "fail_reason": reason})
	}
	if len(c.Backward) > 0 {
		t.Errorf("%+v", c.Backward)
	}
	if c.backwardMetrics(fields{"fail_type": "InductorError", "fail_reason": "no"}); len(c.Backward) != 1 {
		t.Errorf("%+v", c.Backward)
	}
}
