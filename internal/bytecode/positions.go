package bytecode

import "github.com/thuml/depyf/internal/pyc"

// Positions returns the source range of each 2-byte code unit of c. Positions
// are hints, so a table that is damaged or too short leaves NoPos instead of an
// error.
func Positions(c *pyc.Code) []Pos {
	out := make([]Pos, len(c.Bytecode)/2)
	positions(c, out)
	return out
}

// positions fills out with the source range of each code unit.
func positions(c *pyc.Code, out []Pos) {
	for i := range out {
		out[i] = NoPos
	}
	switch {
	case c.Version.HasColumns():
		locationTable(c, out)
	case c.Version.HasLnotab():
		lnotab(c, out)
	default:
		lineTable(c, out)
	}
}

// fill sets out[from:to] to p and returns to, both clipped to out.
func fill(out []Pos, from, to int, p Pos) int {
	to = min(to, len(out))
	for i := min(from, to); i < to; i++ {
		out[i] = p
	}
	return to
}

func lineOnly(line int) Pos { return Pos{clip(line), -1, -1, -1} }

// clip narrows n to what a damaged table cannot overflow.
func clip(n int) int32 { return int32(max(-1, min(n, 1<<31-1))) }

// lnotab reads co_lnotab (3.7-3.9, Objects/lnotab_notes.txt): pairs of an
// unsigned byte increment and a signed line increment, in that order.
func lnotab(c *pyc.Code, out []Pos) {
	line, at, table := c.FirstLine, 0, c.LineTable
	for i := 0; i+1 < len(table); i += 2 {
		next := at + int(table[i])
		fill(out, (at+1)/2, (next+1)/2, lineOnly(line))
		at = next
		line += int(int8(table[i+1]))
	}
	fill(out, (at+1)/2, len(out), lineOnly(line))
}

// lineTable reads co_linetable of 3.10: the same pairs, but the line increment
// comes first, -128 stands for no line, and the pair covers the bytes it adds.
func lineTable(c *pyc.Code, out []Pos) {
	line, at, table := c.FirstLine, 0, c.LineTable
	for i := 0; i+1 < len(table); i += 2 {
		p := NoPos
		if delta := int8(table[i+1]); delta != -128 {
			line += int(delta)
			p = lineOnly(line)
		}
		next := at + int(table[i])
		fill(out, at/2, next/2, p)
		at = next
	}
}

// The codes of location table entries that are not short forms.
const (
	locOneLine0  = 10 // 10, 11, 12: one line, 0 to 2 lines further
	locNoColumns = 13
	locLong      = 14
	locNone      = 15
)

// locationTable reads co_linetable of 3.11+ (Objects/locations.md). An entry
// begins with a byte that has the top bit, a code and the number of units less
// one.
func locationTable(c *pyc.Code, out []Pos) {
	r := varints{data: c.LineTable}
	line, unit := c.FirstLine, 0
	for r.pos < len(r.data) && unit < len(out) {
		head := int(r.byte())
		length := head&7 + 1
		p := NoPos
		switch code := head >> 3 & 15; code {
		case locNone:
		case locLong:
			line += r.signed()
			end := line + r.little()
			p = Pos{clip(line), clip(end), clip(r.little() - 1), clip(r.little() - 1)}
		case locNoColumns:
			line += r.signed()
			p = Pos{clip(line), clip(line), -1, -1}
		case locOneLine0, locOneLine0 + 1, locOneLine0 + 2:
			line += code - locOneLine0
			p = Pos{clip(line), clip(line), int32(r.byte()), int32(r.byte())}
		default:
			second := int32(r.byte())
			col := int32(code)<<3 | second>>4
			p = Pos{clip(line), clip(line), col, col + second&15}
		}
		if r.bad || head&0x80 == 0 {
			return
		}
		unit = fill(out, unit, unit+length, p)
	}
}
