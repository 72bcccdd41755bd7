package decompile

import (
	"cmp"
	"strings"

	"github.com/thuml/depyf/internal/choice"
	"github.com/thuml/depyf/internal/equiv"
	"github.com/thuml/depyf/internal/lower"
	"github.com/thuml/depyf/internal/pyc"
)

// What bounds the searches for the code of one file: instructions that are written again, for one
// code object and for all, and texts that are tried for one. Code so long that few texts
// could be tried is left as it is.
const (
	searchedInstrs = 200_000
	searchedInAll  = 20 * searchedInstrs
	byEffects      = 5 // times what a comparison by instructions takes
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
	if u.opt.Dynamo {
		size *= byEffects
	}
	tries := min(cmp.Or(u.opt.texts, mostTexts), searchedInstrs/size)
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

// stubbed reports whether c or an expression in it has no text, whatever is decided about c.
func (u *unit) stubbed(c *pyc.Code) bool {
	return u.opt.Resist != nil && u.opt.Resist(c) != nil || c.HasInner(func(k *pyc.Code) bool {
		return strings.HasPrefix(k.Name, "<") && (u.stubs[k] != "" || u.stubbed(k))
	})
}

// attempt writes the unit alone with the decisions of a run, and says how far that is right.
func (u *unit) attempt(r *choice.Run) choice.Outcome {
	wrong := choice.Outcome{Agree: -1, At: -1}
	n := newUnit(u.code, u.opt)
	n.opt.Watch, n.opt.Printed = nil, nil
	n.outer, n.class, n.mangled, n.hides, n.unseen = u.outer, u.class, u.mangled, u.hides, u.unseen
	n.ladder.last = inPieces // an expression without a text is a stub, and costs itself alone
	n.run = r
	tree, find := n.apart()
	if tree == nil || n.stubs[u.code] != "" {
		return wrong
	}
	again, funcs, err := lower.Module(tree, u.code.Version, u.code.Flags&pyc.FutureMask)
	if err != nil {
		return wrong
	}
	if again = find(again); again == nil {
		return wrong
	}
	putInPlace(again, u.code)
	if u.opt.Dynamo && equiv.CompareEffects(u.code, again, equiv.Options{Inner: true, AnyQualName: true, Lowered: funcs}).Equal {
		return choice.Outcome{Right: true} // of two variables of one name the text may take the other
	}
	res := equiv.Compare(u.code, again, equiv.Options{AnyQualName: true, All: true, Lowered: funcs})
	for i := range res.Diffs {
		if d := &res.Diffs[i]; d.Codes[0] == u.code {
			return choice.Outcome{Agree: d.Agree, At: d.Where.A}
		}
	}
	return choice.Outcome{Right: true}
}
