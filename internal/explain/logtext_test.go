package explain_test

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/thuml/depyf/internal/answers"
	"github.com/thuml/depyf/internal/explain"
)

const torchLogs = "../../testdata/torch_logs"

func unpacked(t *testing.T, name string) string {
	f, err := os.Open(filepath.Join(torchLogs, name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// said is what both logs tell of a run: all answers, but for times and the joint graphs, which only TORCH_TRACE has.
func said(t *testing.T, m *explain.Model) string {
	s := answers.Of(explain.Link(m))
	var list []string
	add := func(what string, x any) {
		text, err := json.Marshal(x)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, what+" "+seconds.ReplaceAllString(string(text), ""))
	}
	for _, c := range s.Causes {
		c.Code = "" // the text quotes the line; the trace leaves it to who has the file
		add("cause", c)
	}
	for _, b := range s.BreakLines {
		add("break", b)
	}
	for _, c := range s.Compilations {
		add("version", []any{c.ID, c.Function, c.File, c.Line, c.Version, c.Guards, c.Symbols})
	}
	for _, g := range s.Graphs {
		for i := range g.Nodes {
			g.Nodes[i].Row = 0 // the trace has a few lines more at the head of a graph
		}
		if g.Stage != "Joint_graph" {
			add("graph", []any{g.Compilation, g.Stage, g.Nodes})
		}
	}
	slices.Sort(list) // without times the costliest is not known
	return strings.Join(list, "\n")
}

// difference is the first line that differs.
func difference(got, want string) string {
	a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return a[i] + "\nwant\n" + b[i]
		}
	}
	return fmt.Sprintf("%d lines, want %d", len(a), len(b))
}

var seconds = regexp.MustCompile(`,"\w*[sS]econds\w*":[\d.e-]+`)

// What TORCH_LOGS writes gives the answers that TORCH_TRACE gives.
func TestTextSaysWhatTheTraceSays(t *testing.T) {
	for _, version := range []string{"26", "29", "212", "215"} {
		want := said(t, readLog(t, unpacked(t, "torch"+version+".trace.gz"))[0])
		models := readLog(t, unpacked(t, "torch"+version+".log.gz"))
		if len(models) != 1 {
			t.Fatalf("torch%s: %d processes", version, len(models))
		}
		if got := said(t, models[0]); got != want {
			t.Errorf("torch%s: %s", version, difference(got, want))
		}
		for _, kind := range []string{"cause", "break", "version", "graph"} {
			if strings.Count("\n"+want, "\n"+kind+" ") < 1 {
				t.Errorf("torch%s: nothing of kind %s", version, kind)
			}
		}
	}
}

var prefix = regexp.MustCompile(`(?m)^[A-Z]\d{4} \S+ \d+ \S+\] `)

// The text is read whatever it went through.
func TestTextAsItComes(t *testing.T) {
	text := unpacked(t, "torch215.log.gz")
	want := said(t, readLog(t, text)[0])
	n := 0
	stamp := func(line string) string {
		n++
		return fmt.Sprintf("2026-11-23T01:35:%02d.1234567Z \x1b[36;1m%s\x1b[0m\r", n%60, line)
	}
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	var ci, quoted []string
	for _, line := range lines {
		ci, quoted = append(ci, stamp(line)), append(quoted, "    # "+line)
	}
	for name, each := range map[string]string{
		"of a server": strings.Join(ci, "\n"),
		"quoted":      strings.Join(quoted, "\n"),
		"no time":     regexp.MustCompile(`(?m)^[A-Z]\d{4} \S+ \d+ `).ReplaceAllString(text, ""),
		"other text":  strings.ReplaceAll(text, "\nI1", "\nepoch 1: loss 0.5\nI1"),
	} {
		models := readLog(t, each)
		got := said(t, models[0])
		if got != want || len(models) != 1 {
			t.Errorf("%s: %d processes: %s", name, len(models), difference(got, want))
		}
	}
	for cut := 0; cut < len(text); cut += 4999 {
		path := filepath.Join(t.TempDir(), "cut.log")
		if err := os.WriteFile(path, []byte(text[:cut]), 0o644); err != nil {
			t.Fatal(err)
		}
		models, err := explain.ReadLog(path)
		if err != nil {
			if cut > 1000 {
				t.Errorf("cut at %d: %v", cut, err)
			}
			continue
		}
		explain.Link(models[0])
	}
}

