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
	begun  map[string]bool    // compile ids of which "start compiling" has been read
	code   map[string]string  // Inductor's output by compile id, until its file is told
	told   map[string]bool    // kinds of messages that were there
	later  []torchlog.Message // messages without a compile id
	broken map[string]string  // the first graph break at each line, and for each reason
	advice []advised

	last     torchlog.Message // that was read
	numbered bool             // the log has compile ids
	refused  []func()         // tell of functions that have none
	given    []string         // compile ids that are not torch's: the log has none there

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

// unknown is a function that the log does not name.
var unknown = place{name: "<unknown>"}

func newLogText(events func(Record)) *logText {
	return &logText{events: events, ids: map[string]place{}, begun: map[string]bool{}, code: map[string]string{}, told: map[string]bool{}, broken: map[string]string{}, breaks: map[string]bool{}, ended: map[string]string{}, stages: map[string]bool{}}
}

var (
	logStarts     = lazyregexp.New(`^torchdynamo start compiling (\S+) (.*):(\d+)(?:, stack.*)?$`)
	logTraces     = lazyregexp.New(`^Step 1: torchdynamo start tracing (\S+) (.*):(\d+)$`)
	logBytecode   = lazyregexp.New(`^(ORIGINAL|MODIFIED) BYTECODE (\S+) (.*) line (\d+)\s*$`)
	logRecompiles = lazyregexp.New(`^Recompiling function (\S+)(?: in (.*?)(?::(\d+))?)?$`)
	logEntryOf    = lazyregexp.New(`^(\d+)/(\d+): `)
	logGraph      = lazyregexp.New(`^ *=+ (.*?) =+\s*$`)
	logLimit      = lazyregexp.New(`^torch\._dynamo hit config\.(\w+) \((\d+)\)`)
	logFunction   = lazyregexp.New(`(?m)^\s*function: '([^']*)' \((.*):(\d+)\)`)
	logReason     = lazyregexp.New(`(?m)^\s*(?:last reason|reasons): (.*\S)`)
	logLastEntry  = lazyregexp.New(`(?m)^\s*(?:last reason|reasons): (\d+/\d+): `)
	logConvert    = lazyregexp.New(`^WON'T CONVERT (\S+) (.*) line (\d+)\s*$`)
	logRaised     = lazyregexp.New(`^(?:torch\._dynamo\.exc\.)?(\w*Limit(?:Hit|Exceeded)): (.*)$`)
	logError      = lazyregexp.New(`^([A-Za-z_][\w.]*(?:Error|Exception|Failed|Unsupported|Interrupt|Warning)\w*|[a-z_]+(?:\.\w+)+): ?(.*)$`)
	logSymbol     = lazyregexp.New(`^create_symbol (\S+) = (\S+) for (.+?) (\[[^\]]*\]) ?(.*?)(?: \([^()]*\.py:\d+ in [^)]*\))?(?:,? for more info .*)?$`)
	logConverts   = lazyregexp.New(`torch[/.]_dynamo[/.]convert_frame\b`)
	logFrame      = lazyregexp.New(`(?m)^\s+File ".*", line \d+, in `)
	logSetting    = lazyregexp.New(`(?m)^\s*torch\._dynamo\.config\.capture_scalar_outputs = True$`)
	logLatency    = lazyregexp.New(`^Guard eval latency = ([\d.]+) us`)
)

// CutReason stands for the reason of a recompilation whose message ends before it: torch gives one each time, be
// it an empty one.
const CutReason = "the_log_is_cut_off"

// UnnamedError is why a function was left alone where the log ends before it says so.
const UnnamedError = "the log ends before torch names the error"

// logMark begins a reason.
var logMark = lazyregexp.New(`(?m)^\s*-`)

// wanted are the kinds of messages that answers need, with the switch that lets torch write them.
var wanted = []struct{ kind, lacks, by string }{
	{"starts", "which function calls it", "+dynamo"},
	{"recompiles", "why code was compiled again", "recompiles"},
	{"breaks", "graph breaks", "graph_breaks"},
	{"guards", "guards", "guards"},
	{"graphs", "Dynamo's graphs", "graph_code"},
	{"aot", "the graphs of AOTAutograd", "aot_graphs"},
	{"kernels", "kernels", "output_code"},
	{"code", "the code that Dynamo made", "bytecode"},
}

