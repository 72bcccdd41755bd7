package explain

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/thuml/depyf/internal/lazyregexp"
	"github.com/thuml/depyf/internal/torchlog"
)

// logText makes events of the messages that TORCH_LOGS writes for people: those that torch's structured
// log would have had, and outcomes, which the structured log has not.
type logText struct {
	events func(Record)
	ids    map[string]place   // compile ids that are known to exist, and their functions
	stacks map[string][]Frame // of the compilations that have begun
	met    map[string]bool    // compile ids that a message has had
	begun  map[string]bool    // compile ids of which "start compiling" has been read
	code   map[string]string  // Inductor's output by compile id, until its file is told
	told   map[string]bool    // kinds of messages that were there
	later  []torchlog.Message // messages without a compile id
	broken map[string]string  // the first graph break at each line, and for each reason
	advice []advised

	last     torchlog.Message // that was read
	lastID   string           // the compile id that was read last
	running  string           // the compile id of the compilation that has begun last
	numbered bool             // the log has compile ids
	total    float64          // seconds that compiling took in all; 0 if the log does not tell
	backend  float64          // of it
	skips    []skip
	refused  []func() // tell of functions that have none
	headCut  []string // compile ids of guards of which the first are not in the log
	given    []string // compile ids that are not torch's: the log has none there

	refusal   func(error, text string) // tells again that the last limit was met, and of what the call raised
	lastGraph string                   // the compile id of the last graph
	stages    map[string]bool          // which graphs of AOTAutograd it has

	breaks map[string]bool  // compile ids and lines of graph breaks that have been told
	frames int              // numbers of functions that are taken
	guards []string         // of a list that older versions write, a message for each
	ofList torchlog.Message // the message that began it

	ended    map[string]string // by compile id: by what, "guards" or "outcome"
	nameless []string          // compile ids that the log may not tell the function of
}

// place is a function as torch names it in its log.
type place struct {
	name, file string
	line       int
}

// tellsMore reports whether a place is that of a function of which less was known.
func (f place) tellsMore(than place) bool {
	switch {
	case than == unknown:
		return f != unknown
	case than.line > 0:
		return false
	}
	return f.line > 0 && f.name == than.name && f.file == than.file
}

// is reports whether two places are of one function, as far as they are known.
func (f place) is(g place) bool {
	return f.name == g.name && f.file == g.file && (f.line == g.line || f.line == 0 || g.line == 0)
}

// unknown is a function that the log does not name.
var unknown = place{name: Unnamed}

// Unnamed is the name of a function that a log does not name.
const Unnamed = "<unknown>"

func newLogText(events func(Record)) *logText {
	return &logText{events: events, ids: map[string]place{}, stacks: map[string][]Frame{}, met: map[string]bool{}, begun: map[string]bool{}, code: map[string]string{}, told: map[string]bool{}, broken: map[string]string{}, breaks: map[string]bool{}, ended: map[string]string{}, stages: map[string]bool{}}
}

