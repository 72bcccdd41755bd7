package bytecode

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyc"
)

// recorded is what gen/record.py wrote about one code object.
type recorded struct {
	Name       string
	Args       [6]int // argcount, posonly, kwonly, stacksize, flags, firstlineno
	Vars       [3][]string
	Exceptions [][5]any // start, end, target, depth, lasti
	Instrs     [][]any  // offset, opname, arg, target, argrepr, line [, end line, column, end column]
}

var versions = []pyc.Version{pyc.V37, pyc.V38, pyc.V39, pyc.V310, pyc.V311, pyc.V312, pyc.V313, pyc.V314, pyc.V315}

// loadRecorded returns the recordings of one version by .pyc file.
func loadRecorded(t *testing.T, v pyc.Version) (dir string, files map[string][]recorded) {
	t.Helper()
	dir = filepath.Join("..", "..", "testdata", "dis", v.String())
	f, err := os.Open(filepath.Join(dir, "dis.json.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.NewDecoder(z).Decode(&files); err != nil {
		t.Fatal(err)
	}
	return dir, files
}

// readPyc reads a recorded .pyc file.
func readPyc(t testing.TB, path string) *pyc.Code {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	f, err := pyc.ReadBytes(data)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return f.Code
}

// flatten returns c and the code objects inside it, outer before inner.
func flatten(c *pyc.Code) []*pyc.Code {
	out := []*pyc.Code{c}
	for _, k := range c.Consts {
		if k, ok := k.(*pyc.Code); ok {
			out = append(out, flatten(k)...)
		}
	}
	return out
}

// TestAgainstDis compares the scanner, the printer's operands, the position
// tables and the exception table with what each CPython's own dis reported.
func TestAgainstDis(t *testing.T) {
	for _, v := range versions {
		t.Run(v.String(), func(t *testing.T) {
			dir, files := loadRecorded(t, v)
			if len(files) < 28 {
				t.Errorf("%d recordings only", len(files))
			}
			for name, want := range files {
				codes := flatten(readPyc(t, filepath.Join(dir, name)))
				if len(codes) != len(want) {
					t.Errorf("%s: %d code objects, want %d", name, len(codes), len(want))
					continue
				}
				for i, c := range codes {
					compareCode(t, name, c, want[i])
				}
			}
		})
	}
}

func compareCode(t *testing.T, file string, c *pyc.Code, want recorded) {
	t.Helper()
	fail := func(format string, args ...any) {
		t.Helper()
		t.Errorf("%s: %s: "+format, append([]any{file, c.QualName}, args...)...)
	}
	if c.QualName != want.Name {
		fail("the name is %q in CPython", want.Name)
	}
	if args := [6]int{c.ArgCount, c.PosOnlyArgCount, c.KwOnlyArgCount, c.StackSize, int(c.Flags), c.FirstLine}; args != want.Args {
		fail("counts %v, want %v", args, want.Args)
	}
	for i, have := range [3][]string{c.VarNames(), c.CellVars(), c.FreeVars()} {
		// co_cellvars of 3.7-3.10 is in no fixed order, but it is the order that
		// operands index.
		if strings.Join(have, " ") != strings.Join(want.Vars[i], " ") {
			fail("variables %d: %v, want %v", i, have, want.Vars[i])
		}
	}
	entries, err := ExceptionTable(c)
	if err != nil {
		fail("%v", err)
	}
	var have [][5]any
	for _, e := range entries {
		have = append(have, [5]any{float64(e.Start), float64(e.End), float64(e.Target), float64(e.Depth), e.Lasti})
	}
	if len(have)+len(want.Exceptions) > 0 && !reflect.DeepEqual(have, want.Exceptions) {
		fail("exception table %v, want %v", have, want.Exceptions)
	}
	raws, err := Scan(c)
	if err != nil {
		fail("%v", err)
		return
	}
	if len(raws) != len(want.Instrs) {
		fail("%d instructions, want %d", len(raws), len(want.Instrs))
		return
	}
	positions := Positions(c)
	for i := range raws {
		if h, w := describe(c, &raws[i], positions), want.Instrs[i]; !reflect.DeepEqual(h, w) {
			fail("%v, want %v", h, w)
		}
	}
}

// describe returns r in the form of a row of recorded.Instrs.
func describe(c *pyc.Code, r *Raw, positions []Pos) []any {
	number := func(n int, known bool) any {
		if !known {
			return nil
		}
		return float64(n)
	}
	repr := ArgRepr(c, r)
	switch {
	case r.Target >= 0 || strings.Contains(repr, "<code object"):
		repr = ""
	case repr != "" && noArgRepr(c.Version, r.Info):
		repr = ""
	}
	row := []any{
		float64(r.Offset), r.Info.Name,
		number(r.Arg, r.Info.Flags&opcode.HasArg != 0),
		number(r.Target, r.Target >= 0),
		repr,
	}
	p := positions[r.Offset/2]
	row = append(row, number(int(p.Line), p.Line >= 0))
	if c.Version.HasColumns() {
		row = append(row, number(int(p.EndLine), p.EndLine >= 0), number(int(p.Col), p.Col >= 0), number(int(p.EndCol), p.EndCol >= 0))
	}
	return row
}

// noArgRepr tells where our listing says more than dis of that version did.
func noArgRepr(v pyc.Version, info *opcode.Info) bool {
	switch info.Op {
	case opcode.IsOp, opcode.ContainsOp:
		return v < pyc.V314
	case opcode.KwNames:
		return v == pyc.V311
	}
	return false
}

// TestDecodeRecorded decodes every recorded code object and checks what the
// package comment promises.
func TestDecodeRecorded(t *testing.T) {
	for _, v := range versions {
		paths, _ := filepath.Glob(filepath.Join("..", "..", "testdata", "dis", v.String(), "*.pyc"))
		for _, path := range paths {
			for _, c := range flatten(readPyc(t, path)) {
				f, err := Decode(c)
				if err != nil {
					t.Errorf("%s: %v", path, err)
					continue
				}
				if msg := invariants(f); msg != "" {
					t.Errorf("%s: %s: %s", path, c.QualName, msg)
				}
			}
		}
	}
}

// invariants says which promise of the package comment f breaks, or "".
func invariants(f *Func) string {
	n := len(f.Instrs)
	for i, in := range f.Instrs {
		if in.Target >= n || in.Target < -1 {
			return fmt.Sprintf("instruction %d: target %d of %d", i, in.Target, n)
		}
		if hasConst := in.Op == opcode.LoadConst || in.Op == opcode.KwNames; hasConst != (in.Const != nil) {
			return fmt.Sprintf("instruction %d: %s with constant %v", i, in.Op, in.Const)
		}
		if in.Op >= opcode.NumOps {
			return fmt.Sprintf("instruction %d: op %d", i, in.Op)
		}
	}
	for i, h := range f.Handlers {
		if h.Start < 0 || h.Start >= h.End || h.End > n || h.Target < 0 || h.Target >= n || h.Depth < 0 {
			return fmt.Sprintf("handler %d: %+v", i, h)
		}
	}
	return ""
}
