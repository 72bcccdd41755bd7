package browser

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"
)

// names are what Chromium is called, the usual name first.
var names = []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"}

// Find returns the path of a Chromium on this machine. $CHROMIUM names one that is not on PATH.
func Find() (string, error) {
	if path := os.Getenv("CHROMIUM"); path != "" {
		return exec.LookPath(path)
	}
	for _, n := range names {
		if path, err := exec.LookPath(n); err == nil {
			return path, nil
		}
	}
	return "", errors.New("there is no Chromium")
}

// limit is how long a command may take: far from what a busy machine needs.
const limit = 2 * time.Minute

// Browser is a running Chromium, or what OfTests makes of one: a part of it with storage of its own.
type Browser struct {
	*process
	context string // the DevTools protocol's browserContextId; empty is the profile itself
}

// process is a running Chromium.
type process struct {
	cmd     *exec.Cmd
	home    string
	out     *os.File
	mu      sync.Mutex
	next    int
	waiting map[int]chan message
	pages   map[string]*Page
	dead    chan struct{}
}

type message struct {
	ID      int             `json:"id,omitempty"`
	Session string          `json:"sessionId,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  any             `json:"params,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   *struct {
		Message string `json:"message"`
	} `json:"error,omitempty"`
}

// Start starts a Chromium with a profile of its own.
func Start(path string) (*Browser, error) {
	home, err := os.MkdirTemp("", "chromium")
	if err != nil {
		return nil, err
	}
	theirIn, out, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	in, theirOut, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	b := &process{home: home, out: out, waiting: map[int]chan message{}, pages: map[string]*Page{}, dead: make(chan struct{})}
	b.cmd = exec.Command(path, append(options, "--user-data-dir="+home)...)
	b.cmd.ExtraFiles = []*os.File{theirIn, theirOut} // descriptors 3 and 4
	if err := b.cmd.Start(); err != nil {
		return nil, err
	}
	theirIn.Close()
	theirOut.Close()
	go b.read(in)
	return &Browser{process: b}, nil
}

// options leave out what no page here needs, and what takes a processor for seconds at each start: the extensions that
// Chromium brings along, updates, and drawing in three dimensions.
var options = []string{
	"--headless=new", "--remote-debugging-pipe", "--no-sandbox", "--disable-dev-shm-usage", "--no-first-run",
	"--disable-gpu", "--disable-software-rasterizer",
	"--disable-extensions", "--disable-component-extensions-with-background-pages",
	"--disable-background-networking", "--disable-component-update", "--disable-default-apps", "--disable-sync",
}

// Close ends Chromium.
func (b *process) Close() {
	_ = b.call("", "Browser.close", nil, nil) // a dead one has nothing to say
	b.out.Close()
	timer := time.AfterFunc(limit, func() { _ = b.cmd.Process.Kill() })
	_ = b.cmd.Wait()
	timer.Stop()
	<-b.dead
	_ = os.RemoveAll(b.home)
}

func (b *process) read(in *os.File) {
	defer close(b.dead)
	defer in.Close()
	r := bufio.NewReader(in)
	for {
		text, err := r.ReadBytes(0)
		if err != nil {
			return
		}
		var m struct {
			message
			Params json.RawMessage `json:"params"`
		}
		if json.Unmarshal(text[:len(text)-1], &m) != nil {
			continue
		}
		b.mu.Lock()
		if answer := b.waiting[m.ID]; m.ID != 0 && answer != nil {
			delete(b.waiting, m.ID)
			answer <- m.message
		} else if p := b.pages[m.Session]; p != nil {
			p.event(m.Method, m.Params)
		}
		b.mu.Unlock()
	}
}

