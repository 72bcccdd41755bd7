package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/thuml/depyf/internal/answers"
	"github.com/thuml/depyf/internal/explain"
	"github.com/thuml/depyf/internal/lazyregexp"
)

// What both reports say, in marked text.

// symbolText says what a symbol stands for and what it may be.
func symbolText(p *explain.Program, c *explain.Compile, s explain.Symbol) string {
	v := c.Variation(s)
	out := code(s.Source) + ": " + s.Value + " when compiled"
	if v.Fixed != nil {
		return out + "; does not vary: " + conditionText(p, *v.Fixed)
	}
	if v.Range != "" {
		out += "; may be " + v.Range
	}
	if s.At.Line > 0 {
		out += "; met at " + p.Places.Place(s.At.File, s.At.Line)
	}
	for _, g := range v.Narrow {
		out += "; " + conditionText(p, g)
	}
	for _, g := range v.Others {
		out += "; only where " + conditionText(p, g)
	}
	return out
}

// conditionText is a condition on symbols and the line that asks for it.
func conditionText(p *explain.Program, g explain.SizeGuard) string {
	return code(g.Expr) + lineText(p, g.At)
}

// lineText is ", from `x = y` at toy.py:3".
func lineText(p *explain.Program, at explain.Frame) string {
	out := ""
	if at.Code != "" {
		out += ", from " + code(at.Code)
	}
	if at.File != "" {
		out += " at " + p.Places.Place(at.File, at.Line)
	}
	return out
}

// reasonText is a reason of a compilation, with the version in place of the compile id in front.
func reasonText(p *explain.Program, f *explain.Function, c *explain.Compile, r string) string {
	v, words := f.Failed(c, r)
	if v == nil {
		return failedCheck(p, words)
	}
	return fmt.Sprintf("version %d: %s", v.Number, failedCheck(p, words))
}

// checkOf is the check that failed, in a reason of a compilation.
func checkOf(f *explain.Function, c *explain.Compile, r string) string {
	_, words := f.Failed(c, r)
	check, _, _ := explain.ReadReason(words)
	return check
}

// failedCheck is a check that failed, and the user's line that it is from.
func failedCheck(p *explain.Program, reason string) string {
	if reason == explain.CutReason {
		return "the log is cut off before it is named"
	}
	check, at, _ := explain.ReadReason(reason)
	return code(p.Model.Identities.Readable(check)) + lineText(p, at)
}

// breakPlace is the line at which a graph broke.
func breakPlace(p *explain.Program, b explain.Break) string {
	return strings.TrimSpace(p.Places.Place(b.File, b.Line) + " " + code(b.Code))
}

// breakText is where a graph broke and what Dynamo could not do there.
func breakText(p *explain.Program, b explain.Break) string {
	return breakPlace(p, b) + ": " + breakWords(b)
}

func breakWords(b explain.Break) string {
	if len(b.Causes) > 0 {
		return answers.Hence(b.Causes)
	}
	return b.Reason
}

// breakDetails are the line of the user's that leads there, the explanation, what to write instead, and torch's hints.
func breakDetails(p *explain.Program, b explain.Break) []string {
	out := fromDetail(p, b)
	if b.Explanation != "" {
		out = append(out, b.Explanation)
	}
	out = append(out, answers.RemediesOf(b)...)
	for _, h := range answers.UsefulFirst(b.Hints) {
		out = append(out, "torch's hint: "+h)
	}
	return out
}

// fromDetail says which line of the user's leads to a break in a library.
func fromDetail(p *explain.Program, b explain.Break) []string {
	if b.From == nil {
		return nil
	}
	return []string{reachedFrom(p, []answers.Caller{{Function: b.From.Name, File: b.From.File, Line: b.From.Line, Code: b.From.Code}})}
}

// limitTitle says which limit a function has met.
func limitTitle(c *explain.Compile) string {
	out := code("torch._dynamo.config." + c.Outcome.Limit)
	if c.Outcome.Value > 0 {
		out += fmt.Sprintf(" = %d", c.Outcome.Value)
	}
	return out
}

