package service

import (
	"errors"
	"time"

	"github.com/thuml/depyf/internal/pyc"
	"github.com/thuml/depyf/internal/pyworker"
)

// background compiles for a session whose program does not wait. The program itself is
// asked first: it answers whenever it sends something, and at the end of the session,
// which spares the start of an interpreter. Where it does not answer soon, because it
// computes and compiles nothing, or refuses the text, an interpreter of its own, the same
// that runs the program, decides, and compiles what comes later. Where none can be started
// the program is waited for.
type background struct {
	server   *server
	options  pyworker.Options
	patience time.Duration
	pool     *pyworker.Pool
	failed   bool
}

// patience is how long the program may take to answer. One that compiles sends
// something every few milliseconds.
const patience = 500 * time.Millisecond

// hostOf returns who compiles for a session, and what ends that.
func (s *server) hostOf(start map[string]any) (Host, func()) {
	path, _ := start["interpreter"].(string)
	if path == "" {
		return s, func() {}
	}
	options := pyworker.Options{Python: path, Workers: 1, Optimize: s.optimize}
	b := &background{server: s, options: options, patience: patience}
	return b, b.close
}

// Optimized is true of the interpreter that is asked instead, too.
func (b *background) Optimized() bool { return b.server.Optimized() }

// Compile is called by one goroutine at a time, as events are.
func (b *background) Compile(source, filename string, flags pyc.CodeFlags) (*pyc.Code, error) {
	if b.pool == nil && !b.failed {
		code, err := b.server.compile(source, filename, flags, b.patience)
		if err == nil {
			return code, nil
		}
		// No error is the program's last word: its stack may be deep, its memory scarce.
		b.pool, err = pyworker.NewPool(b.server.version, b.options)
		b.failed = err != nil
	}
	if b.failed {
		return b.server.Compile(source, filename, flags)
	}
	code, err := b.pool.CompileFlags(source, filename, flags)
	var refused *pyworker.CompileError
	if err != nil && !errors.As(err, &refused) {
		return b.server.Compile(source, filename, flags)
	}
	return code, err
}

func (b *background) close() {
	if b.pool != nil {
		b.pool.Close()
	}
}
