package pyc

import (
	"encoding/binary"
	"math/big"
	"slices"
	"unicode/utf8"
)

// NewInt returns n as a constant.
func NewInt(n int64) Int { return Int{big.NewInt(n)} }

// bigInt reads the body of an 'l': a signed count of 15-bit digits, the lowest
// first; the sign of the count is the sign of the number.
func (r *reader) bigInt(at int) (Const, error) {
	n, err := r.long()
	if err != nil {
		return nil, err
	}
	neg := n < 0
	if neg {
		n = -n
	}
	if err := r.checkSize(at, n, 2); err != nil {
		return nil, err
	}
	digits, err := r.take(2 * n)
	if err != nil {
		return nil, err
	}
	// Pack the digits into bytes, the lowest first, and let big.Int read them.
	packed := make([]byte, 0, n*15/8+1)
	acc, bits := uint32(0), 0
	var d uint16
	for i := 0; i < len(digits); i += 2 {
		if d = binary.LittleEndian.Uint16(digits[i:]); d > 0x7fff {
			return nil, r.errorf(at, "digit %d of an int is out of range", i/2)
		}
		acc |= uint32(d) << bits
		for bits += 15; bits >= 8; bits -= 8 {
			packed = append(packed, byte(acc))
			acc >>= 8
		}
	}
	if n > 0 && d == 0 {
		return nil, r.errorf(at, "an int with a leading zero digit")
	}
	packed = append(packed, byte(acc))
	slices.Reverse(packed)
	v := new(big.Int).SetBytes(packed)
	if neg {
		v.Neg(v)
	}
	return Int{v}, nil
}

// text reads the body of a str or bytes.
func (r *reader) text(typ byte, at int) (Const, error) {
	var n int
	var err error
	if typ == 'z' || typ == 'Z' {
		n, err = r.byte()
	} else {
		n, err = r.size(1)
	}
	if err != nil {
		return nil, err
	}
	b, err := r.take(n)
	if err != nil {
		return nil, err
	}
	text := r.whole[r.pos-n : r.pos]
	switch typ {
	case 's':
		return Bytes(text), nil
	case 't', 'u':
		if i := invalidWTF8(b); i >= 0 {
			return nil, r.errorf(at, "byte %d of a str is not UTF-8", i)
		}
	default:
		// 'a', 'A', 'z' and 'Z' are called ASCII, but CPython takes them as
		// Latin-1; it writes ASCII only.
		for i, c := range b {
			if c >= utf8.RuneSelf {
				return nil, r.errorf(at, "byte %d of an ASCII str is %#02x", i, c)
			}
		}
	}
	return Str(text), nil
}

// invalidWTF8 returns the index of the first byte of b that is neither UTF-8
// nor part of an encoded surrogate, or -1.
func invalidWTF8(b []byte) int {
	for i := 0; i < len(b); {
		if b[i] < utf8.RuneSelf {
			i++
			continue
		}
		if _, n := utf8.DecodeRune(b[i:]); n > 1 {
			i += n
		} else if isSurrogate(b[i:]) {
			i += 3
		} else {
			return i
		}
	}
	return -1
}

// isSurrogate reports whether b begins with U+D800..U+DFFF in three bytes.
func isSurrogate(b []byte) bool {
	return len(b) >= 3 && b[0] == 0xed && b[1] >= 0xa0 && b[1] <= 0xbf && b[2]&0xc0 == 0x80
}
