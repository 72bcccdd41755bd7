package service

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"sync"

	"github.com/thuml/depyf/internal/explain"
	"github.com/thuml/depyf/internal/pyc"
)

// Version is the version both ends must have; python/depyf/_version.py says the same.
const Version = "1.0.0"

// Session is what explain.Session offers: one run of prepare_debug.
type Session interface {
	Event(typ string, fields map[string]any) (map[string]any, error)
	End(fields map[string]any) (map[string]any, error)
}

// Decompiler answers one decompile command. The compile function is nil when the
// request does not want the result verified by the host's own compiler.
type Decompiler func(code *pyc.Code, req DecompileRequest) (map[string]any, error)

// DecompileRequest holds the options of a decompile command.
type DecompileRequest struct {
	Name    string
	Dynamo  bool
	Callees map[string][]string // the parameter names of functions that the code calls by global name
	Compile func(source, filename string, inherited pyc.CodeFlags) (*pyc.Code, error)
	NoProof bool // nothing is proven, not even without an interpreter
	// Optimized says that the host leaves assert statements out (python -O).
	Optimized bool
}

// Config says what stands behind the commands.
type Config struct {
	Decompile  Decompiler
	NewSession func(start map[string]any, host Host) (Session, error)
	Judge      func(facts map[string]any) (map[string]any, error)   // of a comparison of eager and compiled results
	Answer     func(request map[string]any) (map[string]any, error) // what the session of a dump folder comes to
}

