package explain

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// Each torch words in its own way that a limit was reached. The function is that of the versions before.
func TestLimitsInTheLog(t *testing.T) {
	const began = `{"dynamo_start": {"stack": [{"line": 7, "name": "f", "filename": "/p/m.py"}]}, "frame_id": 4, "frame_compile_id": 0, "attempt": 0}`
	for name, c := range map[string]struct {
		entry string
		want  Outcome
	}{
		"2.15": {
			`{"compilation_metrics": {"fail_type": "Unsupported", "fail_reason": "Dynamo recompile limit exceeded\n  Explanation: exceeding the recompile_limit cache size limit (currently set to 8).\n  Developer debug context: Limit type: recompile_limit\n"}, "frame_id": 4, "frame_compile_id": 8}`,
			Outcome{Limit: "recompile_limit", Value: 8},
		},
		"2.9": {
			`{"compilation_metrics": {"fail_type": "RecompileLimitExceeded", "fail_reason": "recompile_limit reached", "dynamo_config": "{\"recompile_limit\": 5, \"x\": 1}"}, "frame_id": 4, "frame_compile_id": 8}`,
			Outcome{Limit: "recompile_limit", Value: 5},
		},
		"2.6": {
			`{"bwd_compilation_metrics": {"compile_id": "4/8", "fail_type": "RecompileLimitExceeded", "fail_reason": "cache_size_limit reached"}, "frame_id": 4, "frame_compile_id": 8}`,
			Outcome{Limit: "cache_size_limit"},
		},
	} {
		log := filepath.Join(t.TempDir(), "trace.log")
		text := ""
		for _, e := range []string{began, c.entry} {
			text += fmt.Sprintf("V1121 02:37:03.355000 9006 torch/_dynamo/utils.py:1] %s\n", e)
		}
		if err := os.WriteFile(log, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		models, err := ReadLog(log)
		if err != nil {
			t.Fatal(err)
		}
		got := models[0].Compile("4/8")
		if got == nil || got.Outcome == nil || got.Outcome.Limit != c.want.Limit || got.Outcome.Value != c.want.Value || got.Func != "f" || got.Line != 7 {
			t.Errorf("%s: %+v", name, got)
		}
	}
}
