package equiv

import "github.com/thuml/depyf/internal/opcode"

// caughtName is the name of a value that is an exception for certain, and nothing
// that the caller may or may not be handling.
const caughtName = "an exception"

// exceptHandler marks the block that 3.8-3.10 push while an exception is handled.
const exceptHandler = -1

// raise sends an exception that instruction at raises to its handler, or out of
// the code. It returns what is wrong with the state, if anything.
func (s *xside) raise(exc *val, at int) string {
	s.kw, s.phase = nil, 0
	if s.v.HasExceptionTable() {
		h := s.handler(at)
		if h == nil {
			s.leave(exc)
			return ""
		}
		if h.Depth > len(s.stack) {
			return "an exception handler wants more stack than there is"
		}
		s.stack = s.stack[:h.Depth]
		if h.Lasti {
			s.push(lastiVal)
		}
		s.push(exc)
		s.goTo(h.Target)
		return ""
	}
	for len(s.blocks) > 0 {
		b := s.blocks[len(s.blocks)-1]
		s.blocks = s.blocks[:len(s.blocks)-1]
		if b.level < 0 || b.level > len(s.stack) {
			return "a block wants more stack than there is"
		}
		if b.handler == exceptHandler {
			// The exception handled so far is forgotten.
			if len(s.stack) < b.level+3 {
				return "an exception handler wants more stack than there is"
			}
			s.cur = s.stack[b.level+1]
			s.stack = s.stack[:b.level]
			continue
		}
		s.stack = s.stack[:b.level]
		if b.kind == blockLoop {
			continue
		}
		s.blocks = append(s.blocks, block{exceptHandler, b.level, blockFinally})
		s.push(triple(s.cur)...)
		s.push(triple(exc)...)
		s.cur = exc
		s.goTo(b.handler)
		return ""
	}
	s.leave(exc)
	return ""
}

// leave makes an exception leave the code, for which nothing else matters.
func (s *xside) leave(exc *val) {
	s.goTo(propagating)
	s.exc = exc
	s.stack, s.locals, s.heap, s.blocks = nil, map[string]*val{}, map[int]*object{}, nil
}

// triple is how 3.7-3.10 keep an exception on the stack: traceback, value, type.
func triple(exc *val) []*val {
	part := func(name string) *val { return &val{kind: vPart, name: name, items: []*val{exc}} }
	return []*val{part("traceback"), exc, part("type")}
}

// exceptions handles what keeps the books about exceptions.
func (r *stepper) exceptions() bool {
	s, x := r.s, r.x
	table := s.v.HasExceptionTable()
	switch x.Op {
	case opcode.PushExcInfo:
		if len(s.stack) == 0 {
			r.failf("the stack is empty")
			return true
		}
		old := s.cur
		s.cur = s.peek(1)
		r.pure(1, old, s.cur)
	case opcode.PopExcept:
		if table {
			s.cur = s.peek(1)
			r.pure(1)
			return true
		}
		if k := len(s.blocks); k == 0 || s.blocks[k-1].handler != exceptHandler || len(s.stack) < 3 {
			r.failf("POP_EXCEPT without a handler")
			return true
		}
		s.blocks = s.blocks[:len(s.blocks)-1]
		s.cur = s.peek(2)
		r.pure(3)
	case opcode.Reraise:
		n := 1
		exc := s.peek(1)
		if !table {
			n, exc = 3, s.peek(2)
		}
		if len(s.stack) < n {
			r.failf("the stack is empty")
			return true
		}
		if table && x.Arg > 0 && s.peek(x.Arg+1).kind != vLasti {
			r.failf("RERAISE finds no instruction number")
			return true
		}
		s.drop(n)
		if why := s.raise(exc, s.pc); why != "" {
			r.failf("%s", why)
		}
	case opcode.CheckExcMatch:
		r.event(1, r.what(), s.top(2), rBool)
	case opcode.ExcMatch:
		r.emit(2, r.what(), rBool)
	case opcode.WithExceptStart:
		r.withExceptStart()
	case opcode.SetupFinally:
		if !s.v.HasBlockStack() || s.v.SharesFinallyBody() {
			r.failf("%v is not understood", x.Op)
			return true
		}
		s.blocks = append(s.blocks, block{x.Target, len(s.stack), blockFinally})
		s.goTo(s.pc + 1)
	case opcode.SetupWith, opcode.SetupAsyncWith:
		if s.v.SharesFinallyBody() {
			r.failf("%v is not understood", x.Op)
			return true
		}
		if x.Op == opcode.SetupAsyncWith {
			s.blocks = append(s.blocks, block{x.Target, len(s.stack) - 1, blockFinally})
			s.goTo(s.pc + 1)
			return true
		}
		target := x.Target
		r.outs(1, "BeforeWith", s.top(1), out{[]rkind{rSym, rSym}, func(s *xside, w []*val) {
			s.push(w[0])
			s.blocks = append(s.blocks, block{target, len(s.stack), blockFinally})
			s.push(w[1])
			s.goTo(s.pc + 1)
		}})
	case opcode.PopBlock:
		if k := len(s.blocks); k == 0 || s.blocks[k-1].handler == exceptHandler {
			r.failf("POP_BLOCK without a block")
			return true
		}
		s.blocks = s.blocks[:len(s.blocks)-1]
		s.goTo(s.pc + 1)
	case opcode.EndAsyncFor:
		if table {
			r.outs(2, r.what(), s.top(2), out{nil, func(s *xside, w []*val) { s.goTo(s.pc + 1) }})
			return true
		}
		k := len(s.blocks)
		if k == 0 || s.blocks[k-1].handler != exceptHandler ||
			s.blocks[k-1].level < 1 || len(s.stack) < s.blocks[k-1].level+6 {
			r.failf("END_ASYNC_FOR without a handler")
			return true
		}
		level := s.blocks[k-1].level
		r.outs(0, r.what(), []*val{s.stack[level-1], s.peek(2)}, out{nil, func(s *xside, w []*val) {
			s.cur = s.stack[level+1]
			s.stack = s.stack[:level-1]
			s.blocks = s.blocks[:len(s.blocks)-1]
			s.goTo(s.pc + 1)
		}})
	default:
		return false
	}
	return true
}

// withExceptStart calls the exit method of a with statement with the exception on
// top of the stack.
func (r *stepper) withExceptStart() {
	s := r.s
	n := r.x.Arg
	exit := s.peek(n)
	operands := []*val{exit}
	if n == 5 { // 3.14+: a callee of two slots, the upper one below
		if exit = s.peek(5); exit.kind == vMethod {
			callee := r.callee(s.peek(5), s.peek(4))
			if callee == nil {
				return
			}
			operands = callee
		} else {
			operands = []*val{exit, s.peek(4)}
		}
	}
	operands = append(operands, s.peek(1))
	if !s.v.HasExceptionTable() {
		operands = append(operands, s.peek(2), s.peek(3))
	}
	r.event(0, "WithExceptStart", operands, rSym)
}
