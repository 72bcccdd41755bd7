package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const recompiled = "V1103 02:48:08.805986 34281 torch/_dynamo/guards.py:2813] [0/1] [__recompiles] Recompiling function f in /home/user/a.py:3\n" +
	"V1103 02:48:08.805986 34281 torch/_dynamo/guards.py:2813] [0/1] [__recompiles]     triggered by the following guard failure(s):\n" +
	"V1103 02:48:08.805986 34281 torch/_dynamo/guards.py:2813] [0/1] [__recompiles]     - 0/0: tensor 'x' size mismatch at index 0. expected 4, actual 6\n"

func writeFiles(t *testing.T, files map[string]string) string {
	dir := t.TempDir()
	for name, text := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// An answer from a log does not say that there is none of what the log would not tell.
func TestLogThatTellsLittle(t *testing.T) {
	log := filepath.Join(writeFiles(t, map[string]string{"a.log": "training\n\n" + recompiled}), "a.log")
	for name, want := range map[string]string{
		"why-recompile": "1 recompilation, 1 cause.",
		"breaks":        `The log tells of no line that breaks a graph: there was none, or TORCH_LOGS="graph_breaks" was not set.`,
		"guards":        `The log tells of no guards: there was none, or TORCH_LOGS="guards" was not set.`,
		"failures":      "The log tells of nothing that failed, and of no limit that was reached.",
		"time":          "The log has no times: a log that TORCH_TRACE=FOLDER writes has them.",
	} {
		status, out, errs := call("", name, log)
		if status != 0 || !strings.HasPrefix(out, want) || errs != "depyf "+name+": 1 line of the log is not torch's\n" {
			t.Errorf("%s: status %d, %q:\n%s", name, status, errs, out)
		}
	}
}

// A compressed log that was cut off says so: what it does not tell may have come later.
func TestLogThatIsCutOff(t *testing.T) {
	whole, err := os.ReadFile("../../testdata/torch_logs/torch215.trace.gz")
	if err != nil {
		t.Fatal(err)
	}
	log := filepath.Join(writeFiles(t, map[string]string{"whole.gz": string(whole), "cut.gz": string(whole[:3000])}), "cut.gz")
	status, out, errs := call("", "breaks", log)
	if status != 0 || !strings.Contains(out, "small.py:11") || !strings.Contains(errs, "depyf breaks: the log ends in the middle of its compressed form: what came later is missing\n") {
		t.Errorf("status %d, %q:\n%s", status, errs, out)
	}
	dump := t.TempDir()
	call("", "report", "-o", dump, log)
	if index, _ := os.ReadFile(filepath.Join(dump, "index.md")); !strings.Contains(string(index), "- What came later: the log ends in the middle of its compressed form.\n") {
		t.Errorf("%s", index)
	}
	if _, _, errs := call("", "breaks", filepath.Join(filepath.Dir(log), "whole.gz")); errs != "" {
		t.Errorf("%q", errs)
	}
}

// Nor does one in brief say that there is none of what the log would not tell.
func TestLogThatTellsLittleInBrief(t *testing.T) {
	const lacks = "What the log does not tell: It has nothing of failures and limits, functions that were left uncompiled, lines that break graphs and times: " +
		"there was none, or torch was not asked to log it. TORCH_LOGS=\"graph_breaks\" asks for it, and for times TORCH_TRACE=FOLDER, which logs all of it.\n"
	log := filepath.Join(writeFiles(t, map[string]string{"a.log": recompiled}), "a.log")
	status, out, _ := call("", "explain", log)
	if status != 0 || !strings.HasPrefix(out, "Why code was compiled again: 1 recompilation, 1 cause.\n") || !strings.Contains(out, lacks) || strings.Count(out, ": ") > 8 {
		t.Errorf("status %d:\n%s", status, out)
	}
	const guard = "V1103 02:48:08.805986 34281 torch/_dynamo/guards.py:2813] [0/0] [__guards] | +- EQUALS_MATCH: L['n'] == 3\n"
	log = filepath.Join(writeFiles(t, map[string]string{"b.log": guard}), "b.log")
	if _, out, _ := call("", "explain", log); !strings.HasPrefix(out, "What the log does not tell: It has guards, which `depyf report` shows. It has nothing of failures") {
		t.Errorf("%s", out)
	}
}

// Nor is it said that nothing was compiled, where the log does not say what.
func TestLogOfWhatWasCompiled(t *testing.T) {
	for line, want := range map[string]string{
		"[2023-02-28 08:11:34,657] torch._dynamo.output_graph: [INFO] Step 2: done compiler function inductor\n":             "**Something was compiled, but the log does not say which function.**",
		"V1103 02:48:08.805986 34281 torch/_dynamo/guards.py:2813] [0/0] [__guards] Python shape guard function:\n":          "**The log tells of no function that was compiled.**",
		"V1103 02:48:08.805986 34281 torch/_dynamo/output_graph.py:2813] [0/0] Step 2: calling compiler function inductor\n": "**Something was compiled, but the log does not say which function.**",
	} {
		log := filepath.Join(writeFiles(t, map[string]string{"a.log": line}), "a.log")
		dir := t.TempDir()
		status, _, errs := call("", "report", log, "-o", dir)
		index, _ := os.ReadFile(filepath.Join(dir, "index.md"))
		if status != 0 || !strings.Contains(string(index), want) {
			t.Errorf("%s%d %s\n%s", line, status, errs, index)
		}
	}
}

// A suppressed failure is told as one.
func TestLogOfWhatFailed(t *testing.T) {
	const at = "W1123 01:25:22.629000 11158 torch/_dynamo/convert_frame.py:2493] "
	log := filepath.Join(writeFiles(t, map[string]string{"a.log": at + "WON'T CONVERT h /home/user/a.py line 17 \n" + at + "due to: \n" + at + "ValueError: backend fails\n"}), "a.log")
	const want = "1 failure.\n\n* `h` (a.py:17) was left uncompiled and runs as ordinary Python: compiling it failed with `ValueError`, which was suppressed: backend fails\n"
	if status, out, _ := call("", "failures", log); status != 0 || !strings.HasPrefix(out, want) {
		t.Errorf("status %d:\n%s", status, out)
	}
}

// A folder of text is read as one of dumps is: a process for each file, by rank, whatever tells it.
func TestFolderOfText(t *testing.T) {
	ranked := func(rank int) string {
		return strings.ReplaceAll(recompiled, "V1103", fmt.Sprintf("[rank%d]:V1103", rank))
	}
	for name, each := range map[string]struct {
		files map[string]string
		want  []string
	}{
		"the lines tell":    {map[string]string{"a.log": ranked(0), "b.log": ranked(1), "readme.txt": "no log\n"}, []string{"=== rank_0 ===", "=== rank_1 ==="}},
		"the names tell":    {map[string]string{"train_rank0.txt": recompiled, "train_rank1.txt": recompiled}, []string{"=== rank_0 ===", "=== rank_1 ==="}},
		"the folders tell":  {map[string]string{"run/attempt_0/0/stderr.log": recompiled, "run/attempt_0/1/stderr.log": recompiled, "run/attempt_0/0/stdout.log": "epoch 1\n"}, []string{"=== rank_0 ===", "=== rank_1 ==="}},
		"nothing tells":     {map[string]string{"a.log": recompiled, "b.log": recompiled}, []string{"=== a ===", "=== b ==="}},
		"two processes":     {map[string]string{"a.log": recompiled + strings.ReplaceAll(recompiled, "34281", "34282")}, []string{"=== process_34281 ===", "=== process_34282 ==="}},
		"twice the same":    {map[string]string{"a.log": ranked(0), "b.log": ranked(0)}, []string{"=== rank_0 ===", "=== rank_0_run_2 ==="}},
		"one that is a log": {map[string]string{"a.log": recompiled, "b.log": "epoch 1\n"}, nil},
	} {
		status, out, errs := call("", "why-recompile", writeFiles(t, each.files))
		var got []string
		for line := range strings.Lines(out) {
			if strings.HasPrefix(line, "=== ") {
				got = append(got, strings.TrimSpace(line))
			}
		}
		if status != 0 || fmt.Sprint(got) != fmt.Sprint(each.want) || strings.Count(out, "a size varies: x.size(0)") != max(1, len(each.want)) {
			t.Errorf("%s: status %d, %s:\n%s", name, status, errs, out)
		}
	}
	status, _, errs := call("", "breaks", writeFiles(t, map[string]string{"a.log": "epoch 1\n"}))
	if status != 1 || !strings.Contains(errs, "holds no event log") || strings.Count(errs, "\n") != 1 {
		t.Errorf("status %d, %q", status, errs)
	}
}

// What Dynamo made of a function is text where the log lists it, and a stub where the listing is cut off.
func TestReportOfListings(t *testing.T) {
	for _, version := range []string{"26", "215"} {
		text := unpackedLog(t, "torch"+version+".log.gz")
		for name, each := range map[string]struct {
			log  string
			want []string
		}{
			"whole": {text, []string{
				"# verdict:  unproved: it is the text of a listing, which does not tell ", "#           It is from a listing in torch's log: nothing was compared.\n",
				"def __transformed_code_0_for_f(x, scale):\n", " = __compiled_fn_2(x)\n", "    y = graph_out_0[0]\n", "print(\"sum\", ___object_1), y)\n",
			}},
			"an instruction that is none": {strings.ReplaceAll(text, "RETURN_VALUE", "RETURN_NOTHING"), []string{
				"# verdict:  failed: the listing cannot be read: the listing fits no version ", "raise NotImplementedError(",
			}},
		} {
			dir := writeFiles(t, map[string]string{"torch.log": each.log})
			page := filepath.Join(dir, "page")
			status, out, errs := call("", "report", "-o", page, filepath.Join(dir, "torch.log"))
			made, err := os.ReadFile(filepath.Join(page, "__transformed_code_0_for_f.py"))
			if status != 0 || err != nil || !strings.Contains(out, "__transformed_code_0_for_f.py\twhat runs in place of f, version 0 (from a listing, not proved)") {
				t.Fatalf("torch%s, %s: status %d, %s, %v:\n%s", version, name, status, errs, err, out)
			}
			for _, want := range each.want {
				if !strings.Contains(string(made), want) {
					t.Errorf("torch%s, %s: %q is missing:\n%s", version, name, want, made)
				}
			}
		}
	}
}

// A page does not say that there is no graph where the log would not tell of one.
func TestPageOfLogWithoutGraphs(t *testing.T) {
	const at = "V1103 02:48:08.805986 34281 torch/_dynamo/convert_frame.py:621] [0/0] [__bytecode] "
	listed := at + "MODIFIED BYTECODE f /home/user/a.py line 3 \n" + at + "  3           0 LOAD_GLOBAL              0 (__compiled_fn_2)\n" + at + "              2 LOAD_FAST                0 (x)\n" +
		at + "              4 CALL_FUNCTION            1\n" + at + "              6 RETURN_VALUE\n"
	for name, each := range map[string]struct{ log, want string }{
		"nothing of it":    {recompiled, "its graph is not in the log"},
		"the code calls":   {listed, "runs graph __compiled_fn_2"},
		"lines of another": {"epoch 1\n" + listed, "Lines of the log that are not torch&#39;s: 1."},
	} {
		dir := writeFiles(t, map[string]string{"torch.log": each.log})
		status, _, errs := call("", "report", "-o", filepath.Join(dir, "page"), filepath.Join(dir, "torch.log"))
		page, err := os.ReadFile(filepath.Join(dir, "page", "report.html"))
		if status != 0 || err != nil || !strings.Contains(string(page), each.want) || strings.Contains(string(page), "no graph: ordinary Python") {
			t.Errorf("%s: status %d, %s, %v: no %q on the page", name, status, errs, err, each.want)
		}
	}
}
