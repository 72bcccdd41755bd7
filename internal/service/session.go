package service

import (
	"errors"
	"fmt"
)

// task is one event or the end of a session.
type task struct {
	number uint32
	fields map[string]any
}

// worker handles the events of one session, in order.
type worker struct {
	session Session
	tasks   *queue[task]
}

func (s *server) startSession(number uint32, start map[string]any) {
	if s.cfg.NewSession == nil {
		s.answer(number, nil, errors.New("this build cannot explain"))
		return
	}
	s.last++
	id := s.last
	w := &worker{tasks: newQueue[task]()}
	s.sessions[id] = w
	s.order = append(s.order, id)
	delete(start, "cmd")
	s.busy.Go(func() { s.runSession(w, id, number, start) })
}

func (s *server) runSession(w *worker, id int64, number uint32, start map[string]any) {
	host, done := s.hostOf(start)
	defer done()
	answer, err := protect(func() (map[string]any, error) {
		session, err := s.cfg.NewSession(start, host)
		if err != nil {
			return nil, err
		}
		w.session = session
		answer := map[string]any{"session": id}
		if d, ok := session.(interface{ Dir() string }); ok {
			answer["dir"] = d.Dir()
		}
		return answer, nil
	})
	s.answer(number, answer, err)
	for {
		tasks, more := w.tasks.take()
		if !more {
			return
		}
		for _, t := range tasks {
			typ, _ := t.fields["type"].(string)
			answer, err := protect(func() (map[string]any, error) { return w.handle(t.fields) })
			s.answer(t.number, answer, err)
			if err != nil && t.number == 0 && w.session != nil {
				// Nobody will be told; the log is.
				_, _ = w.session.Event("problem", map[string]any{"where": "service, " + typ, "error": err.Error()})
			}
		}
	}
}

func (w *worker) handle(fields map[string]any) (map[string]any, error) {
	if w.session == nil {
		return nil, errors.New("the session did not start")
	}
	end := fields["cmd"] == "session_end"
	typ, _ := fields["type"].(string)
	delete(fields, "cmd")
	delete(fields, "session")
	delete(fields, "type")
	if end {
		return w.session.End(fields)
	}
	for _, key := range []string{"old", "new"} {
		if err := unpackCode(fields, key); err != nil {
			return nil, err
		}
	}
	return w.session.Event(typ, fields)
}

// unpackCode replaces a code packet among the fields by the code object and
// keeps its bytes beside it, for whoever wants to store them.
func unpackCode(fields map[string]any, key string) error {
	m, ok := fields[key].(map[string]any)
	if !ok || m["t"] != "code" {
		return nil
	}
	code, err := CodeFromValue(m)
	if err != nil {
		return fmt.Errorf("%s: %w", key, err)
	}
	packet, err := AppendValue(nil, m)
	if err != nil {
		return fmt.Errorf("%s: %w", key, err)
	}
	fields[key], fields[key+"_packet"] = code, packet
	return nil
}

// abandon ends a session whose host has gone, as if it had been ended in order.
func (w *worker) abandon() {
	w.tasks.put(task{0, map[string]any{"cmd": "session_end", "abandoned": true}})
	w.tasks.close()
}
