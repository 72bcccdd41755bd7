package pyc

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
)

const (
	// maxDepth is CPython's own MAX_MARSHAL_STACK_DEPTH.
	maxDepth = 2000
	// maxWeight bounds the number of values counted with repetition. References
	// let a few bytes stand for exponentially many values; whoever walks the
	// result must not meet that. The largest stdlib module weighs about 10**5.
	maxWeight = 1 << 24
	// flagRef marks a value that later 'r' items refer to by number.
	flagRef = 0x80
)

// Unmarshal reads one marshalled value, usually a code object, as CPython of
// version v wrote it (no .pyc header). Bytes after the value are an error.
func Unmarshal(data []byte, v Version) (Const, error) {
	return unmarshalAt(data, 0, v)
}

func unmarshalAt(data []byte, start int, v Version) (Const, error) {
	if !v.Known() {
		return nil, &Error{start, fmt.Sprintf("CPython %s is not supported (3.7 to 3.15 are)", v)}
	}
	r := &reader{data: data, whole: string(data), pos: start, version: v}
	c, _, err := r.value(0)
	if err != nil {
		return nil, err
	}
	if _, null := c.(Null); null {
		return nil, r.errorf(start, "a NULL where a value is expected")
	}
	if r.pos != len(data) {
		return nil, r.errorf(r.pos, "%d bytes follow the value", len(data)-r.pos)
	}
	return c, nil
}

// reader is the state of one Unmarshal call.
type reader struct {
	data    []byte
	whole   string // data, of which every str and bytes is a part: there are more of them than of anything else
	pos     int
	version Version
	refs    []ref
	owed    int // values that open containers have announced and not yet read
}

// ref is an entry of the reference table. It is reserved before the children
// of a container are read, so value stays nil while the container is open.
type ref struct {
	value  Const
	weight int
}

func (r *reader) errorf(at int, format string, args ...any) error {
	return &Error{at, fmt.Sprintf(format, args...)}
}

// take returns the next n bytes.
func (r *reader) take(n int) ([]byte, error) {
	if n > len(r.data)-r.pos {
		return nil, r.errorf(r.pos, "%d bytes expected, %d left", n, len(r.data)-r.pos)
	}
	b := r.data[r.pos : r.pos+n : r.pos+n]
	r.pos += n
	return b, nil
}

func (r *reader) byte() (int, error) {
	b, err := r.take(1)
	if err != nil {
		return 0, err
	}
	return int(b[0]), nil
}

// long reads a signed 32-bit number.
func (r *reader) long() (int, error) {
	b, err := r.take(4)
	if err != nil {
		return 0, err
	}
	return int(int32(binary.LittleEndian.Uint32(b))), nil
}

// size reads a count of items that take at least unit bytes each, and checks
// that the rest of the data can hold them.
func (r *reader) size(unit int) (int, error) {
	at := r.pos
	n, err := r.long()
	if err != nil {
		return 0, err
	}
	return n, r.checkSize(at, n, unit)
}

func (r *reader) checkSize(at, n, unit int) error {
	if n < 0 || n > (len(r.data)-r.pos)/unit {
		return r.errorf(at, "a size of %d items with %d bytes left", n, len(r.data)-r.pos)
	}
	return nil
}

// value reads one value; weight counts the values inside it with repetition.
// The result is Null{} for marshal's NULL, which ends a dict.
func (r *reader) value(depth int) (c Const, weight int, err error) {
	at := r.pos
	if depth > maxDepth {
		return nil, 0, r.errorf(at, "values are nested more than %d deep", maxDepth)
	}
	code, err := r.byte()
	if err != nil {
		return nil, 0, err
	}
	typ := byte(code &^ flagRef)
	flagged := code&flagRef != 0

	// The singletons take no number even when they are flagged.
	switch typ {
	case '0':
		return Null{}, 1, nil
	case 'N':
		return None{}, 1, nil
	case 'T':
		return Bool(true), 1, nil
	case 'F':
		return Bool(false), 1, nil
	case 'S':
		return StopIteration{}, 1, nil
	case '.':
		return Ellipsis{}, 1, nil
	case 'r':
		return r.reference(at)
	}

	index := -1
	if flagged {
		index = len(r.refs)
		r.refs = append(r.refs, ref{})
	}
	c, weight, err = r.body(typ, at, depth)
	if err != nil {
		return nil, 0, err
	}
	if weight > maxWeight {
		return nil, 0, r.errorf(at, "references expand to more than %d values", maxWeight)
	}
	if index >= 0 {
		r.refs[index] = ref{c, weight}
	}
	return c, weight, nil
}

// reference reads the number of an 'r' item.
func (r *reader) reference(at int) (Const, int, error) {
	n, err := r.long()
	if err != nil {
		return nil, 0, err
	}
	if n < 0 || n >= len(r.refs) {
		return nil, 0, r.errorf(at, "reference to value %d of %d", n, len(r.refs))
	}
	if r.refs[n].value == nil {
		return nil, 0, r.errorf(at, "value %d refers to itself", n)
	}
	return r.refs[n].value, r.refs[n].weight, nil
}

