package live

import (
	"sync"
	"time"
)

// pause is the least time between two looks at the logs.
const pause = time.Second

// share of a processor's time that working out what has changed may take.
const share = 0.1

// hub looks at the logs while somebody wants to know, and tells everybody who does.
type hub struct {
	mu      sync.Mutex
	watcher *Watcher
	readers map[chan []Process]bool
	running bool
	looked  time.Time // when the last look ended
	rest    time.Duration
	looks   int // at logs, for tests
}

func newHub(w *Watcher) *hub { return &hub{watcher: w, readers: map[chan []Process]bool{}} }

// join returns all that is known, and what tells of changes until leave is called.
func (h *hub) join() (all []Process, changes chan []Process) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.running && time.Since(h.looked) >= h.rest {
		h.look() // nobody has for a while
	}
	changes = make(chan []Process, 16)
	h.readers[changes] = true
	if !h.running {
		h.running = true
		go h.run()
	}
	return h.watcher.All(), changes
}

func (h *hub) leave(changes chan []Process) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.readers, changes)
}

// run looks at the logs until nobody is left.
func (h *hub) run() {
	for {
		h.mu.Lock()
		if len(h.readers) == 0 {
			h.running = false
			h.mu.Unlock()
			return
		}
		rest := h.rest
		h.mu.Unlock()
		time.Sleep(rest)
		h.mu.Lock()
		if changed := h.look(); len(changed) > 0 {
			for r := range h.readers {
				select {
				case r <- changed:
				default: // one that does not read is told all when it comes back
					delete(h.readers, r)
					close(r)
				}
			}
		}
		h.mu.Unlock()
	}
}

// look reads what is new; the lock is held.
func (h *hub) look() []Process {
	began := time.Now()
	changed := h.watcher.Poll()
	h.looks++
	h.looked = time.Now()
	h.rest = restAfter(h.looked.Sub(began))
	return changed
}

// restAfter is how long nobody looks after a look that took so long.
func restAfter(took time.Duration) time.Duration {
	return max(pause, time.Duration(float64(took)/share))
}

func (h *hub) page(name string) (string, bool, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.watcher.Page(name)
}
