package report

import (
	"regexp"
	"strings"
	"testing"

	"github.com/thuml/depyf/internal/answers"
	"github.com/thuml/depyf/internal/explain"
)

// The chart says what a call goes through, in order, and each step leads to its place.
func TestChartOfACall(t *testing.T) {
	page := pageOf(t, "torch215_toy_inductor")
	chart := regexp.MustCompile(`(?s)<svg class="flow".*?</svg>`).FindString(page)
	at := 0
	for _, want := range []string{
		`<a href="#f-code1-v0"><g class="node version">`, "if 19 guards hold", "transformed code: proved, running",
		`<a href="#graph-__compiled_fn_1"><text`, "runs graph __compiled_fn_1 (5 operations)", "kernel",
		`<a href="#break-1"><text class="sub broken"`, "graph break at toy_example.py:7", "Data-dependent branching",
		"__resume_at_100_2", "after line 7, if true",
	} {
		next := strings.Index(chart[at:], want)
		if next < 0 {
			t.Fatalf("no %q behind the %d first letters:\n%s", want, at, chart)
		}
		at += next
	}
	if !strings.Contains(chart, "after line 7, if false") {
		t.Error("the other way of the branch is not named")
	}
}

// Versions stand as Dynamo tries them, and beside them what becomes of a call that none fits.
func TestChartInTheOrderOfTrying(t *testing.T) {
	p, f := eight()
	f.Versions = f.Versions[:3]
	for _, v := range f.Versions {
		v.HasGuards, v.Guards = true, []*explain.Guard{{}, {}}
	}
	f.Tried = []*explain.Version{f.Versions[2], f.Versions[0], f.Versions[1]}
	f.Limit = &explain.Compile{ID: "0/3", Outcome: &explain.Outcome{Limit: "recompile_limit", Then: "run_only"}}
	chart := drawFlow(flowFacts{prog: p}, f)
	order := regexp.MustCompile(`version (\d) ·.*?(\d)\. if 2 guards hold`).FindAllStringSubmatch(chart, 3)
	var got []string
	for _, m := range order {
		got = append(got, m[2]+"="+m[1])
	}
	if s := strings.Join(got, " "); s != "1=2 2=0 3=1" {
		t.Error(s)
	}
	if !strings.Contains(chart, "no version fits, limit reached") || !strings.Contains(chart, `<a href="#`+limitID(f)+`">`) || !strings.Contains(chart, "runs as ordinary Python") {
		t.Errorf("what becomes of other calls is not in the chart:\n%s", chart)
	}
	f.Limit.Outcome.Raised, f.Limit.Outcome.Error = true, "FailOnRecompileLimitHit"
	if chart := drawFlow(flowFacts{prog: p}, f); !strings.Contains(chart, "raises FailOnRecompileLimitHit") {
		t.Error("that other calls raise is not in the chart")
	}
}

// A function goes with where it was called from: the line, or the compiled function.
func TestChartNamesCallers(t *testing.T) {
	p, f := eight()
	f.File, f.Key = "/p/a.py", "f"
	outer := &explain.Function{Key: "g", Name: "g", Title: "Net.g", File: "/p/a.py", Line: 20, First: f.First}
	p.Functions = append(p.Functions, outer)
	own := explain.Frame{File: "/p/a.py", Line: 3, Name: "f"}
	f.Versions[0].Compile.Stack = []explain.Frame{{File: "/p/main.py", Line: 9, Name: "main"}, {File: "/x/site-packages/torch/nn/modules/module.py", Line: 8, Name: "_call_impl"}, own}
	f.Versions[1].Compile.Stack = []explain.Frame{{File: "/p/main.py", Line: 9, Name: "main"}, {File: "/p/a.py", Line: 22, Name: "torch_dynamo_resume_in_g_at_21"}, own}
	list := answers.CallersOf(p, f)
	if len(list) != 2 || list[0].Line != 9 || list[1].Function != outer {
		t.Errorf("%+v", list)
	}
	if chart := drawFlow(flowFacts{prog: p}, f); !strings.Contains(chart, "called from main.py:9 and 1 more") {
		t.Error(chart)
	}
}
