package ask

import (
	"fmt"

	"github.com/thuml/depyf/internal/answers"
	"github.com/thuml/depyf/internal/recorded"
	"github.com/thuml/depyf/internal/report"
)

// Ranks says what not all ranks at a path have. They are read one after the other: a run has many, and their logs are long.
func Ranks(path string) (answers.Ranks, error) {
	sources, _, err := recorded.At(path)
	if err != nil {
		return answers.Ranks{}, err
	}
	ranks, err := report.Ranks(sources, false)
	if n := len(ranks.Processes); err == nil && n < 2 {
		err = fmt.Errorf("%s holds the dumps of %d ranks (folders rank_0, rank_1, …; or logs whose lines, or names as in train_rank0.log, tell the rank); two are needed to compare", path, n)
	}
	return ranks, err
}