// body reads what follows the type code of everything but singletons and
// references.
func (r *reader) body(typ byte, at, depth int) (Const, int, error) {
	switch typ {
	case 'i', 'I', 'l', 'f', 'g', 'x', 'y':
		c, err := r.number(typ, at)
		return c, 1, err
	case 's', 't', 'u', 'a', 'A', 'z', 'Z':
		c, err := r.text(typ, at)
		return c, 1, err
	case '(', ')', '[', '<', '>':
		return r.sequence(typ, at, depth)
	case '{', '}':
		return r.mapping(typ, at, depth)
	case ':':
		if !r.version.HasSliceConstants() {
			return nil, 0, r.errorf(at, "a slice, which CPython %s cannot marshal", r.version)
		}
		items, w, err := r.items(3, depth)
		if err != nil {
			return nil, 0, err
		}
		return Slice{items[0], items[1], items[2]}, w, nil
	case 'c':
		return r.code(depth)
	}
	return nil, 0, r.errorf(at, "unknown marshal type code %#02x", typ)
}

// number reads the body of an int, float or complex.
func (r *reader) number(typ byte, at int) (Const, error) {
	switch typ {
	case 'i':
		n, err := r.long()
		return NewInt(int64(n)), err
	case 'I': // no longer written, still read
		b, err := r.take(8)
		if err != nil {
			return nil, err
		}
		return NewInt(int64(binary.LittleEndian.Uint64(b))), nil
	case 'l':
		return r.bigInt(at)
	case 'f':
		return r.textFloat()
	case 'g':
		return r.binaryFloat()
	case 'x':
		re, err := r.textFloat()
		if err != nil {
			return nil, err
		}
		im, err := r.textFloat()
		return Complex{re, im}, err
	}
	re, err := r.binaryFloat()
	if err != nil {
		return nil, err
	}
	im, err := r.binaryFloat()
	return Complex{re, im}, err
}

func (r *reader) binaryFloat() (Float, error) {
	b, err := r.take(8)
	if err != nil {
		return Float{}, err
	}
	return Float{binary.LittleEndian.Uint64(b)}, nil
}

// textFloat reads a float as marshal versions 0 and 1 wrote it.
func (r *reader) textFloat() (Float, error) {
	at := r.pos
	n, err := r.byte()
	if err != nil {
		return Float{}, err
	}
	b, err := r.take(n)
	if err != nil {
		return Float{}, err
	}
	f, err := strconv.ParseFloat(string(b), 64)
	if err != nil {
		return Float{}, r.errorf(at, "%q is not a float", b)
	}
	return Float{math.Float64bits(f)}, nil
}

// sequence reads the body of a tuple, list, set or frozenset.
func (r *reader) sequence(typ byte, at, depth int) (Const, int, error) {
	var n int
	var err error
	if typ == ')' {
		if n, err = r.byte(); err == nil {
			err = r.checkSize(at, n, 1)
		}
	} else {
		n, err = r.size(1)
	}
	if err != nil {
		return nil, 0, err
	}
	items, w, err := r.items(n, depth)
	if err != nil {
		return nil, 0, err
	}
	switch typ {
	case '[':
		return List(items), w, nil
	case '<':
		return Set(items), w, nil
	case '>':
		return FrozenSet(items), w, nil
	}
	return Tuple(items), w, nil
}

// items reads n values, none of which may be NULL.
func (r *reader) items(n, depth int) ([]Const, int, error) {
	// Every value takes a byte or more. Without this check, nested containers
	// that each announce as many items as there are bytes left would make the
	// reader allocate depth times the input.
	if r.owed+n > len(r.data)-r.pos {
		return nil, 0, r.errorf(r.pos, "%d values announced with %d bytes left", r.owed+n, len(r.data)-r.pos)
	}
	r.owed += n
	out := make([]Const, n)
	weight := 1
	for i := range out {
		at := r.pos
		r.owed--
		c, w, err := r.value(depth + 1)
		if err != nil {
			return nil, 0, err
		}
		if _, null := c.(Null); null {
			return nil, 0, r.errorf(at, "a NULL inside a container")
		}
		out[i] = c
		weight = min(weight+w, maxWeight+1)
	}
	return out, weight, nil
}

// mapping reads the body of a dict or frozendict: pairs up to a NULL.
func (r *reader) mapping(typ byte, at, depth int) (Const, int, error) {
	if typ == '}' && !r.version.HasFrozenDict() {
		return nil, 0, r.errorf(at, "a frozendict, which CPython %s does not have", r.version)
	}
	out := []DictItem{}
	weight := 1
	for {
		key, w, err := r.value(depth + 1)
		if err != nil {
			return nil, 0, err
		}
		if _, end := key.(Null); end {
			break
		}
		value, w2, err := r.items(1, depth)
		if err != nil {
			return nil, 0, err
		}
		out = append(out, DictItem{key, value[0]})
		weight = min(weight+w+w2, maxWeight+1)
	}
	if typ == '}' {
		return FrozenDict(out), weight, nil
	}
	return Dict(out), weight, nil
}
