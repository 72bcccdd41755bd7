package recorded

import (
	"fmt"
	"path/filepath"
	"sync"

	"github.com/thuml/depyf/internal/answers"
	"github.com/thuml/depyf/internal/explain"
)

// Session is what one process has recorded.
type Session struct {
	Name  string // of its folder below the given one; "." for that itself
	Model *explain.Model
	Facts func() *answers.Facts // what it comes to: found when it is first asked for, and once
}

func newSession(name string, m *explain.Model) Session {
	return Session{name, m, sync.OnceValue(func() *answers.Facts { return answers.For(explain.Link(m)) })}
}

// Read reads what each process at a path has recorded.
func Read(path string) ([]Session, error) {
	sources, _, err := At(path)
	if err != nil {
		return nil, err
	}
	var out []Session
	for _, src := range sources {
		m, err := src.Load()
		if err != nil {
			return nil, err
		}
		out = append(out, newSession(filepath.ToSlash(src.Name), m))
	}
	return out, nil
}

// Unread says what of a log could not be read.
func Unread(m *explain.Model) []string {
	var out []string
	if m.Skipped > 0 && m.Start.Log != "" {
		are := "lines of the log are"
		if m.Skipped == 1 {
			are = "line of the log is"
		}
		out = append(out, fmt.Sprintf("%d %s not torch's", m.Skipped, are))
	} else if m.Skipped > 0 {
		out = append(out, fmt.Sprintf("%d lines of the log could not be read", m.Skipped))
	}
	if m.CutOff {
		out = append(out, "the log ends in the middle of its compressed form: what came later is missing")
	}
	if m.Torn > 0 {
		out = append(out, fmt.Sprintf("%d entries of the log are not as torch wrote them", m.Torn))
	}
	return out
}
