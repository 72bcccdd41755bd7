package decompile

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/thuml/depyf/internal/choice"
	"github.com/thuml/depyf/internal/equiv"
	"github.com/thuml/depyf/internal/lazyregexp"
	"github.com/thuml/depyf/internal/lower"
	"github.com/thuml/depyf/internal/pyast"
	"github.com/thuml/depyf/internal/pyc"
	"github.com/thuml/depyf/internal/pyprint"
	"github.com/thuml/depyf/internal/structure"
)

// fallBack says how a function of a module is written.
type fallBack uint8

// The ways, from best to last.
const (
	asCompiled fallBack = iota // as the compiler's code reads best
	emptied                    // with the stack emptied at every edge first
	resisting                  // with a dispatch loop where no statement is found
	emptiedResisting
	dispatched // as one dispatch loop
	emptiedDispatched
	withCopies // with nothing guessed about what the compiler has copied
	withNames  // nor about which cases are a match statement, and with a name for each value that is needed twice
	inPieces   // with a stub for each expression that there is none for
	asStub     // as commented bytecode and a stub
)

// ways tells how the passes go in each way that needs them.
var ways = [asStub]way{
	asCompiled:        {spill: never},
	emptied:           {spill: wholly},
	resisting:         {spill: never, dispatch: structure.Resisting},
	emptiedResisting:  {spill: wholly, dispatch: structure.Resisting},
	dispatched:        {spill: never, dispatch: structure.Everything},
	emptiedDispatched: {spill: wholly, dispatch: structure.Everything},
	withCopies:        {spill: never, dispatch: structure.Everything, copies: true},
	withNames:         {spill: never, dispatch: structure.Everything, copies: true, named: true},
	inPieces:          {spill: never, dispatch: structure.Resisting, pieces: true},
}

// ladder finds for each code object that is not proven as it reads best the first
// way that is, each on its own. Where none is, it is written in the first way that
// has a text.
type ladder struct {
	way     map[*pyc.Code]fallBack
	refused map[*pyc.Code]string // what the compiler has against the last
	why     map[*pyc.Code]string // why the first way has no text
	text    map[*pyc.Code]fallBack
	settled map[*pyc.Code]bool
	last    fallBack // the last way that is tried

	searched map[*pyc.Code]bool
	again    int                       // instructions that searches have written again
	choices  map[*pyc.Code]*choice.Run // what the search has found
}

func newLadder(last fallBack) *ladder {
	return &ladder{
		way: map[*pyc.Code]fallBack{}, refused: map[*pyc.Code]string{}, why: map[*pyc.Code]string{}, text: map[*pyc.Code]fallBack{}, settled: map[*pyc.Code]bool{}, last: last,
		searched: map[*pyc.Code]bool{}, choices: map[*pyc.Code]*choice.Run{},
	}
}

// next takes a code object to its next way. stub says that it has no text now.
func (l *ladder) next(c *pyc.Code, stub bool) (changed bool) {
	if l.settled[c] {
		return false
	}
	now := l.way[c]
	if _, has := l.text[c]; !has && !stub {
		l.text[c] = now
	}
	last := l.last
	if strings.HasPrefix(c.Name, "<") && c.Name != "<module>" {
		last = emptied // an expression has no loops
	}
	if c.Version.AnnotationsAreLazy() && (c.Name == "__annotate__" || isLazyValue(c)) {
		last = asCompiled // the compiler's own: annotations are read from it, in one shape
	}
	if now < last {
		l.way[c] = now + 1
		return true
	}
	l.settled[c] = true
	l.way[c] = asStub
	if w, has := l.text[c]; has {
		l.way[c] = w
	}
	return l.way[c] != now
}

// refuse takes a code object to another way since the compiler refuses its text: to its next,
// or to the stub.
func (l *ladder) refuse(c *pyc.Code, why string, next fallBack) {
	l.refused[c] = why
	if w, has := l.text[c]; has && w == l.way[c] {
		delete(l.text, c)
	}
	l.way[c] = min(next, asStub)
	l.settled[c] = l.settled[c] || l.way[c] == asStub
}

