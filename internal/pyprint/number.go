package pyprint

import (
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/thuml/depyf/internal/pyc"
)

// maxDecimalBits keeps decimal literals below 4000 digits: from 3.11 on (and
// in security releases before) the parser refuses more than 4300. Hexadecimal
// has no limit.
const maxDecimalBits = 13000

// number is the text of a numeric constant and how tightly that text binds:
// negative numbers are operators to Python, and so are most complex numbers.
func (g grammar) number(c pyc.Const) (string, prec) {
	switch c := c.(type) {
	case pyc.Int:
		return intText(c.Big)
	case pyc.Float:
		return floatText(c)
	case pyc.Complex:
		return g.complexText(c)
	}
	return "0", precAtom
}

func intText(b *big.Int) (string, prec) {
	if b == nil {
		return "0", precAtom
	}
	pr := precAtom
	if b.Sign() < 0 {
		pr = precFactor
	}
	if b.BitLen() <= maxDecimalBits {
		return b.String(), pr
	}
	sign := ""
	if pr == precFactor {
		sign = "-"
	}
	return sign + "0x" + strings.ToUpper(new(big.Int).Abs(b).Text(16)), pr
}

func floatText(f pyc.Float) (string, prec) {
	v := math.Float64frombits(f.Bits)
	neg := math.Signbit(v)
	if v != v {
		// Subtracting infinities gives the default NaN, whose sign bit is set
		// on x86.
		if neg {
			return "1e309 - 1e309", precArith
		}
		return "-(1e309 - 1e309)", precFactor
	}
	s := positiveFloat(math.Abs(v))
	if neg {
		return "-" + s, precFactor
	}
	return s, precAtom
}

// positiveFloat follows repr: plain notation for exponents from -4 to 15.
func positiveFloat(v float64) string {
	if math.IsInf(v, 0) {
		return "1e309" // overflows to infinity
	}
	s := strconv.FormatFloat(v, 'e', -1, 64)
	mant, exp, _ := strings.Cut(s, "e")
	if n, _ := strconv.Atoi(exp); v == 0 || -4 <= n && n < 16 {
		s = strconv.FormatFloat(v, 'f', -1, 64)
		if !strings.Contains(s, ".") {
			s += ".0"
		}
		return s
	}
	exp = strings.TrimPrefix(exp, "+")
	sign := ""
	if strings.HasPrefix(exp, "-") {
		sign, exp = "-", exp[1:]
	}
	return mant + "e" + sign + strings.TrimLeft(exp, "0")
}

// complexText finds an expression that the compiler folds to exactly this
// value. Literals have only a non-negative imaginary part, and adding or
// negating disturbs the signs of zeros, so candidates are tried in order of
// simplicity.
func (g grammar) complexText(c pyc.Complex) (string, prec) {
	type value struct{ re, im float64 }
	want := value{math.Float64frombits(c.Real.Bits), math.Float64frombits(c.Imag.Bits)}
	same := func(a, b float64) bool {
		return a != a && b != b || math.Float64bits(a) == math.Float64bits(b)
	}
	// With a NaN part, the sum of the parts is as close as text can come.
	y := math.Abs(want.im)
	imag := imagText(y)
	zero := 0.0 // a variable: constant arithmetic would lose signed zeros
	add := func(a float64) value {
		if g.mixedComplex() {
			return value{a + zero, y}
		}
		return value{a + zero, zero + y}
	}
	sub := func(a float64) value {
		if g.mixedComplex() {
			return value{a - zero, -y}
		}
		return value{a - zero, zero - y}
	}
	type candidate struct {
		text string
		prec prec
		val  value
	}
	list := []candidate{
		{imag, precAtom, value{zero, y}},
		{"-" + imag, precFactor, value{-zero, -y}},
	}
	x := math.Abs(want.re)
	for _, a := range []float64{x, -x} {
		list = append(list,
			candidate{realText(a) + " + " + imag, precArith, add(a)},
			candidate{realText(a) + " - " + imag, precArith, sub(a)})
	}
	for _, k := range list[2:] {
		list = append(list, candidate{"-(" + k.text + ")", precFactor, value{-k.val.re, -k.val.im}})
	}
	for _, k := range list {
		if same(k.val.re, want.re) && same(k.val.im, want.im) {
			return k.text, k.prec
		}
	}
	return realText(want.re) + " + " + imag, precArith
}

func realText(a float64) string {
	if a != a {
		return "(1e309 - 1e309)"
	}
	s := positiveFloat(math.Abs(a))
	if a != 0 {
		s = strings.TrimSuffix(s, ".0")
	}
	if math.Signbit(a) {
		s = "-" + s
	}
	return s
}

func imagText(y float64) string {
	if y != y {
		return "(1e309j - 1e309j)"
	}
	return strings.TrimSuffix(positiveFloat(y), ".0") + "j"
}
