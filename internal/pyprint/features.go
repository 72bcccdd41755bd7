package pyprint

import "github.com/thuml/depyf/internal/pyc"

// grammar answers what one version's grammar allows. Each predicate names the
// change that introduced it; no other file compares versions.
type grammar struct{ v pyc.Version }

// walrus: PEP 572.
func (g grammar) walrus() bool { return g.v >= pyc.V38 }

// positionalOnly: PEP 570.
func (g grammar) positionalOnly() bool { return g.v >= pyc.V38 }

// starInReturn: `return *a, b` and `yield *a, b` without parentheses
// (bpo-32117).
func (g grammar) starInReturn() bool { return g.v >= pyc.V38 }

// annotatedTuple: `x: T = a, b` without parentheses, and `x: T = yield`
// (bpo-35814).
func (g grammar) annotatedTuple() bool { return g.v >= pyc.V38 }

// selfDocumenting: f"{x=}" (bpo-36817).
func (g grammar) selfDocumenting() bool { return g.v >= pyc.V38 }

// anyDecorator: PEP 614.
func (g grammar) anyDecorator() bool { return g.v >= pyc.V39 }

// parenthesizedWith: `with (a as b, c as d):`. Documented for 3.10, but the
// PEG parser of 3.9 accepts it (bpo-12782).
func (g grammar) parenthesizedWith() bool { return g.v >= pyc.V39 }

// walrusInSubscript: also in set displays (bpo-42316, bpo-42374).
func (g grammar) walrusInSubscript() bool { return g.v >= pyc.V310 }

// match: PEP 634.
func (g grammar) match() bool { return g.v >= pyc.V310 }

// starInSubscript: `a[*b]` and `*args: *Ts` (PEP 646).
func (g grammar) starInSubscript() bool { return g.v >= pyc.V311 }

// exceptStar: PEP 654.
func (g grammar) exceptStar() bool { return g.v >= pyc.V311 }

// percentToFString: constant % tuple compiles to the code of an f-string
// (bpo-28307).
func (g grammar) percentToFString() bool { return g.v >= pyc.V311 }

// typeParams: PEP 695.
func (g grammar) typeParams() bool { return g.v >= pyc.V312 }

// freeFStrings: any expression in f-strings (PEP 701).
func (g grammar) freeFStrings() bool { return g.v >= pyc.V312 }

// typeDefaults: PEP 696.
func (g grammar) typeDefaults() bool { return g.v >= pyc.V313 }

// stripsDocstrings: the compiler removes a docstring's indentation (gh-81283).
func (g grammar) stripsDocstrings() bool { return g.v >= pyc.V313 }

// templates: PEP 750.
func (g grammar) templates() bool { return g.v >= pyc.V314 }

// mixedComplex: real + complex no longer converts the real operand, which
// shows in signed zeros (gh-84978).
func (g grammar) mixedComplex() bool { return g.v >= pyc.V314 }

// lazyImport: PEP 810.
func (g grammar) lazyImport() bool { return g.v >= pyc.V315 }

// starInComprehension: PEP 798.
func (g grammar) starInComprehension() bool { return g.v >= pyc.V315 }