// maxRetries bounds how often a module is written again. What the compiler refuses after half of
// them becomes a stub at once, and after all of them the module does: no text is left
// that does not compile.
const maxRetries = 40

// isolated decompiles a module. What the compiler refuses, what cannot be expressed
// and what is not proven costs the function it stands in, which is written in its
// next best way, and not the file. With first set only what the compiler refuses is
// written again.
func isolated(code *pyc.Code, opt Options, first bool) (*Result, equiv.Result) {
	opt = opt.judged(code)
	l := newLadder(inPieces)
	if first {
		l.last = asCompiled
	}
	for n := 0; ; n++ {
		u := newUnit(code, opt)
		u.ladder = l
		r, res, spans, err := u.module()
		if err != nil {
			c := u.culprit(err, spans)
			if c == nil || n > maxRetries {
				return r, res
			}
			if n < maxRetries/2 && u.search(c) && l.choices[c].Changed() {
				continue
			}
			next := l.way[c] + 1
			if n == maxRetries {
				c = code
			}
			if n >= maxRetries/2 {
				next = asStub
			}
			l.refuse(c, "its source does not compile: "+err.Error(), next)
			continue
		}
		if n >= maxRetries {
			return r, res
		}
		again := false
		if !first && u.limits.met() == nil {
			for _, c := range u.failing() {
				again = u.search(c) || l.next(c, true) || again
			}
			for _, d := range res.Diffs {
				if c := d.Codes[0]; c != nil && u.failed[c] == "" {
					// The lowering may be at fault, and a module reads badly with names of its own.
					stays := u.proved[c] || c == code && opt.lowers()
					again = u.search(c) || !stays && l.next(c, false) || again
				}
			}
		}
		if !again {
			return r, res
		}
	}
}

// failing lists the code objects without a text in their order: the searches share what they may cost.
func (u *unit) failing() []*pyc.Code {
	if len(u.failed) == 0 {
		return nil
	}
	return slices.DeleteFunc(u.code.All(), func(c *pyc.Code) bool { return u.failed[c] == "" })
}

// lowers reports whether the text of a function or class can be lowered by itself.
func (u *unit) lowers(n pyast.Node) bool {
	s, ok := n.(pyast.Stmt)
	if !ok {
		return true
	}
	_, _, err := lower.Module(&pyast.Module{Body: []pyast.Stmt{s}}, u.code.Version, u.code.Flags&pyc.FutureMask)
	return err == nil
}

// errorLine finds the line in a message such as "SyntaxError: invalid syntax
// (x.py, line 1)".
var errorLine = lazyregexp.New(`, line (\d+)\)`)

// culprit finds the innermost function or class around the line that the
// compiler names which can still be written in another way, or else the module. Where
// it names none (a jump out of an except* clause: line -1), that is the innermost one that cannot be lowered either.
func (u *unit) culprit(err error, spans map[pyast.Node]pyprint.Span) *pyc.Code {
	here := func(n pyast.Node, _ pyprint.Span) bool { return !u.lowers(n) } // of code without a line the compiler says no line
	m := errorLine.FindStringSubmatch(err.Error())
	if m != nil {
		line, _ := strconv.Atoi(m[1])
		here = func(_ pyast.Node, s pyprint.Span) bool { return s.First <= line && line <= s.Last }
	}
	var best *pyc.Code
	size := 0
	for c, n := range u.nodes {
		s, ok := spans[n]
		if !ok || u.ladder.way[c] >= asStub || !here(n, s) {
			continue
		}
		// Of two of one size the order of the code decides, not that of a map.
		if k := s.Last - s.First; best == nil || k < size || k == size && c.FirstLine > best.FirstLine {
			best, size = c, k
		}
	}
	if best == nil && u.ladder.way[u.code] < asStub {
		return u.code
	}
	return best
}

// refusal is the error of a function that is to be a stub.
func (u *unit) refusal() error {
	if u.ladder.way[u.code] < asStub {
		return nil
	}
	if why := u.ladder.refused[u.code]; why != "" {
		return errors.New(why)
	}
	if why := u.ladder.why[u.code]; why != "" {
		return errors.New(why)
	}
	return errors.New("it cannot be expressed")
}
