package bytecode

import "github.com/thuml/depyf/internal/pyc"

// ExceptionEntry is one row of co_exceptiontable: code in [Start, End) jumps to
// Target, all byte offsets.
type ExceptionEntry struct {
	Start, End, Target int
	Depth              int
	Lasti              bool
}

// ExceptionTable reads co_exceptiontable (3.11+, Objects/exception_handling_notes.txt).
// Offsets in its errors count from the start of that table.
func ExceptionTable(c *pyc.Code) ([]ExceptionEntry, error) {
	if !c.Version.HasExceptionTable() {
		return nil, nil
	}
	var out []ExceptionEntry
	r := varints{data: c.ExceptionTable}
	for r.pos < len(r.data) {
		at := r.pos
		if r.data[at]&0x80 == 0 {
			return nil, errorf(c, at, "exception table: an entry does not begin here")
		}
		start, length, target, depth := r.big(), r.big(), r.big(), r.big()
		if r.bad {
			return nil, errorf(c, at, "exception table: the entry is cut off or out of range")
		}
		out = append(out, ExceptionEntry{2 * start, 2 * (start + length), 2 * target, depth >> 1, depth&1 != 0})
	}
	return out, nil
}

// handlers returns the exception table by instruction index. Rows that cover
// nothing are left out.
func (d *decoder) handlers() ([]Handler, error) {
	entries, err := ExceptionTable(d.code)
	if err != nil {
		return nil, err
	}
	var out []Handler
	for _, e := range entries {
		target := d.at(e.Target)
		if target < 0 || target >= len(d.out) {
			return nil, errorf(d.code, e.Start, "the exception handler is at offset %d, where no instruction begins", e.Target)
		}
		h := Handler{d.from(e.Start), d.from(e.End), target, e.Depth, e.Lasti}
		if h.Start < h.End {
			out = append(out, h)
		}
	}
	return out, nil
}

// from returns the index of the first instruction that begins at or after a
// byte offset; len(out) beyond the code.
func (d *decoder) from(offset int) int {
	for u := (offset + 1) / 2; u < len(d.index); u++ {
		if d.index[u] >= 0 {
			return int(d.index[u])
		}
	}
	return len(d.out)
}
