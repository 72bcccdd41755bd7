package explain

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/thuml/depyf/internal/lazyregexp"
)

// Outcome is how a compilation ended that failed, or that torch refused.
type Outcome struct {
	Raised bool    // the caller got the error; if not, the function ran as ordinary Python
	Untold bool    // it is from a log, which does not tell whether the caller of a function at its limit got an error
	Error  string  // type of the error, "" when there was none
	Text   string  // the error's own text
	Stack  []Frame // where the error comes from, without torch's own frames; outermost first
	Limit  string  // the setting that allows no more versions, such as "recompile_limit"; "" when it is not reached
	Value  int     // of that setting
	Then   string  // what torch does with later calls: "run_only" the versions there are, "skip" the function, "" unknown
}

// Raised is an error that ended what was watched.
type Raised struct {
	Block bool    // it left the block of prepare_debug; else the program did not catch it
	Error string  // its type
	Text  string  // its own text
	Stack []Frame // where it comes from, without torch's own frames; outermost first
}

// Told reports whether the error is that of a compilation that failed.
func (r *Raised) Told(p *Program) bool {
	return slices.ContainsFunc(p.Failed, func(f *Failure) bool {
		if f.Backward != nil {
			return f.Backward.Error == r.Error
		}
		return f.Outcome.Error == r.Error
	})
}

// BackwardFailure is how compiling the backward pass of a version failed. That happens when the program asks
// for gradients, which raises then; the version itself has been compiled.
type BackwardFailure struct {
	Error string // type of the error
	Text  string // the error's own text
	Times int    // torch tries again each time that gradients are asked for
}

// Failure is a failed compilation, or several of one function that failed alike.
type Failure struct {
	*Compile
	Times    int
	Backward *BackwardFailure // what failed is the backward pass; else nil
}

// backwardMetrics takes in what torch has measured of compiling a backward pass.
func (c *Compile) backwardMetrics(f fields) {
	if us, ok := toFloat(f["backward_cumulative_compile_time_us"]); ok {
		c.Later += us / 1e6
		c.LaterPhases = c.LaterPhases.plus(phasesOf(us/1e6, f))
		if at := began(f); c.LaterStart == 0 || at < c.LaterStart {
			c.LaterStart = at
		}
	}
	kind, why := f.str("fail_type"), strings.TrimSpace(CleanText(f.str("fail_reason")))
	// Torch 2.6 tells under this name, too, that Dynamo has reached a limit before it began.
	if kind == "" && why == "" || strings.HasSuffix(kind, "LimitExceeded") {
		return
	}
	for i, b := range c.Backward {
		if b.Error == kind && b.Text == why {
			c.Backward[i].Times++
			return
		}
	}
	c.Backward = append(c.Backward, BackwardFailure{kind, why, 1})
}

func (m *Model) applyOutcome(f fields) {
	id := m.id(f.str("compile_id"))
	if id == "" {
		return
	}
	c := m.compile(id)
	if c.Func == "" {
		// Of a compilation that the limit prevents, torch logs neither name nor place.
		c.Func, c.File, c.Line = f.str("func"), f.str("file"), f.int("line")
	}
	c.Outcome = &Outcome{
		Raised: f.bool("raised"), Untold: m.Start.Log != "", Error: f.str("error_type"), Text: CleanText(f.str("error")),
		Stack: m.frames(f.list("error_stack")),
		Limit: f.str("limit"), Value: f.int("limit_value"), Then: f.str("then"),
	}
}

// linkOutcomes sorts the compilations that left no code: those that met the limit belong to their
// function; those that raised are failures; those that had not ended when the program did are Cut; of the rest, Lost,
// the function runs as ordinary Python. Backward passes that raised are failures, too.
func (p *Program) linkOutcomes() {
	// Where torch tells of no end there is none to miss.
	ends := slices.ContainsFunc(p.Model.Compiles, func(c *Compile) bool { return c.Over })
	for _, c := range p.Model.Compiles {
		for i, b := range c.Backward {
			p.Failed = append(p.Failed, &Failure{c, b.Times, &c.Backward[i]})
		}
		// Hooks of old versions do not tell the compile id: there the name of the function has to do.
		got := func(t *Transformed) bool {
			return t.CompileID == c.ID || t.CompileID == "" && t.Func == c.Func
		}
		if c.Func == "" || !c.failed() && slices.ContainsFunc(p.Model.Codes, got) {
			continue
		}
		if c.Outcome != nil && c.Outcome.Limit != "" {
			if f := p.frameOf(c.ID); f != nil {
				f.Limit = c
				continue
			}
		}
		if c.Outcome != nil && c.Outcome.Raised {
			p.fail(c)
			continue
		}
		if (c.Unfinished || ends && !c.Over && !c.Closed) && c.Outcome == nil {
			p.Cut = append(p.Cut, c)
			continue
		}
		p.Lost = append(p.Lost, c)
	}
}

// failed reports whether a compilation ended with an error, be it one that torch has suppressed.
func (c *Compile) failed() bool {
	return c != nil && (c.Failure != "" || c.Outcome != nil && c.Outcome.Error != "")
}

