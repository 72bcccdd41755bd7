package explain

import (
	"encoding/json"
	"strings"

	"github.com/thuml/depyf/internal/lazyregexp"
	"github.com/thuml/depyf/internal/torchlog"
)

// Recompilations, as torch logs them for people.

// CutReason stands for the reason of a recompilation whose message ends before it: torch gives one each time, be
// it an empty one.
const CutReason = "the_log_is_cut_off"

// logMark begins a reason.
var logMark = lazyregexp.New(`(?m)^\s*-`)

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
