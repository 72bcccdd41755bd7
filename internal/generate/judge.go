package generate

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/decompile"
	"github.com/thuml/depyf/internal/equiv"
	"github.com/thuml/depyf/internal/lazyregexp"
	"github.com/thuml/depyf/internal/pass"
	"github.com/thuml/depyf/internal/pyc"
	"github.com/thuml/depyf/internal/pyworker"
	"github.com/thuml/depyf/internal/score"
	"github.com/thuml/depyf/internal/structure"
)

// Judge decides about programs of one CPython version. It serves one goroutine.
type Judge struct {
	Version pyc.Version
	// Final judges the text that a user gets, in which a dispatch loop may stand for
	// what is not proven otherwise, in place of the one that reads best.
	Final bool
	// Strict takes what is proved only by its effects for a difference.
	Strict bool
	// Alone judges every function, class and comprehension of an exact program once more, without the text
	// around it.
	Alone bool
	// Loops takes what is proved, but written as a dispatch loop, for a difference.
	Loops bool
	pools [3]*pyworker.Pool // for each level of optimization
	trees *score.Trees      // nil: not asked for
}

// NewJudge starts the interpreters.
func NewJudge(v pyc.Version) (*Judge, error) {
	j := &Judge{Version: v}
	for level := range j.pools {
		p, err := pyworker.NewPool(v, pyworker.Options{Workers: 1, Optimize: level})
		if err != nil {
			j.Close()
			return nil, err
		}
		j.pools[level] = p
	}
	return j, nil
}

// CompareTrees takes another syntax tree than the program's for a difference from now on, where
// the bytecode tells which of the two was written.
func (j *Judge) CompareTrees() (err error) {
	j.trees, err = score.NewTrees(j.Python())
	return err
}

// Close ends the interpreters.
func (j *Judge) Close() {
	if j.trees != nil {
		j.trees.Close()
	}
	for _, p := range j.pools {
		if p != nil {
			p.Close()
		}
	}
}

// Python is the interpreter in use.
func (j *Judge) Python() string { return j.pools[0].Path() }

// Class is what became of a program.
type Class string

// The classes.
const (
	Refused Class = "refused" // by the compiler: no program
	Exact   Class = "exact"
	Proved  Class = "proved"  // by its effects
	Looped  Class = "looped"  // likewise, but some of it is a dispatch loop, which no person wrote
	Differs Class = "differs" // the text is not proven
	Stub    Class = "stub"    // some of the code has no text
	Broken  Class = "broken"  // the text does not compile
	Retold  Class = "retold"  // exact, but not the statements that were written, though the bytecode tells
	Crashed Class = "crashed" // the decompiler has panicked, or a checker behind a pass complains
)

// Failed reports whether the decompiler is at fault.
func (c Class) Failed() bool { return c != Exact && c != Proved && c != Looped && c != Refused }

// Outcome is what became of a program, and why.
type Outcome struct {
	Class  Class
	Reason string // with everything left out that differs from program to program
	Detail string
	Text   string // what came out
}

// same reports whether two programs fail alike.
func (o Outcome) same(p Outcome) bool { return o.Class == p.Class && o.Reason == p.Reason }

// Program judges one.
func (j *Judge) Program(p *Program) Outcome {
	text, err := p.Text(j.Version)
	if err != nil {
		return Outcome{Class: Refused, Detail: err.Error()}
	}
	return j.Source(text, p.Layout.Optimize)
}

