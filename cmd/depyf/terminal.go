package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"
)

// isTerminal reports whether w is a terminal.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok || os.Getenv("TERM") == "dumb" {
		return false
	}
	st, err := f.Stat()
	if err != nil || st.Mode()&os.ModeCharDevice == 0 {
		return false
	}
	null, err := os.Stat(os.DevNull)
	return err != nil || !os.SameFile(st, null)
}

// wantColor decides about colours on w: NO_COLOR (no-color.org) and FORCE_COLOR
// count when they are not empty, NO_COLOR first; else a terminal has colours.
func wantColor(w io.Writer) bool {
	if os.Getenv("NO_COLOR") != "" {
		return false
	}
	if f := os.Getenv("FORCE_COLOR"); f != "" && f != "0" {
		return true
	}
	return isTerminal(w)
}

// progress is a bar on a terminal; elsewhere it writes nothing.
type progress struct {
	mu    sync.Mutex
	w     io.Writer // nil: not shown
	total int
	done  int
	start time.Time
	shown time.Time
}

func newProgress(w io.Writer, total int, show bool) *progress {
	if !show || total < 2 || !isTerminal(w) {
		w = nil
	}
	return &progress{w: w, total: total, start: time.Now()}
}

// step counts one more file.
func (p *progress) step(name string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done++
	if p.w == nil || time.Since(p.shown) < 100*time.Millisecond && p.done < p.total {
		return
	}
	p.shown = time.Now()
	const width = 24
	full := width * p.done / p.total
	if len(name) > 40 {
		name = "…" + name[len(name)-39:]
	}
	fmt.Fprintf(p.w, "\r\x1b[K[%s%s] %d/%d %s", strings.Repeat("#", full), strings.Repeat(" ", width-full), p.done, p.total, oneLine(name))
}

// clear removes the bar, so that a message can be written in its place.
func (p *progress) clear() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.w != nil {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}
