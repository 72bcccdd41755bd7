package pyc

import (
	"encoding/binary"
	"fmt"
	"math/big"
	"unicode/utf8"
)

// Marshal writes c so that marshal.loads of CPython v gives it back. Nothing is
// written as a reference: values that c shares are written again.
func Marshal(c Const, v Version) ([]byte, error) {
	if !v.Known() {
		return nil, fmt.Errorf("CPython %s is not supported (3.7 to 3.15 are)", v)
	}
	w := &writer{version: v}
	w.value(c, 0)
	if w.err != nil {
		return nil, w.err
	}
	return w.out, nil
}

// writer is the state of one Marshal call.
type writer struct {
	out     []byte
	version Version
	err     error
}

func (w *writer) fail(format string, args ...any) {
	if w.err == nil {
		w.err = fmt.Errorf("cannot marshal "+format, args...)
	}
}

func (w *writer) byte(b byte) { w.out = append(w.out, b) }

func (w *writer) long(n int) {
	if n != int(int32(n)) {
		w.fail("%d: more than 32 bits", n)
	}
	w.out = binary.LittleEndian.AppendUint32(w.out, uint32(int32(n)))
}

func (w *writer) float(f Float) { w.out = binary.LittleEndian.AppendUint64(w.out, f.Bits) }

func (w *writer) value(c Const, depth int) {
	if depth > maxDepth {
		w.fail("values nested more than %d deep", maxDepth)
	}
	if w.err != nil {
		return
	}
	switch c := c.(type) {
	case None:
		w.byte('N')
	case Ellipsis:
		w.byte('.')
	case StopIteration:
		w.byte('S')
	case Bool:
		if c {
			w.byte('T')
		} else {
			w.byte('F')
		}
	case Int:
		w.int(c.Big)
	case Float:
		w.byte('g')
		w.float(c)
	case Complex:
		w.byte('y')
		w.float(c.Real)
		w.float(c.Imag)
	case Str:
		w.str(string(c), false)
	case Bytes:
		w.bytes([]byte(c))
	case Tuple:
		w.items('(', c, depth)
	case List:
		w.items('[', c, depth)
	case Set:
		w.items('<', c, depth)
	case FrozenSet:
		w.items('>', c, depth)
	case Dict:
		w.pairs('{', c, depth)
	case FrozenDict:
		if !w.version.HasFrozenDict() {
			w.fail("a frozendict for CPython %s", w.version)
		}
		w.pairs('}', c, depth)
	case Slice:
		if !w.version.HasSliceConstants() {
			w.fail("a slice for CPython %s", w.version)
		}
		w.byte(':')
		w.value(c.Start, depth+1)
		w.value(c.Stop, depth+1)
		w.value(c.Step, depth+1)
	case *Code:
		w.code(c, depth)
	case *Opaque:
		w.fail("a host object of type %s (%s)", c.Type, c.Name)
	default:
		w.fail("%s", TypeName(c))
	}
}

func (w *writer) int(n *big.Int) {
	if n == nil {
		w.fail("an int without a value")
		return
	}
	if n.IsInt64() && n.Int64() == int64(int32(n.Int64())) {
		w.byte('i')
		w.long(int(n.Int64()))
		return
	}
	// Groups of 15 bits of the magnitude, the lowest first.
	abs := new(big.Int).Abs(n)
	count := (abs.BitLen() + 14) / 15
	w.byte('l')
	w.long(count * n.Sign())
	b := abs.Bytes()
	acc, bits := uint32(0), 0
	for i := len(b) - 1; i >= 0; i-- {
		acc |= uint32(b[i]) << bits
		for bits += 8; bits >= 15; bits -= 15 {
			w.out = binary.LittleEndian.AppendUint16(w.out, uint16(acc&0x7fff))
			acc >>= 15
			count--
		}
	}
	if count > 0 {
		w.out = binary.LittleEndian.AppendUint16(w.out, uint16(acc))
	}
}

func (w *writer) bytes(b []byte) {
	w.byte('s')
	w.long(len(b))
	w.out = append(w.out, b...)
}

// str writes text; names are written as interned, as CPython does.
func (w *writer) str(s string, interned bool) {
	ascii := true
	for i := 0; i < len(s); i++ {
		ascii = ascii && s[i] < utf8.RuneSelf
	}
	switch {
	case ascii && len(s) < 256:
		w.byte(pick(interned, 'Z', 'z'))
		w.byte(byte(len(s)))
	case ascii:
		w.byte(pick(interned, 'A', 'a'))
		w.long(len(s))
	default:
		if invalidWTF8([]byte(s)) >= 0 {
			w.fail("a str that is not UTF-8")
		}
		w.byte(pick(interned, 't', 'u'))
		w.long(len(s))
	}
	w.out = append(w.out, s...)
}

func pick(cond bool, yes, no byte) byte {
	if cond {
		return yes
	}
	return no
}

func (w *writer) items(typ byte, items []Const, depth int) {
	if typ == '(' && len(items) < 256 {
		w.byte(')')
		w.byte(byte(len(items)))
	} else {
		w.byte(typ)
		w.long(len(items))
	}
	for _, c := range items {
		w.value(c, depth+1)
	}
}

func (w *writer) pairs(typ byte, items []DictItem, depth int) {
	w.byte(typ)
	for _, p := range items {
		w.value(p.Key, depth+1)
		w.value(p.Value, depth+1)
	}
	w.byte('0')
}
