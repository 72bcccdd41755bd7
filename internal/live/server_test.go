package live

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

// serving starts a server for a folder.
func serving(t *testing.T, dir string) *Server {
	t.Helper()
	s, err := Listen(dir, 0)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.Serve(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return s
}

type asked struct {
	method, path, host, origin string
}

func (s *Server) ask(t *testing.T, a asked) (status int, body string, h http.Header) {
	t.Helper()
	r, err := http.NewRequest(a.method, strings.TrimSuffix(s.URL(), "/"+s.token+"/")+a.path, nil)
	if err != nil {
		t.Fatal(err)
	}
	if a.host != "" {
		r.Host = a.host
	}
	if a.origin != "" {
		r.Header.Set("Origin", a.origin)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	data, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(data), answer.Header
}

// Only who knows the token, and asks this machine by its own name, gets an answer; and nobody changes anything.
func TestWhoIsAnswered(t *testing.T) {
	dir := t.TempDir()
	r := record(t, "torch215_toy_eager", dir)
	r.write(t, len(r.log))
	s := serving(t, dir)
	own := s.ln.Addr().String()
	port := own[strings.LastIndexByte(own, ':'):]
	if !strings.HasPrefix(own, "127.0.0.1:") {
		t.Errorf("it listens at %s", own)
	}
	good := "/" + s.token + "/"
	for _, c := range []struct {
		asked
		status int
	}{
		{asked{path: good}, 200},
		{asked{path: good + "live.js"}, 200},
		{asked{path: good + "live.css"}, 200},
		{asked{path: good, host: "localhost" + port}, 200},
		{asked{path: good, host: "localhost:8888"}, 200}, // forwarded from another port
		{asked{path: good, origin: "http://" + own}, 200},
		{asked{path: "/"}, 403},
		{asked{path: "/favicon.ico"}, 403},
		{asked{path: "/" + s.token[:31] + "0x/"}, 403},
		{asked{path: "/" + strings.Repeat("0", 32) + "/"}, 403},
		{asked{path: "/" + strings.Repeat("0", 32) + "/events"}, 403},
		{asked{path: "/" + strings.Repeat("0", 32) + "/page?of=."}, 403},
		{asked{path: good, host: "evil.example" + port}, 403},
		{asked{path: good, host: "127.0.0.1.evil.example" + port}, 403},
		{asked{path: good + "events", host: "evil.example"}, 403},
		{asked{path: good, origin: "http://evil.example"}, 403},
		{asked{path: good, origin: "null"}, 403},
		{asked{path: good, method: "POST"}, 405},
		{asked{path: good + "events", method: "HEAD"}, 200},
		{asked{path: good + "nothing"}, 404},
		{asked{path: good + "../../etc/passwd"}, 404},
		{asked{path: good + "page?of=../../etc"}, 404},
	} {
		status, body, h := s.ask(t, c.asked)
		if status != c.status {
			t.Errorf("%+v: %d, not %d", c.asked, status, c.status)
		}
		if status != 200 && (strings.Contains(body, s.token) || strings.Contains(body, dir)) {
			t.Errorf("%+v: it tells %q", c.asked, body)
		}
		if h.Get("Cache-Control") != "no-store" || !strings.HasPrefix(h.Get("Content-Security-Policy"), "default-src 'none'") || h.Get("Referrer-Policy") != "no-referrer" {
			t.Errorf("%+v: headers %v", c.asked, h)
		}
	}
	// There has to be a page for it once somebody has looked.
	s.hub.join()
	if status, body, h := s.ask(t, asked{path: good + "page?of=."}); status != 200 || !strings.Contains(body, "toy_example") || !strings.Contains(h.Get("Content-Security-Policy"), "sandbox allow-scripts") {
		t.Errorf("the page: %d %v %.200s", status, h, body)
	}
	other := serving(t, dir)
	if other.token == s.token || len(s.token) != 32 {
		t.Errorf("tokens %s and %s", s.token, other.token)
	}
}

// follow reads the events of a server.
func follow(t *testing.T, s *Server) func() (name string, list []Process) {
	t.Helper()
	ctx, stop := context.WithTimeout(context.Background(), time.Minute)
	t.Cleanup(stop)
	r, err := http.NewRequestWithContext(ctx, "GET", s.URL()+"events", nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { answer.Body.Close() })
	if kind := answer.Header.Get("Content-Type"); kind != "text/event-stream" {
		t.Errorf("events of type %q", kind)
	}
	in := bufio.NewReader(answer.Body)
	return func() (name string, list []Process) {
		t.Helper()
		for {
			line, err := in.ReadString('\n')
			if err != nil {
				t.Fatal(err)
			}
			line = strings.TrimSuffix(line, "\n")
			if v, ok := strings.CutPrefix(line, "event: "); ok {
				name = v
			} else if v, ok := strings.CutPrefix(line, "data: "); ok {
				if err := json.Unmarshal([]byte(v), &list); err != nil {
					t.Fatal(err)
				}
			} else if line == "" {
				return name, list
			}
		}
	}
}

// Who follows is told all there is, then what changes as it is written, and nothing while nothing is.
func TestEvents(t *testing.T) {
	dir := t.TempDir()
	s := serving(t, dir)
	next := follow(t, s)
	if name, list := next(); name != "all" || len(list) != 0 {
		t.Errorf("at first %s %+v", name, list)
	}
	r := record(t, "torch215_limit_eager", dir)
	r.write(t, r.until(t, "dynamo_start"))
	if name, list := next(); name != "some" || len(list) != 1 || len(list[0].Now) != 1 || list[0].Now[0].Function != "named" {
		t.Errorf("as it begins %s %+v", name, list)
	}
	r.write(t, len(r.log))
	if name, list := next(); name != "some" || len(list) != 1 || list[0].State != StateEnded || !strings.Contains(list[0].HTML, "7 recompilations") {
		t.Errorf("at the end %s %+v", name, list)
	}
	// A second reader is told the same at once, and a change goes to both.
	again := follow(t, s)
	if name, list := again(); name != "all" || len(list) != 1 || !strings.Contains(list[0].HTML, "7 recompilations") {
		t.Errorf("the second %s %+v", name, list)
	}
	other := record(t, "torch215_toy_eager", dir+"/rank_1")
	other.write(t, len(other.log))
	for _, f := range []func() (string, []Process){next, again} {
		if name, list := f(); name != "some" || len(list) != 1 || list[0].Name != "rank_1" {
			t.Errorf("another process %s %+v", name, list)
		}
	}
}

// Nobody looks at the logs when nobody wants to know, and at most once a second while somebody does.
func TestIdle(t *testing.T) {
	dir := t.TempDir()
	r := record(t, "torch215_toy_eager", dir)
	r.write(t, len(r.log))
	h := newHub(Watch(dir))
	_, first := h.join()
	_, second := h.join()
	began := time.Now()
	wait := func(what string, is func() bool) {
		t.Helper()
		for deadline := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
			h.mu.Lock()
			done := is()
			h.mu.Unlock()
			if done {
				return
			}
			if time.Now().After(deadline) {
				t.Fatal(what)
			}
		}
	}
	wait("nobody looks", func() bool { return h.looks >= 3 }) // the first at once, for who came first
	if took := time.Since(began); took < 2*pause-pause/10 {
		t.Errorf("two more looks in %v", took)
	}
	h.mu.Lock()
	at := h.watcher.logs["."].follower
	h.mu.Unlock()
	h.leave(first)
	h.leave(second)
	wait("it goes on without a reader", func() bool { return !h.running })
	if _, changes := h.join(); h.watcher.logs["."].follower != at {
		t.Error("the log was read anew")
	} else {
		h.leave(changes)
	}
}

// What takes long to work out is worked out less often.
func TestShareOfTheProcessor(t *testing.T) {
	h := newHub(Watch(t.TempDir()))
	h.look()
	if h.rest != pause {
		t.Errorf("after a short look it rests %v", h.rest)
	}
	if got := restAfter(800 * time.Millisecond); got != 8*time.Second {
		t.Errorf("after 0.8 s it rests %v", got)
	}
}
