package service

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/thuml/depyf/internal/pyc"
)

// Host is what the Python process does for Go.
type Host interface {
	// Compile compiles the text of a module and returns its code object.
	Compile(source, filename string, flags pyc.CodeFlags) (*pyc.Code, error)
	// Optimized says that it leaves assert statements out (python -O).
	Optimized() bool
}

// Optimized is what the greeting said.
func (s *server) Optimized() bool { return s.optimize > 0 }

// Compile asks the Python process to compile text; it never runs it.
func (s *server) Compile(source, filename string, flags pyc.CodeFlags) (*pyc.Code, error) {
	return s.compile(source, filename, flags, 0)
}

// compile is Compile with a limit to the time that the answer may take; 0: none.
func (s *server) compile(source, filename string, flags pyc.CodeFlags, limit time.Duration) (*pyc.Code, error) {
	answer, err := s.call(map[string]any{
		"cmd": "compile", "source": source, "filename": filename, "flags": int(flags),
	}, limit)
	if err != nil {
		return nil, err
	}
	data, ok := answer["marshal"].([]byte)
	if !ok {
		return nil, fmt.Errorf("%w: compile answered without code", errMalformed)
	}
	c, err := pyc.Unmarshal(data, s.version)
	if err != nil {
		return nil, err
	}
	code, ok := c.(*pyc.Code)
	if !ok {
		return nil, fmt.Errorf("%w: compile answered with a %s", errMalformed, pyc.TypeName(c))
	}
	return code, nil
}

var (
	errHostGone = errors.New("the Python process is gone")
	errHostBusy = errors.New("the Python process does not answer in time")
)

func (s *server) call(request map[string]any, limit time.Duration) (map[string]any, error) {
	number, answer, err := s.calls.begin()
	if err != nil {
		return nil, err
	}
	s.out.put(Packet{Number: number, Value: request})
	var late <-chan time.Time
	if limit > 0 {
		timer := time.NewTimer(limit)
		defer timer.Stop()
		late = timer.C
	}
	var m map[string]any
	var ok bool
	select {
	case m, ok = <-answer:
	case <-late:
		s.calls.forget(number)
		return nil, errHostBusy
	}
	if !ok {
		return nil, errHostGone
	}
	if text, failed := m["error"].(string); failed {
		return nil, errors.New(text)
	}
	return m, nil
}

// calls are the requests to Python that wait for their answer.
type calls struct {
	mu      sync.Mutex
	last    uint32
	closed  bool
	waiting map[uint32]chan map[string]any
}

func (c *calls) begin() (uint32, <-chan map[string]any, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return 0, nil, errHostGone
	}
	c.last = (c.last + 1) & 0x7fffffff
	answer := make(chan map[string]any, 1)
	c.waiting[c.last] = answer
	return c.last, answer, nil
}

func (c *calls) deliver(number uint32, m map[string]any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if answer := c.waiting[number]; answer != nil {
		delete(c.waiting, number)
		answer <- m
	}
}

// forget drops a call: its answer will come too late.
func (c *calls) forget(number uint32) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.waiting, number)
}

func (c *calls) closeAll() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = true
	for number, answer := range c.waiting {
		delete(c.waiting, number)
		close(answer)
	}
}
