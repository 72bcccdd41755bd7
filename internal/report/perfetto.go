package report

import (
	"encoding/json"
	"io"

	"github.com/thuml/depyf/internal/answers"
)

// Track is the compilations of one process.
type Track struct {
	Name  string // of the process
	Spans []answers.Span
}

// traceEvent is an event of the Trace Event Format ("Complete" and "Metadata" events), which
// Perfetto and chrome://tracing open.
type traceEvent struct {
	Name     string         `json:"name"`
	Category string         `json:"cat,omitempty"`
	Phase    string         `json:"ph"`
	Start    float64        `json:"ts"` // microseconds
	Duration float64        `json:"dur,omitempty"`
	Process  int            `json:"pid"`
	Thread   int            `json:"tid"`
	Args     map[string]any `json:"args,omitempty"`
}

// The rows of a process: forward code and backward passes, which other threads compile.
const (
	rowForward  = 1
	rowBackward = 2
)

// Perfetto writes when what was compiled, as a trace for ui.perfetto.dev.
func Perfetto(w io.Writer, tracks []Track) error {
	events := []traceEvent{}
	for i, t := range tracks {
		meta := func(kind, name string, row int) {
			events = append(events, traceEvent{Name: kind, Phase: "M", Process: i + 1, Thread: row, Args: map[string]any{"name": name}})
		}
		meta("process_name", t.Name, 0)
		meta("thread_name", "compiling", rowForward)
		meta("thread_name", "compiling backward passes", rowBackward)
		for _, s := range t.Spans {
			events = append(events, spanEvent(s, i+1))
		}
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(map[string]any{"displayTimeUnit": "ms", "traceEvents": events})
}

func spanEvent(s answers.Span, process int) traceEvent {
	e := traceEvent{
		Name: s.Function + " " + s.Compilation, Category: "compile", Phase: "X", Process: process, Thread: rowForward,
		Start: s.Start * 1e6, Duration: s.Seconds * 1e6, Args: map[string]any{"file": s.File, "line": s.Line},
	}
	if s.Backward {
		e.Name, e.Category, e.Thread = "backward of "+e.Name, "backward", rowBackward
		return e
	}
	e.Args["dynamo_s"], e.Args["backend_s"], e.Args["operations"] = max(0, s.Seconds-s.Backend), s.Backend, s.Operations
	if len(s.Reasons) > 0 {
		e.Args["recompiled because"] = s.Reasons
	}
	if len(s.Breaks) > 0 {
		e.Args["graph breaks"] = s.Breaks
	}
	return e
}