// The lines of several ranks may stand between each other.
func TestTextOfSeveralRanks(t *testing.T) {
	text := strings.TrimSuffix(unpacked(t, "torch26.log.gz"), "\n")
	want := said(t, readLog(t, text)[0])
	lines := strings.Split(text, "\n")
	var mixed []string
	for i := range len(lines) + 3 {
		for rank := range 2 {
			// The second is a few lines behind.
			if k := i - 3*rank; k >= 0 && k < len(lines) && prefix.MatchString(lines[k]) {
				mixed = append(mixed, fmt.Sprintf("[rank%d]:%s", rank, lines[k]))
			}
		}
	}
	models := readLog(t, strings.Join(mixed, "\n"))
	if len(models) != 2 {
		t.Fatalf("%d models", len(models))
	}
	for i, m := range models {
		if got := said(t, m); got != want || m.Start.Rank != fmt.Sprint(i) {
			t.Errorf("rank %q: %s", m.Start.Rank, difference(got, want))
		}
	}
}

// Logs of a few switches, of old versions, and pasted without prefixes.
func TestTextOfAFewLines(t *testing.T) {
	for name, each := range map[string]struct{ log, cause, breaks, lacks string }{
		"recompiles alone": {
			log: "V1103 02:48:08.805986 34281 torch/_dynamo/guards.py:2813] [0/1] [__recompiles] Recompiling function f in /home/user/a.py:3\n" +
				"V1103 02:48:08.805986 34281 torch/_dynamo/guards.py:2813] [0/1] [__recompiles]     triggered by the following guard failure(s):\n" +
				"V1103 02:48:08.805986 34281 torch/_dynamo/guards.py:2813] [0/1] [__recompiles]     - 0/0: tensor 'L['x']' size mismatch at index 0. expected 4, actual 6\n",
			cause: "a size varies: x.size(0) 0/1 f", lacks: `TORCH_LOGS="+dynamo,graph_breaks,guards,graph_code,aot_graphs,output_code,bytecode"`,
		},
		"before compile ids": {
			log: "V0410 16:18:11.049000 139689102684672 torch/_dynamo/guards.py:2199] [__recompiles] Recompiling function fn in /home/user/a.py:3\n" +
				"V0410 16:18:11.049000 139689102684672 torch/_dynamo/guards.py:2199] [__recompiles]     triggered by the following guard failure(s):\n" +
				"V0410 16:18:11.049000 139689102684672 torch/_dynamo/guards.py:2199] [__recompiles]     - L['n'] == 3\n",
			cause: "a Python value varies: n 0/1 fn",
		},
		"the oldest form": {
			log: "[2024-01-08 11:14:49,372] [0/0] torch._dynamo.symbolic_convert.__graph_breaks: [DEBUG] Graph break: call_function BuiltinVariable(print) [TensorVariable()] {} from user code at:\n" +
				"[2024-01-08 11:14:49,372] [0/0] torch._dynamo.symbolic_convert.__graph_breaks: [DEBUG]   File \"/home/user/a.py\", line 8, in foo\n" +
				"[2024-01-08 11:14:49,372] [0/0] torch._dynamo.symbolic_convert.__graph_breaks: [DEBUG]     print(z)\n",
			breaks: "/home/user/a.py:8 print(z) 0/0",
		},
		"without prefixes": {
			log: "training\nGraph break in user code at /home/user/a.py:8\nReason: Unsupported: builtin: print\nUser code traceback:\n" +
				"  File \"/home/user/a.py\", line 8, in foo\n    print(z)\n\nepoch 1\n" +
				"Recompiling function foo in /home/user/a.py:5\n    triggered by the following guard failure(s):\n    - 0/0: L['n'] == 3\nepoch 2\n",
			cause: "a Python value varies: n 0/1 foo", breaks: "/home/user/a.py:8 print(z) 0/0",
		},
	} {
		m := readLog(t, each.log)[0]
		s := answers.Of(explain.Link(m))
		var causes, breaks []string
		for _, c := range s.Causes {
			causes = append(causes, fmt.Sprint(c.Title, " ", strings.Join(c.IDs, " "), " ", strings.Join(c.Functions, " ")))
		}
		for _, b := range s.BreakLines {
			breaks = append(breaks, fmt.Sprintf("%s:%d %s %s", b.File, b.Line, b.Code, strings.Join(b.IDs, " ")))
		}
		if got := strings.Join(causes, "; "); got != each.cause {
			t.Errorf("%s: causes %q, want %q", name, got, each.cause)
		}
		if got := strings.Join(breaks, "; "); got != each.breaks {
			t.Errorf("%s: breaks %q, want %q", name, got, each.breaks)
		}
		if !strings.Contains(m.Start.Lacks, each.lacks) {
			t.Errorf("%s: %s", name, m.Start.Lacks)
		}
	}
}

