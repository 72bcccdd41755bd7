package bytecode

import (
	"slices"
	"strings"

	"github.com/thuml/depyf/internal/opcode"
)

// HandedOver tells what values a resume function of Dynamo's is given half done: a
// display that was begun before the graph break, and parts of an f-string, which are
// strings. They are arguments by the names in which Dynamo keeps the stack. A display
// under construction is nobody else's.
//
// The result is the instruction that begins such a display, or BUILD_STRING, by
// argument. An argument that is not followed to its use is not there.
func HandedOver(f *Func) map[string]opcode.Op {
	if !slices.ContainsFunc(f.Code.VarNames()[:min(f.Code.ArgCount, len(f.Code.VarNames()))], IsStackSlot) {
		return nil
	}
	out := map[string]opcode.Op{}
	at := map[int][]string{0: {}} // the arguments that lie on the stack, "" for other values
	work := []int{0}
	flow := func(to int, st []string) bool {
		if to < 0 || to >= len(f.Instrs) {
			return true
		}
		old, seen := at[to]
		if seen && len(old) != len(st) {
			return false
		}
		if !seen {
			at[to] = slices.Clone(st)
			work = append(work, to)
			return true
		}
		changed := false
		for j := range old {
			if old[j] != "" && old[j] != st[j] {
				old[j], changed = "", true
			}
		}
		if changed {
			work = append(work, to)
		}
		return true
	}
	for len(work) > 0 {
		i := work[len(work)-1]
		work = work[:len(work)-1]
		in, st := &f.Instrs[i], at[i]
		if k, op := builds(in); op != opcode.Invalid {
			lo, hi := len(st)-k, len(st)
			if op != opcode.BuildString {
				lo -= in.Arg
				hi = lo + 1
			} else if in.Op != opcode.BuildString {
				lo = hi - 1 // the specification
			}
			for j := max(lo, 0); j < hi; j++ {
				if st[j] != "" {
					out[st[j]] = op
				}
			}
		}
		for _, taken := range []bool{false, true} {
			to := i + 1
			if taken {
				to = in.Target
			} else if !in.Op.FallsThrough() {
				continue
			}
			next, ok := stackBehind(f, in, st, taken)
			if !ok || !flow(to, next) {
				return nil
			}
		}
	}
	return out
}

// builds says of an instruction that goes on with a display, or joins strings, how
// many values it pops, and what begins such a display.
func builds(in *Instr) (pops int, begins opcode.Op) {
	switch in.Op {
	case opcode.ListAppend, opcode.ListExtend:
		return 1, opcode.BuildList
	case opcode.SetAdd, opcode.SetUpdate:
		return 1, opcode.BuildSet
	case opcode.DictUpdate, opcode.DictMerge:
		return 1, opcode.BuildMap
	case opcode.MapAdd:
		return 2, opcode.BuildMap
	case opcode.BuildString:
		return in.Arg, opcode.BuildString
	case opcode.FormatWithSpec:
		return 2, opcode.BuildString
	case opcode.FormatValue:
		if in.Arg&4 != 0 {
			return 2, opcode.BuildString
		}
	}
	return 0, opcode.Invalid
}

// stackBehind is the stack that an instruction leaves of st.
func stackBehind(f *Func, in *Instr, st []string, taken bool) ([]string, bool) {
	n := len(st)
	st = slices.Clone(st)
	switch in.Op {
	case opcode.Copy:
		if in.Arg < 1 || in.Arg > n {
			return nil, false
		}
		return append(st, ""), true // a display is not copied before it is done
	case opcode.Swap:
		if in.Arg < 1 || in.Arg > n {
			return nil, false
		}
		st[n-1], st[n-in.Arg] = st[n-in.Arg], st[n-1]
		return st, true
	case opcode.Rot:
		if in.Arg < 1 || in.Arg > n {
			return nil, false
		}
		return slices.Insert(st[:n-1:n-1], n-in.Arg, st[n-1]), true
	}
	pop, push := StackEffect(f.Code.Version, in, taken)
	if pop > n {
		return nil, false
	}
	if pop+push == 0 && n > 0 && !leavesStack(in.Op) {
		pop, push = 1, 1 // what has another value in the place of one
	}
	st = st[:n-pop]
	for range push {
		st = append(st, "")
	}
	if in.Op == opcode.LoadFast && IsStackSlot(in.Name) {
		st[len(st)-1] = in.Name
	}
	return st, true
}

// leavesStack reports whether an operation has nothing to do with the stack.
func leavesStack(op opcode.Op) bool {
	switch op {
	case opcode.Nop, opcode.Resume, opcode.Jump, opcode.CopyFreeVars, opcode.MakeCell, opcode.KwNames, opcode.EndFor:
		return true
	}
	return op.Deletes()
}

// IsStackSlot reports whether an argument is one in which Dynamo passes a value from
// the stack.
func IsStackSlot(name string) bool { return strings.HasPrefix(name, "___stack") }
