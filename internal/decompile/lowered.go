package decompile

import (
	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/lower"
	"github.com/thuml/depyf/internal/pyast"
	"github.com/thuml/depyf/internal/pyc"
)

// lowers reports whether texts are proven by lowering their trees, since there is no
// interpreter to recompile them with. Dynamo's code comes from a running one.
func (opt *Options) lowers() bool { return opt.Compile == nil && !opt.NoProof && !opt.Dynamo }

// unproven reports whether nothing is proven at all.
func (opt *Options) unproven() bool { return opt.Compile == nil && !opt.lowers() }

// again makes a code object of a printed tree once more: recompiled from the text or, where
// there is no interpreter, lowered from the tree. The text of a function, or of what a program
// has compiled with flags, does not import from __future__ what its code has: inherited are those flags. Lowered code has its instructions in the
// map. The error is the compiler's, or names what cannot be lowered.
func (opt *Options) again(m *pyast.Module, text, filename string, v pyc.Version, inherited pyc.CodeFlags) (*pyc.Code, map[*pyc.Code]*bytecode.Func, error) {
	if !opt.lowers() {
		code, err := opt.Compile(text, filename, inherited)
		return code, nil, err
	}
	return lower.Module(m, v, inherited)
}

// settled is the verdict on a result that was compared: what lowering shows counts as proved,
// and what it does not show is unproved, for the lowering may be at fault.
func (r *Result) settled(opt *Options) {
	if !opt.lowers() {
		return
	}
	switch r.Verdict {
	case Exact:
		r.Verdict = Proved
	case Differs:
		r.Verdict = Unproved
		r.Detail = "not proven without an interpreter of its version: " + r.Detail
	}
	r.Lowered = r.Verdict == Proved
	for i := range r.Objects {
		switch o := &r.Objects[i]; o.Verdict {
		case Exact:
			o.Verdict = Proved
		case Differs:
			o.Verdict = Unproved
		}
	}
}

// noInterpreter is the detail of what is not proven for want of an interpreter.
const noInterpreter = "no interpreter to recompile with"
