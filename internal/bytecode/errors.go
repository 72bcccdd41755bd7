package bytecode

import (
	"fmt"

	"github.com/thuml/depyf/internal/pyc"
)

// Error says what is wrong with a code object and where.
type Error struct {
	Code   string // qualified name of the code object
	Offset int    // byte offset in co_code, or in the table that Msg names
	Msg    string
}

func (e *Error) Error() string {
	return fmt.Sprintf("code %q, offset %d: %s", e.Code, e.Offset, e.Msg)
}

func errorf(c *pyc.Code, offset int, format string, args ...any) error {
	return &Error{c.QualName, offset, fmt.Sprintf(format, args...)}
}
