package explain

import (
	"strconv"
	"strings"

	"github.com/thuml/depyf/internal/lazyregexp"
)

var (
	limitReached = lazyregexp.New(`^(\w+) reached`)      // of a RecompileLimitExceeded, before torch 2.10
	limitType    = lazyregexp.New(`\bLimit type: (\w+)`) // since then
	limitSetTo   = lazyregexp.New(`\(currently set to (\d+)\)`)
)

// logLimit takes from torch's own log that a limit prevented a compilation, which a watched session is told by a hook.
func (m *Model) logLimit(c *Compile, metrics fields, envelope string) {
	kind, why := metrics.str("fail_type"), metrics.str("fail_reason")
	var found []string
	switch {
	case m.Start.Log == "":
		return
	case strings.HasSuffix(kind, "LimitExceeded"):
		found = limitReached.FindStringSubmatch(why)
	case strings.HasPrefix(why, "Dynamo recompile limit exceeded"):
		found = limitType.FindStringSubmatch(why)
	}
	if found == nil {
		return
	}
	c.Outcome = &Outcome{Untold: true, Error: kind, Text: CleanText(why), Limit: found[1]}
	if set := limitSetTo.FindStringSubmatch(why); set != nil {
		c.Outcome.Value, _ = strconv.Atoi(set[1])
	} else if _, rest, ok := strings.Cut(envelope, `\"`+found[1]+`\": `); ok { // in torch's configuration, a text within the entry
		end := len(rest) - len(strings.TrimLeft(rest, "0123456789"))
		c.Outcome.Value, _ = strconv.Atoi(rest[:end])
	}
}

// placeLimits says which function a limit is of: torch logs neither name nor place of a compilation that does not begin.
func (l *logged) placeLimits() {
	known := map[string]*Compile{} // by the number of the function
	for _, c := range l.m.Compiles {
		frame, resets := frameNumber(c.ID)
		key := frame + "@" + strconv.Itoa(resets)
		switch before := known[key]; {
		case c.Func != "":
			known[key] = c
		case before != nil && c.Outcome != nil && c.Outcome.Limit != "":
			c.Func, c.File, c.Line = before.Func, before.File, before.Line
		}
	}
}
