package answers

import (
	"fmt"
	"testing"
)

// inRun is a session of one function f and what comes after its lines, each with a graph of that text.
func inRun(texts ...string) *Session {
	s := &Session{Torch: "2.15.0", Complete: true}
	for i, text := range texts {
		c := Compilation{ID: fmt.Sprint(i, "/0"), Function: "f", Name: "f", File: "/p/a.py", Line: 3, Version: new(int)}
		if i > 0 {
			c.Function = fmt.Sprint("torch_dynamo_resume_in_f_at_", 4+i)
			c.Resumes = "f"
		}
		s.Compilations = append(s.Compilations, c)
		body := "def forward(self, L_x_):\n    l_x_ = L_x_\n" + text
		s.Graphs = append(s.Graphs, Graph{File: fmt.Sprint("graph_", i), Name: fmt.Sprint("fn_", i), Stage: "Captured_Graph", Compilation: c.ID, Nodes: Nodes(body), body: func() string { return body }})
	}
	return s
}

// Graphs are compared by what they compute: names, numbers and their order in the program say nothing.
func TestGraphShifts(t *testing.T) {
	const one, other = "    sin = l_x_.sin()\n    y = sin + 1;  sin = None\n", "    cos = l_x_.cos()\n    y = cos + 1\n"
	for _, c := range []struct {
		name          string
		before, after *Session
		want          string
	}{
		{"the same", inRun(one, other), inRun(one, other), "[]"},
		{"other names", inRun(one), inRun("    sin_7 = l_x_.sin()\n    z = sin_7 + 1\n"), "[]"},
		{"other sizes", inRun("    y: \"f32[3]\" = l_x_.view(s0)\n"), inRun("    y: \"f32[5]\" = l_x_.view(s77)\n"), "[]"},
		{"another type", inRun("    y: \"f32[3]\" = l_x_ + 1\n"), inRun("    y: \"bf16[3]\" = l_x_ + 1\n"), "[f graph_0 graph_0 [l_x_ + 1] [l_x_ + 1]]"},
		{"another number", inRun(one), inRun("    sin = l_x_.sin()\n    y = sin + 2\n"), "[f graph_0 graph_0 [sin + 2] [sin + 1]]"},
		{"other operands", inRun("    a = l_x_.sin()\n    b = l_x_.cos()\n    y = a - b\n"), inRun("    a = l_x_.sin()\n    b = l_x_.cos()\n    y = b - a\n"), "[f graph_0 graph_0 [b - a] [a - b]]"},
		{"one more", inRun(one), inRun(one, other), "[f  graph_1 [l_x_.cos() cos + 1] []]"},
		{"one less, in front", inRun(other, one), inRun(one), "[f graph_0  [] [l_x_.cos() cos + 1]]"},
	} {
		got := "["
		for _, g := range Compare(c.before, c.after).Graphs {
			got += fmt.Sprint(g.Function, " ", g.Before, " ", g.After, " ", codesOf(g.New), " ", codesOf(g.Gone))
		}
		if got += "]"; got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
	if d := Compare(inRun(one), inRun(one)); !d.Same() {
		t.Errorf("%+v", d)
	}
}

func codesOf(list []Step) (out []string) {
	for _, s := range list {
		out = append(out, s.Code)
	}
	return out
}

// What differs of two runs is told, each alone: nothing else is the same as nothing.
func TestNothingIsOverlooked(t *testing.T) {
	yes := true
	for name, change := range map[string]func(*Session){
		"another torch":   func(s *Session) { s.Torch = "2.6.0" },
		"it died":         func(s *Session) { s.Complete = false },
		"an error":        func(s *Session) { s.Raised = &Raised{Error: "ValueError", Text: "no"} },
		"a failure":       func(s *Session) { s.Compilations[0].Failure = &Failure{Text: "no", Raised: &yes} },
		"a backward pass": func(s *Session) { s.Compilations[0].Backward = []Backward{{"no", 1}} },
		"left uncompiled": func(s *Session) {
			s.Compilations = append(s.Compilations, Compilation{Name: "g", Failure: &Failure{Text: "skipped"}})
		},
		"a guard":         func(s *Session) { s.Compilations[0].Guards = []Guard{{"L['x'].size(0) == 3", "user"}} },
		"a version":       func(s *Session) { s.Compilations = append(s.Compilations, s.Compilations[0]) },
		"a kernel":        func(s *Session) { s.Kernels = []Kernel{{Name: "cpp_fused_sin_0", Kind: "cpp", Compilation: "0/0"}} },
		"a break":         func(s *Session) { s.BreakLines = breaksIn("3 f print(x)") },
		"a cause":         func(s *Session) { s.Causes = []Cause{{Kind: KindSize, File: "/p/a.py", Subjects: []string{"x"}}} },
		"a wrong number":  func(s *Session) { s.Wrong = []Compared{{Function: "f"}} },
		"a slow function": func(s *Session) { s.Spent[0].Total = 2 },
	} {
		both := [2]*Session{}
		for i := range both {
			both[i] = inRun("    y = l_x_.sin()\n")
			both[i].Spent = []Spent{{Function: "f", File: "/p/a.py", Total: 1}}
		}
		change(both[1])
		if d := Compare(both[0], both[1]); d.Same() {
			t.Errorf("%s makes no difference", name)
		}
		if d := Compare(both[1], both[0]); d.Same() {
			t.Errorf("%s makes no difference when it is gone", name)
		}
	}
}

// A cause whose line was edited is the cause that it was; one of another function is another.
func TestCauseOfAnEditedLine(t *testing.T) {
	run := func(function, code string) *Session {
		return &Session{Causes: []Cause{{Kind: KindSize, File: "/p/a.py", Code: code, Functions: []string{function}, Subjects: []string{"x.size(0)"}}}}
	}
	if d := Compare(run("f", "y = x + 1"), run("f", "y = x + 2")); len(d.NewCauses)+len(d.GoneCauses) > 0 {
		t.Errorf("edited: %+v, %+v", d.NewCauses, d.GoneCauses)
	}
	if d := Compare(run("f", "y = x + 1"), run("g", "y = x + 2")); len(d.NewCauses) != 1 || len(d.GoneCauses) != 1 {
		t.Errorf("of another function: %+v, %+v", d.NewCauses, d.GoneCauses)
	}
}