// lacks says what the log could have told and does not.
func (t *logText) lacks() string {
	var what, by []string
	for _, w := range wanted {
		if !t.told[w.kind] {
			what, by = append(what, w.lacks), append(by, w.by)
		}
	}
	s := "It is what TORCH_LOGS writes, which has no times; a log that TORCH_TRACE=FOLDER writes has them. "
	switch {
	case len(t.given) > 0 && !t.numbered:
		s += "It has no compile ids: those here are given in the order of the log. "
	case len(t.given) > 0:
		s += "It does not have all compile ids: " + InWords(slices.Compact(t.given)) + " are given here. "
	}
	if len(what) > 0 {
		s += "Of " + InWords(what) + " it tells nothing: either there was none, or TORCH_LOGS=\"" + strings.Join(by, ",") + "\" was not set. "
	}
	if t.told["code"] {
		s += "Its code is from listings, of which nothing is proven. "
	}
	return s
}

// silent is what the log has nothing of, for one question at a time.
func (t *logText) silent() map[string]string {
	out := map[string]string{"failures": "", "times": "a log that TORCH_TRACE=FOLDER writes"}
	for _, w := range wanted {
		if !t.told[w.kind] {
			out[w.kind] = w.by
		}
	}
	return out
}

// InWords is a list as one says it: "a, b and c".
func InWords(list []string) string {
	if len(list) < 2 {
		return strings.Join(list, "")
	}
	return strings.Join(list[:len(list)-1], ", ") + " and " + list[len(list)-1]
}

