package report

import (
	"fmt"
	"strings"
	"testing"

	"github.com/thuml/depyf/internal/answers"
)

func ranksWith(breaks ...int) answers.Ranks {
	var r answers.Ranks
	for i, n := range breaks {
		r.Processes = append(r.Processes, answers.Rank{
			Name: fmt.Sprint("rank_", i), Seconds: float64(i + 1),
			Counts: []answers.Tally{{Name: "breaks", Value: n}, {Name: "limits", Value: 0}, {Name: "graphs", Value: 1}},
		})
	}
	return r
}

// What no rank has is no column; what most ranks do not have is marked.
func TestNumbersOfRanks(t *testing.T) {
	table := rankNumbers(ranksWith(0, 2, 0))
	want := `
          breaks  graphs  seconds of compiling
  rank_0       0       1                   1.0
  rank_1      *2       1                   2.0
  rank_2       0       1                   3.0

`
	if got := "\n" + table.text(); got != want {
		t.Errorf("%s", got)
	}
	if got := table.markdown(); !strings.Contains(got, "\n| rank_1 | **2** | 1 | 2.0 |\n") {
		t.Errorf("%s", got)
	}
}

// Of many ranks those with the same numbers share a row.
func TestNumbersOfManyRanks(t *testing.T) {
	breaks := make([]int, 64)
	breaks[9] = 1
	table := rankNumbers(ranksWith(breaks...))
	want := `
                                   breaks  graphs  seconds of compiling
rank_0, rank_1, rank_2 and 60 more       0       1           1.0 to 64.0
                            rank_9      *1       1                  10.0

`
	if got := "\n" + table.text(); strings.Join(strings.Fields(got), " ") != strings.Join(strings.Fields(want), " ") {
		t.Errorf("%s", got)
	}
	if got := string(table.Rows[1].Linked()); got != `<a href="rank_9/report.html">rank_9</a>` {
		t.Errorf("%s", got)
	}
}

func TestNumbersOfNothing(t *testing.T) {
	if table := rankNumbers(answers.Ranks{Processes: []answers.Rank{{Name: "rank_0", Counts: []answers.Tally{{Name: "breaks"}}}}}); table != nil {
		t.Errorf("%+v", table)
	}
}
