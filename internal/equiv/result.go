package equiv

import (
	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/pyc"
)

// Level says how close two equal codes are.
type Level string

// The levels, closest first.
const (
	// E0 means the same bytes, constants and tables; only positions, file name
	// and stack size may differ.
	E0 Level = "E0"
	// E1 means the same decoded instructions in the same order.
	E1 Level = "E1"
	// E2 means bisimilar instruction graphs.
	E2 Level = "E2"
	// EffectsEqual means equal effects (CompareEffects).
	EffectsEqual Level = "effects"
)

// Options tunes a comparison. The zero value is the strict default.
type Options struct {
	// All goes on after the first code object that differs, so that Diffs
	// names every one that was met.
	All bool
	// OpaqueNames allows the second code to read a *pyc.Opaque constant of the
	// first as the global variable of its Name: the host publishes it there.
	OpaqueNames bool
	// AnyQualName ignores the qualified names of code objects and whether they stand in a function, which
	// tell where in the source they are: for one that is taken out of its place.
	AnyQualName bool
	// Inner says that the outermost pair stands inside of code that was compared: its
	// name and docstring count. CompareEffects only.
	Inner bool
	// Bare takes the handler away from the outermost second code that CPython puts
	// around every generator and coroutine from 3.12 on, to make a RuntimeError of a
	// StopIteration that leaves it: the host does so too. With BareUntil it stays from
	// that line on, counted from the code's first. CompareEffects only.
	Bare      bool
	BareUntil int
	// Replaced says that the host puts the first code's functions in the place of
	// the second's that Result.Functions pairs them with, so that it does not
	// matter what the second's are called. CompareEffects only.
	Replaced bool
	// StableGlobal names the globals that are bound before the code runs and
	// never change, so that it does not matter when they are read.
	// CompareEffects only.
	StableGlobal func(name string) bool
	// Lowered holds the instructions of code objects that have no bytes (internal/lower).
	Lowered map[*pyc.Code]*bytecode.Func
}

// decode gives the instructions of a code object of either side.
func (o *Options) decode(c *pyc.Code) (*bytecode.Func, error) {
	if f := o.Lowered[c]; f != nil {
		return f, nil
	}
	return bytecode.Decode(c)
}

// Where is a place in both codes: byte offsets, -1 when there is none.
type Where struct{ A, B int }

// Diff is one difference between two code objects.
type Diff struct {
	Path   string // names from the outermost code object, such as "<module>.C.f"
	Where  Where
	Reason string
	Agree  int // instruction pairs that agreed before; more is closer
	Codes  [2]*pyc.Code
}

// Result is the outcome of a comparison.
type Result struct {
	Equal bool
	Level Level  // of the worst pair of code objects; empty when not Equal
	Diff         // the first difference; zero when Equal
	Diffs []Diff // every difference met; one for each code object
	// Compared are the code objects of the first side that were compared, nested
	// ones included. What no instruction that control reaches loads can never be run:
	// it is compared with the code that has it.
	Compared map[*pyc.Code]bool
	// Inner are the differences of functions of the second code in whose place the
	// host puts the first's (Options.Replaced): they do not count. CompareEffects only.
	Inner []Diff
	// Functions are the pairs of code objects of which both sides make a function
	// at one place.
	Functions [][2]*pyc.Code
}

func (d *Diff) String() string {
	if d.Reason == "" {
		return "equal"
	}
	return d.Path + ": " + d.Reason
}
