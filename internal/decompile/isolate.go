package decompile

import (
	"errors"
	"regexp"
	"strconv"

	"github.com/thuml/depyf/internal/equiv"
	"github.com/thuml/depyf/internal/pyast"
	"github.com/thuml/depyf/internal/pyc"
	"github.com/thuml/depyf/internal/pyprint"
)

// fallBack says how a function of a module is written.
type fallBack uint8

// The ways, from best to last.
const (
	asCompiled fallBack = iota // as the compiler's code reads best
	emptied                    // with the stack emptied at every edge first
	asStub                     // as commented bytecode and a stub
)

// maxRetries bounds how often a module is written again.
const maxRetries = 40

// isolated decompiles a module. What the compiler refuses costs the function
// it stands in, which is written in its next best way, and not the file.
func isolated(code *pyc.Code, opt Options) (*Result, equiv.Result) {
	ways := map[*pyc.Code]fallBack{}
	why := map[*pyc.Code]string{}
	for n := 0; ; n++ {
		u := newUnit(code, opt)
		u.ways, u.refused = ways, why
		r, res, spans, err := u.module()
		if err == nil || n == maxRetries {
			return r, res
		}
		c := u.culprit(err, spans)
		if c == nil {
			return r, res
		}
		ways[c]++
		why[c] = "its source does not compile: " + err.Error()
	}
}

// errorLine finds the line in a message such as "SyntaxError: invalid syntax
// (x.py, line 1)".
var errorLine = regexp.MustCompile(`, line (\d+)\)`)

// culprit finds the innermost function or class around the line that the
// compiler names which can still be written in another way.
func (u *unit) culprit(err error, spans map[pyast.Node]pyprint.Span) *pyc.Code {
	m := errorLine.FindStringSubmatch(err.Error())
	if m == nil {
		return nil
	}
	line, _ := strconv.Atoi(m[1])
	var best *pyc.Code
	size := 0
	for c, n := range u.nodes {
		s, ok := spans[n]
		if !ok || line < s.First || line > s.Last || u.ways[c] >= asStub {
			continue
		}
		// Of two of one size the order of the code decides, not that of a map.
		if k := s.Last - s.First; best == nil || k < size || k == size && c.FirstLine > best.FirstLine {
			best, size = c, k
		}
	}
	return best
}

// refusal is the error of a function that is to be a stub.
func (u *unit) refusal() error {
	if u.ways[u.code] < asStub {
		return nil
	}
	return errors.New(u.refused[u.code])
}