var (
	logStarts     = lazyregexp.New(`^torchdynamo start compiling (<resume in [^>]*>|\S+) (.*):(\d+)(?:, stack.*)?$`)
	logTraces     = lazyregexp.New(`^Step 1: torchdynamo start tracing (<resume in [^>]*>|\S+) (.*):(\d+)$`)
	logBytecode   = lazyregexp.New(`^(ORIGINAL|MODIFIED) BYTECODE (<resume in [^>]*>|\S+) (.*) line (\d+)\s*$`)
	logRecompiles = lazyregexp.New(`^Recompiling function (<resume in [^>]*>|\S+)(?: in (.*?)(?::(\d+))?)?$`)
	logEntryOf    = lazyregexp.New(`^(\d+)/(\d+): `)
	logGraph      = lazyregexp.New(`^ *=+ (.*?) =+\s*$`)
	logLimit      = lazyregexp.New(`^torch\._dynamo hit config\.(\w+) \((\d+)\)`)
	logFunction   = lazyregexp.New(`(?m)^\s*function: '([^']*)'(?: \((.*):(\d+)\))?`)
	logNoReason   = lazyregexp.New(`^\d+/\d+:\s*$`)
	logReason     = lazyregexp.New(`(?m)^\s*(?:last reason|reasons): (.*\S)`)
	logLastEntry  = lazyregexp.New(`(?m)^\s*(?:last reason|reasons): (\d+/\d+): `)
	logConvert    = lazyregexp.New(`^WON'T CONVERT (<resume in [^>]*>|\S+) (.*) line (\d+)\s*$`)
	logRaised     = lazyregexp.New(`(?s)^torch\._dynamo\.exc\.(\w+): (.*)$`)
	logError      = lazyregexp.New(`^([A-Za-z_][\w.]*(?:Error|Exception|Failed|Unsupported|Interrupt|Warning)\w*|[a-z_]+(?:\.\w+)+): ?(.*)$`)
	logSymbol     = lazyregexp.New(`^create_symbol (\S+) = (\S+) for (.+?) (\[[^\]]*\]) ?(.*?)(?: \([^()]*\.py:\d+ in [^)]*\))?(?:,? for more info .*)?$`)
	logConverts   = lazyregexp.New(`torch[/\\.]_dynamo[/\\.]convert_frame\b`)
	logFrame      = lazyregexp.New(`(?m)^\s+File ".*", line \d+, in `)
	logSetting    = lazyregexp.New(`(?m)^\s*torch\._dynamo\.config\.capture_scalar_outputs = True$`)
	logTime       = lazyregexp.New(`(?m)^ *(_compile(?:\.<locals>)?\.compile_inner|_compile|OutputGraph\.call_user_compiler),? +([\d., ]+)$`)
	logGenerator  = lazyregexp.New(`\bUnsupported: (?:Attempt to trace )?generator\b`)
	logCompiled   = lazyregexp.New(`^Step \d: (?:torchdynamo (?:start|done) tracing|calling compiler|done compiler|torchinductor)|^COMPILING GRAPH due to`)
	logSkips      = lazyregexp.New(`^Skipping frame because (there is .*)$`)
	logLatency    = lazyregexp.New(`^Guard eval latency = ([\d.]+) us`)
)

// take makes the events of a message.
func (t *logText) take(m torchlog.Message) {
	m.Text = today(strings.Trim(m.Text, "\n"))
	t.numbered = t.numbered || m.ID != ""
	first := t.last.Text == ""
	if m.ID != "" {
		t.lastID = m.ID
	}
	text := m.Text
	head, rest, _ := strings.Cut(text, "\n")
	head = strings.TrimSpace(head)
	t.last = m
	defer t.follows(m)
	if t.guard(m, head, rest) || t.advises(m, head, rest) {
		return
	}
	switch {
	case head == "TREE_GUARD_MANAGER:":
		t.told["guards"] = true
		t.identify(&m)
		t.ended[m.ID] = "guards"
		t.entry(m, `"dynamo_cpp_guards_str": {}`, text)
	case strings.HasPrefix(head, "Graph break"):
		t.told["breaks"] = true
		if m.ID == "" {
			t.later = append(t.later, m)
			return
		}
		t.graphBreak(m, text)
		if strings.HasPrefix(head, "Graph break: skip:") { // until torch 2.5
			t.skipped(m, "")
		}
	case m.Artifact == "graph" && isTable(text):
		t.table(m, text)
	case head == "TRACED GRAPH" && m.Artifact != "graph": // where tabulate is missing, torch writes that of "graph_code" again
		t.graph(m, rest)
	case head == "Output code:":
		t.told["kernels"] = true
		t.code[m.ID] = rest + "\n"
	case strings.HasPrefix(head, "Output code written to: "):
		if code, ok := t.code[m.ID]; ok {
			delete(t.code, m.ID)
			t.entry(m, `"inductor_output_code": {"filename": `+quoted(strings.TrimPrefix(head, "Output code written to: "))+`}`, code)
		}
	case strings.HasPrefix(head, "Recompiling function "):
		t.told["recompiles"] = true
		if m.ID == "" {
			t.later = append(t.later, m)
			return
		}
		t.recompiles(m, head, rest)
	case strings.HasPrefix(head, "torch._dynamo.exc.") && logRaised.MatchString(head):
		t.raised(text)
	case head == "TorchDynamo compilation metrics:", strings.HasPrefix(head, "Function") && strings.HasSuffix(head, "Runtimes (s)"):
		t.times(rest)
	case strings.HasSuffix(head, " shape guard function:"):
		t.told["guards"] = true
	case m.ID != "" && isLast(head):
		t.closes(m.ID)
	case strings.HasPrefix(head, "Skipping frame") && logSkips.MatchString(head):
		t.skipped(m, logSkips.FindStringSubmatch(head)[1])
	case t.headless(m, text):
	case first && m.Level == 'W' && logConverts.MatchString(m.At) && logFrame.MatchString(text) && !logConvert.MatchString(head):
		// The message that a function is left alone begins in front of the log.
		t.fails(t.newID(unknown), unknown, text)
	default:
		t.rest(m, text, head, rest)
	}
}

