package pyc

import "math/big"

// Const is a constant of a code object: a closed set of Go types.
type Const interface{ isConst() }

type (
	// None is Python's None.
	None struct{}
	// Ellipsis is Python's Ellipsis.
	Ellipsis struct{}
	// StopIteration is the StopIteration class, which marshal can hold.
	StopIteration struct{}
	// Null is marshal's NULL; it never appears in a well-formed constant.
	Null struct{}
	// Bool is True or False.
	Bool bool
	// Int is an integer of any size; Big is never nil.
	Int struct{ Big *big.Int }
	// Float holds the IEEE 754 bits, so that -0.0 and every NaN survive.
	Float struct{ Bits uint64 }
	// Complex holds both parts as bits.
	Complex struct{ Real, Imag Float }
	// Str is text in WTF-8: UTF-8 in which lone surrogates are encoded too
	// (Python's "surrogatepass").
	Str string
	// Bytes is a bytes literal.
	Bytes string
	// Tuple is a tuple.
	Tuple []Const
	// FrozenSet is a frozenset, in the order marshal gave.
	FrozenSet []Const
	// List appears only in hand-made marshal data.
	List []Const
	// Set appears only in hand-made marshal data.
	Set []Const
	// Dict appears only in hand-made marshal data and code made at run time.
	Dict []DictItem
	// FrozenDict is 3.15's frozendict.
	FrozenDict []DictItem
	// Slice is a constant slice (3.14+).
	Slice struct{ Start, Stop, Step Const }
	// Opaque stands for a host object that marshal cannot hold, such as a
	// dtype or a globals dict, which Dynamo puts into co_consts.
	Opaque struct {
		ID   int64  // key in the host's table; equal IDs are the same object
		Type string // qualified type name, e.g. "torch.dtype"
		Name string // a valid Python identifier to print in its place
		Text string // short human-readable description for the legend
	}
)

// DictItem is one key and value.
type DictItem struct{ Key, Value Const }

func (None) isConst()          {}
func (Ellipsis) isConst()      {}
func (StopIteration) isConst() {}
func (Null) isConst()          {}
func (Bool) isConst()          {}
func (Int) isConst()           {}
func (Float) isConst()         {}
func (Complex) isConst()       {}
func (Str) isConst()           {}
func (Bytes) isConst()         {}
func (Tuple) isConst()         {}
func (FrozenSet) isConst()     {}
func (List) isConst()          {}
func (Set) isConst()           {}
func (Dict) isConst()          {}
func (FrozenDict) isConst()    {}
func (Slice) isConst()         {}
func (*Opaque) isConst()       {}
func (*Code) isConst()         {}

// Signed reports whether a constant is no literal of the source, but spelled with a minus,
// or as a sum.
func Signed(c Const) bool {
	switch x := c.(type) {
	case Int:
		return x.Big.Sign() < 0
	case Float:
		return x.Bits>>63 != 0
	case Complex:
		return x.Real.Bits != 0 || x.Imag.Bits>>63 != 0
	}
	return false
}

// Computed reports whether the source of a constant is an operation or a display.
func Computed(c Const) bool {
	_, tuple := c.(Tuple)
	return tuple || Signed(c)
}
