package decompile

import (
	"archive/zip"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"github.com/thuml/depyf/internal/pyc"
)

// What one decompilation of a small file may take. Both are far above what any
// file of this size needs, and far below what would hurt.
const (
	fuzzTime   = 4 * time.Minute // of a minute of work on a busy machine
	fuzzMemory = 1 << 30         // in all, most of it garbage by then
	fuzzTexts  = leastTexts      // Go ends a worker after ten seconds, which a whole search may take under instrumentation
)

// fuzzSeeds are the .pyc files of testdata, those of the cases included.
func fuzzSeeds(tb testing.TB) [][]byte {
	tb.Helper()
	var out [][]byte
	paths, _ := filepath.Glob("../../testdata/dis/3.*/*.pyc")
	for _, p := range paths {
		data, err := os.ReadFile(p)
		if err != nil {
			tb.Fatal(err)
		}
		out = append(out, data)
	}
	zips, _ := filepath.Glob(casesDir + "/3.*.zip")
	for _, p := range zips {
		z, err := zip.OpenReader(p)
		if err != nil {
			tb.Fatal(err)
		}
		defer z.Close()
		for _, f := range z.File {
			r, err := f.Open()
			if err != nil {
				tb.Fatal(err)
			}
			data, err := io.ReadAll(r)
			r.Close()
			if err != nil {
				tb.Fatal(err)
			}
			out = append(out, data)
		}
	}
	if len(out) < 500 {
		tb.Fatalf("only %d files to start from", len(out))
	}
	return out
}

// survives decompiles code and fails on a panic, a hang or a memory hog. A panic
// inside one function is caught by the driver, which makes a stub of it; here it
// counts as a failure too.
func survives(t *testing.T, code *pyc.Code) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	watch := time.AfterFunc(fuzzTime, func() { debug.SetTraceback("all"); panic("the decompiler hangs") })
	defer watch.Stop()
	r, err := Module(code, Options{Watch: checked(t), texts: fuzzTexts})
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; n > fuzzMemory {
		t.Errorf("%d MiB were allocated", n>>20)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range r.Problems {
		if strings.Contains(p, "internal error") {
			t.Error(p)
		}
	}
	for _, f := range []*pyc.Code{code, firstFunction(code)} {
		if f == nil {
			continue
		}
		if _, err := Func(f, Options{Dynamo: true, Watch: checked(t), texts: fuzzTexts}); err != nil {
			t.Error(err)
		}
	}
}

func firstFunction(c *pyc.Code) *pyc.Code {
	for _, k := range c.Consts {
		if f, ok := k.(*pyc.Code); ok {
			return f
		}
	}
	return nil
}

// FuzzFile decompiles the bytes of .pyc files.
func FuzzFile(f *testing.F) {
	for i, data := range fuzzSeeds(f) {
		if i%7 == 0 && len(data) < 4000 {
			f.Add(data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1<<16 {
			return
		}
		if file, err := pyc.ReadBytes(data); err == nil {
			survives(t, file.Code)
		}
	})
}

// FuzzMutated decompiles a real .pyc file in which single instructions, operands,
// constants, names, flags and bytes of the tables have been changed: four bytes of
// edits for each change.
func FuzzMutated(f *testing.F) {
	files := fuzzSeeds(f)
	for i := range files {
		if i%5 == 0 {
			f.Add(uint16(i), []byte{0, 4, 1, 2, 1, 9, 0, 1})
		}
	}
	f.Fuzz(func(t *testing.T, pick uint16, edits []byte) {
		file, err := pyc.ReadBytes(files[int(pick)%len(files)])
		if err != nil {
			t.Fatal(err)
		}
		mutate(file.Code, edits)
		// What a marshalled file cannot hold, nobody can give us.
		data, err := pyc.Marshal(file.Code, file.Version)
		if err != nil {
			return
		}
		c, err := pyc.Unmarshal(data, file.Version)
		if err != nil {
			return
		}
		survives(t, c.(*pyc.Code))
	})
}

// mutate applies edits: which code object and what, where (two bytes), new value.
func mutate(code *pyc.Code, edits []byte) {
	var codes []*pyc.Code
	var collect func(c *pyc.Code)
	collect = func(c *pyc.Code) {
		codes = append(codes, c)
		for _, k := range c.Consts {
			if n, ok := k.(*pyc.Code); ok {
				collect(n)
			}
		}
	}
	collect(code)
	for ; len(edits) >= 5 && len(edits) < 200; edits = edits[5:] {
		c := codes[int(edits[0])%len(codes)]
		at, v := int(binary.LittleEndian.Uint16(edits[2:])), edits[4]
		set := func(b []byte, step, off int) {
			if n := len(b) / step; n > 0 {
				b[at%n*step+off] = v
			}
		}
		switch edits[1] % 12 {
		case 0, 1:
			set(c.Bytecode, 2, 0)
		case 2, 3:
			set(c.Bytecode, 2, 1)
		case 4:
			set(c.ExceptionTable, 1, 0)
		case 5:
			set(c.LineTable, 1, 0)
		case 6: // take instructions out
			if n := len(c.Bytecode) / 2; n > 0 {
				i := at % n * 2
				j := min(i+2*int(v%8), len(c.Bytecode))
				c.Bytecode = append(c.Bytecode[:i:i], c.Bytecode[j:]...)
			}
		case 7: // copy instructions
			if n := len(c.Bytecode) / 2; n > 0 && len(c.Bytecode) < 1<<14 {
				i := at % n * 2
				j := min(i+2*int(v), len(c.Bytecode))
				c.Bytecode = append(c.Bytecode[:j:j], c.Bytecode[i:]...)
			}
		case 8:
			c.Flags ^= 1 << (v % 28)
		case 9:
			if len(c.Consts) > 0 {
				c.Consts[at%len(c.Consts)] = fuzzConst(c, v)
			}
		case 10:
			if len(c.Names) > 0 {
				c.Names[at%len(c.Names)] = []string{"", "a b", "None", "__class__", "é", "\xed\xa0\x80", "__x", ".0"}[v%8]
			}
		case 11:
			if len(c.LocalsPlusKinds) > 0 {
				c.LocalsPlusKinds[at%len(c.LocalsPlusKinds)] = pyc.LocalKind(v)
			}
		}
	}
}

func fuzzConst(c *pyc.Code, v byte) pyc.Const {
	switch v % 8 {
	case 0:
		return pyc.None{}
	case 1:
		return pyc.Tuple{pyc.Str("a"), pyc.NewInt(int64(v))}
	case 2:
		return pyc.Str("text")
	case 3:
		return pyc.NewInt(-1)
	case 4:
		return pyc.FrozenSet{}
	case 5:
		if n := len(c.Consts); n > 0 {
			return c.Consts[int(v)%n]
		}
	case 6:
		return pyc.Dict{{Key: pyc.NewInt(1), Value: pyc.None{}}}
	}
	return pyc.Bytes(fmt.Sprint(v))
}
