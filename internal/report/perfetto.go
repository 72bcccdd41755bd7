package report

import (
	"encoding/json"
	"io"
	"math"

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
			whole := spanEvent(s, i+1)
			events = append(events, whole)
			events = append(events, insideEvents(s, whole)...)
		}
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(map[string]any{"displayTimeUnit": "ms", "traceEvents": events})
}

func spanEvent(s answers.Span, process int) traceEvent {
	e := traceEvent{
		Name: s.Function + " " + s.Compilation, Category: "compile", Phase: "X", Process: process, Thread: rowForward,
		Start: micros(s.Start), Duration: micros(s.Seconds), Args: map[string]any{"file": s.File, "line": s.Line},
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

// insideEvents are what a compilation spent its time in, each within the one before, as torch calls them. Torch tells how long each
// took and not when: what is called is drawn at the end of what calls it.
func insideEvents(s answers.Span, whole traceEvent) []traceEvent {
	var out []traceEvent
	within := whole
	add := func(name string, seconds float64) {
		took := min(micros(seconds), within.Duration)
		if took == 0 {
			return
		}
		within.Name, within.Category = name, "phase"
		within.Start, within.Duration = within.Start+within.Duration-took, took
		within.Args = map[string]any{"when": "torch tells how long this took, not when: it is drawn at the end"}
		out = append(out, within)
	}
	switch {
	case s.Phases != nil:
		add("AOTAutograd", s.Phases.Sum())
		add("Inductor", s.Phases.Inductor+s.Phases.Kernels)
		add("kernels", s.Phases.Kernels)
	case !s.Backward:
		add("backend", s.Backend)
	}
	return out
}

// micros are whole microseconds, so that what lies within something else does so to the last digit.
func micros(seconds float64) float64 { return math.Round(seconds * 1e6) }
