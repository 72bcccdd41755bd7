package torchlog

import (
	"bytes"

	"github.com/thuml/depyf/internal/lazyregexp"
)

// bareEnds are what a terminal, a server for continuous integration or an editor puts around the lines of a log.
var (
	bareBegins = lazyregexp.New("^(?:\x1b\\[[0-9;?]*[A-Za-z])*(?:\\d{4}-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d:\\d\\d(?:[.,]\\d+)?(?:Z|[+-]\\d\\d:?\\d\\d)? ?)?(?:\x1b\\[[0-9;?]*[A-Za-z])*")
	bareEnds   = lazyregexp.New("(?:\x1b\\[[0-9;?]*[A-Za-z])+$")
)

// bare is a line without what others have put around it, and whether there was any: an end as on Windows, colours, a time.
func bare(line []byte) (own []byte, other bool) {
	own = bytes.TrimSuffix(line, []byte("\r"))
	if len(own) > 0 && (own[0] == 0x1b || own[0] == '2') {
		own = own[len(bareBegins.FindString(string(own[:min(len(own), 80)]))):]
	}
	if bytes.HasSuffix(own, []byte("m")) && bytes.IndexByte(own[max(0, len(own)-12):], 0x1b) >= 0 {
		tail := string(own[max(0, len(own)-40):])
		own = own[:len(own)-len(bareEnds.FindString(tail))]
	}
	return own, len(own) != len(line)
}
