package answers

import (
	"slices"
	"strings"

	"github.com/thuml/depyf/internal/explain"
	"github.com/thuml/depyf/internal/lazyregexp"
)

// FailureCause is why a compilation failed, and what helps.
type FailureCause struct {
	explain.Cause          // its hints: torch's own, those that say what to write first
	Remedies      []string // ours
}

// FailureOf reads why a compilation failed.
func FailureOf(c *explain.Compile) FailureCause {
	kind, text := "", c.Failure
	if c.Outcome != nil && c.Outcome.Text != "" {
		kind = c.Outcome.Error
		if text == "" {
			text = c.Outcome.Text
		}
	}
	if t, rest, ok := strings.Cut(text, ": "); ok && (t == kind || t == "Unsupported") {
		text = rest
	}
	cause := explain.ReadCause(text)
	if c.Outcome != nil {
		// The error's own text has the user's stack; what torch logs of it has not.
		told := explain.ReadCause(c.Outcome.Text)
		cause.File, cause.Line, cause.Code = told.File, told.Line, told.Code
	}
	if c.FailLine > 0 && (cause.File == "" || cause.Line != c.FailLine) {
		cause.File, cause.Line, cause.Code = c.FailFile, c.FailLine, ""
	}
	if len(cause.Reasons) == 1 && cause.Explanation == "" {
		cause.Reasons[0], cause.Explanation = explain.PlainReason(cause.Reasons[0])
	}
	if m := errorInside.FindStringSubmatch(cause.Explanation); m != nil && len(cause.Reasons) > 0 {
		// That a "fake tensor call" failed tells a user nothing; the operation's own error does.
		cause.Reasons[len(cause.Reasons)-1] = m[1] + ": " + strings.TrimSuffix(m[2]+m[3], ".")
	}
	for i, r := range cause.Reasons {
		cause.Reasons[i] = Shortened(r)
	}
	out := FailureCause{Cause: cause}
	out.Hints = UsefulFirst(cause.Hints)
	if unsupported := c.Outcome != nil && c.Outcome.Error == "Unsupported"; unsupported {
		out.Remedies = with(out.Remedies, BreakRemedy(append(slices.Clone(cause.Reasons), cause.Explanation)...))
	}
	return out
}

// errorInside is the error of the operation itself, at the end of torch's explanation.
var errorInside = lazyregexp.New(`(?s): got (\w+)\((?:'(.*)'|"(.*)"),?\)\s*$`)

// mostOfMessage is how long an error's message may be; compilers print pages.
const mostOfMessage = 600

// Shortened is a message as far as it is shown.
func Shortened(s string) string {
	if r := []rune(s); len(r) > mostOfMessage {
		return string(r[:mostOfMessage]) + "… (all of it is in events.jsonl)"
	}
	return s
}