// headless takes in a message whose first line is not in the log: what torch calls the message
// tells what it is.
func (t *logText) headless(m torchlog.Message, text string) bool {
	switch {
	case m.ID == "":
		return false
	case strings.HasPrefix(m.Artifact, "recompiles"):
		t.told["recompiles"] = true
		t.reasons(m, text)
	case m.Artifact == "guards" && (strings.HasPrefix(text, "|") || strings.HasPrefix(text, "+-")):
		t.told["guards"] = true
		t.ended[m.ID] = "guards"
		t.headCut = append(t.headCut, m.ID)
		t.entry(m, `"dynamo_cpp_guards_str": {}`, "TREE_GUARD_MANAGER:\n+- RootGuardManager\n"+text)
	case m.Artifact == "output_code" && strings.Contains(text, "\n"):
		t.told["kernels"] = true
		t.code[m.ID] = text + "\n"
	default:
		return false
	}
	t.nameless = append(t.nameless, m.ID)
	return true
}

func (t *logText) rest(m torchlog.Message, text, head, rest string) {
	if !t.told["compiled"] {
		t.told["compiled"] = logCompiled.MatchString(head)
	}
	if f := logStarts.FindStringSubmatch(head); f != nil && m.ID != "" {
		t.told["starts"] = true
		t.start(m, function(f[1:]), stackIn(rest))
		t.begun[m.ID] = true
		return
	}
	if f := logTraces.FindStringSubmatch(head); f != nil && m.ID != "" {
		if m.Attempt > 0 {
			t.entry(m, `"dynamo_start": {"stack": `+frameJSON(t.stacks[m.ID])+`}`, "") // it begins again
			return
		}
		if !t.begun[m.ID] {
			t.start(m, function(f[1:]), nil)
		}
		delete(t.begun, m.ID) // the next one is behind a reset
		return
	}
	if f := logBytecode.FindStringSubmatch(head); f != nil {
		t.known(m, function(f[2:]))
		t.listing(m, f, rest)
		return
	}
	if f := logLatency.FindStringSubmatch(head); f != nil {
		t.entry(m, `"compilation_metrics": {"guard_latency_us": `+f[1]+`}`, "")
		return
	}
	if f := logSymbol.FindStringSubmatch(head); f != nil {
		at := ""
		if g := guardOrigin.FindStringSubmatch("# " + f[5]); g != nil && !frameworkFile(g[2]) {
			n, _ := strconv.Atoi(g[3])
			at = `, "user_stack": ` + frameJSON([]Frame{{File: t.wholePath(g[2]), Line: n, Name: g[4], Code: g[1]}})
		}
		t.entry(m, fmt.Sprintf(`"create_symbol": {"symbol": %s, "val": %s, "vr": %s, "source": %s%s}`, quoted(f[1]), quoted(f[2]), quoted(f[4]), quoted(f[3]), at), "")
		return
	}
	if f := logLimit.FindStringSubmatch(head); f != nil {
		t.limit(m, f[1], f[2], text)
		return
	}
	if m.ID != "" && strings.HasPrefix(head, "function: ") && logFunction.MatchString(head) && logReason.MatchString(text) { // its head is cut off
		t.limit(m, "recompile_limit", "0", text)
		return
	}
	if f := logConvert.FindStringSubmatch(head); f != nil {
		t.notConverted(m, function(f[1:]), rest)
	}
}

