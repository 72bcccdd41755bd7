package service

// Packets between the Python package and the Go program; python/depyf/_protocol.py
// and internal/service/packet.go open with this same comment, and
// docs/protocol.md says what the commands mean.
//
//   packet  length u32 | id u32 | value        length counts id and value
//   id      (request number << 1) | is_response
//   value   kind u8 | body
//
//   kind  body
//   0     nil    nothing
//   1     bool   u8, 0 or 1
//   2     int    int64
//   3     float  the eight bytes of an IEEE 754 double
//   4     str    u32 length, UTF-8 in which lone surrogates are encoded too
//   5     bytes  u32 length, the bytes
//   6     list   u32 count, the values
//   7     map    u32 count, then a str body and a value each, in order of key
//
// Everything is little endian. An integer outside int64 travels as the map
// {"t": "int", "v": "-0x1f"}: hexadecimal, because decimal is slow and limited.
// A packet is shorter than 512 MiB, which tells any stray text from one; values
// nest at most 500 deep; a reader allocates no more than the bytes at hand justify.

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"sort"
)

// Protocol is the number of the protocol both sides must speak.
const Protocol = 1

const (
	maxPacket = 1<<29 - 1
	maxDepth  = 500
)

const (
	kindNil = iota
	kindBool
	kindInt
	kindFloat
	kindStr
	kindBytes
	kindList
	kindMap
)

// Packet is one message. Value is nil, bool, int64, float64, string (WTF-8),
// []byte, []any or map[string]any.
type Packet struct {
	Number   uint32
	Response bool
	Value    any
}

var errMalformed = errors.New("malformed packet")

// ReadPacket reads one packet. It returns io.EOF only between packets.
func ReadPacket(r io.Reader) (Packet, error) {
	var head [4]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return Packet{}, err
	}
	n := binary.LittleEndian.Uint32(head[:])
	if n < 5 || n > maxPacket {
		return Packet{}, fmt.Errorf("%w: length %d", errMalformed, n)
	}
	body, err := readBody(r, int(n))
	if err != nil {
		return Packet{}, err
	}
	id := binary.LittleEndian.Uint32(body)
	v, err := DecodeValue(body[4:])
	if err != nil {
		return Packet{}, err
	}
	return Packet{Number: id >> 1, Response: id&1 != 0, Value: v}, nil
}

// readBody reads n bytes in growing steps, so that a false length costs no more
// memory than bytes that have really come.
func readBody(r io.Reader, n int) ([]byte, error) {
	const step = 1 << 20
	body := make([]byte, 0, min(n, step))
	for len(body) < n {
		old, more := len(body), min(n-len(body), max(step, len(body)))
		body = append(body, make([]byte, more)...)
		if _, err := io.ReadFull(r, body[old:]); err != nil {
			return nil, fmt.Errorf("%w: %d of %d bytes: %w", errMalformed, old, n, io.ErrUnexpectedEOF)
		}
	}
	return body, nil
}

// AppendPacket appends the encoding of p to dst.
func AppendPacket(dst []byte, p Packet) ([]byte, error) {
	start := len(dst)
	id := p.Number << 1
	if p.Response {
		id |= 1
	}
	dst = binary.LittleEndian.AppendUint32(append(dst, 0, 0, 0, 0), id)
	dst, err := AppendValue(dst, p.Value)
	if err != nil {
		return dst[:start], err
	}
	n := len(dst) - start - 4
	if n > maxPacket {
		return dst[:start], fmt.Errorf("packet of %d bytes is too large", n)
	}
	binary.LittleEndian.PutUint32(dst[start:], uint32(n))
	return dst, nil
}

// AppendValue appends the encoding of v, which may also hold the obvious
// relatives of the decoded types: int, int32, *big.Int, []string, []map[string]any.
func AppendValue(dst []byte, v any) ([]byte, error) { return appendValue(dst, v, 0) }

func appendValue(dst []byte, v any, depth int) ([]byte, error) {
	if depth > maxDepth {
		return dst, errors.New("value nests too deep for a packet")
	}
	switch v := v.(type) {
	case nil:
		return append(dst, kindNil), nil
	case bool:
		if v {
			return append(dst, kindBool, 1), nil
		}
		return append(dst, kindBool, 0), nil
	case int:
		return appendInt(dst, int64(v)), nil
	case int32:
		return appendInt(dst, int64(v)), nil
	case uint32:
		return appendInt(dst, int64(v)), nil
	case int64:
		return appendInt(dst, v), nil
	case *big.Int:
		if v.IsInt64() {
			return appendInt(dst, v.Int64()), nil
		}
		return appendValue(dst, map[string]any{"t": "int", "v": hexInt(v)}, depth)
	case float64:
		return binary.LittleEndian.AppendUint64(append(dst, kindFloat), math.Float64bits(v)), nil
	case string:
		return append(appendSized(dst, kindStr, len(v)), v...), nil
	case []byte:
		return append(appendSized(dst, kindBytes, len(v)), v...), nil
	case []any:
		return appendList(dst, v, depth)
	case []string:
		return appendList(dst, v, depth)
	case []map[string]any:
		return appendList(dst, v, depth)
	case map[string]any:
		return appendMap(dst, v, depth)
	}
	return dst, fmt.Errorf("a packet cannot hold a %T", v)
}

