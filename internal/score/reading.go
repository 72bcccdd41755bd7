package score

import (
	"strings"

	"github.com/thuml/depyf/internal/lazyregexp"
)

// Reading counts what makes the text of Dynamo's code hard to read.
type Reading struct {
	Lines    int // of code: no comments, no blank lines
	Aliases  int // one name for another: `x = y`
	Numbered int // lines that mention a name which only a number tells from others: `_temp_3`, `value_2`
	Displays int // statements that make a list, tuple or dict for nobody
	Poor     int // lines that are an alias or mention such a name, each once
}

var (
	aliasLine    = lazyregexp.New(`^\s*([\pL_][\pL\pN_]*) = ([\pL_][\pL\pN_]*)$`)
	numberedName = lazyregexp.New(`\b(_temp|value|result|item|items|entries|condition|function)_\d+\b`)
	displayLine  = lazyregexp.New(`^\s*(\[.*\]|\{.*\}|\([^)]*,\s*\)|\(\))$`)
)

// Read counts the lines of one decompiled text. It goes by lines, as the printer
// writes them: a statement that is too long for one counts as many.
func Read(text string) Reading {
	var r Reading
	inside := false // a statement that goes on
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		code := strings.TrimSpace(line)
		if code == "" || code[0] == '#' {
			continue
		}
		if at := strings.Index(line, "  # "); at >= 0 {
			line = line[:at]
		}
		r.Lines++
		m := aliasLine.FindStringSubmatch(line)
		alias := m != nil && !constantName[m[2]]
		numbered := numberedName.MatchString(line)
		if alias {
			r.Aliases++
		}
		if numbered {
			r.Numbered++
		}
		if alias || numbered {
			r.Poor++
		}
		if !inside && displayLine.MatchString(line) {
			r.Displays++
		}
		inside = strings.ContainsRune("([{,", rune(line[len(line)-1]))
	}
	return r
}

var constantName = map[string]bool{"None": true, "True": true, "False": true}

// Add sums up.
func (r *Reading) Add(s Reading) {
	r.Lines += s.Lines
	r.Aliases += s.Aliases
	r.Numbered += s.Numbered
	r.Displays += s.Displays
	r.Poor += s.Poor
}
