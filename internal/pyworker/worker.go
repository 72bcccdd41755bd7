package pyworker

import (
	"bytes"
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/thuml/depyf/internal/pyc"
)

//go:embed worker.py
var script string

// ErrTimeout means that the interpreter did not answer in time.
var ErrTimeout = errors.New("the Python worker did not answer in time")

// maxFrame bounds an answer: a compiled module is far smaller.
const maxFrame = 1 << 30

// worker is one running interpreter. It serves one request at a time.
type worker struct {
	path   string
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    io.ReadCloser
	stderr tail
	dead   bool
}

// start runs the interpreter at path and checks that it is CPython v.
func start(path string, v pyc.Version, opt Options) (*worker, error) {
	args := []string{"-I", "-S", "-E", "-B"}
	if opt.Optimize > 0 {
		args = append(args, "-"+strings.Repeat("O", opt.Optimize))
	}
	w := &worker{path: path, cmd: exec.Command(path, append(args, "-c", script)...)}
	var err error
	if w.in, err = w.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	if w.out, err = w.cmd.StdoutPipe(); err != nil {
		return nil, err
	}
	w.cmd.Stderr = &w.stderr
	if err := w.cmd.Start(); err != nil {
		return nil, err
	}
	var hello []byte
	err = w.within(opt.startTimeout(), func() (err error) {
		hello, err = readFrame(w.out)
		return err
	})
	if err != nil {
		return nil, w.blame(err)
	}
	var major, minor, magic int
	rest, ok := bytes.CutPrefix(hello, []byte("depyf-worker"))
	if n, _ := fmt.Sscanf(string(rest), "%d %d %d", &major, &minor, &magic); !ok || n != 3 {
		w.kill()
		return nil, errors.New("not a Python interpreter")
	}
	if major != 3 || minor != int(v) || magic != int(v.Magic()) {
		w.kill()
		return nil, fmt.Errorf("it is CPython %d.%d (magic %d), not %v (magic %d)", major, minor, magic, v, v.Magic())
	}
	return w, nil
}

// compile sends one request. After any error but a *CompileError w is dead.
func (w *worker) compile(form byte, flags int, source []byte, filename string, limit time.Duration) ([]byte, error) {
	head := binary.LittleEndian.AppendUint32(nil, uint32(9+len(filename)+len(source)))
	head = append(head, form)
	head = binary.LittleEndian.AppendUint32(head, uint32(flags))
	head = binary.LittleEndian.AppendUint32(head, uint32(len(filename)))
	head = append(head, filename...)
	var answer []byte
	err := w.within(limit, func() error {
		for _, b := range [][]byte{head, source} {
			if _, err := w.in.Write(b); err != nil {
				return io.EOF // nobody reads
			}
		}
		var err error
		answer, err = readFrame(w.out)
		return err
	})
	if err != nil {
		return nil, w.blame(err)
	}
	switch {
	case len(answer) > 0 && answer[0] == 0:
		return answer[1:], nil
	case len(answer) > 0 && answer[0] == 1:
		return nil, &CompileError{Text: string(answer[1:])}
	}
	w.kill()
	return nil, errors.New("the Python worker answered nonsense")
}

// within runs f, which talks to the process; if it takes too long, the process is
// killed, which ends f.
func (w *worker) within(limit time.Duration, f func() error) error {
	var late bool
	var mu sync.Mutex
	t := time.AfterFunc(limit, func() {
		mu.Lock()
		late = true
		mu.Unlock()
		_ = w.cmd.Process.Kill()
	})
	err := f()
	t.Stop()
	if err != nil {
		mu.Lock()
		defer mu.Unlock()
		if late {
			return ErrTimeout
		}
	}
	return err
}

// blame kills the process and adds what it last said.
func (w *worker) blame(err error) error {
	w.kill()
	if text := w.stderr.String(); text != "" && !errors.Is(err, ErrTimeout) {
		return fmt.Errorf("the Python worker died: %s", text)
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("the Python worker died")
	}
	return err
}

func (w *worker) kill() {
	if w.dead {
		return
	}
	w.dead = true
	_ = w.cmd.Process.Kill()
	_ = w.in.Close()
	_ = w.cmd.Wait()
}

// stop ends the process the friendly way.
func (w *worker) stop() {
	if w.dead {
		return
	}
	w.dead = true
	_ = w.in.Close()
	t := time.AfterFunc(2*time.Second, func() { _ = w.cmd.Process.Kill() })
	defer t.Stop()
	_ = w.cmd.Wait()
}

func readFrame(r io.Reader) ([]byte, error) {
	var head [4]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return nil, err
	}
	n := binary.LittleEndian.Uint32(head[:])
	if n > maxFrame {
		return nil, errors.New("the Python worker answered nonsense")
	}
	// Grow with what really comes: the length may be a lie.
	var b bytes.Buffer
	if _, err := io.CopyN(&b, r, int64(n)); err != nil {
		return nil, io.ErrUnexpectedEOF
	}
	return b.Bytes(), nil
}

// tail keeps the last bytes a process wrote to stderr.
type tail struct {
	mu  sync.Mutex
	buf []byte
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.buf = append(t.buf, p...)
	if n := len(t.buf) - 2000; n > 0 {
		t.buf = append(t.buf[:0], t.buf[n:]...)
	}
	return len(p), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(bytes.TrimSpace(t.buf))
}
