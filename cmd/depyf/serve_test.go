package main

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
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
