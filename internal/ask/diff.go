package ask

import (
	"fmt"

	"github.com/thuml/depyf/internal/answers"
	"github.com/thuml/depyf/internal/recorded"
	"github.com/thuml/depyf/internal/report"
)

// Diff says, for each process, what became of a session that ran again. Processes are known by their names; noted names what
// was recorded before, for an error.
func Diff(before, after []recorded.Session, noted string) ([]Answer, error) {
	var out []Answer
	for _, s := range after {
		was := named(before, s.Name)
		if was == nil {
			return nil, fmt.Errorf("%s has no dump of %s", noted, s.Name)
		}
		out = append(out, Answer{Process: s.Name, Sections: []report.Section{report.Differences(answers.Compare(was.Facts().Session(), s.Facts().Session()))}})
	}
	return out, nil
}

// named is the session of a process, nil if there is none.
func named(list []recorded.Session, name string) *recorded.Session {
	for i := range list {
		if list[i].Name == name {
			return &list[i]
		}
	}
	return nil
}
