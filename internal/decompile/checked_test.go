package decompile

import (
	"testing"

	"github.com/thuml/depyf/internal/pass"
	"github.com/thuml/depyf/internal/pyc"
)

// checked has the checker run behind each pass, and what it says fail the test.
func checked(t *testing.T) func(*pyc.Code) *pass.Watch {
	t.Helper()
	return func(code *pyc.Code) *pass.Watch {
		return &pass.Watch{Broken: func(err error) { t.Errorf("%v, %s: %v", code.Version, code.Name, err) }}
	}
}
