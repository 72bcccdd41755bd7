package bytecode

import (
	"io"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/thuml/depyf/internal/pyc"
)

// seeds calls add with every small recorded code object.
func seeds(f *testing.F, add func(c *pyc.Code)) {
	for _, v := range versions {
		paths, _ := filepath.Glob(filepath.Join("..", "..", "testdata", "dis", v.String(), "*.pyc"))
		for _, path := range paths {
			for _, c := range flatten(readPyc(f, path)) {
				if len(c.Bytecode) < 300 {
					add(c)
				}
			}
		}
	}
}

// fuzzCode is a code object around fuzzed bytes.
func fuzzCode(version uint8, code, lines, exceptions []byte) *pyc.Code {
	c := &pyc.Code{
		Version: pyc.Oldest + pyc.Version(version%uint8(pyc.Newest-pyc.Oldest+1)), QualName: "f", Name: "f", FirstLine: 1,
		Bytecode: code, LineTable: lines, ExceptionTable: exceptions,
	}
	// Enough names and constants that most of the recorded code decodes.
	for i := 0; i < 20; i++ {
		c.Consts = append(c.Consts, pyc.NewInt(int64(i)), pyc.Tuple{pyc.Str("k")})
		c.Names = append(c.Names, "n"+strconv.Itoa(i))
	}
	names := func(s string) []string { return strings.Fields(s) }
	c.SetVars(names("a b c d e f"), names("p q r s"), names("x y z"))
	return c
}

// FuzzDecode looks for panics and broken promises in the decoder, the line
// tables and the printer.
func FuzzDecode(f *testing.F) {
	seeds(f, func(c *pyc.Code) { f.Add(uint8(c.Version-pyc.Oldest), c.Bytecode, c.LineTable, c.ExceptionTable) })
	f.Fuzz(func(t *testing.T, version uint8, code, lines, exceptions []byte) {
		c := fuzzCode(version, code, lines, exceptions)
		fn, err := Decode(c)
		if err == nil {
			if msg := invariants(fn); msg != "" {
				t.Error(msg)
			}
			if len(fn.Instrs) > len(code) {
				t.Errorf("%d instructions out of %d bytes", len(fn.Instrs), len(code))
			}
		}
		Print(io.Discard, c, PrintOptions{})
		Print(io.Discard, c, PrintOptions{Normalized: true, Positions: true})
	})
}

// FuzzExceptionTable looks for panics and rows that make no sense.
func FuzzExceptionTable(f *testing.F) {
	seeds(f, func(c *pyc.Code) { f.Add(c.ExceptionTable, uint16(len(c.Bytecode)/2)) })
	f.Fuzz(func(t *testing.T, table []byte, units uint16) {
		nops := make([]byte, 2*int(units%5000))
		for i := 0; i < len(nops); i += 2 {
			nops[i] = 9 // NOP in 3.12
		}
		c := fuzzCode(uint8(pyc.V312-pyc.Oldest), nops, nil, table)
		rows, err := ExceptionTable(c)
		if err != nil {
			return
		}
		for _, r := range rows {
			if r.Start < 0 || r.End < r.Start || r.Target < 0 || r.Depth < 0 {
				t.Errorf("%+v", r)
			}
		}
		if fn, err := Decode(c); err == nil {
			if msg := invariants(fn); msg != "" {
				t.Error(msg)
			}
		}
	})
}
