package service

import (
	"io"
	"time"
)

// pace is how long packets that nobody waits for may lie in the pipe.
const pace = 20 * time.Millisecond

// plenty is a read after which more is likely to wait: half of the smallest pipe.
const plenty = 1 << 15

// pacedReader lets packets gather in the pipe while that disturbs nobody. A process
// that is woken for each of them spends more on waking up than on the packets, and
// the program that writes them pays for a part of it. What lies in the pipe outlives
// the program, so nothing is lost when it is killed.
type pacedReader struct {
	r       io.Reader
	hurry   func() bool
	drained bool // the last read found little: the pipe is empty now
	sleep   func(time.Duration)
}

func (p *pacedReader) Read(b []byte) (int, error) {
	if p.drained && !p.hurry() {
		p.sleep(pace)
	}
	n, err := p.r.Read(b)
	p.drained = n < plenty
	return n, err
}

// hurry reports whether somebody may wait for what the pipe holds: everyone but
// programs that are only watched, whose code is compiled without them.
func (s *server) hurry() bool {
	for _, w := range s.sessions {
		if !w.unawaited {
			return true
		}
	}
	return len(s.sessions) == 0 || s.calls.pending()
}