// A function that met the limit, and one that torch left alone, are told of as in a session.
func TestTextOfWhatFailed(t *testing.T) {
	m := readLog(t, "W1123 01:25:22.562000 11158 torch/_dynamo/convert_frame.py:2061] [0/8] torch._dynamo hit config.recompile_limit (8)\n"+
		"W1123 01:25:22.562000 11158 torch/_dynamo/convert_frame.py:2061] [0/8]    function: 'f' (/home/user/a.py:2)\n"+
		"W1123 01:25:22.562000 11158 torch/_dynamo/convert_frame.py:2061] [0/8]    last reason: 0/7: tensor 'x' rank mismatch. expected 5, actual 6\n"+
		"W1123 01:25:22.629000 11158 torch/_dynamo/convert_frame.py:2493] WON'T CONVERT h /home/user/a.py line 17 \n"+
		"W1123 01:25:22.629000 11158 torch/_dynamo/convert_frame.py:2493] due to: \n"+
		"W1123 01:25:22.629000 11158 torch/_dynamo/convert_frame.py:2493] Traceback (most recent call last):\n"+
		"W1123 01:25:22.629000 11158 torch/_dynamo/convert_frame.py:2493]   File \"/home/user/a.py\", line 15, in bad\n"+
		"W1123 01:25:22.629000 11158 torch/_dynamo/convert_frame.py:2493] torch._dynamo.exc.BackendCompilerFailed: backend='bad' raised:\n"+
		"W1123 01:25:22.629000 11158 torch/_dynamo/convert_frame.py:2493] ValueError: backend fails\n")[0]
	var got []string
	for _, c := range m.Compiles {
		if c.Outcome != nil {
			got = append(got, fmt.Sprintf("%s %s:%d limit %q %d error %q %q", c.Func, c.File, c.Line, c.Outcome.Limit, c.Outcome.Value, c.Outcome.Error, c.Outcome.Text))
		}
	}
	want := []string{
		`f /home/user/a.py:2 limit "recompile_limit" 8 error "" ""`,
		`h /home/user/a.py:17 limit "" 0 error "ValueError" "backend fails"`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

// Inductor's code comes before the name of its file.
func TestTextOfKernels(t *testing.T) {
	const at = "V1123 01:12:11.453000 3152 torch/_inductor/graph.py:2045] [0/0] [__output_code] "
	code := "# AOT ID: ['0_inference']\n\ndef call(args):\n    return ()\n"
	log := at + "Output code: \n" + at + strings.ReplaceAll(code, "\n", "\n"+at) + "\n" +
		"V1123 01:12:11.454000 3152 torch/_inductor/graph.py:2053] [0/0] [__output_code] Output code written to: /tmp/it/cit5.py\n" +
		"I1123 01:12:11.455000 3152 torch/_inductor/graph.py:2087] [0/0] [__output_code] Output code written to: /tmp/it/cit5.py\n"
	for name, each := range map[string]struct{ log, file string }{"whole": {log, "/tmp/it/cit5.py"}, "cut off": {log[:strings.Index(log, "V1123 01:12:11.454")], ""}} {
		m := readLog(t, each.log)[0]
		var got []*explain.Artefact
		for _, c := range m.Compiles {
			got = append(got, c.Artefacts...)
		}
		if len(got) != 1 || got[0].Stage != explain.StageKernel || got[0].Text != code || got[0].Origin != each.file {
			t.Errorf("%s: %d artefacts, %+v", name, len(got), got)
		}
	}
}

// Inductor's graphs, before its first passes and after its last, belong to the compilation that they are made for.
func TestTextOfInductorsGraphs(t *testing.T) {
	const code = "class <lambda>(torch.nn.Module):\n    def forward(self, arg0_1: \"f32[4][1]cpu\"):\n" +
		"        # File: /home/me/pg.py:3 in f, code: def f(x): return x.sin()\n" +
		"        sin: \"f32[4][1]cpu\" = torch.ops.aten.sin.default(arg0_1);  arg0_1 = None\n        return (sin,)\n"
	for title, stage := range map[string]string{"BEFORE PRE GRAD": "BEFORE_PRE_GRAD", "AFTER POST GRAD": "AFTER_POST_GRAD"} {
		const at = "V1125 20:28:18.773000 28306 torch/_inductor/compile_fx.py:1703] [0/0] [__post_grad_graphs] "
		text := "TRACED GRAPH\n ===== " + title + " =====\n /site/torch/fx/_lazy_graph_module.py " + code
		m := readLog(t, at+strings.ReplaceAll(text, "\n", "\n"+at)+"\n")[0]
		var got []*explain.Artefact
		for _, c := range m.Compiles {
			got = append(got, c.Artefacts...)
		}
		if len(got) != 1 || got[0].Stage != stage || got[0].Text != code || got[0].CompileID != "0/0" {
			t.Errorf("%s: %d artefacts, %+v", title, len(got), got)
		}
	}
}