// take makes the events of a message.
func (t *logText) take(m torchlog.Message) {
	m.Text = today(strings.Trim(m.Text, "\n"))
	t.numbered = t.numbered || m.ID != ""
	first := t.last.Text == ""
	text := m.Text
	head, rest, _ := strings.Cut(text, "\n")
	head = strings.TrimSpace(head)
	t.last = m
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
	case logRaised.MatchString(head):
		// With fullgraph=True the call that meets a limit raises; torch logs the limit, Python the error.
		if t.refusal != nil {
			f := logRaised.FindStringSubmatch(head)
			t.refusal(f[1], f[2])
		}
	case t.headless(m, text):
	case first && m.Level == 'W' && logConverts.MatchString(m.At) && logFrame.MatchString(text):
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
	if f := logStarts.FindStringSubmatch(head); f != nil && m.ID != "" {
		t.told["starts"] = true
		t.start(m, function(f[1:]), stackIn(rest))
		t.begun[m.ID] = true
		return
	}
	if f := logTraces.FindStringSubmatch(head); f != nil && m.ID != "" && m.Attempt == 0 {
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
	t.ids[m.ID] = f
	stack := append(callers, Frame{File: f.file, Line: f.line, Name: f.name})
	t.entry(m, `"dynamo_start": {"stack": `+frameJSON(stack)+`}`, "")
	for i, later := range slices.Backward(t.later) {
		// Torch 2.3 tells of a recompilation before it numbers it.
		g := logRecompiles.FindStringSubmatch(firstLine(later.Text))
		if g != nil && function(g[1:]) == f {
			t.later = slices.Delete(t.later, i, i+1)
			later.ID = m.ID
			_, rest, _ := strings.Cut(later.Text, "\n")
			t.reasons(later, rest)
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

// recompiles takes in why a function is compiled again.
func (t *logText) recompiles(m torchlog.Message, head, rest string) {
	g := logRecompiles.FindStringSubmatch(head)
	if g == nil {
		return
	}
	f := function(g[1:])
	t.failedEntries(rest, f)
	t.known(m, f)
	t.reasons(m, rest)
}

func (t *logText) reasons(m torchlog.Message, rest string) {
	var list []string
	for line := range strings.Lines(rest) {
		line = strings.TrimRight(line, "\n")
		switch s := strings.TrimSpace(line); {
		case s == "-":
		case strings.HasPrefix(s, "- "):
			s = strings.TrimPrefix(s, "- ")
			// Each line of a reason of several lines has the mark of a reason.
			if len(list) > 0 && s != "" && (s[0] == ' ' || s == "User stack trace:" || logEntryOf.MatchString(list[0]) && !logEntryOf.MatchString(s)) {
				list[len(list)-1] += "\n" + s
				continue
			}
			list = append(list, s)
		case s == "" || strings.HasPrefix(s, "triggered by the following guard failure"), strings.HasPrefix(s, "guard ") && strings.HasSuffix(s, "failures:"):
		case len(list) > 0:
			list[len(list)-1] += "\n" + line
		}
	}
	if len(list) == 0 { // it is told that there was one
		list = []string{""}
		if !logMark.MatchString(rest) {
			list[0] = CutReason
		}
	}
	b, _ := json.Marshal(list)
	t.entry(m, artifact("recompile_reasons"), string(b))
}

// graphBreak takes in a graph break. The function is not named where the log has nothing else of the
// compilation: it is the outermost one of the user's traceback behind torch's own entrance.
func (t *logText) graphBreak(m torchlog.Message, text string) {
	if _, ok := t.ids[m.ID]; !ok {
		if f, ok := brokenIn(text); ok {
			t.known(m, f)
		}
	}
	text = t.whole(text)
	t.breaks[breakPlace(m.ID, text)] = true
	t.entry(m, artifact("dynamo_graph_break_reason"), text)
}

func breakPlace(id, text string) string {
	b := ParseBreak(text)
	return fmt.Sprintf("%s %s:%d", id, b.File, b.Line)
}

// advised is a warning that torch writes once for a program, before a graph break that it knows a setting against. Torch tells the
// break itself, too, but only where it was asked to.
type advised struct {
	torchlog.Message
	what string
}

// advises takes in such a warning. It has two heads, and is one message.
func (t *logText) advises(m torchlog.Message, head, rest string) bool {
	if advice, ok := strings.CutPrefix(head, "Graph break from `"); ok {
		what, _, _ := strings.Cut(advice, "`")
		t.advice = append(t.advice, advised{m, what})
		return true
	}
	if logSetting.MatchString(m.Text) && !strings.HasPrefix(head, "Graph break") { // its head is cut off
		t.advice = append(t.advice, advised{m, "Tensor.item() or the like"})
		return true
	}
	if n := len(t.advice); n > 0 && t.advice[n-1].Header == m.Header && strings.HasPrefix(head, "Graph break: from user code at") {
		t.advice[n-1].Text = "Graph break: " + t.advice[n-1].what + " from user code at:\n" + rest
		return true
	}
	return false
}

// adviceAlone tells of the graph breaks of which the log has the warning alone.
func (t *logText) adviceAlone() {
	for _, a := range t.advice {
		if a.ID != "" && !t.breaks[breakPlace(a.ID, a.Text)] {
			t.told["breaks"] = true
			t.graphBreak(a.Message, a.Text)
		}
	}
	t.advice = nil
}

var logShortened = lazyregexp.New(`^Graph break \([^)]* suppressed[^)]*\) in user code at `)

// whole is the text of a graph break with the user's stack, which torch leaves out when the line
// has broken a graph before: the structured log has it each time.
func (t *logText) whole(text string) string {
	b := ParseBreak(logShortened.ReplaceAllString(text, "Graph break in user code at "))
	at := fmt.Sprintf("%s:%d %s %s", b.File, b.Line, b.Reason, strings.Join(b.Causes, "; ")) // a line may break for two reasons
	if !logShortened.MatchString(text) {
		t.broken[at] = text
		return text
	}
	if first, ok := t.broken[at]; ok {
		return first
	}
	return logShortened.ReplaceAllString(text, "Graph break in user code at ")
}

func brokenIn(text string) (place, bool) {
	user, _, _ := strings.Cut(text, "Traceback (most recent call last)")
	stack := stackIn(user)
	for i, f := range slices.Backward(stack) {
		if strings.Contains(f.File, "torch/_dynamo/eval_frame.py") && i+1 < len(stack) {
			stack = stack[i+1:]
			break
		}
	}
	for len(stack) > 1 && (stack[0].Name == "<module>" || strings.Contains(stack[0].File, "torch/nn/modules/module.py")) {
		stack = stack[1:]
	}
	if len(stack) == 0 {
		return place{}, false
	}
	return place{name: stack[0].Name, file: stack[0].File}, true // the line is where it broke, not where it begins
}

// logEnds matches the end of a graph's code.
var logEnds = lazyregexp.New(`(?m)^\s+return\b`)

// aotGraphs are how AOTAutograd calls its graphs, and the structured log.
var aotGraphs = []struct{ title, key string }{
	{"Forward graph", "aot_forward_graph"}, {"Backward graph", "aot_backward_graph"}, {"Joint graph", "aot_joint_graph"},
}

// graph takes in a graph: a line with its name, one with its class, and its code.
func (t *logText) graph(m torchlog.Message, rest string) {
	title, text, _ := strings.Cut(strings.TrimLeft(rest, "\n"), "\n")
	g := logGraph.FindStringSubmatch(title)
	i := strings.Index(text, "class ")
	if g == nil || i < 0 || strings.Contains(text[:i], "\n") {
		return
	}
	text = strings.TrimRight(text[i:], "\n ") + "\n"
	if !logEnds.MatchString(text) {
		text += "        # The rest of this graph is not in the log.\n"
	}
	if strings.HasPrefix(g[1], "__compiled_fn_") {
		t.told["graphs"] = true
		t.identify(&m)
		t.lastGraph, t.stages = m.ID, map[string]bool{}
		t.entry(m, `"dynamo_output_graph": {}`, text)
		return
	}
	for _, a := range aotGraphs {
		if strings.HasPrefix(g[1], a.title) {
			t.told["aot"] = true
			if m.ID == "" && !t.stages[a.key] {
				m.ID = t.lastGraph // AOTAutograd traces what Dynamo has just traced, once
			}
			t.identify(&m)
			if m.ID != t.lastGraph {
				t.lastGraph, t.stages = m.ID, map[string]bool{}
			}
			t.stages[a.key] = true
			t.entry(m, `"`+a.key+`": {}`, text)
		}
	}
}

// table takes in a graph that is written as a table, unless its code stands before it.
func (t *logText) table(m torchlog.Message, text string) {
	if m.ID != "" && m.ID == t.lastGraph {
		return
	}
	t.told["graphs"] = true
	t.identify(&m)
	t.lastGraph, t.stages = m.ID, map[string]bool{}
	t.entry(m, `"dynamo_output_graph": {}`, graphOfTable(text))
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
	// A function that has met the limit has versions, if the log has no word of them.
	if g := logLastEntry.FindStringSubmatch(text); g != nil {
		t.known(torchlog.Message{Header: torchlog.Header{ID: g[1]}}, f)
	}
	if m.ID == "" {
		if m.ID = t.number(f); m.ID == "" { // the reasons stand in front of it
			t.announceFirst(f)
			m.ID = t.newID(f)
		}
	}
	if frame, number, _ := strings.Cut(m.ID, "/"); !strings.HasPrefix(frame, "!") {
		if k, err := strconv.Atoi(number); err == nil && k > 0 {
			t.known(torchlog.Message{Header: torchlog.Header{ID: fmt.Sprintf("%s/%d", frame, k-1)}}, f)
		}
	}
	t.known(m, f)
	if g := logReason.FindStringSubmatch(text); g != nil && !t.told["recompiles"] {
		b, _ := json.Marshal(reprList(strings.TrimSpace(g[1])))
		t.entry(m, artifact("recompile_reasons"), string(b))
	}
	t.refusal = func(error, text string) {
		t.outcome(m.ID, f, fields{"limit": name, "limit_value": int64(n), "error_type": error, "error": text, "raised": error != ""})
	}
	t.refusal("", "")
}

// notConverted takes in that a function was left alone because of an error.
func (t *logText) notConverted(m torchlog.Message, f place, rest string) {
	// Without a compile id it is of the function's last one, if that has not come to an end.
	id := m.ID
	if id == "" {
		_, id = t.idsOf(f)
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
