package decompile

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"github.com/thuml/depyf/internal/pyc"
)

// shapes are generated modules whose size can be chosen; n counts instructions,
// but for nested, where it counts blocks.
var shapes = map[string]struct {
	sizes []int
	make  func(n int) *pyc.Code
}{
	"straight": {[]int{50_000, 100_000, 200_000}, func(n int) *pyc.Code {
		return module312(append(bytes.Repeat([]byte{opLoadName, 1, opLoadConst, 1, opBinaryOp, 0, 0, 0, opStoreName, 0}, n/4), ends...), pyc.NewInt(7))
	}},
	// if b: a = 7
	"branches": {[]int{10_000, 20_000, 40_000}, func(n int) *pyc.Code {
		return module312(append(bytes.Repeat([]byte{opLoadName, 1, opJumpIfFalse, 2, opLoadConst, 1, opStoreName, 0}, n/4), ends...), pyc.NewInt(7))
	}},
	// if b: raise a
	"exits": {[]int{10_000, 20_000, 40_000}, func(n int) *pyc.Code {
		return module312(append(bytes.Repeat([]byte{opLoadName, 1, opJumpIfFalse, 2, opLoadName, 0, opRaise, 1}, n/4), ends...))
	}},
	// for a in b: a
	"loops": {[]int{7_000, 14_000, 28_000}, func(n int) *pyc.Code {
		one := []byte{opLoadName, 1, opGetIter, 0, opForIter, 4, 0, 0, opStoreName, 0, opLoadName, 0, opPop, 0, opJumpBackward, 6, opEndFor, 0}
		return module312(append(bytes.Repeat(one, n/7), ends...))
	}},
	// if a: b() inside if a: b() inside …
	"nested": {[]int{50, 100, 200}, func(n int) *pyc.Code {
		call := []byte{opPushNull, 0, opLoadName, 1, opCall, 0, 0, 0, 0, 0, 0, 0, opPop, 0}
		var body []byte
		for range n {
			units := (len(call) + len(body)) / 2
			test := []byte{opLoadName, 0, opExtended, byte(units >> 8), opJumpIfFalse, byte(units)}
			body = append(append(test, call...), body...)
		}
		return module312(append(body, ends...))
	}},
}

const opRaise, opGetIter, opForIter, opEndFor, opJumpBackward = 130, 68, 93, 4, 140

// timeOf decompiles and returns the shortest of some times.
func timeOf(t testing.TB, code *pyc.Code) time.Duration {
	best := time.Hour
	for range 4 {
		start := time.Now()
		r, err := Module(code, Options{})
		best = min(best, time.Since(start))
		if err != nil || len(r.Problems) > 0 {
			t.Fatal(err, r.Problems)
		}
	}
	return best
}

// TestLinear: four times the code may take four times as long and some more, for
// the machine may be busy, but not sixteen times.
func TestLinear(t *testing.T) {
	for name, s := range shapes {
		t.Run(name, func(t *testing.T) {
			for try := 1; ; try++ {
				small, large := timeOf(t, s.make(s.sizes[0])), timeOf(t, s.make(s.sizes[2]))
				if large < 9*small || large < 100*time.Millisecond {
					return
				}
				if try == 5 {
					t.Fatalf("%v for %d, %v for %d", small, s.sizes[0], large, s.sizes[2])
				}
			}
		})
	}
}

// TestSame: the same code gives the same text every time, as a dispatch loop, too. Go walks a map in
// another order each time.
func TestSame(t *testing.T) {
	for i, data := range fuzzSeeds(t) {
		if i%3 != 0 {
			continue
		}
		f, err := pyc.ReadBytes(data)
		if err != nil {
			t.Fatal(err)
		}
		for _, opt := range []Options{{}, {DispatchAll: true}} {
			a, _ := Module(f.Code, opt)
			for range 3 {
				if b, _ := Module(f.Code, opt); a.Source != b.Source {
					t.Errorf("file %d: two texts:\n%s\n%s", i, a.Source, b.Source)
					break
				}
			}
		}
	}
}

func BenchmarkModule(b *testing.B) {
	for name, s := range shapes {
		for _, n := range s.sizes {
			code := s.make(n)
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if _, err := Module(code, Options{}); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(code.Bytecode)/2), "ns/unit")
			})
		}
	}
}

// BenchmarkCorpus decompiles the recorded files of all versions.
func BenchmarkCorpus(b *testing.B) {
	var codes []*pyc.Code
	size := 0
	for _, data := range fuzzSeeds(b) {
		f, err := pyc.ReadBytes(data)
		if err != nil {
			b.Fatal(err)
		}
		codes = append(codes, f.Code)
		size += len(data)
	}
	b.SetBytes(int64(size))
	for b.Loop() {
		for _, c := range codes {
			if _, err := Module(c, Options{}); err != nil {
				b.Fatal(err)
			}
		}
	}
}
