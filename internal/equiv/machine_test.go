package equiv

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyc"
)

// corpus calls f for every code object of the checked-in .pyc files.
func corpus(t *testing.T, f func(t *testing.T, file string, c *pyc.Code)) {
	files, _ := filepath.Glob("testdata/3.*/*.pyc")
	if len(files) < 30 {
		t.Fatalf("only %d files in testdata", len(files))
	}
	for _, file := range files {
		t.Run(filepath.ToSlash(file[len("testdata/"):]), func(t *testing.T) {
			eachCode(load(t, file), func(c *pyc.Code) { f(t, file, c) })
		})
	}
}

func eachCode(c *pyc.Code, f func(*pyc.Code)) {
	f(c)
	for _, k := range c.Consts {
		if k, ok := k.(*pyc.Code); ok {
			eachCode(k, f)
		}
	}
}

func TestSelf(t *testing.T) {
	corpus(t, func(t *testing.T, _ string, c *pyc.Code) {
		// The copy has other code objects inside, so that they are compared too.
		d := *c
		d.Bytecode = append(slices.Clone(c.Bytecode), c.Bytecode[len(c.Bytecode)-2:]...)
		if res := Compare(c, &d, Options{}); !res.Equal {
			t.Errorf("%s differs from itself with dead code added: %s", c.Name, res.Diff.String())
		}
	})
}

// oneInstruction calls f with each way to change one instruction of c.
func oneInstruction(c *pyc.Code, f func(what string, at int, m *pyc.Code)) {
	raws, err := bytecode.Scan(c)
	if err != nil {
		return
	}
	table := opcode.For(c.Version)
	nop := byte(0)
	for i, op := range table.Ops {
		if op.Op == opcode.Nop && op.Kind != opcode.ArgDrop {
			nop = byte(i)
		}
	}
	change := func(what string, at int, bytes ...byte) {
		m := *c
		m.Bytecode = slices.Clone(c.Bytecode)
		copy(m.Bytecode[at:], bytes)
		if !slices.Equal(m.Bytecode, c.Bytecode) {
			f(what, at, &m)
		}
	}
	for i, r := range raws {
		if r.Info.Op == opcode.Nop {
			continue
		}
		op, arg := c.Bytecode[r.Offset], c.Bytecode[r.Offset+1]
		for _, d := range []int{1, -1, 2, 16} {
			change(fmt.Sprintf("%s operand %+d", r.Info.Name, d), r.Offset, op, arg+byte(d))
		}
		change(r.Info.Name+" dropped", r.Offset, nop, 0)
		for k, other := range table.Ops {
			// Of equal width, so that the instructions behind stay.
			if byte(k) != op && other.Op != opcode.Invalid && other.Caches == r.Info.Caches && (k*7+i)%5 == 0 { // a fifth of them
				change(r.Info.Name+" to "+other.Name, r.Offset, byte(k), arg)
			}
		}
		if i+1 < len(raws) && raws[i+1].Info.Caches == r.Info.Caches && raws[i+1].Begin == r.Next {
			n := raws[i+1].Offset
			m := *c
			m.Bytecode = slices.Clone(c.Bytecode)
			copy(m.Bytecode[r.Offset:], c.Bytecode[n:n+2])
			copy(m.Bytecode[n:], c.Bytecode[r.Offset:r.Offset+2])
			f(r.Info.Name+" swapped with "+raws[i+1].Info.Name, r.Offset, &m)
		}
	}
}

// TestOneInstruction changes one instruction at a time, hundreds of thousands of
// times with DEPYF_THOROUGH set. Whatever Compare takes as equal must be a true
// no-op: by the simple second opinion of sameMeaning, by a rule here, or by name in
// testdata/noops.txt, which lists the rest after a person has looked at each.
func TestOneInstruction(t *testing.T) {
	known := readNoops(t, "testdata/noops.txt")
	thorough := os.Getenv("DEPYF_THOROUGH") != ""
	n, alive := 0, 0
	corpus(t, func(t *testing.T, file string, c *pyc.Code) {
		oneInstruction(c, func(what string, at int, m *pyc.Code) {
			if n++; !thorough && n%16 != 0 {
				return
			}
			if !Compare(c, m, Options{}).Equal || sameMeaning(c, m) {
				return
			}
			alive++
			// LOAD_FAST_CHECK of a bound variable; cells are made in any order.
			if strings.HasSuffix(what, " to LOAD_FAST_CHECK") || what == "MAKE_CELL swapped with MAKE_CELL" {
				return
			}
			if id := noopID(file, c, at, what); !known[id] {
				t.Errorf("taken as equal: %s", id)
			}
		})
	})
	t.Logf("%d changes, %d looked at", n, alive)
}
