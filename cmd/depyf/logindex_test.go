package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const (
	limitAt      = "W1103 02:48:08.805986 34281 torch/_dynamo/convert_frame.py:906] "
	limitReached = limitAt + "[3/6] torch._dynamo hit config.recompile_limit (6)\n" +
		limitAt + "[3/6]    function: 'step' (/home/user/a.py:3)\n" +
		limitAt + "[3/6]    last reason: 3/5: tensor 'w[0]' size mismatch at index 1. expected 64, actual 3\n"
	brokenAlone = "V1103 02:48:08.805986 34281 torch/_dynamo/symbolic_convert.py:5577] [0/0] [__graph_breaks] Graph break in user code at /home/user/a.py:7\n" +
		"V1103 02:48:08.805986 34281 torch/_dynamo/symbolic_convert.py:5577] [0/0] [__graph_breaks] Graph Break Reason: Unsupported: Tensor.item\n" +
		"V1103 02:48:08.805986 34281 torch/_dynamo/symbolic_convert.py:5577] [0/0] [__graph_breaks] User code traceback:\n" +
		"V1103 02:48:08.805986 34281 torch/_dynamo/symbolic_convert.py:5577] [0/0] [__graph_breaks]   File \"/home/user/a.py\", line 7, in f\n"
	codeAt    = "V1103 02:48:08.805986 34281 torch/_dynamo/output_graph.py:1] [0/0] [__graph_code] "
	graphOnly = codeAt + "TRACED GRAPH\n" + codeAt + " ===== __compiled_fn_1 =====\n" + codeAt + " /torch/fx/_lazy_graph_module.py class GraphModule(torch.nn.Module):\n" +
		codeAt + "    def forward(self, L_x_: \"f32[4]\"):\n" + codeAt + "        l_x_ = L_x_\n" + codeAt + "        return (l_x_,)\n"
)

var linkInIndex = regexp.MustCompile(`\[[^\]]*\]\(([^)#]*)\)`)

// The index of a log says that there was none of something only where the log would tell of it, and leads to files that exist.
func TestIndexOfLogClaimsWhatTheLogTells(t *testing.T) {
	for name, each := range map[string]struct {
		log          string
		wanted, lies []string
	}{
		"a recompilation": {
			recompiled,
			[]string{"- **1 recompilation**.", `- The log tells of no graph break: there was none, or TORCH_LOGS="graph_breaks" was not set.`, "- **1 function** compiled, into 2 versions.\n"},
			[]string{"**No graph break**", "**No recompilation**", "0 graphs"},
		},
		"a recompilation that is cut off": {
			recompiled[:strings.Index(recompiled, "triggered")],
			[]string{"- **1 recompilation**.", "1 recompilation, 1 cause."},
			[]string{"No recompilation"},
		},
		"a recompilation behind others": {
			strings.NewReplacer("[0/1]", "[0/4]", "0/0:", "0/3:").Replace(recompiled),
			[]string{"- **At least 4 recompilations**.", "into at least 5 versions", "At least 4 recompilations; of 3 nothing says why, the other has 1 cause (TORCH_LOGS=\"recompiles\" tells"},
			nil,
		},
		"a graph break": {brokenAlone, []string{"- **1 graph break**.\n", "- The log tells of no recompilation: there was none"}, []string{"runs as plain Python.\n- ", "**No recompilation**"}},
		"a limit":       {limitReached, []string{"into at least 6 versions", "- **At least 5 recompilations**."}, []string{"**No recompilation**", "0 recompilations"}},
		"a graph":       {graphOnly, []string{"- **1 function** compiled, into 1 version with 1 graph.", "## `<unknown>`\n\nthe log does not say where it is · 1 version"}, []string{"while depyf watched", "prepare_debug", ":0"}},
	} {
		log, dump := filepath.Join(writeFiles(t, map[string]string{"a.log": each.log}), "a.log"), t.TempDir()
		if status, _, errs := call("", "report", "-o", dump, log); status != 0 {
			t.Fatalf("%s: %s", name, errs)
		}
		data, _ := os.ReadFile(filepath.Join(dump, "index.md"))
		index := string(data)
		for _, w := range each.wanted {
			if !strings.Contains(index, w) {
				t.Errorf("%s: no %q in:\n%s", name, w, index)
			}
		}
		for _, w := range each.lies {
			if strings.Contains(index, w) {
				t.Errorf("%s: %q in:\n%s", name, w, index)
			}
		}
		for _, link := range linkInIndex.FindAllStringSubmatch(index, -1) {
			if _, err := os.Stat(filepath.Join(dump, link[1])); link[1] == "" || err != nil {
				t.Errorf("%s: %s leads nowhere", name, link[0])
			}
		}
		if page, _ := os.ReadFile(filepath.Join(dump, "report.html")); strings.Contains(string(page), "while depyf watched") || strings.Contains(string(page), "<b>0</b>") {
			t.Errorf("%s: the page claims what the log does not tell", name)
		}
		graphs, _ := filepath.Glob(filepath.Join(dump, "*.Captured_Graph.*"))
		for _, file := range graphs {
			if text, _ := os.ReadFile(file); !strings.Contains(string(text), "# source: what TORCH_LOGS writes\n") {
				t.Errorf("%s: %s", name, text)
			}
		}
	}
}

