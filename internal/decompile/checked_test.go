package decompile

import (
	"testing"

	"github.com/thuml/depyf/internal/pass"
	"github.com/thuml/depyf/internal/pyc"
)

// largestChecked is how many bytes of bytecode a code object has at most that is
// checked: the hostile ones are larger, and their time is bounded.
const largestChecked = 1 << 14

// checked has the checker run behind each pass, and what it says fail the test.
func checked(t *testing.T) func(*pyc.Code) *pass.Watch {
	t.Helper()
	return func(code *pyc.Code) *pass.Watch {
		if len(code.Bytecode) > largestChecked {
			return nil
		}
		return &pass.Watch{Broken: func(err error) { t.Errorf("%v, %s: %v", code.Version, code.Name, err) }}
	}
}
