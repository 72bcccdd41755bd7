package report

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A line of a helper breaks the graphs of its callers, too, and each attempt of torch's tells of it again: it is one break.
func TestABreakInACalleeIsOne(t *testing.T) {
	s, dir := session(t, nil)
	for i, name := range []string{"outer", "helper", "torch_dynamo_resume_in_outer_at_3"} {
		id := fmt.Sprintf("%d/0", i)
		send(t, s, "bytecode", map[string]any{
			"key": "k" + id, "old_key": "c" + id, "func": name, "compile_id": id, "is_resume": i == 2,
			"old": codeObject(name, 1), "new": codeObject(name, 1),
		})
		for attempt := range 2 {
			send(t, s, "trace", map[string]any{
				"compile_id": id, "payload": "Graph break in user code at /p/b.py:8\nGraph Break Reason: It prints\n",
				"envelope": fmt.Sprintf(`{"artifact": {"name": "dynamo_graph_break_reason"}, "frame_id": %d, "frame_compile_id": 0, "attempt": %d}`, i, attempt),
			})
		}
	}
	if _, err := s.End(nil); err != nil {
		t.Fatal(err)
	}
	index, err := os.ReadFile(filepath.Join(dir, indexName))
	if err != nil || !strings.Contains(string(index), "- **1 graph break**") {
		t.Errorf("%v\n%s", err, index)
	}
}

// A version that skips the function, and one that raises, must not be told as one that goes on with what there is.
func TestLimitSaysWhatLaterCallsDo(t *testing.T) {
	for then, want := range map[string]string{
		"run_only": "every later call that none of its versions is valid for",
		"skip":     "not even its versions are used any more",
		"raised":   "raised `FailOnRecompileLimitHit`. So does every later call that no version is valid for.",
	} {
		s, dir := session(t, nil)
		send(t, s, "bytecode", map[string]any{"key": "k1", "old_key": "c1", "func": "__f__", "compile_id": "0/0", "old": codeObject("__f__", 1), "new": codeObject("__f__", 1)})
		send(t, s, "outcome", map[string]any{
			"compile_id": "0/8", "func": "__f__", "file": "/project/a.py", "line": int64(3), "limit": "recompile_limit", "limit_value": int64(8),
			"raised": then == "raised", "error_type": "FailOnRecompileLimitHit", "error": "Hard failure", "then": then,
		})
		if _, err := s.End(nil); err != nil {
			t.Fatal(err)
		}
		index, _ := os.ReadFile(filepath.Join(dir, indexName))
		if !strings.Contains(string(index), want) || !strings.Contains(string(index), "reached the limit of recompilations: `__f__`. Each says below what its later calls do.") {
			t.Errorf("%s:\n%s", then, index)
		}
		page, _ := os.ReadFile(filepath.Join(dir, htmlName))
		if !strings.Contains(string(page), "<b>No more versions</b>: the limit <code>torch._dynamo.config.recompile_limit</code> = 8 is reached.") {
			t.Errorf("%s: the page does not say it", then)
		}
		sameFolder(t, dir)
	}
}