// Versions that only the limit, or a number, tells of were compiled again.
func TestCheckCountsRecompilationsWithoutAReason(t *testing.T) {
	log := filepath.Join(writeFiles(t, map[string]string{"a.log": limitReached}), "a.log")
	status, out, _ := call("", "check", "--max-recompiles", "0", log)
	if status != 1 || !strings.Contains(out, "recompilations: 5, limit 0\n          5 times: nothing says why\n") {
		t.Errorf("status %d:\n%s", status, out)
	}
	const want = "At least 5 recompilations and 1 more refused by the limit; nothing says why, but for what was refused (TORCH_LOGS=\"recompiles\" tells, from the first call on).\n"
	if _, out, _ := call("", "why-recompile", log); !strings.HasPrefix(out, want) || !strings.Contains(out, "`64` → `3`: 1 recompilation refused by the limit\n") {
		t.Errorf("%s", out)
	}
}

// Whether a call that meets the limit raises, a log does not say. Commands are named as they are to be typed.
func TestLimitOfLogIsNotSaidToFallBack(t *testing.T) {
	log := filepath.Join(writeFiles(t, map[string]string{"a.log": limitReached}), "a.log")
	if _, out, _ := call("", "failures", log); strings.Contains(out, "ran as ordinary Python") || !strings.Contains(out, "With fullgraph=True, the call that needed one more version (compile id 3/6) raised") {
		t.Errorf("%s", out)
	}
	if _, out, _ := call("", "explain", log); !strings.Contains(out, "more on each: `depyf why-recompile "+log+"`") {
		t.Errorf("%s", out)
	}
}

// The newest version is told first, and the values are in the order in which they came.
func TestValuesInTheOrderInWhichTheyCame(t *testing.T) {
	at := recompiled[:strings.Index(recompiled, "[0/1]")] + "[0/3] [__recompiles] "
	log := at + "Recompiling function f in /home/user/a.py:3\n"
	for _, entry := range []string{"0/2: 32", "0/1: 16", "0/0: 8"} {
		id, size, _ := strings.Cut(entry, ": ")
		log += at + "    - " + id + ": tensor 'x' size mismatch at index 0. expected " + size + ", actual 64\n"
	}
	if _, out, _ := call("", "why-recompile", filepath.Join(writeFiles(t, map[string]string{"a.log": log}), "a.log")); !strings.Contains(out, "`8` → `16` → `32` → `64`") {
		t.Errorf("%s", out)
	}
}

// A line that asks for a graph break is told so in the words of torch 2.0, too; files that tell no rank are told how to.
func TestOldWordsOfAskedBreakAndRanksWithoutNames(t *testing.T) {
	log := "[2023-03-29 07:54:55,549] torch._dynamo.output_graph: [WARNING] Graph break: call_function graph_break in skip_files /opt/torch/_dynamo/__init__.py from user code at:\n" +
		"  File \"/home/user/a.py\", line 8, in f\n    torch._dynamo.graph_break()\n"
	dir := writeFiles(t, map[string]string{"a.log": log, "b.log": log})
	if _, out, _ := call("", "breaks", filepath.Join(dir, "a.log")); !strings.Contains(out, "The line asks for a graph break: remove the call.") {
		t.Errorf("%s", out)
	}
	if status, _, errs := call("", "ranks", dir); status != 2 || !strings.Contains(errs, "names as in train_rank0.log, tell the rank") {
		t.Errorf("%d %s", status, errs)
	}
}
