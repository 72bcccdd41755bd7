package pyc

import "fmt"

// Error says what is wrong with marshal data and where.
type Error struct {
	Offset int // bytes from the start of the data given to Read or Unmarshal
	Msg    string
}

func (e *Error) Error() string { return fmt.Sprintf("at byte %d: %s", e.Offset, e.Msg) }