// Serve answers packets from r on w until r ends.
//
// One goroutine (this one) reads, one writes, each session handles its events
// in order in a goroutine of its own, and each decompile command has its own: a
// handler that waits for the host's compiler never holds up the reader.
func Serve(cfg Config, r io.Reader, w io.Writer) error {
	s := &server{cfg: cfg, out: newOutbox(w), sessions: map[int64]*worker{}}
	s.calls.waiting = map[uint32]chan map[string]any{}
	err := s.loop(bufio.NewReaderSize(r, 1<<16))
	s.calls.closeAll()
	for _, id := range s.order {
		// The host is gone without ending its session; what came is still reported.
		if w := s.sessions[id]; w != nil {
			w.abandon()
		}
	}
	s.busy.Wait()
	s.out.close()
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

type server struct {
	cfg      Config
	out      *outbox
	calls    calls
	busy     sync.WaitGroup
	version  pyc.Version
	optimize int // the level of the host's compiler: 0, 1 (-O) or 2 (-OO)
	greeted  bool
	sessions map[int64]*worker
	order    []int64
	last     int64
}

func (s *server) loop(r io.Reader) error {
	for {
		p, err := ReadPacket(r)
		if err != nil {
			return err
		}
		m, ok := p.Value.(map[string]any)
		if !ok {
			return fmt.Errorf("%w: a %T instead of a map", errMalformed, p.Value)
		}
		if p.Response {
			s.calls.deliver(p.Number, m)
			continue
		}
		if !s.greeted {
			if err := s.hello(p.Number, m); err != nil {
				return err
			}
			continue
		}
		s.dispatch(p.Number, m)
	}
}

// hello checks the first packet; a mismatch is answered and ends the service.
func (s *server) hello(number uint32, m map[string]any) error {
	err := checkHello(m)
	if err == nil {
		python, _ := m["python"].([]any)
		minor, _ := python[1].(int64)
		s.version = pyc.Version(minor)
		optimize, _ := m["optimize"].(int64)
		s.optimize = int(optimize)
		s.greeted = true
		s.answer(number, map[string]any{"protocol": Protocol, "version": Version}, nil)
		return nil
	}
	s.answer(number, nil, err)
	return err
}

func checkHello(m map[string]any) error {
	if m["cmd"] != "hello" {
		return fmt.Errorf("the first packet must be hello, not %v", m["cmd"])
	}
	if m["protocol"] != int64(Protocol) || m["version"] != Version {
		return fmt.Errorf("this program is version %s (protocol %d), the Python package is %v (protocol %v): install both from one release",
			Version, Protocol, m["version"], m["protocol"])
	}
	python, _ := m["python"].([]any)
	if len(python) < 2 || python[0] != int64(3) {
		return fmt.Errorf("cannot serve Python %v", m["python"])
	}
	minor, _ := python[1].(int64)
	if minor < int64(pyc.Oldest) || minor > int64(pyc.Newest) {
		return fmt.Errorf("this program reads Python %v to %v, not 3.%d", pyc.Oldest, pyc.Newest, minor)
	}
	return nil
}

func (s *server) dispatch(number uint32, m map[string]any) {
	switch m["cmd"] {
	case "decompile":
		s.busy.Go(func() {
			answer, err := protect(func() (map[string]any, error) { return s.decompile(m) })
			s.answer(number, answer, err)
		})
	case "wrong":
		s.busy.Go(func() {
			answer, err := protect(func() (map[string]any, error) { return s.judge(m) })
			s.answer(number, answer, err)
		})
	case "answers":
		s.busy.Go(func() {
			answer, err := protect(func() (map[string]any, error) { return s.cfg.Answer(m) })
			s.answer(number, answer, err)
		})
	case "session_start":
		s.startSession(number, m)
	case "event", "session_end":
		id, _ := m["session"].(int64)
		w := s.sessions[id]
		if w == nil {
			s.answer(number, nil, fmt.Errorf("there is no session %v", m["session"]))
			return
		}
		// The worker owns the map from here on.
		end := m["cmd"] == "session_end"
		w.tasks.put(task{number, m})
		if end {
			delete(s.sessions, id)
			w.tasks.close()
		}
	default:
		s.answer(number, nil, fmt.Errorf("unknown command %v", m["cmd"]))
	}
}

// answer answers a request, unless it is one that gets no answer.
func (s *server) answer(number uint32, m map[string]any, err error) {
	if number == 0 {
		return
	}
	if err != nil {
		m = map[string]any{"error": err.Error()}
	} else if m == nil {
		m = map[string]any{}
	}
	s.out.put(Packet{Number: number, Response: true, Value: m})
}

func (s *server) judge(m map[string]any) (map[string]any, error) {
	facts, _ := m["facts"].(map[string]any)
	if s.cfg.Judge == nil || facts == nil {
		return nil, errors.New("there is nothing to judge")
	}
	return s.cfg.Judge(facts)
}

func (s *server) decompile(m map[string]any) (map[string]any, error) {
	var code *pyc.Code
	var err error
	if data, ok := m["pyc"].([]byte); ok {
		code, err = s.codeFromBytes(data)
	} else {
		code, err = CodeFromValue(m["code"])
	}
	if err != nil {
		return nil, err
	}
	req := DecompileRequest{}
	req.Name, _ = m["name"].(string)
	req.Dynamo, _ = m["dynamo"].(bool)
	req.Callees = explain.ParamsOf(m["callees"])
	// The host can only compile for its own version.
	verify, _ := m["verify"].(bool)
	req.NoProof = !verify
	if verify && code.Version == s.version {
		req.Compile = s.Compile
		req.Optimized = s.Optimized()
	}
	if s.cfg.Decompile == nil {
		return nil, errors.New("this build cannot decompile")
	}
	return s.cfg.Decompile(code, req)
}

// codeFromBytes reads a .pyc file or, without its header, marshal data of the
// host's version.
func (s *server) codeFromBytes(data []byte) (*pyc.Code, error) {
	file, err := pyc.ReadBytes(data)
	if err == nil {
		return file.Code, nil
	}
	c, bare := pyc.Unmarshal(data, s.version)
	if code, ok := c.(*pyc.Code); bare == nil && ok {
		return code, nil
	}
	return nil, err
}

// protect turns a panic into an error: a bug in one request must not end the
// service for the others.
func protect(f func() (map[string]any, error)) (m map[string]any, err error) {
	defer func() {
		if r := recover(); r != nil {
			m, err = nil, fmt.Errorf("internal error: %v\n%s", r, debug.Stack())
		}
	}()
	return f()
}