func (p *Program) fail(c *Compile) {
	for _, f := range p.Failed {
		if f.Backward == nil && f.Func == c.Func && f.File == c.File && f.Line == c.Line && f.Failure == c.Failure && f.Outcome.Text == c.Outcome.Text {
			f.Times++
			return
		}
	}
	p.Failed = append(p.Failed, &Failure{c, 1, nil})
}

// frameOf finds the function that a compile id is of: the part before the slash counts functions.
func (p *Program) frameOf(id string) *Function {
	frame, resets := frameNumber(id)
	for _, f := range slices.Concat(p.Functions, p.Resumes) {
		for _, v := range f.Versions {
			if a, b := frameNumber(v.CompileID); v.CompileID != "" && a == frame && b == resets {
				return f
			}
		}
	}
	return nil
}

func frameNumber(id string) (frame string, resets int) {
	id, resets = SplitCompileID(id)
	i := strings.LastIndexByte(id, '/')
	return id[:max(i, 0)], resets
}

// SplitCompileID parts a compile id from how often torch._dynamo.reset() had been called before: torch's ids
// begin anew then.
func SplitCompileID(id string) (torch string, resets int) {
	torch, after, _ := strings.Cut(id, "@")
	resets, _ = strconv.Atoi(after)
	return torch, resets
}

// JoinCompileID is the opposite of SplitCompileID.
func JoinCompileID(torch string, resets int) string {
	if resets > 0 {
		return fmt.Sprintf("%s@%d", torch, resets)
	}
	return torch
}

// CompileIDText is a compile id for reading.
func CompileIDText(id string) string {
	if torch, resets := SplitCompileID(id); resets > 0 {
		return fmt.Sprintf("%s after reset %d", torch, resets)
	}
	return id
}

// Dropped reports whether torch._dynamo.reset() has thrown a version away.
func (p *Program) Dropped(v *Version) bool {
	_, mine := SplitCompileID(v.CompileID)
	return v.CompileID != "" && p.resets > mine
}

// Cause is what torch says about something that it could not compile.
type Cause struct {
	Reasons     []string // one led to the next
	Explanation string
	Hints       []string
	Link        string
	File        string // the user's line, where the text holds a stack
	Line        int
	Code        string
}

// causeEnds begin the lines behind the words of a cause that are of use to a reader.
var causeEnds = []string{
	"Developer debug context:", "For more details about this graph break", "from user code:", "Set TORCHDYNAMO_VERBOSE",
	"Set TORCH_LOGS", "You can suppress this exception", "User code traceback:", "Traceback (most recent call last)", "The above exception was the direct cause",
}

// causeBegins begin the lines in front of the words of a cause.
var causeBegins = []string{
	"Graph break in user code at", "Graph Break Reason:", "Reason:", "Graph break: torch.compile cannot properly resume",
	"torch.compile will skip tracing the frame", "The graph break occurred in the following user code",
}

var unsupported = lazyregexp.New(`(?m)^(?:torch\._dynamo\.exc\.)?Unsupported: (.*\S)`)

// oldBreak is why a graph broke, as torch before 2.6 words it: in the line itself, or, from 2.3 on, in the
// last one of the traceback. ok for such a line.
func oldBreak(line, text string) (why string, ok bool) {
	rest, ok := strings.CutPrefix(line, "Graph break: ")
	if !ok {
		return "", false
	}
	why, _, ok = strings.Cut(rest, "from user code at")
	if why = strings.Trim(why, ": "); (why == "" || why == "skip") && ok {
		why = "for a reason that is not told"
		if m := unsupported.FindStringSubmatch(text); m != nil {
			why = m[1]
		}
	}
	return why, ok
}

// ReadCause parts the text of an error of Dynamo. From torch 2.7 on it has an explanation, hints and
// a link; when one problem leads to another, each has them.
func ReadCause(text string) Cause {
	var c Cause
	text = CleanText(text)
	c.Link = breakLink.FindString(text)
	for part := range strings.SplitSeq(text, "***") {
		if strings.HasPrefix(strings.TrimSpace(part), "While handling") {
			continue
		}
		var reason []string
		told := false // the explanation has begun
		for line := range strings.Lines(part) {
			t := strings.TrimSpace(line)
			if why, ok := oldBreak(t, text); ok {
				reason = append(reason, why)
				break
			}
			if slices.ContainsFunc(causeEnds, func(s string) bool { return strings.HasPrefix(t, s) }) {
				break
			}
			if rest, ok := strings.CutPrefix(t, "Explanation: "); ok {
				told = true
				if !strings.Contains(c.Explanation, rest) { // a chain may say one thing twice
					c.Explanation = strings.TrimSpace(c.Explanation + " " + rest)
				}
			} else if rest, ok := strings.CutPrefix(t, "Hint: "); ok {
				told = true
				if !slices.Contains(c.Hints, rest) {
					c.Hints = append(c.Hints, rest)
				}
			} else if t != "" && !told && !slices.ContainsFunc(causeBegins, func(s string) bool { return strings.HasPrefix(t, s) }) {
				reason = append(reason, t)
			}
		}
		if len(reason) > 0 {
			c.Reasons = append(c.Reasons, strings.TrimSuffix(strings.Join(reason, " "), "."))
		}
	}
	if fr := stackIn(text); len(fr) > 0 {
		last := fr[len(fr)-1]
		c.File, c.Line, c.Code = last.File, last.Line, last.Code
	}
	return c
}
