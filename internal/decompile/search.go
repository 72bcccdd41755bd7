package decompile

import (
	"slices"
	"strings"

	"github.com/thuml/depyf/internal/choice"
	"github.com/thuml/depyf/internal/equiv"
	"github.com/thuml/depyf/internal/lower"
	"github.com/thuml/depyf/internal/pyast"
	"github.com/thuml/depyf/internal/pyc"
)

// What bounds the searches for the code of one file: instructions that are written again, for one
// code object and for all, and texts that are tried for one. Code so long that few texts
// could be tried is left as it is.
const (
	searchedInstrs = 200_000
	searchedInAll  = 20 * searchedInstrs
	mostTexts      = 400
	leastTexts     = 40
)

// search looks for decisions (internal/choice) with which the text of c is proven, and keeps
// them for the next try. What judges is the proof by lowering: it takes c alone, and no
// process. The text is proven with the others again.
func (u *unit) search(c *pyc.Code) bool {
	l := u.ladder
	at := u.units[c]
	if at == nil || l.searched[c] || l.way[c] != asCompiled || at.graph != nil || u.stubbed(c) {
		return false
	}
	l.searched[c] = true
	size := max(1, len(at.decoded()))
	tries := min(mostTexts, searchedInstrs/size)
	if tries < leastTexts {
		return false
	}
	run := choice.Search(tries, func(r *choice.Run) (choice.Outcome, bool) {
		l.again += size
		return at.attempt(r), l.again < searchedInAll
	})
	if run != nil {
		l.choices[c] = run
	}
	return run != nil
}

// searched is search for a function on its own, whose decisions go to l.
func (u *unit) searched(l *ladder) bool {
	u.ladder = l
	return u.search(u.code)
}

// stubbed reports whether c or an expression in it has no text, whatever is decided about c.
func (u *unit) stubbed(c *pyc.Code) bool {
	return u.opt.Resist != nil && u.opt.Resist(c) != nil || slices.ContainsFunc(innerCodes(c), func(k *pyc.Code) bool {
		return strings.HasPrefix(k.Name, "<") && (u.stubs[k] != "" || u.stubbed(k))
	})
}

// attempt writes the unit alone with the decisions of a run, and says how far that is right.
func (u *unit) attempt(r *choice.Run) choice.Outcome {
	wrong := choice.Outcome{Agree: -1, At: -1}
	n := newUnit(u.code, u.opt)
	n.opt.Watch, n.opt.Printed = nil, nil
	n.outer, n.class, n.mangled = u.outer, u.class, u.mangled
	n.ladder.last = inPieces // an expression without a text is a stub, and costs itself alone
	n.run = r
	tree := n.apart()
	if tree == nil || n.stubs[u.code] != "" {
		return wrong
	}
	again, funcs, err := lower.Module(tree, u.code.Version, u.code.Flags&pyc.FutureMask)
	if err != nil {
		return wrong
	}
	if again = unwrapped(again, u.code); again == nil {
		return wrong
	}
	putInPlace(again, u.code)
	res := equiv.Compare(u.code, again, equiv.Options{AnyQualName: true, All: true, Lowered: funcs})
	for i := range res.Diffs {
		if d := &res.Diffs[i]; d.Codes[0] == u.code {
			return choice.Outcome{Agree: d.Agree, At: d.Where.A}
		}
	}
	return choice.Outcome{Right: true}
}

// apart writes the unit as a module of its own, in statements that give its names the meaning that
// they have where it stands. Nil where its code is no statement, or has no text.
func (u *unit) apart() *pyast.Module {
	var def pyast.Stmt
	switch c := u.code; {
	case u.outer == nil && !c.IsFunction():
		list, err := u.body()
		if err != nil {
			return nil
		}
		p := &page{unit: u, list: u.annotated(list)}
		if err := whole.Run(p, nil); err != nil {
			return nil
		}
		return &pyast.Module{Body: p.list}
	case !c.IsFunction():
		class := &pyast.ClassDef{Name: c.Name}
		u.classSuite(class)
		def = class
	case c.Name == "<lambda>":
		e, err := u.expression(asExpr)
		if err != nil {
			return nil
		}
		def = pyast.ES(&pyast.Lambda{Args: u.arguments(), Body: e})
	case strings.HasPrefix(c.Name, "<"):
		return nil
	default:
		def = u.def(c.Name)
	}
	if u.outer != nil && u.outer.class != "" {
		def = &pyast.ClassDef{Name: u.outer.class, Body: []pyast.Stmt{def}}
	}
	if free := u.code.FreeVars(); len(free) > 0 {
		def = capturing(free, def)
	}
	return &pyast.Module{Body: []pyast.Stmt{def}}
}

// unwrapped finds what stands for c in the code of its own module.
func unwrapped(module, c *pyc.Code) *pyc.Code {
	if c.Name == module.Name {
		return module
	}
	for inner := innerCodes(module); len(inner) > 0; inner = innerCodes(inner[0]) {
		if inner[0].Name == c.Name && len(inner) == 1 {
			return inner[0]
		}
		if inner[0].Name != OuterName && inner[0].IsFunction() {
			return nil
		}
	}
	return nil
}