// torch may refuse a function after its code has been made, as for the guards that it would need: nothing runs that code.
func TestFailureAfterTheCodeWasMade(t *testing.T) {
	s, dir := session(t, nil)
	for _, id := range []string{"0/0", "1/0"} {
		name := map[string]string{"0/0": "kept", "1/0": "refused"}[id]
		send(t, s, "bytecode", map[string]any{
			"key": "k" + name, "old_key": "c" + name, "func": name, "compile_id": id, "old": codeObject(name, 1), "new": codeObject(name, 1, "__compiled_fn_1"),
			"source": "def " + name + "(x):\n    return x\n", "source_file": "/p/model.py", "source_line": int64(7),
		})
	}
	send(t, s, "outcome", map[string]any{
		"compile_id": "1/0", "func": "refused", "file": "/p/model.py", "line": int64(7), "raised": true,
		"error_type": "ConstraintViolationError", "error": "Constraints violated", "then": "",
	})
	if _, err := s.End(nil); err != nil {
		t.Fatal(err)
	}
	index, _ := os.ReadFile(filepath.Join(dir, indexName))
	for _, want := range []string{
		"- **1 function** compiled, into 1 version", "- **1 call raised an error** while", "- `refused` (model.py:7): the call raised `ConstraintViolationError`: Constraints violated. Nothing ran instead: the caller got the error\n",
		"| what was to run in place of refused; its compilation failed, so that nothing runs it |",
	} {
		if !strings.Contains(string(index), want) {
			t.Errorf("%s is missing in:\n%s", want, index)
		}
	}
	if strings.Contains(string(index), "## `refused`") || strings.Contains(string(index), "No function") {
		t.Errorf("code that nothing runs is told as a version:\n%s", index)
	}
	sameFolder(t, dir)
}

// A program that is killed while torch compiles a function: nobody knows what would have become of it.
func TestCompilationThatDidNotEnd(t *testing.T) {
	s, dir := session(t, nil)
	trace := func(id int, record, payload string) {
		send(t, s, "trace", map[string]any{"compile_id": nil, "envelope": fmt.Sprintf(`{%s, "frame_id": %d, "frame_compile_id": 0}`, record, id), "payload": payload})
	}
	trace(0, `"dynamo_start": {"stack": [{"filename": "/p/a.py", "line": 3, "name": "empty"}]}`, "")
	trace(0, `"compilation_metrics": {"co_name": "empty", "co_filename": "/p/a.py", "co_firstlineno": 3, "graph_op_count": 0}`, "")
	trace(1, `"dynamo_start": {"stack": [{"filename": "/p/a.py", "line": 7, "name": "broken"}]}`, "")
	trace(1, `"artifact": {"name": "dynamo_graph_break_reason"}`, "Graph break in user code at /p/a.py:8\nGraph Break Reason: It prints\n")
	if _, err := s.End(nil); err != nil {
		t.Fatal(err)
	}
	index, _ := os.ReadFile(filepath.Join(dir, indexName))
	page, _ := os.ReadFile(filepath.Join(dir, htmlName))
	if !strings.Contains(string(index), "- `empty` (a.py:3) runs as ordinary Python: there was nothing") {
		t.Errorf("%s", index)
	}
	for _, text := range []string{string(index), string(page)} {
		if !strings.Contains(text, " (a.py:7): it was being compiled when the program, or the recording, ended.") || strings.Contains(text, "`broken` (a.py:7) runs as") || strings.Contains(text, "ordinary Python: It prints") {
			t.Errorf("%s", text[:min(len(text), 3000)])
		}
	}
	sameFolder(t, dir)
}

// Two files of one base name: only the one that breaks is marked.
func TestBreaksAreMarkedInTheirOwnFile(t *testing.T) {
	s, dir := session(t, nil)
	send(t, s, "bytecode", map[string]any{
		"key": "k1", "old_key": "c1", "func": "f", "compile_id": "0/0", "old": codeObject("f", 1), "new": codeObject("f", 1),
		"source": "def f(x):\n    y = x\n    return g(y)\n", "source_file": "/p/pa/model.py", "source_line": int64(7),
	})
	send(t, s, "trace", map[string]any{
		"compile_id": "0/0", "envelope": `{"artifact": {"name": "dynamo_graph_break_reason"}, "frame_id": 0, "frame_compile_id": 0}`,
		"payload": "Graph break in user code at /p/pb/model.py:8\nGraph Break Reason: It prints\n",
	})
	if _, err := s.End(nil); err != nil {
		t.Fatal(err)
	}
	page, _ := os.ReadFile(filepath.Join(dir, htmlName))
	if strings.Contains(string(page), `class="l break"`) || !strings.Contains(string(page), `data-s="pa/model.py:8"`) || !strings.Contains(string(page), `>pb/model.py:8</a>: It prints`) {
		t.Error("the break is not told from a line of another file")
	}
}