// idText tells the compile id in a format, or nothing where torch has not told it.
func idText(c *explain.Compile, format string) string {
	if c.Given {
		return ""
	}
	return fmt.Sprintf(format, explain.CompileIDText(c.ID))
}

// limitText says what the limit means for the calls that come.
func limitText(c *explain.Compile) string {
	id := idText(c, " (compile id %s)")
	switch {
	case c.Outcome.Raised:
		return fmt.Sprintf("The call that needed one more version%s raised %s. So does every later call that no version is valid for.", id, code(c.Outcome.Error))
	case c.Outcome.Then == "skip":
		return fmt.Sprintf("The call that needed one more version%s ran as ordinary Python, and so does every later call of the function: not even its versions are used any more.", id)
	}
	if c.Outcome.Untold { // a log, which does not tell how the function was compiled
		return fmt.Sprintf("With fullgraph=True, the call that needed one more version%s raised, and so does every later call that no version is valid for; "+
			"without it, they run as ordinary Python. The log does not say which.", id)
	}
	return fmt.Sprintf("The call that needed one more version%s ran as ordinary Python, and so does every later call that none of its versions is valid for. "+
		"What such a call calls is not compiled anew either.", id)
}

// limitBrief is limitText for those who only want to know what it costs.
func limitBrief(c *explain.Compile) string {
	switch {
	case c.Outcome.Raised:
		return fmt.Sprintf("every later call that no version is valid for raises %s", code(c.Outcome.Error))
	case c.Outcome.Then == "skip":
		return "every later call of the function runs as ordinary Python"
	}
	if c.Outcome.Untold {
		return "every later call that no version is valid for runs as ordinary Python, or, with fullgraph=True, raises"
	}
	return "every later call that no version is valid for runs as ordinary Python"
}

// limitReasons are the checks that failed at last, and what helps: torch's hints where it gives some, else our own advice.
func limitReasons(facts *answers.Facts, f *explain.Function) (failed, advice []string) {
	p := facts.Program
	for _, r := range f.Limit.Recompile {
		failed = append(failed, reasonText(p, f, f.Limit, r))
		if _, _, note := explain.ReadReason(r); strings.HasPrefix(note, "HINT: ") {
			if a := "torch's hint: " + strings.TrimPrefix(note, "HINT: "); !slices.Contains(advice, a) {
				advice = append(advice, a)
			}
		}
	}
	if len(advice) > 0 {
		return failed, advice
	}
	id, _ := explain.SplitCompileID(f.Limit.ID)
	for _, c := range facts.Causes() {
		if slices.Contains(c.IDs, id) {
			return failed, c.Remedies
		}
	}
	return failed, nil
}

// raisedText says what ended the program, or the block that was watched; "" where it ended in order, or where
// a failure of compiling says it already.
func raisedText(p *explain.Program) string {
	r := p.Model.Raised
	if r == nil || r.Told(p) {
		return ""
	}
	head := "the " + watched(r) + " ended with " + code(r.Error)
	if at, ok := explain.UsersLine(r.Stack); ok {
		head += " at " + p.Places.Place(at.File, at.Line) + " in " + code(at.Name)
	}
	if text, _, _ := strings.Cut(strings.TrimSpace(r.Text), "\n"); text != "" {
		head += ": " + text
	}
	return head + "; what comes after that was neither run nor compiled"
}

// watched is what the error has ended.
func watched(r *explain.Raised) string {
	if r.Block {
		return "watched block"
	}
	return "program"
}

// failureText says what a call raised, and where.
func failureText(p *explain.Program, f *explain.Failure) (head string, details []string) {
	if f.Backward != nil {
		return backwardText(p, f), nil
	}
	cause := answers.FailureOf(f.Compile)
	head = functionAt(p, p.Model.TitleOf(f.Compile), f.File, f.Line) + ": "
	if f.Times > 1 {
		head += fmt.Sprintf("%d calls raised ", f.Times)
	} else {
		head += "the call raised "
	}
	head += code(f.Outcome.Error)
	if cause.Line > 0 {
		head += " at " + p.Places.Place(cause.File, cause.Line)
		if cause.Code != "" {
			head += " " + code(cause.Code)
		}
	}
	head += ": " + answers.Hence(cause.Reasons)
	if at, ok := explain.UsersLine(f.Outcome.Stack); ok {
		details = append(details, "the error comes from "+p.Places.Place(at.File, at.Line)+" in "+code(at.Name))
	}
	if cause.Explanation != "" {
		details = append(details, cause.Explanation)
	}
	details = append(details, cause.Remedies...)
	for _, h := range cause.Hints {
		details = append(details, "torch's hint: "+h)
	}
	return head, details
}

