package service

import (
	"bytes"
	"errors"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/thuml/depyf/internal/pyc"
)

// peer plays the Python side of a running service.
type peer struct {
	t    *testing.T
	in   *io.PipeWriter
	out  *io.PipeReader
	done chan error
	next uint32
}

func start(t *testing.T, cfg Config) *peer {
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	p := &peer{t: t, in: inW, out: outR, done: make(chan error, 1)}
	go func() {
		p.done <- Serve(cfg, inR, outW)
		outW.Close()
	}()
	t.Cleanup(func() { inW.Close() })
	return p
}

func (p *peer) send(number uint32, response bool, value map[string]any) {
	p.t.Helper()
	data, err := AppendPacket(nil, Packet{Number: number, Response: response, Value: value})
	if err != nil {
		p.t.Fatal(err)
	}
	if _, err := p.in.Write(data); err != nil {
		p.t.Fatal(err)
	}
}

func (p *peer) receive() Packet {
	p.t.Helper()
	packet, err := ReadPacket(p.out)
	if err != nil {
		p.t.Fatal(err)
	}
	return packet
}

func (p *peer) request(value map[string]any) map[string]any {
	p.t.Helper()
	p.next++
	p.send(p.next, false, value)
	packet := p.receive()
	if packet.Number != p.next || !packet.Response {
		p.t.Fatalf("answer to %d is %+v", p.next, packet)
	}
	return packet.Value.(map[string]any)
}

func (p *peer) hello() {
	p.t.Helper()
	answer := p.request(map[string]any{
		"cmd": "hello", "protocol": Protocol, "version": Version, "python": []any{3, 13, 0},
	})
	if answer["error"] != nil {
		p.t.Fatal(answer["error"])
	}
}

func (p *peer) close() error {
	p.in.Close()
	return <-p.done
}

func TestHelloMismatch(t *testing.T) {
	for _, hello := range []map[string]any{
		{"cmd": "decompile"},
		{"cmd": "hello", "protocol": Protocol, "version": "0.0.1", "python": []any{3, 13}},
		{"cmd": "hello", "protocol": 99, "version": Version, "python": []any{3, 13}},
		{"cmd": "hello", "protocol": Protocol, "version": Version, "python": []any{3, 2}},
		{"cmd": "hello", "protocol": Protocol, "version": Version},
	} {
		p := start(t, Config{})
		if answer := p.request(hello); answer["error"] == nil {
			t.Errorf("%v was accepted", hello)
		}
		if err := <-p.done; err == nil {
			t.Errorf("%v: the service goes on", hello)
		}
	}
}

func readSample(t *testing.T, name string) map[string]any {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name + ".packet")
	if err != nil {
		t.Fatal(err)
	}
	packet, err := ReadPacket(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return packet.Value.(map[string]any)
}

// TestCompileCallback has a decompile command that asks the host to compile
// while the host waits for its answer.
func TestCompileCallback(t *testing.T) {
	p := start(t, Config{Decompile: func(code *pyc.Code, req DecompileRequest) (map[string]any, error) {
		again, err := req.Compile("text", "file", 0)
		if err != nil {
			return nil, err
		}
		return map[string]any{"source": again.Name, "name": code.Name}, nil
	}})
	p.hello()
	marshalled, err := pyc.Marshal(&pyc.Code{Version: pyc.V313, Name: "callback"}, pyc.V313)
	if err != nil {
		t.Fatal(err)
	}
	request := readSample(t, "module")
	request["verify"] = true
	p.send(9, false, request)
	call := p.receive()
	if m := call.Value.(map[string]any); call.Response || m["cmd"] != "compile" || m["source"] != "text" {
		t.Fatalf("got %+v", call)
	}
	p.send(call.Number, true, map[string]any{"marshal": marshalled})
	answer := p.receive()
	if m := answer.Value.(map[string]any); answer.Number != 9 || m["source"] != "callback" || m["name"] != "<module>" {
		t.Fatalf("got %+v", answer)
	}

	// The same with a host that goes away instead of answering.
	p.send(10, false, request)
	p.receive()
	go p.close()
	answer = p.receive()
	if m := answer.Value.(map[string]any); !strings.Contains(m["error"].(string), "gone") {
		t.Fatalf("got %+v", answer)
	}
}

type recorder struct {
	events []string
	codes  int
	ended  chan []string
}

func (r *recorder) Event(typ string, fields map[string]any) (map[string]any, error) {
	r.events = append(r.events, typ)
	if _, ok := fields["new"].(*pyc.Code); ok && fields["new_packet"] != nil {
		r.codes++
	}
	switch typ {
	case "panic":
		panic("on purpose")
	case "error":
		return nil, errors.New("refused")
	}
	return map[string]any{"seen": len(r.events)}, nil
}

func (r *recorder) End(fields map[string]any) (map[string]any, error) {
	if fields["abandoned"] == true {
		r.events = append(r.events, "abandoned")
	}
	r.ended <- r.events
	return map[string]any{"dir": "d"}, nil
}

func TestSessionEvents(t *testing.T) {
	r := &recorder{ended: make(chan []string, 1)}
	p := start(t, Config{NewSession: func(start map[string]any, _ Host) (Session, error) {
		if start["dir"] != "here" {
			t.Errorf("start %v", start)
		}
		return r, nil
	}})
	p.hello()
	id := p.request(map[string]any{"cmd": "session_start", "dir": "here"})["session"]
	event := func(typ string) map[string]any {
		return map[string]any{"cmd": "event", "session": id, "type": typ}
	}
	code := event("bytecode")
	code["new"] = readSample(t, "opaque")["code"]
	if answer := p.request(code); answer["seen"] != int64(1) || r.codes != 1 {
		t.Errorf("bytecode: %v", answer)
	}
	if answer := p.request(event("panic")); !strings.Contains(answer["error"].(string), "on purpose") {
		t.Errorf("panic: %v", answer)
	}
	if answer := p.request(event("error")); answer["error"] != "refused" {
		t.Errorf("error: %v", answer)
	}
	if answer := p.request(map[string]any{"cmd": "session_end", "session": id}); answer["dir"] != "d" {
		t.Errorf("end: %v", answer)
	}
	if got := strings.Join(<-r.ended, " "); got != "bytecode panic error" {
		t.Errorf("events %s", got)
	}
	if answer := p.request(event("late")); answer["error"] == nil {
		t.Errorf("late: %v", answer)
	}
	if err := p.close(); err != nil {
		t.Error(err)
	}
}

// TestSessionAbandoned: a host that dies still gets its report written.
func TestSessionAbandoned(t *testing.T) {
	r := &recorder{ended: make(chan []string, 1)}
	p := start(t, Config{NewSession: func(map[string]any, Host) (Session, error) { return r, nil }})
	p.hello()
	id := p.request(map[string]any{"cmd": "session_start"})["session"]
	p.request(map[string]any{"cmd": "event", "session": id, "type": "note"})
	if err := p.close(); err != nil {
		t.Error(err)
	}
	if got := strings.Join(<-r.ended, " "); got != "note abandoned" {
		t.Errorf("events %s", got)
	}
}

func TestMalformedEndsService(t *testing.T) {
	p := start(t, Config{})
	p.hello()
	go func() { _, _ = p.in.Write([]byte("GET / HTTP/1.1\r\n\r\n")) }()
	if err := <-p.done; !errors.Is(err, errMalformed) {
		t.Errorf("got %v", err)
	}
}