// call sends a command and waits for its answer.
func (b *process) call(session, method string, params, result any) error {
	answer := make(chan message, 1)
	b.mu.Lock()
	b.next++
	id := b.next
	b.waiting[id] = answer
	if params == nil {
		params = struct{}{}
	}
	text, err := json.Marshal(message{ID: id, Session: session, Method: method, Params: params})
	if err == nil {
		_, err = b.out.Write(append(text, 0))
	}
	b.mu.Unlock()
	if err != nil {
		return err
	}
	select {
	case m := <-answer:
		if m.Error != nil {
			return fmt.Errorf("%s: %s", method, m.Error.Message)
		}
		if result == nil {
			return nil
		}
		return json.Unmarshal(m.Result, result)
	case <-b.dead:
		return fmt.Errorf("%s: Chromium has ended", method)
	case <-time.After(limit):
		return fmt.Errorf("%s: no answer in %v", method, limit)
	}
}

// Page is one tab.
type Page struct {
	browser  *process
	target   string
	session  string
	loaded   chan struct{}
	problems []string // guarded by the browser's mutex
	requests []string
}

// View is how a page is looked at.
type View struct {
	Width, Height int
	Dark, Print   bool
	NoScript      bool
}

type object = map[string]any

// Open opens a file and waits until it is loaded.
func (b *Browser) Open(file string, v View) (*Page, error) { return b.OpenURL("file://"+file, v) }

// OpenURL opens an address and waits until it is loaded.
func (b *Browser) OpenURL(url string, v View) (*Page, error) {
	var target struct {
		ID string `json:"targetId"`
	}
	params := object{"url": "about:blank"}
	if b.context != "" {
		params["browserContextId"] = b.context
	}
	if err := b.call("", "Target.createTarget", params, &target); err != nil {
		return nil, err
	}
	p := &Page{browser: b.process, target: target.ID, loaded: make(chan struct{}, 8)}
	var attached struct {
		Session string `json:"sessionId"`
	}
	if err := b.call("", "Target.attachToTarget", object{"targetId": target.ID, "flatten": true}, &attached); err != nil {
		return nil, err
	}
	p.session = attached.Session
	b.mu.Lock()
	b.pages[p.session] = p
	b.mu.Unlock()
	scheme, media := "light", ""
	if v.Dark {
		scheme = "dark"
	}
	if v.Print {
		media = "print"
	}
	for _, c := range []struct {
		method string
		params any
	}{
		{"Page.enable", nil},
		{"Runtime.enable", nil},
		{"Log.enable", nil},
		{"Network.enable", nil},
		{"Performance.enable", object{"timeDomain": "threadTicks"}},
		{"Emulation.setDeviceMetricsOverride", object{"width": v.Width, "height": v.Height, "deviceScaleFactor": 1, "mobile": v.Width < 600}},
		{"Emulation.setEmulatedMedia", object{"media": media, "features": []object{{"name": "prefers-color-scheme", "value": scheme}}}},
		{"Emulation.setScriptExecutionDisabled", object{"value": v.NoScript}},
		{"Page.navigate", object{"url": url}},
	} {
		if err := b.call(p.session, c.method, c.params, nil); err != nil {
			return nil, err
		}
	}
	select {
	case <-p.loaded:
		return p, nil
	case <-b.dead:
		return nil, errors.New("Chromium has ended")
	case <-time.After(limit):
		return nil, fmt.Errorf("%s is not loaded in %v", url, limit)
	}
}

// Close closes the tab: one that is left open goes on drawing.
func (p *Page) Close() error {
	return p.browser.call("", "Target.closeTarget", object{"targetId": p.target}, nil)
}

