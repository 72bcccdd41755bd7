package equiv

import (
	"fmt"
	"strings"

	"github.com/thuml/depyf/internal/opcode"
)

// Until 3.8 all ways out of a protected body run one copy of its finally clause. What
// lies on top of the stack there says how it was entered, and END_FINALLY goes on
// accordingly:
//
//   - nothing: what BEGIN_FINALLY pushes (3.8), or None (3.7);
//   - where CALL_FINALLY was (3.8);
//   - a reason to unwind the block stack (3.7): a return with its value, `continue`
//     with its target, `break`; or that __exit__ has swallowed the exception;
//   - an exception, and the one handled before.
//
// Such a mark is a value of kind vLasti: nothing else can look at it. States with
// different marks are kept apart (place.shape).

// kinds of blocks that an exception passes by or only an exception runs.
const (
	blockFinally = iota // every way out runs the handler (3.7), or what the compiler says (3.8 on)
	blockExcept         // exceptions only
	blockLoop           // 3.7
)

// marks, by val.name
const (
	markNormal   = "enters normally"
	markAddress  = "goes back to" // id: the instruction
	markReturn   = "returns"      // the value lies below
	markContinue = "continues at" // id: the instruction
	markBreak    = "breaks"
	markSwallow  = "has swallowed the exception"
)

func mark(name string, id int) *val { return &val{kind: vLasti, name: name, id: id} }

// maxBlocks is the interpreter's limit of nested blocks.
const maxBlocks = 20

// shape tells states apart that must not be joined.
func (s *xside) shape() string {
	if !s.v.SharesFinallyBody() {
		return ""
	}
	var b strings.Builder
	fmt.Fprint(&b, s.blocks)
	for i, v := range s.stack {
		if v.kind == vLasti {
			fmt.Fprint(&b, " ", i, v.name, v.id)
		}
	}
	return b.String()
}

// shared handles the block stack of 3.7 and 3.8.
func (r *stepper) shared() bool {
	s, x := r.s, r.x
	if !s.v.SharesFinallyBody() {
		return false
	}
	kind := blockExcept
	if s.v.HasLoopBlocks() {
		kind = blockFinally
	}
	if len(s.blocks) > maxBlocks || len(s.stack) > 100*maxBlocks {
		r.failf("more blocks than the interpreter has room for")
		return true
	}
	switch x.Op {
	case opcode.SetupLoop, opcode.SetupExcept, opcode.SetupFinally, opcode.SetupAsyncWith, opcode.SetupWith, opcode.ContinueLoop, opcode.CallFinally:
		if x.Target < 0 {
			r.failf("%v without a target", x.Op)
			return true
		}
	}
	switch x.Op {
	case opcode.SetupLoop:
		s.blocks = append(s.blocks, block{x.Target, len(s.stack), blockLoop})
		s.goTo(s.pc + 1)
	case opcode.SetupExcept:
		s.blocks = append(s.blocks, block{x.Target, len(s.stack), blockExcept})
		s.goTo(s.pc + 1)
	case opcode.SetupFinally:
		s.blocks = append(s.blocks, block{x.Target, len(s.stack), kind})
		s.goTo(s.pc + 1)
	case opcode.SetupAsyncWith:
		s.blocks = append(s.blocks, block{x.Target, len(s.stack) - 1, kind})
		s.goTo(s.pc + 1)
	case opcode.SetupWith:
		target := x.Target
		r.outs(1, "BeforeWith", s.top(1), out{[]rkind{rSym, rSym}, func(s *xside, w []*val) {
			s.push(w[0])
			s.blocks = append(s.blocks, block{target, len(s.stack), kind})
			s.push(w[1])
			s.goTo(s.pc + 1)
		}})
	case opcode.PopBlock:
		k := len(s.blocks)
		if k == 0 || s.blocks[k-1].handler == exceptHandler || s.blocks[k-1].level > len(s.stack) {
			r.failf("POP_BLOCK without a block")
			return true
		}
		if s.v.HasLoopBlocks() {
			s.stack = s.stack[:s.blocks[k-1].level]
		}
		s.blocks = s.blocks[:k-1]
		s.goTo(s.pc + 1)
	case opcode.BreakLoop:
		r.unwind(mark(markBreak, 0), nil)
	case opcode.ContinueLoop:
		r.unwind(mark(markContinue, x.Target), nil)
	case opcode.BeginFinally:
		r.pure(0, mark(markNormal, 0))
	case opcode.CallFinally:
		n := 0
		for _, v := range s.stack {
			if isMark(v, markAddress) {
				n++
			}
		}
		if n > maxBlocks {
			r.failf("finally clauses that never end")
			return true
		}
		s.push(mark(markAddress, s.pc+1))
		s.goTo(x.Target)
	case opcode.PopFinally:
		r.popFinally()
	case opcode.EndFinally:
		r.endFinally()
	case opcode.WithCleanupStart:
		r.withCleanupStart()
	case opcode.WithCleanupFinish:
		r.withCleanupFinish()
	default:
		return false
	}
	return true
}

