package pyc

import (
	"iter"
	"slices"
)

// Code is a CPython code object, the same shape for every version.
//
// Before 3.11 CPython keeps variable names in three tuples; after, in one
// "localsplus" array with a kind byte for each slot. Both are presented here as
// LocalsPlusNames and LocalsPlusKinds (see Objects/codeobject.c); for old
// versions the reader builds them as varnames + cellvars + freevars, where a
// captured argument stays in both varnames (kind local) and cellvars.
type Code struct {
	Version         Version
	ArgCount        int // positional arguments, positional-only ones included
	PosOnlyArgCount int
	KwOnlyArgCount  int
	StackSize       int
	Flags           CodeFlags
	Bytecode        []byte
	Consts          []Const
	Names           []string
	LocalsPlusNames []string
	LocalsPlusKinds []LocalKind
	Filename        string
	Name            string
	QualName        string // 3.11+; Name before
	FirstLine       int
	LineTable       []byte // lnotab, linetable or location table, by version
	ExceptionTable  []byte // 3.11+

	// HostName is the name under which a host process can publish this very
	// object, for code that uses it as a plain value instead of making a function
	// of it, as Dynamo does; empty when there is no host.
	HostName string
}

// CodeFlags are the co_flags bits (Include/cpython/code.h).
type CodeFlags uint32

// The co_flags bits.
const (
	FlagOptimized         CodeFlags = 0x1
	FlagNewLocals         CodeFlags = 0x2
	FlagVarArgs           CodeFlags = 0x4
	FlagVarKeywords       CodeFlags = 0x8
	FlagNested            CodeFlags = 0x10
	FlagGenerator         CodeFlags = 0x20
	FlagNoFree            CodeFlags = 0x40
	FlagCoroutine         CodeFlags = 0x80
	FlagIterableCoroutine CodeFlags = 0x100
	FlagAsyncGenerator    CodeFlags = 0x200
	FlagHasDocstring      CodeFlags = 0x4000000 // 3.14+
	FlagMethod            CodeFlags = 0x8000000 // 3.14+
)

// FutureMask are the flags that `from __future__ import` sets.
const FutureMask CodeFlags = 0x1fe0000

// LocalKind is the kind byte of a localsplus slot.
type LocalKind uint8

// The kind bits (Include/internal/pycore_code.h).
const (
	KindArgPos LocalKind = 0x02 // 3.14+
	KindArgKw  LocalKind = 0x04 // 3.14+
	KindArgVar LocalKind = 0x08 // 3.14+
	KindHidden LocalKind = 0x10
	KindLocal  LocalKind = 0x20
	KindCell   LocalKind = 0x40
	KindFree   LocalKind = 0x80
)

// VarNames returns co_varnames: the names of the slots of kind local.
func (c *Code) VarNames() []string { return c.slots(KindLocal) }

// Parameters returns the names of the parameters, * and ** ones last. Code whose counts lie has fewer.
func (c *Code) Parameters() []string {
	names := c.VarNames()
	return names[:max(0, min(c.ParameterCount(), len(names)))]
}

// ParameterCount is how many parameters there are, * and ** ones included.
func (c *Code) ParameterCount() int {
	n := c.ArgCount + c.KwOnlyArgCount
	for _, flag := range []CodeFlags{FlagVarArgs, FlagVarKeywords} {
		if c.Flags&flag != 0 {
			n++
		}
	}
	return n
}

// SharesName reports whether two slots have the name, as in code that Dynamo made: that of
// a cell, and of a plain variable.
func (c *Code) SharesName(name string) bool {
	at := slices.Index(c.LocalsPlusNames, name)
	return slices.Contains(c.LocalsPlusNames[at+1:], name)
}

// CellVars returns co_cellvars: the names of the slots of kind cell.
func (c *Code) CellVars() []string { return c.slots(KindCell) }

// FreeVars returns co_freevars: the names of the slots of kind free.
func (c *Code) FreeVars() []string { return c.slots(KindFree) }

func (c *Code) slots(k LocalKind) []string {
	var out []string
	for i, n := range c.LocalsPlusNames {
		if i < len(c.LocalsPlusKinds) && c.LocalsPlusKinds[i]&k != 0 {
			if out == nil {
				out = make([]string, 0, len(c.LocalsPlusNames)-i)
			}
			out = append(out, n)
		}
	}
	return out
}

// IsFunction reports whether the code is a function's, as opposed to a
// module's or a class body's.
func (c *Code) IsFunction() bool { return c.Flags&FlagOptimized != 0 }

// Diamond reports whether the module must write <> for !=: PEP 401, which the
// compiler heeds for whole files since 3.14 only.
func (c *Code) Diamond() bool { return c.Version >= V314 && c.Flags&0x400000 != 0 }

// FutureAnnotations reports whether PEP 563's `from __future__ import
// annotations` makes this code's annotations strings. The bit moved in a bug fix
// release of 3.8.
func (c *Code) FutureAnnotations() bool {
	if c.Version <= V38 && c.Flags&0x100000 != 0 {
		return true
	}
	return c.Version >= V38 && c.Flags&0x1000000 != 0
}

// Inner are the code objects among c's constants, in their order.
func (c *Code) Inner() iter.Seq[*Code] {
	return func(yield func(*Code) bool) {
		for _, k := range c.Consts {
			if inner, ok := k.(*Code); ok && !yield(inner) {
				return
			}
		}
	}
}

// HasInner reports whether one of the code objects among c's constants is such a one.
func (c *Code) HasInner(such func(*Code) bool) bool {
	for inner := range c.Inner() {
		if such(inner) {
			return true
		}
	}
	return false
}

// All are c and all code objects inside of it, each before what is inside of it.
func (c *Code) All() []*Code {
	list := []*Code{c}
	for inner := range c.Inner() {
		list = append(list, inner.All()...)
	}
	return list
}
