package service

import (
	"strings"
	"testing"
	"time"
)

// The reader waits before it looks again into a pipe that it has emptied, unless
// somebody waits for an answer or there is more to read at once.
func TestPacedReader(t *testing.T) {
	for _, c := range []struct {
		about  string
		hurry  bool
		size   int
		sleeps int
	}{
		{"nobody waits", false, 10, 1},
		{"somebody waits", true, 10, 0},
		{"much is there", false, plenty, 0},
	} {
		sleeps := 0
		r := &pacedReader{
			r:     strings.NewReader(strings.Repeat("x", 2*c.size)),
			hurry: func() bool { return c.hurry },
			sleep: func(d time.Duration) {
				if d != pace {
					t.Errorf("%s: sleeps for %v", c.about, d)
				}
				sleeps++
			},
		}
		for range 2 {
			if n, err := r.Read(make([]byte, c.size)); n != c.size || err != nil {
				t.Fatalf("%s: %d, %v", c.about, n, err)
			}
		}
		if sleeps != c.sleeps {
			t.Errorf("%s: %d sleeps, want %d", c.about, sleeps, c.sleeps)
		}
	}
}

// Only programs that are watched and not exchanged let their packets wait.
func TestHurry(t *testing.T) {
	watched, stepping := &worker{unawaited: true}, &worker{}
	for _, c := range []struct {
		about    string
		sessions map[int64]*worker
		calls    map[uint32]chan map[string]any
		want     bool
	}{
		{"no session", nil, nil, true},
		{"a watched program", map[int64]*worker{1: watched}, nil, false},
		{"one that is stepped through too", map[int64]*worker{1: watched, 2: stepping}, nil, true},
		{"the compiler is asked", map[int64]*worker{1: watched}, map[uint32]chan map[string]any{1: nil}, true},
	} {
		s := &server{sessions: c.sessions}
		s.calls.waiting = c.calls
		if got := s.hurry(); got != c.want {
			t.Errorf("%s: %v, want %v", c.about, got, c.want)
		}
	}
}
