package sugar

import (
	"math"
	"unicode/utf8"

	"github.com/thuml/depyf/internal/pyast"
	"github.com/thuml/depyf/internal/pyc"
)

// The compiler computes operations on constants unless they raise or their result is
// large: safe_multiply, safe_power, safe_lshift and safe_mod in Python/ast_opt.c
// (3.14+: Python/flowgraph.c).
const (
	maxFoldedBits = 128  // MAX_INT_SIZE
	maxFoldedText = 4096 // MAX_STR_SIZE
	maxFoldedSize = 256  // MAX_COLLECTION_SIZE
)

// foldsUnary reports whether the compiler computes an operation on a constant.
func foldsUnary(op pyast.UnaryOpKind, c pyc.Const, v pyc.Version) bool {
	switch op {
	case pyast.Not:
		return true
	case pyast.Invert:
		if _, ok := c.(pyc.Bool); ok {
			return v.InvertsBools()
		}
		_, ok := c.(pyc.Int)
		return ok
	}
	_, ok := operandOf(c)
	return ok
}

// foldsBinary reports whether the compiler computes an operation on two constants.
func foldsBinary(op pyast.BinOpKind, l, r pyc.Const) bool {
	a, left := operandOf(l)
	b, right := operandOf(r)
	switch {
	case left && right:
		return foldsNumbers(op, a, b)
	case op == pyast.Add:
		switch l.(type) {
		case pyc.Str:
			_, ok := r.(pyc.Str)
			return ok
		case pyc.Bytes:
			_, ok := r.(pyc.Bytes)
			return ok
		case pyc.Tuple:
			_, ok := r.(pyc.Tuple)
			return ok
		}
	case op == pyast.Mult && left:
		return foldsRepeat(r, a)
	case op == pyast.Mult && right:
		return foldsRepeat(l, b)
	}
	return false
}

// foldsIndex reports whether the compiler computes `sequence[index]`.
func foldsIndex(sequence, index pyc.Const) bool {
	i, ok := operandOf(index)
	if !ok || i.kind != isInt {
		return false
	}
	n := float64(length(sequence))
	return n >= 0 && -n <= i.value && i.value < n
}

// length is the number of items of a sequence, -1 for anything else.
func length(c pyc.Const) int {
	switch x := c.(type) {
	case pyc.Str:
		return utf8.RuneCountInString(string(x))
	case pyc.Bytes:
		return len(x)
	case pyc.Tuple:
		return len(x)
	}
	return -1
}

func foldsRepeat(sequence pyc.Const, times operand) bool {
	n, limit := length(sequence), maxFoldedText
	if _, tuple := sequence.(pyc.Tuple); tuple {
		limit = maxFoldedSize
	}
	return times.kind == isInt && n >= 0 && (n == 0 || times.value >= 0 && times.value <= float64(limit/n))
}

// operand is a number as the limits see it.
type operand struct {
	kind  kind
	value float64 // of an int or a float
	bits  int     // of an int
	zero  bool
}

type kind uint8

const (
	isInt kind = iota
	isFloat
	isComplex
)

func operandOf(c pyc.Const) (operand, bool) {
	switch x := c.(type) {
	case pyc.Bool:
		if x {
			return operand{isInt, 1, 1, false}, true
		}
		return operand{isInt, 0, 0, true}, true
	case pyc.Int:
		v, _ := x.Big.Float64()
		return operand{isInt, v, x.Big.BitLen(), x.Big.Sign() == 0}, true
	case pyc.Float:
		return operand{isFloat, x.Value(), 0, x.Value() == 0}, true
	case pyc.Complex:
		return operand{isComplex, 0, 0, x.Real.Value() == 0 && x.Imag.Value() == 0}, true
	}
	return operand{}, false
}

func foldsNumbers(op pyast.BinOpKind, a, b operand) bool {
	kind := max(a.kind, b.kind)
	if kind > isInt && (math.IsInf(a.value, 0) && a.kind == isInt || math.IsInf(b.value, 0) && b.kind == isInt) {
		return false // int too large to convert to float
	}
	switch op {
	case pyast.Add, pyast.Sub:
		return true
	case pyast.Mult:
		return kind > isInt || a.bits+b.bits <= maxFoldedBits
	case pyast.Div:
		return !b.zero && !math.IsInf(a.value/b.value, 0)
	case pyast.FloorDiv, pyast.Mod:
		return !b.zero && kind < isComplex
	case pyast.BitOr, pyast.BitXor, pyast.BitAnd:
		return kind == isInt
	case pyast.RShift:
		return kind == isInt && b.value >= 0
	case pyast.LShift:
		return kind == isInt && b.value >= 0 && (a.zero || b.value <= maxFoldedBits && a.bits+int(b.value) <= maxFoldedBits)
	case pyast.Pow:
		switch {
		case kind == isComplex:
			return !a.zero
		case kind == isInt && b.value > 0:
			return b.value <= maxFoldedBits && a.bits*int(b.value) <= maxFoldedBits
		case a.zero:
			return b.value >= 0
		}
		return !math.IsInf(math.Pow(a.value, b.value), 0)
	}
	return false
}
