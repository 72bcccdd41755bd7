package ask

import (
	"github.com/thuml/depyf/internal/answers"
	"github.com/thuml/depyf/internal/recorded"
	"github.com/thuml/depyf/internal/report"
)

// Together is what the ranks among the processes do not have in common, which the answers for each are read with in mind. It is nil
// for a question about one thing, and where no two ranks are there.
func (q Question) Together(list []recorded.Session) *answers.Ranks {
	if !q.together {
		return nil
	}
	var ranks []answers.Process
	for _, s := range list {
		if report.OfRank(s.Name) {
			ranks = append(ranks, answers.Process{Name: s.Name, Session: s.Facts().Session()})
		}
	}
	if len(ranks) < 2 {
		return nil
	}
	r := answers.CompareRanks(ranks)
	return &r
}

// TogetherWords is that for people, as Words is the answer of one process.
func TogetherWords(r *answers.Ranks, markdown bool, dump string) string {
	if r == nil {
		return ""
	}
	s := report.RankDifferences(*r).AtAGlance(dump)
	s.Numbers = nil // `depyf ranks` has them
	if markdown {
		return s.Markdown(1)
	}
	return s.TitledText()
}