func appendInt(dst []byte, v int64) []byte {
	return binary.LittleEndian.AppendUint64(append(dst, kindInt), uint64(v))
}

func appendSized(dst []byte, kind byte, n int) []byte {
	return binary.LittleEndian.AppendUint32(append(dst, kind), uint32(n))
}

func appendList[T any](dst []byte, list []T, depth int) ([]byte, error) {
	dst = appendSized(dst, kindList, len(list))
	for _, item := range list {
		var err error
		if dst, err = appendValue(dst, item, depth+1); err != nil {
			return dst, err
		}
	}
	return dst, nil
}

func appendMap(dst []byte, m map[string]any, depth int) ([]byte, error) {
	dst = appendSized(dst, kindMap, len(m))
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	for _, k := range keys {
		dst = append(binary.LittleEndian.AppendUint32(dst, uint32(len(k))), k...)
		var err error
		if dst, err = appendValue(dst, m[k], depth+1); err != nil {
			return dst, err
		}
	}
	return dst, nil
}

func hexInt(v *big.Int) string {
	if v.Sign() < 0 {
		return "-0x" + new(big.Int).Abs(v).Text(16)
	}
	return "0x" + v.Text(16)
}

// DecodeValue decodes the value that fills data. The bytes in the result are
// its own: data may be reused.
func DecodeValue(data []byte) (any, error) {
	d := decoder{data: data}
	v, err := d.value(0)
	if err == nil && d.at != len(data) {
		err = fmt.Errorf("%w: %d bytes too many", errMalformed, len(data)-d.at)
	}
	if err != nil {
		return nil, err
	}
	return v, nil
}

type decoder struct {
	data []byte
	at   int
}

func (d *decoder) take(n int) ([]byte, error) {
	if n < 0 || n > len(d.data)-d.at {
		return nil, fmt.Errorf("%w: %d bytes wanted at %d of %d", errMalformed, n, d.at, len(d.data))
	}
	d.at += n
	return d.data[d.at-n : d.at], nil
}

func (d *decoder) size() (int, error) {
	b, err := d.take(4)
	if err != nil {
		return 0, err
	}
	n := binary.LittleEndian.Uint32(b)
	// Every element takes at least a byte, so a larger count is a lie.
	if int64(n) > int64(len(d.data)-d.at) {
		return 0, fmt.Errorf("%w: %d announced at %d of %d", errMalformed, n, d.at, len(d.data))
	}
	return int(n), nil
}

func (d *decoder) text() (string, error) {
	n, err := d.size()
	if err != nil {
		return "", err
	}
	b, err := d.take(n)
	return string(b), err
}

func (d *decoder) word() (uint64, error) {
	b, err := d.take(8)
	if err != nil {
		return 0, err
	}
	return binary.LittleEndian.Uint64(b), nil
}

func (d *decoder) value(depth int) (any, error) {
	if depth > maxDepth {
		return nil, fmt.Errorf("%w: nests too deep", errMalformed)
	}
	kind, err := d.take(1)
	if err != nil {
		return nil, err
	}
	switch kind[0] {
	case kindNil:
		return nil, nil
	case kindBool:
		b, err := d.take(1)
		if err != nil {
			return nil, err
		}
		return b[0] != 0, nil
	case kindInt:
		w, err := d.word()
		return int64(w), err
	case kindFloat:
		w, err := d.word()
		return math.Float64frombits(w), err
	case kindStr:
		return d.text()
	case kindBytes:
		s, err := d.text()
		return []byte(s), err
	case kindList:
		return d.list(depth)
	case kindMap:
		return d.table(depth)
	}
	return nil, fmt.Errorf("%w: kind %d at %d", errMalformed, kind[0], d.at-1)
}

func (d *decoder) list(depth int) (any, error) {
	n, err := d.size()
	if err != nil {
		return nil, err
	}
	list := make([]any, 0, min(n, 1024))
	for range n {
		v, err := d.value(depth + 1)
		if err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	return list, nil
}

func (d *decoder) table(depth int) (any, error) {
	n, err := d.size()
	if err != nil {
		return nil, err
	}
	m := make(map[string]any, min(n, 1024))
	for range n {
		k, err := d.text()
		if err != nil {
			return nil, err
		}
		if m[k], err = d.value(depth + 1); err != nil {
			return nil, err
		}
	}
	return m, nil
}
