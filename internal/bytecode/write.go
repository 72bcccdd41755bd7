package bytecode

import (
	"slices"

	"github.com/thuml/depyf/internal/pyc"
)

// Run is so many bytes of code that stand at one place of the source.
type Run struct {
	Bytes int
	Pos   Pos
}

// WritePositions is the table for runs that follow each other: Positions reads them back.
// co_lnotab (3.7 to 3.9) has lines only, and no code without one, which gets the line
// before; 3.10's table has lines only.
func WritePositions(v pyc.Version, firstLine int, runs []Run) []byte {
	switch {
	case v.HasColumns():
		return writeLocations(firstLine, runs)
	case v.HasLnotab():
		return writeLnotab(firstLine, runs)
	}
	return writeLines(firstLine, runs)
}

// writeLocations writes co_linetable of 3.11+, each entry in the form without limits.
func writeLocations(line int, runs []Run) []byte {
	var t []byte
	for _, r := range runs {
		p := r.Pos
		for units := r.Bytes / 2; units > 0; units -= 8 {
			head := func(code int) byte { return byte(0x80 | code<<3 | (min(units, 8) - 1)) }
			if p.Line < 0 {
				t = append(t, head(15))
				continue
			}
			delta := int(p.Line) - line
			line = int(p.Line)
			if p.Col < 0 && p.EndCol < 0 && (p.EndLine < 0 || p.EndLine == p.Line) {
				t = writeSigned(append(t, head(13)), delta)
				continue
			}
			t = writeSigned(append(t, head(14)), delta)
			for _, n := range []int32{p.EndLine - p.Line, p.Col + 1, p.EndCol + 1} {
				t = writeLittle(t, int(n))
			}
		}
	}
	return t
}

// writeLnotab writes pairs of bytes and lines: where a line begins, by how much it is further on.
func writeLnotab(line int, runs []Run) []byte {
	var t []byte
	bytes := 0
	for _, r := range runs {
		if lines := int(r.Pos.Line) - line; r.Pos.Line >= 0 && lines != 0 {
			for ; bytes > 255; bytes -= 255 {
				t = append(t, 255, 0)
			}
			for lines != 0 {
				step := max(-128, min(lines, 127))
				t = append(t, byte(bytes), byte(int8(step)))
				lines, bytes = lines-step, 0
			}
			line = int(r.Pos.Line)
		}
		bytes += r.Bytes
	}
	return t
}

// writeLines writes the pairs of 3.10: so many bytes at a line that is so much further on.
func writeLines(line int, runs []Run) []byte {
	var t []byte
	for _, r := range runs {
		lines := -128 // code without a line
		if r.Pos.Line >= 0 {
			lines = int(r.Pos.Line) - line
			line = int(r.Pos.Line)
			for lines > 127 || lines < -127 {
				step := max(-127, min(lines, 127))
				t = append(t, 0, byte(int8(step)))
				lines -= step
			}
		}
		for bytes := r.Bytes; bytes > 0; bytes -= 254 {
			t = append(t, byte(min(bytes, 254)), byte(int8(lines)))
			if r.Pos.Line >= 0 {
				lines = 0
			}
		}
	}
	return t
}

// WriteExceptionTable is the table that ExceptionTable reads.
func WriteExceptionTable(entries []ExceptionEntry) []byte {
	var t []byte
	for _, e := range entries {
		depth := e.Depth << 1
		if e.Lasti {
			depth |= 1
		}
		begin := len(t)
		for _, n := range []int{e.Start / 2, (e.End - e.Start) / 2, e.Target / 2, depth} {
			t = writeBig(t, n)
		}
		t[begin] |= 0x80
	}
	return t
}

// writeLittle appends a varint with the lowest 6 bits first.
func writeLittle(t []byte, n int) []byte {
	for ; n > 63; n >>= 6 {
		t = append(t, byte(n&63)|64)
	}
	return append(t, byte(n))
}

// writeSigned appends a varint whose lowest bit is its sign.
func writeSigned(t []byte, n int) []byte {
	if n < 0 {
		return writeLittle(t, -n<<1|1)
	}
	return writeLittle(t, n<<1)
}

// writeBig appends a varint with the highest 6 bits first.
func writeBig(t []byte, n int) []byte {
	at := len(t)
	t = append(t, byte(n&63))
	for n >>= 6; n > 0; n >>= 6 {
		t = append(t, byte(n&63)|64)
	}
	slices.Reverse(t[at:])
	return t
}
