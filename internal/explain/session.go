package explain

import (
	"errors"
	"fmt"
	"path/filepath"
	"runtime/debug"
	"sync"
	"time"
)

// Session takes the events of one prepare_debug block. It may be used from
// several goroutines; events are handled one after the other.
type Session struct {
	host      Host
	decompile DecompileFunc
	newSink   func(dir string) Sink

	mu    sync.Mutex
	dir   string
	model *Model
	store *store
	sink  Sink
	n     int
	now   func() time.Time

	logFailed bool
	read      map[string]bool      // files whose text has been asked for
	cells     map[string]cell      // of a notebook, by the names of their files: those that no event has spoken of yet
	originals map[string]originals // by the function that resume functions continue
}

// NewSession opens a session for the fields of session_start. It claims the
// dump folder and begins the event log. An empty dir keeps everything in
// memory. A folder that cannot be written is an error, and the caller goes on
// without a session.
func NewSession(start map[string]any, host Host, opts ...Option) (*Session, error) {
	s := &Session{host: host, now: time.Now}
	for _, o := range opts {
		o(s)
	}
	f := fields{}
	for k, v := range start {
		if k != "cmd" {
			f[k] = v
		}
	}
	if dir := f.str("dir"); dir != "" {
		want := Start{PID: f.int("pid"), Rank: rankText(f["rank"]), Run: f.str("run"), Argv: f.strs("argv")}
		dir, old, err := claim(dir, want)
		if err != nil {
			return nil, err
		}
		s.dir, s.model = dir, old
		if s.store, err = openStore(dir); err != nil {
			return nil, err
		}
		if asked, err := filepath.Abs(f.str("dir")); err == nil && asked != dir {
			f["below"] = true
		}
		f["dir"] = dir
	}
	if s.model == nil {
		s.model = newModel()
	}
	if s.newSink != nil {
		s.sink = s.newSink(s.dir)
	}
	f["token"] = processToken
	s.commit(Record{Type: "session_start", Fields: f})
	return s, nil
}

// abandonedNote says what a session lacks whose program did not end it.
const abandonedNote = "The program was killed, or ended by `os._exit`: which guards have failed, in which order the versions are tried, and before " +
	"torch 2.4 the guards themselves are told at the end of a session only."

// Dir is the folder of the session, which need not be the one asked for.
func (s *Session) Dir() string { return s.dir }

// Model is what the session knows. It must not be used while events arrive.
func (s *Session) Model() *Model { return s.model }

// commit is what remains to be done for a record once everything that needs
// the outside world has been put into it. A log that cannot be written (a full
// disk, say) must not keep the session from answering: it is a problem, told once.
func (s *Session) commit(r Record) {
	s.n++
	r.N = s.n
	r.Time = float64(s.now().UnixMicro()) / 1e6
	s.model.apply(r)
	if err := s.store.append(r); err != nil && !s.logFailed {
		s.logFailed = true
		s.model.Problems = append(s.model.Problems, Problem{Where: "event log", Error: err.Error()})
	}
	s.keepCells(r)
	if s.dir != "" {
		s.keepSources(r)
	}
}

// Event takes one event. The answer is never nil. An error means that there is
// nothing to answer; what else goes wrong is recorded as a problem, and the
// answer says what follows from it.
func (s *Session) Event(typ string, ev map[string]any) (answer map[string]any, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	answer = map[string]any{}
	defer func() {
		// A bug here must not take the whole service down with it: the user's
		// program goes on with the code it has.
		if p := recover(); p != nil {
			err = fmt.Errorf("event %s: %v", typ, p)
			s.problem("explain", err, string(debug.Stack()))
		}
	}()
	f := fields{}
	for k, v := range ev {
		switch k {
		case "cmd", "session", "type":
		default:
			f[k] = v
		}
	}
	switch typ {
	case "bytecode":
		return s.bytecode(f)
	case "graph", "kernel":
		return s.artefact(typ, f), nil
	case "swapped":
		res := map[string]any{}
		if b, ok := f["bytecode"].([]byte); ok {
			delete(f, "bytecode")
			if name, err := s.store.put(b); err != nil {
				s.problem("event log", err, "")
			} else {
				res["bytes"] = name
			}
		}
		s.commit(Record{Type: typ, Fields: f, Result: res})
		if c := s.model.Code(s.model.key(f.str("key"))); c != nil && s.sink != nil {
			if err := s.sink.Code(s.model, c); err != nil {
				s.problem("report", err, "")
			}
		}
		return answer, nil
	case "cells":
		s.takeCells(f)
		return answer, nil
	case "trace":
		if quietTrace(f.str("envelope")) {
			return answer, nil
		}
	case "function", "source", "global", "guards_made", "guards", "objects", "outcome", "raised", "export", "wrong", "no_cuda_graph", "problem", "note":
	default:
		return answer, fmt.Errorf("unknown event type %q", typ)
	}
	s.commit(Record{Type: typ, Fields: f})
	return answer, nil
}

func (s *Session) problem(where string, err error, trace string) {
	s.commit(Record{Type: "problem", Fields: map[string]any{
		"where": where, "error": err.Error(), "traceback": trace,
	}})
}

// artefact takes a graph or a kernel: it gets a name and is written at once,
// because Python executes the file.
func (s *Session) artefact(typ string, f fields) map[string]any {
	a := &Artefact{
		Graph: CleanName(f.str("graph")), Stage: f.str("stage"),
		CompileID: s.model.id(f.str("compile_id")), Language: f.str("language"),
	}
	if typ == "kernel" {
		a.Stage = StageKernel
	}
	a.Graph = s.model.graphName(a.Graph, a.Stage, a.CompileID)
	res := map[string]any{"graph": a.Graph}
	if old := s.model.artefact(filepath.Base(f.str("replaces"))); old != nil {
		res["file"], res["graph"], res["replaces"] = old.File, old.Graph, true
	} else {
		n := s.model.take(artefactStem(a))
		res["number"], res["file"] = n, ArtefactFile(a, n)
	}
	file, _ := res["file"].(string)
	s.commit(Record{Type: typ, Fields: f, Result: res})
	answer := map[string]any{}
	if s.sink == nil {
		return answer
	}
	if err := s.sink.Artefact(s.model, s.model.artefact(file)); err != nil {
		s.problem("report", err, "")
		return answer
	}
	answer["path"] = s.path(file)
	return answer
}

func (s *Session) path(file string) string {
	if s.dir == "" {
		return file
	}
	return filepath.Join(s.dir, file)
}

// End closes the session: the files that need the whole picture are written,
// the log is closed. The answer lists all files, the first to open first.
func (s *Session) End(ev map[string]any) (answer map[string]any, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	answer = map[string]any{"dir": s.dir}
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("session end: %v", p)
			s.problem("report", err, string(debug.Stack()))
		}
		err = errors.Join(err, s.store.close())
		s.store = nil
	}()
	if fields(ev).bool("abandoned") {
		s.commit(Record{Type: "note", Fields: map[string]any{"text": abandonedNote, "abandoned": true}})
	}
	var files []File
	var names, list []any
	if s.sink != nil {
		var werr error
		if files, werr = s.sink.End(s.model); werr != nil {
			s.problem("report", werr, "")
			err = werr
		}
	}
	for _, f := range files {
		names = append(names, f.Path)
		list = append(list, map[string]any{"path": f.Path, "about": f.About})
	}
	answer["files"] = list
	if len(files) > 0 {
		answer["first"] = s.path(files[0].Path)
	}
	s.commit(Record{Type: "session_end", Result: map[string]any{"files": names}})
	return answer, err
}
