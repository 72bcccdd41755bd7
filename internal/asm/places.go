package asm

import "github.com/thuml/depyf/internal/bytecode"

// places encodes where the instructions stand in the source.
func (a *assembler) places() {
	c := a.code
	switch {
	case c.Version.HasColumns():
		at := c.FirstLine
		for i := range a.lines {
			at = a.location(&a.lines[i], at)
		}
	case c.Version.HasLnotab():
		at, bytes := c.FirstLine, 0
		for i := range a.lines {
			if l := &a.lines[i]; l.pos.Line >= 0 && int(l.pos.Line) != at {
				at = a.pairs(bytes, int(l.pos.Line)-at, at)
				bytes = 0
			}
			bytes += a.lines[i].size()
		}
	default:
		at := c.FirstLine
		for i := range a.lines {
			l := &a.lines[i]
			n := l.size()
			if l.pos.Line < 0 {
				c.LineTable = append(c.LineTable, byte(n), 128)
				continue
			}
			delta := int(l.pos.Line) - at
			for ; delta > 127; delta -= 127 {
				c.LineTable = append(c.LineTable, 0, 127)
			}
			for ; delta < -127; delta += 127 {
				c.LineTable = append(c.LineTable, 0, 0x81)
			}
			c.LineTable = append(c.LineTable, byte(n), byte(int8(delta)))
			at = int(l.pos.Line)
		}
	}
}

// pairs adds so many bytes, then lines, to an lnotab.
func (a *assembler) pairs(bytes, lines, at int) int {
	c := a.code
	for ; bytes > 254; bytes -= 254 {
		c.LineTable = append(c.LineTable, 254, 0)
	}
	to := at + lines
	for first := true; first || lines != 0; first = false {
		step := max(-128, min(lines, 127))
		c.LineTable = append(c.LineTable, byte(bytes), byte(int8(step)))
		bytes = 0
		lines -= step
	}
	return to
}

// location adds the entries of one instruction to a location table of 3.11+, in the
// long form, and returns the line that the next one counts from.
func (a *assembler) location(l *line, at int) int {
	for units := l.size() / 2; units > 0; units -= 8 {
		head := func(code int) byte { return byte(0x80 | code<<3 | (min(units, 8) - 1)) }
		t := &a.code.LineTable
		p := l.pos
		switch {
		case p.Line < 0:
			*t = append(*t, head(15))
			continue
		case p == (bytecode.Pos{Line: p.Line, EndLine: p.Line, Col: -1, EndCol: -1}):
			*t = append(append(*t, head(13)), lowFirst(signed(int(p.Line)-at))...)
		default:
			*t = append(append(*t, head(14)), lowFirst(signed(int(p.Line)-at))...)
			*t = append(*t, lowFirst(int(p.EndLine-p.Line))...)
			*t = append(*t, lowFirst(int(p.Col+1))...)
			*t = append(*t, lowFirst(int(p.EndCol+1))...)
		}
		at = int(p.Line)
	}
	return at
}

func signed(n int) int {
	if n < 0 {
		return -n<<1 | 1
	}
	return n << 1
}

// lowFirst is a varint with the lowest 6 bits first.
func lowFirst(n int) []byte {
	var out []byte
	for ; n > 63; n >>= 6 {
		out = append(out, byte(n&63)|64)
	}
	return append(out, byte(n))
}
