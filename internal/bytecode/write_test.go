package bytecode

import (
	"bytes"
	"path/filepath"
	"slices"
	"testing"

	"github.com/thuml/depyf/internal/pyc"
)

// What is written reads as what CPython has written: the tables of recorded code, and runs
// and lines that do not fit into one entry.
func TestTablesAreReadBack(t *testing.T) {
	read := 0
	for _, v := range versions {
		paths, _ := filepath.Glob(filepath.Join("..", "..", "testdata", "dis", v.String(), "*.pyc"))
		for _, path := range paths {
			for _, c := range flatten(readPyc(t, path)) {
				read++
				var runs []Run
				for _, p := range Positions(c) {
					if n := len(runs); n > 0 && runs[n-1].Pos == p {
						runs[n-1].Bytes += 2
						continue
					}
					runs = append(runs, Run{2, p})
				}
				again := *c
				again.LineTable = WritePositions(v, c.FirstLine, runs)
				if got, want := Positions(&again), Positions(c); !slices.Equal(got, want) {
					t.Errorf("%s, %s: %v\nwant %v", path, c.QualName, got, want)
				}
				entries, err := ExceptionTable(c)
				if err != nil {
					t.Fatal(err)
				}
				if got := WriteExceptionTable(entries); !bytes.Equal(got, c.ExceptionTable) {
					t.Errorf("%s, %s: % x\nwant % x", path, c.QualName, got, c.ExceptionTable)
				}
			}
		}
		far := []Run{{2, lineOnly(1)}, {1000, lineOnly(900)}, {600, lineOnly(1)}, {4, NoPos}, {700, lineOnly(2)}, {2, Pos{3, 500, 0, 4000}}}
		c := &pyc.Code{Version: v, FirstLine: 1}
		var want []Pos
		at := lineOnly(1)
		for _, r := range far {
			switch {
			case v.HasColumns():
				at = r.Pos
				if at.EndLine < 0 {
					at.EndLine = at.Line
				}
			case r.Pos.Line >= 0 || !v.HasLnotab():
				at = lineOnly(int(r.Pos.Line))
			}
			want = append(want, slices.Repeat([]Pos{at}, r.Bytes/2)...)
		}
		c.Bytecode = make([]byte, 2*len(want))
		c.LineTable = WritePositions(v, 1, far)
		if got := Positions(c); !slices.Equal(got, want) {
			t.Errorf("%s: far apart: %v\nwant %v", v, got, want)
		}
	}
	if read < 500 {
		t.Errorf("only %d code objects were read", read)
	}
}
