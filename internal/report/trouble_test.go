package report

import (
	"strings"
	"testing"

	"github.com/thuml/depyf/internal/answers"
	"github.com/thuml/depyf/internal/explain"
)

// What failed, and a limit that was reached, opens the page, in red, as "depyf failures" and index.md have it.
func TestTroubleComesFirst(t *testing.T) {
	for session, want := range map[string][]string{
		"torch215_limit_eager":   {"Limits that were reached", "reached the limit", "recompile_limit", "ran as ordinary Python", "Use it outside the compiled function", "failed check"},
		"torch215_refused_eager": {"What failed", "2 calls raised", "BackendCompilerFailed", "no <code>graph</code> | of this kind", "Nothing ran instead", "the error comes from"},
	} {
		page := pageOf(t, session)
		_, main, _ := strings.Cut(page, "<main>")
		if !strings.HasPrefix(strings.TrimSpace(main), `<section id="failures"><h2 class="bad">`) {
			t.Errorf("%s: the page opens with %.80q", session, strings.TrimSpace(main))
		}
		rest := main
		for _, w := range want {
			_, after, ok := strings.Cut(rest, w)
			if !ok {
				t.Errorf("%s: no %q in its place", session, w)
				break
			}
			rest = after
		}
		if !strings.Contains(page, `class="note bad"`) || !strings.Contains(page, `<li class="bad">`) {
			t.Errorf("%s: it is not red", session)
		}
	}
}

// What guards cost is said in short where it is worth a word, by the page, index.md and "depyf explain" alike.
func TestGuardsAmongTheFirstAnswers(t *testing.T) {
	micros := func(n float64) *float64 { return &n }
	b := answers.GuardBudget{Guards: 90, Versions: 3, Functions: []answers.GuardCost{
		{Name: "Net.forward", File: "/p/a.py", Line: 3, Resumes: 2, Versions: 4, Guards: 30, Micros: micros(300)},
	}, Drops: []answers.GuardDrop{{On: "modules", Guards: 60, Functions: []string{"Net.forward"}, How: "leave them out"}}}
	f := answers.For(&explain.Program{Model: &explain.Model{}})
	f.Guards = func() answers.GuardBudget { return b }
	s := GuardsInShort(f)
	for _, want := range []string{
		"90 guards of 3 versions", "Worth dropping: 60 guards on modules and their parameters, in `Net.forward`; none of them has failed", "leave them out",
		"up to 1.2 ms a call of `Net.forward` (a.py:3) with 2 resume functions: 4 versions, the median 300 µs; up to 30 guards each",
	} {
		if !strings.Contains(s.Text(), want) {
			t.Errorf("no %q in\n%s", want, s.Text())
		}
	}
	if all := InBrief(f); all[len(all)-1].Name != "guards" {
		t.Error("depyf explain has nothing of guards")
	}
	b = answers.GuardBudget{Guards: 10, Versions: 1, Functions: []answers.GuardCost{{Name: "f", Versions: 1, Guards: 10, Micros: micros(20)}}}
	for _, s := range InBrief(f) {
		if s.Name == "guards" {
			t.Errorf("few guards that cost nothing are told of: %s", s.Text())
		}
	}
}