// listing hands on the code before or after Dynamo. Without a compile id nobody knows whose it is.
func (t *logText) listing(m torchlog.Message, head []string, text string) {
	if m.ID == "" {
		return
	}
	f := function(head[2:])
	t.events(Record{Type: "listing", Fields: fields{"compile_id": m.ID, "made": head[1] == "MODIFIED", "func": f.name, "file": f.file, "line": f.line, "text": text}})
	if head[1] == "MODIFIED" {
		t.told["code"] = true
	}
}

// unfinished is the compile id of the listing with which the log ends, if that is of the code in front of Dynamo:
// what became of it would stand behind.
func (t *logText) unfinished() string {
	if strings.HasPrefix(t.last.Text, "ORIGINAL BYTECODE ") {
		return t.last.ID
	}
	return ""
}

// wholePath is the path of which torch tells the end: one that the log has in full, if there is one.
func (t *logText) wholePath(end string) string {
	for _, f := range t.ids {
		if strings.HasSuffix(slashes(f.file), slashes(end)) {
			return f.file
		}
	}
	return end
}

func function(f []string) place {
	n, err := strconv.Atoi(f[2])
	if err != nil {
		if strings.HasSuffix(f[1], ".py") { // before torch 2.1 a recompilation has no line
			return place{name: f[0], file: f[1]}
		}
		return place{name: f[0]} // the message is cut off in the path, or says "..."
	}
	return place{f[0], f[1], n}
}

// entry is an event of the structured log. Its attempt is that of the message.
func (t *logText) entry(m torchlog.Message, key, payload string) {
	ca, id := "", m.ID
	if rest, ok := strings.CutPrefix(id, "!"); ok {
		n, frame, _ := strings.Cut(rest, "/")
		ca, id = `, "compiled_autograd_id": `+n, frame
		if frame == "" {
			return
		}
	}
	frame, n, ok := strings.Cut(id, "/")
	if !ok {
		return
	}
	if k, err := strconv.Atoi(frame); err == nil {
		t.frames = max(t.frames, k+1)
	}
	attempt := ""
	if m.Attempt >= 0 {
		attempt = fmt.Sprintf(`, "attempt": %d`, m.Attempt)
	}
	f := fields{
		"envelope":   fmt.Sprintf(`{%s, "frame_id": %s, "frame_compile_id": %s%s%s}`, key, frame, n, attempt, ca),
		"compile_id": "",
	}
	if payload != "" {
		f["payload"] = payload
	}
	t.events(Record{Type: "trace", Fields: f})
}

func artifact(name string) string {
	return `"artifact": {"name": "` + name + `", "encoding": "string"}`
}

// start tells that a compilation begins.
func (t *logText) start(m torchlog.Message, f place, callers []Frame) {
	if t.running != "" { // Dynamo compiles one function at a time
		t.closes(t.running)
	}
	t.running = m.ID
	t.ids[m.ID] = f
	stack := append(callers, Frame{File: f.file, Line: f.line, Name: f.name})
	t.stacks[m.ID] = stack
	t.entry(m, `"dynamo_start": {"stack": `+frameJSON(stack)+`}`, "")
	t.follows(m)
}

