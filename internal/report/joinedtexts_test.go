package report

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/thuml/depyf/internal/answers"
	"github.com/thuml/depyf/internal/explain"
)

// Every kernel that Inductor tells of has places in the text of the page: its call and all of its definition.
func TestKernelsHavePlaces(t *testing.T) {
	places, packed := unpack(t, pageOf(t, joinedSession))
	calls := 0
	for _, p := range packed {
		if !strings.Contains(p.Text, "async_compile.cpp_pybinding(") {
			continue
		}
		lines := strings.Split(p.Text, "\n")
		from := make([]string, 0, len(lines))
		for i := 0; i < len(p.From); i += 2 {
			name := ""
			if p.From[i+1] >= 0 {
				name = places[p.From[i+1]]
			}
			from = append(from, slices.Repeat([]string{name}, p.From[i])...)
		}
		called := map[int]nodeRun{}
		row := 0
		for _, r := range p.Nodes {
			row += r.Row
			if r.Call {
				called[row] = r
			}
		}
		inside := false
		for i, l := range lines {
			starts := strings.Contains(l, "= async_compile.cpp_pybinding(")
			inside = inside || starts
			_, note, isCall := strings.Cut(l, "  # computes, in this order: ")
			if (inside || isCall) != (from[i] != "") {
				t.Errorf("line %d has the places %q: %s", i+1, from[i], l)
			}
			if isCall {
				calls++
				if names := strings.ReplaceAll(strings.ReplaceAll(note, " (again)", ""), ",", ""); called[i].Nodes != names {
					t.Errorf("line %d leads to %q, and says %s", i+1, called[i].Nodes, note)
				}
			}
			inside = inside && l != "''')"
		}
	}
	if calls != 6 {
		t.Errorf("%d calls", calls)
	}
}

// A call's comment leaves the numbers of the lines alone, is written once, and says of many operations how many there are.
func TestKernelNotes(t *testing.T) {
	many := []string{}
	for i := range mostNoted + 3 {
		many = append(many, fmt.Sprintf("mul_%d", i))
	}
	f := &answers.Facts{Kernels: func() []answers.Kernel {
		return []answers.Kernel{
			{File: "k.py", Row: 2, Name: "fused_0", Nodes: []string{"sin", "cos"}, Again: []string{"sin"}},
			{File: "k.py", Row: 3, Name: "fused_1", Nodes: []string{"add"}},
			{File: "k.py", Row: 5, Name: "fused_2"},
			{File: "k.py", Row: 6, Name: "fused_3", Nodes: many},
			{File: "other.py", Row: 1, Name: "def", Nodes: []string{"add"}},
		}
	}}
	a := &explain.Artefact{Stage: explain.StageKernel, File: "k.py"}
	text := "def call(args):\n    fused_0(a)\n    fused_1(a,\n        b)\n    fused_2(a)\n    fused_3(a)\n"
	got := withKernelNotes(f, a, text)
	lines := strings.Split(got, "\n")
	want := []string{"def call(args):", "    fused_0(a)  # computes, in this order: sin (again), cos", "    fused_1(a,", "        b)", "    fused_2(a)"}
	if !slices.Equal(lines[:5], want) || !strings.HasSuffix(lines[5], ", mul_39, and 3 more operations") {
		t.Errorf("got\n%s", got)
	}
	if withKernelNotes(f, a, got) != got {
		t.Error("twice is not once")
	}
}

// A mark names the break that a line leads to.
func TestLeadsText(t *testing.T) {
	var p explain.Program
	at := []answers.BreakIn{{Function: "show", File: "/p/helpers.py", Line: 8}, {Function: "log", File: "/p/log.py", Line: 3}, {File: "/p/log.py", Line: 9}}
	for n, want := range map[int]string{0: "", 1: "leads to a break in show (helpers.py:8)", 3: "leads to breaks in show (helpers.py:8) and at 2 more lines"} {
		if got := leadsText(&p, at[:n]); got != want {
			t.Errorf("%d: %q", n, got)
		}
	}
	if got := leadsText(&p, at[2:]); got != "leads to a break in log.py:9" {
		t.Errorf("%q", got)
	}
}

func TestEndOfPlace(t *testing.T) {
	for comment, want := range map[string]string{
		"toy.py:6: x = a": "toy.py:6", "In[3]:2": "In[3]:2", "a:b.py:7; 2 failures": "a:b.py:7", "FAILED, hence recompiled: x": "", "toy.py:6 said": "",
	} {
		if got := comment[:endOfPlace(comment)]; got != want {
			t.Errorf("%s: %q", comment, got)
		}
	}
}
