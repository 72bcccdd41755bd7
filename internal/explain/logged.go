package explain

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/thuml/depyf/internal/cfg"
	"github.com/thuml/depyf/internal/torchlog"
)

// ErrNoEntries is the error for a file that is no log of torch's.
var ErrNoEntries = errors.New("torch's logs have entries that TORCH_TRACE=FOLDER writes, or messages that TORCH_LOGS=\"+dynamo,recompiles,graph_breaks,guards\" asks for, and none is in it")

// ReadLog reads what TORCH_TRACE or TORCH_LOGS wrote into models: of several runs that were appended to
// one file, or of several processes that wrote into it, one each. How the parts of code are joined and which objects guards ask
// for is known from a live session only; the code itself, too, unless TORCH_LOGS=bytecode lists it.
func ReadLog(path string) ([]*Model, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	in, err := torchlog.NewReader(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	var out []*Model
	processes := map[string]*logged{} // the run of each that is being read
	for {
		e, err := in.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		process := ""
		if e.Message != nil {
			process = e.Message.Process
		}
		l := processes[process]
		if l == nil || l.anotherRun(e) {
			if l != nil {
				l.end()
			}
			l = newLogged(path)
			processes[process] = l
			out = append(out, l.m)
		}
		l.take(e)
	}
	if in.Entries == 0 {
		return nil, fmt.Errorf("%s is %s: %w", path, in.What, ErrNoEntries)
	}
	for _, l := range processes {
		l.end()
	}
	// A process that has logged nothing of a compilation is not worth a page, unless there is no other.
	if told := slices.DeleteFunc(slices.Clone(out), func(m *Model) bool { return len(m.Compiles) == 0 }); len(told) > 0 {
		out = told
	}
	out[len(out)-1].Skipped, out[len(out)-1].CutOff = in.Other, in.CutOff
	return out, nil
}

// logged is a model that is made from a log.
type logged struct {
	m       *Model
	started map[string]bool // compile ids whose first attempt has begun since the last reset
	text    *logText        // of messages; nil as long as there are none

	listings map[string]*listed // by compile id
}

func newLogged(path string) *logged {
	l := &logged{m: newModel(), started: map[string]bool{}, listings: map[string]*listed{}}
	l.m.Start.Log = path
	return l
}

// anotherRun reports whether an entry is the first of another program: the numbers of file
// names, of which there is one for each file, begin anew.
func (l *logged) anotherRun(e torchlog.Entry) bool {
	return len(l.m.interned) > 0 && strings.HasPrefix(e.Envelope, `{"str": [`) && strings.HasSuffix(e.Envelope, ", 0]}")
}

// take takes in an entry. What messages tell is translated first: from here on nobody
// knows which of the two logs an event is from.
func (l *logged) take(e torchlog.Entry) {
	if e.Message == nil {
		l.entry(e)
		return
	}
	if l.text == nil {
		l.text = newLogText(l.event)
		l.m.Start.Text = true
	}
	if e.Message.Rank != "" {
		l.m.Start.Rank = e.Message.Rank
	}
	if pid, err := strconv.Atoi(e.Message.Process[strings.LastIndexByte(e.Message.Process, ' ')+1:]); err == nil && e.Message.Process != e.Message.Rank {
		l.m.Start.PID = pid
	}
	l.text.take(*e.Message)
}

// event takes in what a message was translated into.
func (l *logged) event(r Record) {
	if r.Type == "trace" {
		payload, ok := r.Fields["payload"].(string)
		l.entry(torchlog.Entry{Envelope: r.Fields["envelope"].(string), Payload: []byte(payload), HasText: ok})
		return
	}
	if id, ok := r.Fields["compile_id"].(string); ok && l.m.logResets > 0 {
		r.Fields["compile_id"] = fmt.Sprintf("%s@%d", id, l.m.logResets)
	}
	switch r.Type {
	case "listing":
		l.list(r.Fields)
		return
	case "closed":
		if c := l.m.Compile(r.Fields["compile_id"].(string)); c != nil {
			c.Closed = true
		}
		return
	}
	l.m.apply(r)
}

// end says what the log lacks, and adds what it implies.
func (l *logged) end() {
	l.m.Start.Lacks = "It has no code: what Dynamo made of a function, the" + traceLacks
	if l.text != nil {
		l.text.end()
		if id := l.text.unfinished(); id != "" {
			l.m.compile(l.m.id(id)).Unfinished = true
		}
		for _, id := range l.text.given {
			l.m.compile(l.m.id(id)).Given = true
		}
		l.m.Start.Lacks = l.text.lacks() + "The" + traceLacks
		l.m.Start.Silent = l.text.silent()
		l.m.Start.Compiled = l.text.told["compiled"]
		l.m.Start.Total, l.m.Start.Backend = l.text.total, l.text.backend
	}
	l.placeLimits()
	l.impliedCodes()
	l.decompileListings()
	l.m.Ended = true
}

// traceLacks is what a session has and torch's log has not.
const traceLacks = " order in which versions are tried and the objects that guards ask for show in a session with depyf, " +
	"as `depyf run SCRIPT` records it."

func (l *logged) entry(e torchlog.Entry) {
	if e.Torn {
		l.m.Torn++
	}
	if quietTrace(e.Envelope) {
		return
	}
	if strings.HasPrefix(e.Envelope, `{"dynamo_start"`) {
		// torch._dynamo.reset() lets the ids begin anew.
		if id, first := attempt(e.Envelope); first {
			if l.started[id] {
				l.m.logResets++
				clear(l.started)
			}
			l.started[id] = true
		}
	}
	f := fields{"envelope": e.Envelope, "compile_id": ""}
	if e.HasText {
		f["payload"] = e.Payload
	}
	if l.text == nil { // of one that was translated, the log has other words
		l.m.lies = e.Lies
	}
	if l.m.logResets > 0 {
		f["compile_id"] = fmt.Sprintf("@%d", l.m.logResets)
	}
	l.m.apply(Record{Type: "trace", Fields: f})
	l.m.lies = torchlog.Part{}
}

// attempt is the compile id of an entry, and whether it is of the first attempt.
func attempt(envelope string) (id string, first bool) {
	number := func(key string) string {
		_, rest, ok := strings.Cut(envelope, `"`+key+`": `)
		if !ok {
			return ""
		}
		return rest[:len(rest)-len(strings.TrimLeft(rest, "0123456789"))]
	}
	return number("compiled_autograd_id") + "!" + number("frame_id") + "/" + number("frame_compile_id"), number("attempt") == "0"
}

// logStart takes from torch's log what a watched session is told at its start.
func (m *Model) logStart(env, metrics fields) {
	if m.Start.Log == "" {
		return
	}
	if r := rankText(env["rank"]); r != "" {
		m.Start.Rank = r
	}
	if v := metrics.str("pytorch_version"); v != "" {
		m.Start.Torch = v
	}
	if v, _, _ := strings.Cut(metrics.str("python_version"), " "); v != "" {
		m.Start.Python = v
	}
}

// impliedCodes adds the codes that a log tells of, most often without having them: a compilation that
// made guards, or whose code is listed, made code.
func (l *logged) impliedCodes() {
	m := l.m
	frames := map[string]map[string]bool{} // of functions by name and place: how many there are in one count of ids
	for _, c := range m.Compiles {
		frame, resets := frameNumber(c.ID)
		at := fmt.Sprintf("%s:%d %s@%d", c.File, c.Line, c.Func, resets)
		if frames[at] == nil {
			frames[at] = map[string]bool{}
		}
		frames[at][frame] = true
	}
	// Guards are made last. A log that has none at all cannot tell which compilations came so far:
	// all of which nothing else is known did.
	guarded := slices.ContainsFunc(m.Compiles, func(c *Compile) bool { return c.Guards != nil || c.Over })
	for _, c := range m.Compiles {
		if guarded && c.Guards == nil && !l.made(c.ID) || !guarded && l.given(c.ID) || c.failed() || c.Func == "" || c.Outcome != nil {
			continue
		}
		// Compile ids number functions, anew after each reset. Then name and place say which is
		// which, where no other has them: two resume functions may.
		frame, resets := frameNumber(c.ID)
		key := fmt.Sprintf("log %s:%d %s", c.File, c.Line, c.Func)
		for n := 0; n <= m.logResets; n++ {
			if len(frames[fmt.Sprintf("%s:%d %s@%d", c.File, c.Line, c.Func, n)]) > 1 {
				key = fmt.Sprintf("log %s@%d", frame, resets)
			}
		}
		t := &Transformed{
			Key: "log " + c.ID, OldKey: key, CompileID: c.ID, Logged: true,
			Func: c.Func, IsResume: cfg.ResumeName(c.Func), SourceFile: c.File, SourceLine: c.Line,
		}
		t.Old.Name, t.Old.Filename, t.Old.FirstLine = c.Func, c.File, c.Line
		t.New.Name = c.Func
		for _, a := range c.Artefacts {
			if a.Stage == "Captured_Graph" {
				stem, _, _ := strings.Cut(artefactStem(a), ".")
				t.Calls = []string{stem}
			}
		}
		m.addCode(t)
	}
}

// called names the compiled functions that the code calls.
func (c *Transformed) called() []string {
	if len(c.Calls) > 0 {
		return c.Calls
	}
	return compiledNames(c.New.Names)
}

// goesOnAs reports whether a version whose code is not known goes on as that resume function:
// it broke at the line that its name tells.
func (v *Version) goesOnAs(r *Function) bool {
	_, mine := SplitCompileID(v.CompileID)
	sameCount := func(w *Version) bool {
		_, resets := SplitCompileID(w.CompileID)
		return resets == mine
	}
	if !v.Code.Logged || v.Compile == nil || !slices.ContainsFunc(r.Versions, sameCount) {
		return false
	}
	line := r.Name[strings.LastIndexByte(r.Name, '_')+1:]
	n, err := strconv.Atoi(strings.TrimSuffix(line, ">"))
	if err != nil {
		return false
	}
	for _, b := range v.Compile.Breaks {
		// A break in a function that was inlined resumes its callers, too.
		for _, fr := range append(breakStack(b.Raw), Frame{File: b.File, Line: b.Line}) {
			if fr.Line == n && fr.File == r.File {
				return true
			}
		}
	}
	return false
}
