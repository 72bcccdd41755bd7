package explain

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/thuml/depyf/internal/torchlog"
)

// What failed and which limits were met, as torch logs it for people.

// UnnamedError is why a function was left alone where the log ends before it says so.
const UnnamedError = "the log ends before torch names the error"

// limit takes in that a function has as many versions as it may have.
func (t *logText) limit(m torchlog.Message, name, value, text string) {
	n, _ := strconv.Atoi(value)
	f, ok := t.ids[m.ID]
	if !ok {
		f = unknown
	}
	if g := logFunction.FindStringSubmatch(text); g != nil {
		f = function(g[1:])
	}
	told := t.told["recompiles"] // that a recompilation is why, which stands in front of it
	if m.ID == "" {
		m.ID = t.number(f)
	}
	// A function that has met the limit has versions, if the log has no word of them.
	if g := logLastEntry.FindStringSubmatch(text); g != nil {
		t.known(torchlog.Message{Header: torchlog.Header{ID: g[1]}}, f)
		// Versions are counted from 0: the one that the limit refuses has its number.
		frame, _, _ := strings.Cut(g[1], "/")
		if next := fmt.Sprintf("%s/%d", frame, n); n > 0 && !strings.HasPrefix(name, "accumulated") && t.isGiven(m.ID) && m.ID != next {
			told = false // the last recompilation that is told of was another
			m.ID = next
			t.given = append(t.given, next)
		}
	}
	if m.ID == "" {
		t.announceFirst(f)
		m.ID = t.newID(f)
	}
	if frame, number, _ := strings.Cut(m.ID, "/"); !strings.HasPrefix(frame, "!") {
		if k, err := strconv.Atoi(number); err == nil && k > 0 {
			t.known(torchlog.Message{Header: torchlog.Header{ID: fmt.Sprintf("%s/%d", frame, k-1)}}, f)
		}
	}
	t.known(m, f)
	if g := logReason.FindStringSubmatch(text); g != nil && !told && !logNoReason.MatchString(g[1]) {
		b, _ := json.Marshal(reprList(strings.TrimSpace(g[1])))
		t.entry(m, artifact("recompile_reasons"), string(b))
	}
	t.refusal = func(error, text string) {
		t.outcome(m.ID, f, fields{"limit": name, "limit_value": int64(n), "error_type": error, "error": text, "raised": error != ""})
	}
	t.refusal("", "")
}

// raised takes in an error of Dynamo's that ended the call, as Python writes it.
func (t *logText) raised(text string) {
	g := logRaised.FindStringSubmatch(text)
	kind, why := g[1], g[2]
	if strings.HasSuffix(kind, "LimitHit") || strings.HasSuffix(kind, "LimitExceeded") || strings.HasPrefix(why, "cache_size_limit reached") {
		// With fullgraph=True the call that meets a limit raises; torch logs the limit, Python the error.
		if t.refusal != nil {
			t.refusal(kind, firstLine(why))
			return
		}
	}
	f, id := unknown, t.lastID
	if _, user, ok := strings.Cut(why, "from user code:"); ok {
		if stack := stackIn(user); len(stack) > 0 {
			f = place{name: stack[0].Name, file: stack[0].File}
		}
	} else if g := logRecompiles.FindStringSubmatch(firstLine(why)); g != nil { // torch._dynamo.config.error_on_recompile
		f = function(g[1:])
	}
	known, has := t.ids[id]
	switch {
	case id == "" || t.ended[id] != "" || has && f != unknown && !known.is(f):
		id = t.newID(f)
	case has:
		f = known
	}
	t.announceUnlessKnown(id, f)
	t.outcome(id, f, fields{"error_type": kind, "error": strings.TrimSpace(why), "raised": true})
}

// skipped takes in that a function was left alone, as a graph break in it allows nothing else.
func (t *logText) skipped(m torchlog.Message, why string) {
	if m.ID == "" {
		return
	}
	t.nameless = append(t.nameless, m.ID)
	t.skips = append(t.skips, skip{m, why})
}

// skip is a function that was left alone, of which the name may come later.
type skip struct {
	torchlog.Message
	why string
}

// endSkips tells of the functions that were left alone.
func (t *logText) endSkips() {
	for _, s := range t.skips {
		if t.ended[s.ID] != "" {
			continue
		}
		t.outcome(s.ID, t.ids[s.ID], fields{"then": "skip"}) // known by now, be it as one that the log does not name
		if s.why != "" {
			t.entry(s.Message, `"compilation_metrics": {"fail_reason": `+quoted(s.why)+`}`, "")
		}
	}
}

// notConverted takes in that a function was left alone because of an error.
func (t *logText) notConverted(m torchlog.Message, f place, rest string) {
	if logGenerator.MatchString(rest) {
		return // torch takes every generator for a function at first: of context managers, of generator expressions
	}
	// Without a compile id it is of what is being compiled, or of the function's last one, if that has not come to an end.
	id := m.ID
	if id == "" {
		if last, ok := t.ids[t.lastID]; ok && last.is(f) && t.ended[t.lastID] == "" {
			id = t.lastID
		} else {
			_, id = t.idsOf(f)
		}
	}
	switch {
	case t.ended[id] == "outcome": // such as the limit, which is told of first
		return
	case id == "" || t.ended[id] != "":
		if t.numbered {
			// Torch has refused it before it gave it a number: those that come are torch's.
			t.refused = append(t.refused, func() { t.fails(t.newID(f), f, rest) })
			return
		}
		id = t.newID(f)
	}
	t.fails(id, f, rest)
}

// fails tells that a compilation has failed, and of what error.
func (t *logText) fails(id string, f place, rest string) {
	kind, text := "", ""
	for line := range strings.Lines(rest) {
		if g := logError.FindStringSubmatch(strings.TrimRight(line, "\n")); g != nil {
			kind, text = g[1][strings.LastIndexByte(g[1], '.')+1:], g[2]
		}
	}
	if kind == "" {
		t.outcome(id, f, fields{"then": "skip"})
		t.entry(torchlog.Message{Header: torchlog.Header{ID: id}}, `"compilation_metrics": {"fail_reason": "`+UnnamedError+`"}`, "")
		return
	}
	t.outcome(id, f, fields{"error_type": kind, "error": text, "then": "skip"})
}

func (t *logText) outcome(id string, f place, what fields) {
	what["compile_id"], what["func"], what["file"], what["line"] = id, f.name, f.file, int64(f.line)
	if what["raised"] == nil {
		what["raised"] = false
	}
	t.ended[id] = "outcome"
	t.events(Record{Type: "outcome", Fields: what})
}