// unwind leaves blocks for a reason until one runs code for it. It reports whether
// none does, which means that the function returns.
func (r *stepper) unwind(why, value *val) {
	s := r.s
	for len(s.blocks) > 0 {
		k := len(s.blocks) - 1
		b := s.blocks[k]
		if b.kind == blockLoop && why.name == markContinue {
			s.goTo(why.id)
			return
		}
		if !r.popBlock() {
			return
		}
		switch {
		case b.handler == exceptHandler:
		case b.kind == blockLoop && why.name == markBreak:
			s.goTo(b.handler)
			return
		case b.kind == blockFinally:
			if value != nil {
				s.push(value)
			}
			s.push(why)
			s.goTo(b.handler)
			return
		}
	}
	if why.name != markReturn {
		r.failf("a jump out of a loop that there is not")
		return
	}
	s.stack = append(s.stack[:0:0], value)
	s.returning = true
}

// popBlock drops the innermost block with its values, as the interpreter does on the
// way out.
func (r *stepper) popBlock() bool {
	s := r.s
	k := len(s.blocks) - 1
	if k < 0 || s.blocks[k].level < 0 || s.blocks[k].level > len(s.stack) {
		r.failf("a block wants more stack than there is")
		return false
	}
	b := s.blocks[k]
	s.blocks = s.blocks[:k]
	if b.handler == exceptHandler {
		if len(s.stack) < b.level+3 {
			r.failf("an exception handler wants more stack than there is")
			return false
		}
		s.cur = s.stack[b.level+1]
	}
	s.stack = s.stack[:b.level]
	return true
}

func isMark(v *val, name string) bool { return v.kind == vLasti && v.name == name }

// entersNormally reports whether v says that nothing has happened.
func (s *xside) entersNormally(v *val) bool {
	return isMark(v, markNormal) || s.v.HasLoopBlocks() && v.kind == vConst && v.c == noneVal.c
}

// handling reports whether an exception is on top of the stack, above the one handled
// before.
func (s *xside) handling() bool {
	k := len(s.blocks)
	return k > 0 && s.blocks[k-1].handler == exceptHandler && s.peek(1).kind == vPart && s.peek(1).name == "type"
}

func (r *stepper) endFinally() {
	s := r.s
	switch v := s.peek(1); {
	case s.entersNormally(v):
		r.pure(1)
	case isMark(v, markAddress):
		s.drop(1)
		s.goTo(v.id)
	case isMark(v, markSwallow):
		s.drop(1)
		if r.popBlock() {
			s.goTo(s.pc + 1)
		}
	case isMark(v, markReturn):
		value := s.peek(2)
		s.drop(2)
		r.unwind(v, value)
	case isMark(v, markBreak), isMark(v, markContinue):
		s.drop(1)
		r.unwind(v, nil)
	case s.handling() && len(s.stack) >= 3:
		exc := s.peek(2)
		s.drop(3)
		if why := s.raise(exc, s.pc); why != "" {
			r.failf("%s", why)
		}
	default:
		r.failf("END_FINALLY finds %v", v)
	}
}

// popFinally is a jump out of a finally clause (3.8).
func (r *stepper) popFinally() {
	s := r.s
	var keep *val
	if r.x.Arg > 0 {
		keep = s.peek(1)
		s.drop(1)
	}
	switch v := s.peek(1); {
	case s.entersNormally(v), isMark(v, markAddress):
		s.drop(1)
	case s.handling():
		if !r.popBlock() {
			return
		}
	default:
		r.failf("POP_FINALLY finds %v", v)
		return
	}
	if keep != nil {
		s.push(keep)
	}
	s.goTo(s.pc + 1)
}

// withCleanupStart calls the exit method of a with statement.
func (r *stepper) withCleanupStart() {
	s := r.s
	v := s.peek(1)
	if s.handling() && len(s.stack) >= 7 {
		n := len(s.stack)
		r.outs(0, "WithExceptStart", []*val{s.peek(7), s.peek(1), s.peek(2), s.peek(3)}, out{[]rkind{rSym}, func(s *xside, w []*val) {
			copy(s.stack[n-7:], s.stack[n-6:n-3])
			s.stack[n-4] = mark(markNormal, 0) // NULL
			s.blocks[len(s.blocks)-1].level--
			s.push(s.peek(1), w[0])
			s.goTo(s.pc + 1)
		}})
		return
	}
	below := 2 // the exit method
	switch {
	case s.entersNormally(v), isMark(v, markAddress), isMark(v, markBreak):
	case isMark(v, markReturn):
		below = 3
	case isMark(v, markContinue):
	default:
		r.failf("WITH_CLEANUP_START finds %v", v)
		return
	}
	if len(s.stack) < below {
		r.failf("the stack is empty")
		return
	}
	r.outs(0, "call 3", []*val{s.peek(below), noneVal, noneVal, noneVal}, out{[]rkind{rSym}, func(s *xside, w []*val) {
		n := len(s.stack)
		s.stack = append(s.stack[:n-below:n-below], s.stack[n-below+1:]...)
		s.push(noneVal, w[0])
		s.goTo(s.pc + 1)
	}})
}

// withCleanupFinish asks whether __exit__ swallows the exception.
func (r *stepper) withCleanupFinish() {
	s := r.s
	if v := s.peek(2); v.kind == vConst {
		r.pure(2)
		return
	}
	t := r.truth(1)
	if t == nil {
		return
	}
	t = r.c.known(t)
	if t.kind != vConst {
		r.stopped, r.cond = true, t
		return
	}
	s.drop(2)
	if t.c == boolVal(true).c {
		if s.v.HasLoopBlocks() {
			s.push(mark(markSwallow, 0))
		} else {
			if !r.popBlock() {
				return
			}
			s.push(mark(markNormal, 0))
		}
	}
	s.goTo(s.pc + 1)
}