// Source judges a text.
func (j *Judge) Source(text string, optimize int) (out Outcome) {
	pool := j.pools[optimize]
	code, err := pool.Compile(text, "generated.py")
	if err != nil {
		return Outcome{Class: Refused, Detail: err.Error()}
	}
	defer func() {
		if r := recover(); r != nil {
			out = Outcome{Class: Crashed, Detail: fmt.Sprint(r)}
			out.Reason = common(out.Detail)
		}
	}()
	var broken error // what a checker behind some pass says
	watch := &pass.Watch{Broken: func(err error) { broken = cmp.Or(broken, err) }}
	module := decompile.ModuleScore
	if j.Final {
		module = decompile.ModuleCompared
	}
	r, res := module(code, decompile.Options{Compile: pool.CompileFlags, Optimized: optimize > 0, Watch: func(*pyc.Code) *pass.Watch { return watch }})
	if broken != nil {
		return Outcome{Class: Crashed, Reason: common(broken.Error()), Detail: broken.Error(), Text: r.Source}
	}
	out = Outcome{Class: Differs, Detail: r.Detail, Text: r.Source}
	switch {
	case r.Verdict == decompile.Exact:
		out.Class = Exact
		if j.trees != nil && optimize == 0 { // what an optimizing compiler leaves out, no tree has
			out = j.retold(text, out)
		}
		if j.Alone && out.Class == Exact {
			return j.alone(code, pool, out)
		}
		return out
	case r.Verdict.Proven() && j.Loops && looped(r.Source):
		out.Reason = common(dispatched(r.Source))
		return out
	case r.Verdict.Proven() && !j.Strict:
		out.Class = Proved
		if looped(r.Source) {
			out.Class = Looped
		}
		return out
	case len(r.Problems) > 0:
		out.Class, out.Detail = Stub, r.Problems[0]
		_, out.Reason, _ = strings.Cut(r.Problems[0], ": ")
		out.Reason = common(out.Reason)
		return out
	case strings.Contains(r.Detail, "does not compile"):
		out.Class = Broken
		out.Reason = common(strings.TrimPrefix(r.Detail, "the source does not compile: "))
	case len(res.Diffs) > 0:
		out.Reason = pair(&res.Diffs[0])
	default:
		out.Reason = common(r.Detail)
	}
	return out
}

// retold compares the trees of a program and of what came out, function by function.
func (j *Judge) retold(text string, exact Outcome) Outcome {
	_, differ, err := j.trees.Compare([]byte(text), exact.Text)
	if err != nil {
		return Outcome{Class: Crashed, Reason: "the trees cannot be compared", Detail: err.Error(), Text: exact.Text}
	}
	for _, d := range differ {
		if !d.Untold {
			return Outcome{Class: Retold, Reason: d.Kind, Detail: d.Name + ": " + d.Kind, Text: exact.Text}
		}
	}
	return exact
}

// alone judges the code objects inside of an exact program.
func (j *Judge) alone(code *pyc.Code, pool *pyworker.Pool, exact Outcome) Outcome {
	for _, k := range code.Consts {
		inner, ok := k.(*pyc.Code)
		if !ok {
			continue
		}
		r, err := decompile.Code(inner, decompile.Options{Compile: pool.CompileFlags})
		switch {
		case err != nil:
			return Outcome{Class: Stub, Reason: "alone: " + common(err.Error()), Detail: err.Error()}
		case !r.Verdict.Proven():
			detail := inner.QualName + ": " + r.Detail
			return Outcome{Class: Differs, Reason: "alone: " + common(r.Detail), Detail: detail, Text: r.Source}
		}
		if out := j.alone(inner, pool, exact); out.Class != Exact {
			return out
		}
	}
	return exact
}

// looped reports whether a text has a dispatch loop.
func looped(text string) bool { return strings.Contains(text, structure.DispatchNote) }

// dispatched is the note on the first dispatch loop of a text.
func dispatched(text string) string {
	_, why, _ := strings.Cut(text, structure.DispatchNote)
	why, _, _ = strings.Cut(why, "\n")
	return "a dispatch loop" + why
}

// pair names the first two operations that differ.
func pair(d *equiv.Diff) string {
	a, b := operation(d.Codes[0], d.Where.A), operation(d.Codes[1], d.Where.B)
	switch {
	case a == "" && b == "":
		return common(d.Reason)
	case a == b:
		if strings.Contains(d.Reason, "handler") {
			return a + ": " + common(d.Reason)
		}
		return a + ": with another operand"
	}
	return a + " against " + b
}

func operation(c *pyc.Code, offset int) string {
	if c == nil || offset < 0 {
		return ""
	}
	f, err := bytecode.Decode(c)
	if err != nil {
		return "?"
	}
	for i := range f.Instrs {
		if f.Instrs[i].Offset == offset {
			return f.Instrs[i].Op.String()
		}
	}
	return "?"
}

var (
	linesIn = lazyregexp.New(` ?\([^()]*line \d+\)`)
	numbers = lazyregexp.New(`\d+`)
	quoted  = lazyregexp.New(`'[^']*'|"[^"]*"`)
)

// common takes out of a message what differs from program to program.
func common(s string) string {
	s = linesIn.ReplaceAllString(s, "")
	s = quoted.ReplaceAllString(s, "'…'")
	return numbers.ReplaceAllString(s, "N")
}