// backwardText says what compiling a backward pass raised. Of the error torch tells no more than its text.
func backwardText(p *explain.Program, f *explain.Failure) string {
	var reasons []string
	for _, r := range explain.ReadCause(f.Backward.Text).Reasons {
		reasons = append(reasons, answers.Shortened(r))
	}
	times := ""
	if f.Times > 1 {
		times = fmt.Sprintf(", %d times", f.Times)
	}
	return fmt.Sprintf("%s%s: compiling its backward pass raised %s%s: %s", functionAt(p, p.Model.TitleOf(f.Compile), f.File, f.Line),
		idText(f.Compile, ", compile id %s"), code(f.Backward.Error), times, answers.Hence(reasons))
}

var ofResume = lazyregexp.New(`^torch_dynamo_resume_in_(.+)_at_(\d+)$`)

// functionText names a function, and one that Dynamo has made to resume another as a person would.
func functionText(name string) string {
	if m := ofResume.FindStringSubmatch(name); m != nil {
		inner := m[1]
		for n := ofResume.FindStringSubmatch(inner); n != nil; n = ofResume.FindStringSubmatch(inner) {
			inner = n[1]
		}
		return code(inner) + " from line " + m[2] + " on"
	}
	return code(name)
}

// functionAt is a function and its place.
func functionAt(p *explain.Program, name, file string, line int) string {
	switch {
	case name == explain.Unnamed:
		return "a function that the log does not name"
	case file == "":
		return functionText(name)
	}
	return functionText(name) + " (" + p.Places.Place(file, line) + ")"
}

// lostText says that a function runs as ordinary Python, and why.
func lostText(p *explain.Program, c *explain.Compile) string {
	return fmt.Sprintf("%s runs as ordinary Python: %s.", functionAt(p, p.Model.TitleOf(c), c.File, c.Line), strings.TrimSuffix(lostWhy(p, c), "."))
}

// lostWhy says why Dynamo left a function alone.
func lostWhy(p *explain.Program, c *explain.Compile) string {
	why := "torch gave no reason"
	switch {
	case c.Outcome != nil && c.Outcome.Limit != "":
		why = "the limit " + limitTitle(c) + " is reached"
	case c.Failure != "" || c.Outcome != nil && c.Outcome.Error != "":
		cause := answers.FailureOf(c)
		why = answers.Hence(cause.Reasons)
		if kind := errorKind(c); kind != "Unsupported" && kind != "" {
			why = "compiling it failed with " + code(kind) + ", which was suppressed: " + why
		}
		if len(c.Breaks) > 0 && c.Breaks[0].Line > 0 {
			cause.File, cause.Line, cause.Code = c.Breaks[0].File, c.Breaks[0].Line, c.Breaks[0].Code
		}
		if cause.Line > 0 {
			why += " (" + p.Places.Place(cause.File, cause.Line)
			if cause.Code != "" {
				why += " " + code(cause.Code)
			}
			why += ")"
		}
	case len(c.Breaks) > 0:
		why = breakText(p, c.Breaks[0])
	case len(c.Errors) > 0:
		why, _, _ = strings.Cut(c.Errors[0], "\n")
	case answers.Idle(c):
		why = "there was nothing in it to put into a graph"
	}
	if len(c.Breaks) > 0 {
		why = strings.Join(append([]string{why}, fromDetail(p, c.Breaks[0])...), "; ")
	}
	return oneLine(why)
}

// errorKind is the type of the error that a compilation failed with.
func errorKind(c *explain.Compile) string {
	if c.Outcome != nil && c.Outcome.Error != "" {
		return c.Outcome.Error
	}
	return answers.ErrorOf(c.Failure)
}
