package main

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// The command prints the address, answers there until it is interrupted, and says what is wrong with its arguments.
func TestServe(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	in, out := io.Pipe()
	var errs bytes.Buffer
	done := make(chan int, 1)
	dir := filepath.Join(t.TempDir(), "not there yet")
	go func() { done <- serve(ctx, []string{dir}, out, &errs) }()
	line := make([]byte, 200)
	n, err := in.Read(line)
	if err != nil {
		t.Fatal(err)
	}
	url := strings.TrimSpace(string(line[:n]))
	answer, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	page, _ := io.ReadAll(answer.Body)
	answer.Body.Close()
	if answer.StatusCode != 200 || !strings.HasPrefix(url, "http://127.0.0.1:") || !strings.Contains(string(page), "not there yet") {
		t.Errorf("%s: %d\n%s", url, answer.StatusCode, page)
	}
	stop()
	if status := <-done; status != 0 || !strings.Contains(errs.String(), "follows "+dir) {
		t.Errorf("status %d, %s", status, errs.String())
	}

	trace := fill(t, map[string]string{"dedicated_log_torch_trace_x.log": "V1123 05:00:00.000000 1 torch/x.py:1] {\"str\": [\"a.py\", 0]}\n"})
	if status, _, errs := call("", "serve", trace); status != 2 || !strings.Contains(errs, "holds torch's own log") {
		t.Errorf("torch's own log: status %d, %q", status, errs)
	}
	for _, args := range [][]string{{"serve"}, {"serve", "a", "b"}, {"serve", "--port", "x", "a"}, {"serve", "--port", "70000", "a"}, {"serve", "serve_test.go"}} {
		if status, _, errs := call("", args...); status != 2 || errs == "" {
			t.Errorf("%q: status %d, %q", args, status, errs)
		}
	}
	taken, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	_, port, _ := net.SplitHostPort(taken.Addr().String())
	if status, _, errs := call("", "serve", "--port", port, t.TempDir()); status != 1 || !strings.Contains(errs, "address already in use") {
		t.Errorf("a port that is taken: status %d, %q", status, errs)
	}
}

// The browser gets a file that leads to the page: the secret is in no process's arguments, and no other user can read it.
func TestOpenBrowser(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the desktop of this system cannot be replaced")
	}
	dir := fill(t, map[string]string{"xdg-open": "#!/bin/sh\necho \"$@\" >\"$(dirname \"$0\")/asked.tmp\" && mv \"$(dirname \"$0\")/asked.tmp\" \"$(dirname \"$0\")/asked\"\n"})
	if err := os.Chmod(filepath.Join(dir, "xdg-open"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	file, err := openBrowser("http://127.0.0.1:1/secret/")
	if err != nil {
		t.Fatal(err)
	}
	defer os.Remove(file)
	st, err := os.Stat(file)
	if err != nil || st.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", st, err)
	}
	if text, _ := os.ReadFile(file); !strings.Contains(string(text), `content="0;url=http://127.0.0.1:1/secret/"`) {
		t.Errorf("the file:\n%s", text)
	}
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
		if asked, err := os.ReadFile(filepath.Join(dir, "asked")); err == nil {
			if strings.TrimSpace(string(asked)) != file {
				t.Errorf("asked for %q", asked)
			}
			return
		}
		if time.Now().After(deadline) {
			t.Fatal("the browser was not asked for")
		}
	}
}
