package pyworker

import (
	"errors"
	"fmt"
	"runtime"
	"sync"
	"time"

	"github.com/thuml/depyf/internal/pyc"
)

// Options of a Pool. The zero value is a good default.
type Options struct {
	Python  string        // this interpreter and no other
	Workers int           // at most so many processes; 0: as many as there are processors, up to 4
	Timeout time.Duration // for one compilation; 0: 20 seconds
	Getenv  func(string) string
	root    string // before the absolute paths of places; for tests

	Optimize int // the interpreter's level of optimization: 0, 1 (-O) or 2 (-OO)
}

func (o *Options) startTimeout() time.Duration { return 10 * time.Second }

// CompileError is what the compiler has against a source.
type CompileError struct{ Text string } // such as "SyntaxError: invalid syntax (x.py, line 1)"

func (e *CompileError) Error() string { return e.Text }

var errClosed = errors.New("the pool of Python workers is closed")

// Pool compiles with one CPython version. Its methods may be called from several
// goroutines.
type Pool struct {
	version pyc.Version
	path    string
	opt     Options
	slots   chan struct{} // one token for each process that may run

	mu     sync.Mutex
	idle   []*worker
	busy   map[*worker]bool
	closed bool
}

// NewPool finds an interpreter of version v and starts the first worker. The
// error is ErrNotFound if there is none.
func NewPool(v pyc.Version, opt Options) (*Pool, error) {
	if opt.Workers <= 0 {
		opt.Workers = min(4, runtime.NumCPU())
	}
	if opt.Timeout <= 0 {
		opt.Timeout = 20 * time.Second
	}
	w, err := find(v, opt)
	if err != nil {
		return nil, err
	}
	return &Pool{
		version: v, path: w.path, opt: opt, slots: make(chan struct{}, opt.Workers),
		idle: []*worker{w}, busy: map[*worker]bool{},
	}, nil
}

// Path is the interpreter in use.
func (p *Pool) Path() string { return p.path }

// Version is the interpreter's version.
func (p *Pool) Version() pyc.Version { return p.version }

// Compile compiles source text, which may hold surrogates (WTF-8), as a module.
// A *CompileError says that the source is at fault.
func (p *Pool) Compile(source, filename string) (*pyc.Code, error) {
	return p.compile(0, 0, []byte(source), filename)
}

// CompileFlags is Compile with the flags of compile(), such as those of __future__.
func (p *Pool) CompileFlags(source, filename string, flags pyc.CodeFlags) (*pyc.Code, error) {
	return p.compile(0, int(flags), []byte(source), filename)
}

// CompileBytes compiles the bytes of a source file, whose coding cookie counts.
func (p *Pool) CompileBytes(source []byte, filename string) (*pyc.Code, error) {
	return p.compile(1, 0, source, filename)
}

func (p *Pool) compile(form byte, flags int, source []byte, filename string) (*pyc.Code, error) {
	p.slots <- struct{}{}
	defer func() { <-p.slots }()
	w, err := p.take()
	if err != nil {
		return nil, err
	}
	data, err := w.compile(form, flags, source, filename, p.opt.Timeout)
	p.release(w)
	if err != nil {
		return nil, err
	}
	c, err := pyc.Unmarshal(data, p.version)
	if err != nil {
		return nil, fmt.Errorf("reading what CPython %v compiled: %w", p.version, err)
	}
	code, ok := c.(*pyc.Code)
	if !ok {
		return nil, errors.New("the Python worker answered nonsense")
	}
	return code, nil
}

// take returns an idle worker or starts one; the caller holds a slot.
func (p *Pool) take() (*worker, error) {
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return nil, errClosed
	}
	if n := len(p.idle); n > 0 {
		w := p.idle[n-1]
		p.idle = p.idle[:n-1]
		p.busy[w] = true
		p.mu.Unlock()
		return w, nil
	}
	p.mu.Unlock()
	w, err := start(p.path, p.version, p.opt)
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		w.kill()
		return nil, errClosed
	}
	p.busy[w] = true
	return w, nil
}

func (p *Pool) release(w *worker) {
	p.mu.Lock()
	delete(p.busy, w)
	keep := !w.dead && !p.closed
	if keep {
		p.idle = append(p.idle, w)
	}
	p.mu.Unlock()
	if !keep {
		w.stop()
	}
}

// Close ends the workers. Compilations under way fail.
func (p *Pool) Close() {
	p.mu.Lock()
	idle := p.idle
	p.idle, p.closed = nil, true
	for w := range p.busy {
		_ = w.cmd.Process.Kill() // its goroutine sees the pipe close and cleans up
	}
	p.mu.Unlock()
	for _, w := range idle {
		w.stop()
	}
}