// An error of an operation says what is wrong with it, whichever way torch wraps it.
func TestOperationsErrorIsTold(t *testing.T) {
	for _, text := range []string{
		"RuntimeError when making fake tensor call\n  Explanation: Dynamo failed to run FX node with fake tensors: call_function <built-in function matmul>(*(FakeTensor(..., size=(3, 4)), 2), **{}): got RuntimeError('a and b must have same reduction dim, but got [3, 4] X [3, 4].')\n  Hint: Check it in eager.\n",
		"Failed running call_function <built-in function matmul>(*(FakeTensor(..., size=(3, 4)), 2), **{}):\na and b must have same reduction dim, but got [3, 4] X [3, 4].\n",
	} {
		s, dir := session(t, nil)
		send(t, s, "outcome", map[string]any{
			"compile_id": "0/0", "func": "h", "file": "/p/model.py", "line": int64(7), "raised": true, "error_type": "TorchRuntimeError", "error": text, "then": "",
		})
		if _, err := s.End(nil); err != nil {
			t.Fatal(err)
		}
		index, _ := os.ReadFile(filepath.Join(dir, indexName))
		head, _, _ := strings.Cut(string(index)[strings.Index(string(index), "- `h` (model.py:7)"):], "\n")
		if !strings.Contains(head, "a and b must have same reduction dim, but got [3, 4] X [3, 4]") || strings.Contains(head, "fake tensor") || strings.Contains(head, "call_function") {
			t.Errorf("%s\n%s", head, index)
		}
	}
}

// Where a function cannot be compiled as a whole, what to write instead is said, too.
func TestFailureHasAdvice(t *testing.T) {
	s, dir := session(t, nil)
	send(t, s, "outcome", map[string]any{
		"compile_id": "0/0", "func": "g", "file": "/p/model.py", "line": int64(7), "raised": true, "error_type": "Unsupported", "error": "builtin: print [<class 'torch._dynamo.variables.constant.ConstantVariable'>] False\n", "then": "",
	})
	if _, err := s.End(nil); err != nil {
		t.Fatal(err)
	}
	index, _ := os.ReadFile(filepath.Join(dir, indexName))
	for _, want := range []string{"the call raised `Unsupported`: Failed to trace builtin operator `print`. Nothing ran instead: the caller got the error\n", "reorderable_logging_functions.add(print)"} {
		if !strings.Contains(string(index), want) {
			t.Errorf("%s is missing in:\n%s", want, index)
		}
	}
}

// What ended the program is said once: as the failed compilation, where it is that one's error.
func TestWhatEndedTheProgram(t *testing.T) {
	for raised, want := range map[string]int{"BackendCompilerFailed": 0, "KeyError": 1} {
		s, dir := session(t, nil)
		send(t, s, "outcome", map[string]any{
			"compile_id": "0/0", "func": "f", "file": "/project/a.py", "line": int64(3),
			"raised": true, "error_type": "BackendCompilerFailed", "error": "refused",
		})
		send(t, s, "raised", map[string]any{
			"block": true, "error_type": raised, "error": "refused\nat length",
			"error_stack": []any{map[string]any{"filename": "/project/a.py", "line": int64(7), "name": "main"}},
		})
		if _, err := s.End(nil); err != nil {
			t.Fatal(err)
		}
		index, _ := os.ReadFile(filepath.Join(dir, indexName))
		said := fmt.Sprintf("- the watched block ended with `%s` at a.py:7 in `main`: refused; what comes after that was neither run nor compiled\n", raised)
		if got := strings.Count(string(index), said); got != want {
			t.Errorf("%s: said %d times:\n%s", raised, got, index)
		}
		if got := strings.Count(string(index), "refused"); got != 1+want {
			t.Errorf("%s: the text is there %d times:\n%s", raised, got, index)
		}
		sameFolder(t, dir)
	}
}
