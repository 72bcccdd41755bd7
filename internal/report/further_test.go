package report

import (
	"slices"
	"testing"

	"github.com/thuml/depyf/internal/answers"
	"github.com/thuml/depyf/internal/explain"
)

func TestFurtherQuestions(t *testing.T) {
	graph := &explain.Artefact{Stage: "Captured_Graph", Graph: "g", Text: "    # File: /p/net.py:7 in forward, code: return x.sin()\n    sin = x.sin();  x = None\n"}
	commands := func(rank, dump string, files ...*explain.Artefact) []string {
		p := &explain.Program{Model: &explain.Model{Start: explain.Start{Rank: rank}}, Files: files}
		var out []string
		for _, q := range furtherQuestions(answers.For(p), dump) {
			out = append(out, q[1])
		}
		return out
	}
	for _, c := range []struct {
		got, want []string
	}{
		{commands("", ".", graph), []string{"depyf map net.py:7 .", "depyf diff EARLIER .", "depyf guards ."}},
		{commands("2", "."), []string{"depyf diff EARLIER .", "depyf guards .", "depyf ranks .."}},
		{commands("2", "rank_2.log"), []string{"depyf diff EARLIER rank_2.log", "depyf guards rank_2.log"}},
	} {
		if !slices.Equal(c.got, c.want) {
			t.Errorf("got  %q\nwant %q", c.got, c.want)
		}
	}
}
