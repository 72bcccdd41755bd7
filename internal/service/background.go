package service

import (
	"errors"

	"github.com/thuml/depyf/internal/pyc"
	"github.com/thuml/depyf/internal/pyworker"
)

// background compiles for a session whose program does not wait: in an interpreter of
// its own, the same that runs the program. Where none can be started the program
// itself is asked, which answers once it waits for something, at the end of the session.
type background struct {
	server  *server
	options pyworker.Options
	pool    *pyworker.Pool
	failed  bool
}

// hostOf returns who compiles for a session, and what ends that.
func (s *server) hostOf(start map[string]any) (Host, func()) {
	path, _ := start["interpreter"].(string)
	if path == "" {
		return s, func() {}
	}
	optimize, _ := start["optimize"].(int64)
	b := &background{server: s, options: pyworker.Options{Python: path, Workers: 1, Optimize: int(optimize)}}
	return b, b.close
}

// Compile is called by one goroutine at a time, as events are.
func (b *background) Compile(source, filename string, flags int) (*pyc.Code, error) {
	if b.pool == nil && !b.failed {
		var err error
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
