package explain

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/thuml/depyf/internal/torchlog"
)

// idsOf are the first and the last compile id of a function, known by its name and file; "" if there is none.
func (t *logText) idsOf(f place) (first, last string) {
	low, high := 0, -1
	for id, g := range t.ids {
		if !f.is(g) || strings.HasPrefix(id, "!") {
			continue
		}
		_, b, _ := strings.Cut(id, "/")
		n, err := strconv.Atoi(b)
		if err == nil && n > high {
			last, high = id, n
		}
		if err == nil && (n < low || first == "") {
			first, low = id, n
		}
	}
	return first, last
}

// functionOf is the function of another compile id of the same number.
func (t *logText) functionOf(id string) place {
	frame, _, _ := strings.Cut(id, "/")
	for other, f := range t.ids {
		if n, _, _ := strings.Cut(other, "/"); n == frame {
			return f
		}
	}
	return unknown
}

// newID is a compile id for a function of which the log tells none.
func (t *logText) newID(f place) string {
	frame, last := t.frames, -1
	if _, id := t.idsOf(f); id != "" && f != unknown { // of which one is as good as another
		a, b, _ := strings.Cut(id, "/")
		frame, _ = strconv.Atoi(a)
		last, _ = strconv.Atoi(b)
	}
	id := fmt.Sprintf("%d/%d", frame, last+1)
	t.ids[id] = f
	t.given = append(t.given, id)
	t.frames = max(t.frames, frame+1)
	return id
}

// number gives those recompilations of a function compile ids that have none, and returns the last; "" for none.
func (t *logText) number(f place) (last string) {
	var rest []torchlog.Message
	for _, m := range t.later {
		g := logRecompiles.FindStringSubmatch(firstLine(m.Text))
		if g == nil || function(g[1:]) != f {
			rest = append(rest, m)
			continue
		}
		_, reasons, _ := strings.Cut(strings.Trim(m.Text, "\n"), "\n")
		t.failedEntries(reasons, f)
		t.announceFirst(f)
		m.ID = t.newID(f)
		t.announce(m.ID, f)
		t.reasons(m, reasons)
		last = m.ID
	}
	t.later = rest
	return last
}

// failedEntries takes in that the versions whose guards failed are the same function's.
func (t *logText) failedEntries(reasons string, f place) {
	for line := range strings.Lines(reasons) {
		if e := logEntryOf.FindStringSubmatch(strings.TrimPrefix(strings.TrimSpace(line), "- ")); e != nil {
			t.known(torchlog.Message{Header: torchlog.Header{ID: e[1] + "/" + e[2]}}, f)
		}
	}
}

// announceFirst tells of the version that a function is compiled after, if the log has no word of any.
func (t *logText) announceFirst(f place) {
	if first, _ := t.idsOf(f); first == "" {
		t.announce(t.newID(f), f)
	}
}

// announce tells that there was a compilation, though the log has no word of its beginning.
func (t *logText) announce(id string, f place) {
	delete(t.ids, id)
	t.known(torchlog.Message{Header: torchlog.Header{ID: id}}, f)
}

// announceUnlessKnown tells of a compilation that the log has no word of, but for what is being read.
func (t *logText) announceUnlessKnown(id string, f place) {
	if _, ok := t.ids[id]; !ok || t.isGiven(id) {
		t.announce(id, f)
	}
}

// isGiven reports whether a compile id is not torch's; "" is none of torch's either.
func (t *logText) isGiven(id string) bool { return id == "" || slices.Contains(t.given, id) }
