package decompile

import (
	"github.com/thuml/depyf/internal/evidence"
	"github.com/thuml/depyf/internal/pass"
	"github.com/thuml/depyf/internal/pyast"
	"github.com/thuml/depyf/internal/pyc"
)

// Options configure a decompilation.
type Options struct {
	// Name replaces the function's own name in the output.
	Name string
	// Dynamo says that the code was made by torch._dynamo: it is not shaped
	// like a compiler's, and is proved by its effects.
	Dynamo bool
	// Compile compiles source with the CPython version of the code object and
	// returns the module's code. Nil: there is no interpreter, and the tree is lowered to
	// instructions instead (internal/lower).
	Compile func(source, filename string, inherited pyc.CodeFlags) (*pyc.Code, error)
	// Optimized says that Compile leaves assert statements out (-O): the code has none then, and what raises AssertionError was written so.
	Optimized bool
	// NoProof leaves the comparison without an interpreter out: the verdict is unproved.
	NoProof bool
	// Rename maps global names to shorter ones to show in their place.
	Rename map[string]string
	// ArgNames gives the parameter names of functions that the code calls by
	// global name, to name temporaries after.
	ArgNames map[string][]string
	// DispatchAll writes every function as a dispatch loop: the tests' way to show
	// that any function can be.
	DispatchAll bool
	// Resist names code that is not to be expressible, and says why: the tests' way to
	// see what a failure costs. Nil: none.
	Resist func(code *pyc.Code) error
	// Watch says who sees the passes over a code object: tests with the checkers behind
	// each pass, and dumps. Nil, or a nil Watch: nobody does.
	Watch func(code *pyc.Code) *pass.Watch
	// Printed sees the tree that a module's text is printed from. Nil: nobody does.
	Printed func(*pyast.Module)
	// Origin says where Dynamo's code comes from.
	Origin Origin

	texts int // that a search tries for one code object at most; 0 for mostTexts

	source  evidence.Source // of all code objects, see judged
	decodes decodes         // of code objects that were decoded to judge them
}

// Verdict says how far the output is proven.
type Verdict string

// The verdicts, from best to worst.
const (
	// Exact: recompiled by the same CPython, instruction graphs bisimilar.
	Exact Verdict = "exact"
	// Proved: effect graphs equal; or, without an interpreter, the tree's own instructions
	// bisimilar or of equal effects.
	Proved Verdict = "proved"
	// Unproved: no interpreter at hand to recompile with, and no proof without one.
	Unproved Verdict = "unproved"
	// Differs: best effort; Detail says where it differs.
	Differs Verdict = "differs"
	// Partial: some code is shown as annotated bytecode behind a stub.
	Partial Verdict = "partial"
)

// Proven reports whether the source may run in place of the original.
func (v Verdict) Proven() bool { return v == Exact || v == Proved }

// Result is decompiled source and what is known about it.
type Result struct {
	Source  string
	Verdict Verdict
	Detail  string // where and why, when the verdict is not a proof
	Name    string // the function defined by Source ("" for a module)
	// Lowered says that the proof needed no interpreter: the tree was lowered.
	Lowered bool
	// Repaired says that the first way of lifting gave no proof and another did, or other decisions.
	// It counts apart: each such case is a bug in the first.
	Repaired bool
	// Wrapped says that Source defines the function inside another one, which
	// declares its free variables.
	Wrapped bool
	// Inside is the name of the code in the function's that Source is proven for, where no def makes
	// it: of a generator expression, which the function returns. Empty: the function's own.
	Inside string
	// Bare says that the host must run the code without the handler that CPython
	// compiles around a coroutine (equiv.Options.Bare): the proof is of that.
	Bare      bool
	BareUntil int
	// Functions says for each code object among the constants of the recompiled
	// function which of the original's it stands for. The host puts the originals in
	// their place, since Dynamo knows code objects by their identity. Of a proved
	// result only.
	Functions []Replaced
	// Texts are the functions inside whose text is not proven, which does not count:
	// their own code runs (Functions). Detail says so.
	Texts []*pyc.Code
	// differing are the code objects that are not exact, where that is not proven otherwise.
	differing []*pyc.Code
	tail      bool // a function's own code follows Dynamo's in it
	// refused says that the compiler refuses the text.
	refused bool
	// Renames maps names in Source back to the real global names.
	Renames map[string]string
	// Problems lists the nested functions that were not expressed.
	Problems []string
	// Objects says for each code object of a module how it fared; in the order
	// of the code, the module itself first.
	Objects []Object
}

// Replaced is one code object among the constants of a recompiled function.
type Replaced struct {
	At int // the index of the one that it stands for, among the original's; -1 if it never runs
	// What it is: the host compiles the text once more, and must find the same there.
	Name string
	Line int // its first, counted from the function's
}

// Object is one code object of a module.
type Object struct {
	QualName string
	Line     int // first line in the original source
	First    int // first line of its statement in Source, 0 when it has none of its own
	Last     int // last line in Source
	Verdict  Verdict
	Detail   string
	Differs  *Place // where it differs, when that is a pair of instructions
	Searched bool   // its text is made with decisions that a search found, see internal/choice
}

// Place is the first difference between a code object and its recompiled
// counterpart: byte offsets of instructions and their lines, -1 for none.
type Place struct {
	Offset, Line           int // in the original
	AgainOffset, AgainLine int // recompiled: the line is one of Source
}
