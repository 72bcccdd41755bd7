//go:build unix

package service

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/thuml/depyf/internal/pyc"
)

// asking is a session that has a text compiled at each event.
type asking struct {
	host Host
	got  chan string
}

func (a *asking) Event(string, map[string]any) (map[string]any, error) {
	code, err := a.host.Compile("text", "file", 0)
	if err != nil {
		a.got <- "error: " + err.Error()
		return nil, err
	}
	a.got <- code.Name
	return nil, nil
}

func (a *asking) End(map[string]any) (map[string]any, error) { return nil, nil }

// watched starts a session that nobody waits for. The file that is named is there
// once its interpreter, which is none, has been started.
func watched(t *testing.T) (p *peer, a *asking, event map[string]any, started string) {
	t.Helper()
	started = filepath.Join(t.TempDir(), "started")
	interpreter := started + "-by"
	if err := os.WriteFile(interpreter, []byte("#!/bin/sh\n: > '"+started+"'\n"), 0o777); err != nil {
		t.Fatal(err)
	}
	a = &asking{got: make(chan string, 1)}
	p = start(t, Config{NewSession: func(_ map[string]any, host Host) (Session, error) {
		a.host = host
		return a, nil
	}})
	p.hello()
	id := p.request(map[string]any{"cmd": "session_start", "interpreter": interpreter})["session"]
	return p, a, map[string]any{"cmd": "event", "session": id, "type": "note"}, started
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func marshalled(t *testing.T, name string) map[string]any {
	t.Helper()
	data, err := pyc.Marshal(&pyc.Code{Version: pyc.V313, Name: name}, pyc.V313)
	if err != nil {
		t.Fatal(err)
	}
	return map[string]any{"marshal": data}
}

// A program that answers spares the start of an interpreter.
func TestProgramCompiles(t *testing.T) {
	p, a, event, started := watched(t)
	for _, name := range []string{"one", "two"} {
		p.send(0, false, event)
		p.send(p.receive().Number, true, marshalled(t, name))
		if got := <-a.got; got != name {
			t.Errorf("got %q, not %q", got, name)
		}
	}
	if exists(started) {
		t.Error("an interpreter was started")
	}
}

// One that computes, or goes away, is not waited for; a late answer is no other request's.
func TestProgramIsBusy(t *testing.T) {
	p, a, event, started := watched(t)
	p.send(0, false, event)
	late := p.receive().Number
	again := p.receive() // No interpreter could be started: the program is the last resort.
	if !exists(started) {
		t.Error("no interpreter was started")
	}
	p.send(late, true, marshalled(t, "late"))
	p.send(again.Number, true, marshalled(t, "again"))
	if got := <-a.got; got != "again" {
		t.Errorf("got %q", got)
	}
}

// What the program cannot compile an interpreter has to refuse, too.
func TestProgramRefuses(t *testing.T) {
	p, a, event, started := watched(t)
	p.send(0, false, event)
	p.send(p.receive().Number, true, map[string]any{"error": "RecursionError: stack overflow"})
	p.send(p.receive().Number, true, marshalled(t, "again"))
	if got := <-a.got; got != "again" || !exists(started) {
		t.Errorf("got %q, an interpreter was started: %v", got, exists(started))
	}
}
