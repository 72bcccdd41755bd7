package explain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/thuml/depyf/internal/lazyregexp"
	"github.com/thuml/depyf/internal/torchlog"
)

// Graph breaks, as torch logs them for people.

// graphBreak takes in a graph break. If the log has nothing else of the compilation, the traceback may tell of which function it is.
func (t *logText) graphBreak(m torchlog.Message, text string) {
	if _, ok := t.ids[m.ID]; !ok {
		if f, ok := brokenIn(text); ok {
			t.known(m, f)
		} else {
			t.nameless = append(t.nameless, m.ID)
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
	if strings.Contains(m.Text, "capture_scalar_outputs") && logSetting.MatchString(m.Text) && !strings.HasPrefix(head, "Graph break") { // its head is cut off
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

// brokenIn is the function that was being compiled when a graph broke. From torch 2.6 on the traceback begins in front of it, and in the
// middle are functions that were inlined: it is known if torch's own entrance is in the traceback, or if there is no other function.
func brokenIn(text string) (place, bool) {
	user, _, _ := strings.Cut(text, "Traceback (most recent call last)")
	stack := stackIn(user)
	entered := !strings.Contains(user, "User code traceback:")
	for i, f := range slices.Backward(stack) {
		if strings.Contains(f.File, "torch/_dynamo/eval_frame.py") && i+1 < len(stack) {
			stack, entered = stack[i+1:], true
			break
		}
	}
	for len(stack) > 1 && (stack[0].Name == "<module>" || strings.Contains(stack[0].File, "torch/nn/modules/module.py")) {
		stack = stack[1:]
	}
	if len(stack) == 0 || len(stack) > 1 && !entered {
		return place{}, false
	}
	return place{name: stack[0].Name, file: stack[0].File}, true // the line is where it broke, not where it begins
}