// event takes note of what a page does; the browser's mutex is held.
func (p *Page) event(method string, params json.RawMessage) {
	var x struct {
		Type  string `json:"type"`
		Entry struct {
			Level, Text string
		} `json:"entry"`
		Request struct{ URL string } `json:"request"`
		Details struct {
			Text      string
			Exception struct{ Description string }
		} `json:"exceptionDetails"`
	}
	_ = json.Unmarshal(params, &x) // what has none of these is of no interest
	switch method {
	case "Page.loadEventFired":
		select {
		case p.loaded <- struct{}{}:
		default:
		}
	case "Runtime.exceptionThrown":
		p.problems = append(p.problems, x.Details.Text+" "+x.Details.Exception.Description)
	case "Runtime.consoleAPICalled":
		if x.Type == "error" || x.Type == "warning" || x.Type == "assert" {
			p.problems = append(p.problems, "console."+x.Type+" "+string(params))
		}
	case "Log.entryAdded":
		if x.Entry.Level == "error" || x.Entry.Level == "warning" {
			p.problems = append(p.problems, x.Entry.Text)
		}
	case "Network.requestWillBeSent":
		p.requests = append(p.requests, x.Request.URL)
	}
}

// Problems are errors and warnings so far, and whatever was asked for beside the page itself and what begins with one of
// the given addresses.
func (p *Page) Problems(own ...string) []string {
	p.browser.mu.Lock()
	defer p.browser.mu.Unlock()
	out := append([]string{}, p.problems...)
	for i, url := range p.requests {
		allowed := slices.ContainsFunc(append(own, "data:", "blob:"), func(s string) bool { return strings.HasPrefix(url, s) })
		if i > 0 && !allowed {
			out = append(out, "a request: "+url)
		}
	}
	return out
}

// Do runs JavaScript, waits for a promise, and reads its value into result.
func (p *Page) Do(script string, result any) error {
	var answer struct {
		Result struct {
			Value json.RawMessage `json:"value"`
		} `json:"result"`
		Details *struct {
			Text      string
			Exception struct{ Description string }
		} `json:"exceptionDetails"`
	}
	err := p.browser.call(p.session, "Runtime.evaluate", object{"expression": script, "awaitPromise": true, "returnByValue": true}, &answer)
	if err != nil {
		return err
	}
	if answer.Details != nil {
		return fmt.Errorf("%s %s", answer.Details.Text, answer.Details.Exception.Description)
	}
	if result == nil || answer.Result.Value == nil {
		return nil
	}
	return json.Unmarshal(answer.Result.Value, result)
}

// Busy is for how many seconds the page has kept a processor busy so far: the time on the clock would be that of whatever else the machine does.
func (p *Page) Busy() (float64, error) {
	var answer struct {
		Metrics []struct {
			Name  string
			Value float64
		} `json:"metrics"`
	}
	if err := p.browser.call(p.session, "Performance.getMetrics", nil, &answer); err != nil {
		return 0, err
	}
	for _, m := range answer.Metrics {
		if m.Name == "TaskDuration" {
			return m.Value, nil
		}
	}
	return 0, errors.New("Chromium does not tell how long the page has taken")
}

// Key presses and releases a key: "Tab", "Enter", "Escape", or a letter.
func (p *Page) Key(key string) error {
	codes := map[string]int{"Tab": 9, "Enter": 13, "Escape": 27, "/": 191}
	event := object{"key": key, "code": key, "windowsVirtualKeyCode": codes[key]}
	switch {
	case len(key) == 1:
		event["text"] = key
	case key == "Enter":
		event["text"] = "\r"
	}
	for _, kind := range []string{"keyDown", "keyUp"} {
		event["type"] = kind
		if err := p.browser.call(p.session, "Input.dispatchKeyEvent", event, nil); err != nil {
			return err
		}
	}
	return nil
}

// Type types into what has the focus.
func (p *Page) Type(text string) error {
	return p.browser.call(p.session, "Input.insertText", object{"text": text}, nil)
}

// Picture is what the page looks like in its window, as PNG.
func (p *Page) Picture() ([]byte, error) {
	var shot struct {
		Data []byte `json:"data"`
	}
	err := p.browser.call(p.session, "Page.captureScreenshot", object{"captureBeyondViewport": false}, &shot)
	return shot.Data, err
}
