package bytecode

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyc"
)

// stackDepths walks f from its entry and its handlers and says where two paths
// meet with different depths, or where the depth leaves 0..StackSize.
func stackDepths(f *Func) string {
	v := f.Code.Version
	depth := make([]int, len(f.Instrs))
	for i := range depth {
		depth[i] = -1
	}
	var work []int
	msg := ""
	reach := func(from, i, d int) {
		switch {
		case msg != "":
		case i >= len(f.Instrs):
			msg = fmt.Sprintf("runs off the end at %d", from)
		case depth[i] < 0:
			depth[i] = d
			work = append(work, i)
		case depth[i] != d:
			msg = fmt.Sprintf("%d -> %d (%s): depth %d, was %d", from, i, f.Instrs[i].Op, d, depth[i])
		}
	}
	entry := 0
	if f.Instrs[0].Op == opcode.GenStart {
		entry = 1
	}
	reach(-1, 0, entry)
	for len(work) > 0 && msg == "" {
		i := work[len(work)-1]
		work = work[:len(work)-1]
		in, d := &f.Instrs[i], depth[i]
		for _, h := range f.Handlers {
			if i >= h.Start && i < h.End {
				n := h.Depth + 1
				if h.Lasti {
					n++
				}
				if d < h.Depth && !(v.GenexprCallsIter() && cannotRaise(in.Op)) {
					msg = fmt.Sprintf("%d: %s at depth %d, its handler wants %d", i, in.Op, d, h.Depth)
				}
				reach(i, h.Target, n)
			}
		}
		pop, push := StackEffect(v, in, false)
		limit := f.Code.StackSize
		if in.Op == opcode.LoadConst && i+1 < len(f.Instrs) && f.Instrs[i+1].Offset == in.Offset {
			limit++ // RETURN_CONST needs no stack
		}
		if d < pop || d-pop+push > limit {
			return fmt.Sprintf("%d: %s at depth %d of %d", i, in.Op, d, f.Code.StackSize)
		}
		switch in.Op {
		case opcode.Jump:
			reach(i, in.Target, d)
			continue
		case opcode.Return, opcode.Raise, opcode.Reraise:
			continue
		case opcode.SetupFinally:
			reach(i, in.Target, d+6)
		case opcode.SetupWith: // the handler finds __exit__ and the exceptions
			reach(i, in.Target, d+6)
		case opcode.SetupAsyncWith: // __exit__ below the value that is stored after the block is set up
			reach(i, in.Target, d-1+6)
		default:
			if in.Target >= 0 {
				p, q := StackEffect(v, in, true)
				if d < p {
					return fmt.Sprintf("%d: %s taken at depth %d", i, in.Op, d)
				}
				reach(i, in.Target, d-p+q)
			}
		}
		if in.Op == opcode.EndFor {
			return fmt.Sprintf("%d: EndFor is reached", i)
		}
		reach(i, i+1, d-pop+push)
	}
	return msg
}

// cannotRaise lists what follows the loop of a generator expression of 3.15. The
// handler around the whole body, which wants the iterator on the stack, covers
// that too although the iterator is gone; only what cannot raise is there.
func cannotRaise(op opcode.Op) bool {
	return op == opcode.LoadConst || op == opcode.Return || op == opcode.Nop
}

// hasStackPicture: in 3.7 and 3.8 a finally clause is entered with one value or
// with six, so that depths are not a function of the place.
func hasStackPicture(v pyc.Version) bool { return !v.SharesFinallyBody() }

// TestStackDepths checks the stack pictures in opcode.Op's comments: with them,
// the recorded code of every version from 3.9 on has one depth at each
// instruction, and stays within the stack that CPython reserved.
func TestStackDepths(t *testing.T) {
	for _, v := range versions {
		if !hasStackPicture(v) {
			continue
		}
		paths, _ := filepath.Glob(filepath.Join("..", "..", "testdata", "dis", v.String(), "*.pyc"))
		for _, path := range paths {
			for _, c := range flatten(readPyc(t, path)) {
				f, err := Decode(c)
				if err != nil {
					t.Errorf("%s: %v", path, err)
				} else if msg := stackDepths(f); msg != "" {
					t.Errorf("%s: %s: %s", path, c.QualName, msg)
				}
			}
		}
	}
}