// isLast reports whether what torch writes is the last of a compilation.
func isLast(head string) bool {
	return strings.HasPrefix(head, "put_code_state: ") || strings.HasPrefix(head, "run_gc_after_compile: ") || strings.HasPrefix(head, "Skipping frame because no content ")
}

// closes tells that a compilation came to an end.
func (t *logText) closes(id string) {
	t.events(Record{Type: "closed", Fields: fields{"compile_id": id}})
}

// follows takes in that a recompilation told of before was that of a compile id, if a message is the first with it: until torch 2.3
// a recompilation is told of before it has a number.
func (t *logText) follows(m torchlog.Message) {
	_, n, _ := strings.Cut(m.ID, "/")
	if m.ID == "" || t.met[m.ID] {
		return
	}
	t.met[m.ID] = true
	if n == "0" {
		return
	}
	known := t.functionOf(m.ID)
	for i, later := range slices.Backward(t.later) {
		g := logRecompiles.FindStringSubmatch(firstLine(later.Text))
		if g == nil {
			continue
		}
		if f := function(g[1:]); known == unknown || known.is(f) {
			t.later = slices.Delete(t.later, i, i+1)
			later.ID = m.ID
			_, rest, _ := strings.Cut(later.Text, "\n")
			t.known(later, f)
			t.reasons(later, rest)
			return
		}
	}
}

// known tells of which function a compile id is, if that was not told yet.
func (t *logText) known(m torchlog.Message, f place) {
	if g, ok := t.ids[m.ID]; ok && !f.tellsMore(g) || m.ID == "" {
		return
	}
	t.ids[m.ID] = f
	m.Attempt = -1 // its beginning may still come: two beginnings are a reset between them
	t.entry(m, `"dynamo_start": {"stack": `+frameJSON([]Frame{{File: f.file, Line: f.line, Name: f.name}})+`}`, "")
}

func frameJSON(stack []Frame) string {
	list := []map[string]any{}
	for _, f := range stack {
		list = append(list, map[string]any{"line": f.Line, "name": f.Name, "filename": f.File, "loc": f.Code})
	}
	b, _ := json.Marshal(list)
	return string(b)
}

func quoted(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}

func firstLine(s string) string {
	s, _, _ = strings.Cut(strings.TrimLeft(s, "\n "), "\n")
	return strings.TrimSpace(s)
}

// identify gives a message without a compile id one of a function that the log does not name, and
// takes in that the log may name none for the id that it has.
func (t *logText) identify(m *torchlog.Message) {
	if m.ID == "" {
		m.ID = t.newID(unknown)
		t.announce(m.ID, unknown)
		return
	}
	t.nameless = append(t.nameless, m.ID)
}

// end takes in the messages whose compile id is not known.
func (t *logText) end() {
	t.endGuards()
	for _, id := range t.nameless {
		t.known(torchlog.Message{Header: torchlog.Header{ID: id}}, t.functionOf(id))
	}
	for id, code := range t.code { // the log ends before the file is told
		t.entry(torchlog.Message{Header: torchlog.Header{ID: id}}, `"inductor_output_code": {}`, code)
	}
	t.adviceAlone()
	t.endSkips()
	for _, tell := range t.refused {
		tell()
	}
	// A recompilation tells which function it is of, a graph break only in which file.
	for _, m := range slices.Clone(t.later) {
		if g := logRecompiles.FindStringSubmatch(firstLine(m.Text)); g != nil {
			t.number(function(g[1:]))
		}
	}
	for _, m := range t.later {
		text := strings.Trim(m.Text, "\n")
		if !strings.HasPrefix(text, "Graph break") {
			continue
		}
		f, ok := brokenIn(text)
		if !ok {
			f = unknown
		}
		// Of which version it is nobody knows; the first one met it.
		if m.ID, _ = t.idsOf(f); m.ID == "" {
			m.ID = t.newID(f)
			t.announce(m.ID, f)
		}
		t.entry(m, artifact("dynamo_graph_break_reason"), t.whole(text))
	}
	t.later = nil
}
