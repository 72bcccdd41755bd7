package equiv

import (
	"slices"

	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyc"
)

// A shuffle is a path of instructions that only move values: between stack
// slots, from constants and bound variables, into variables, into tuples that are
// unpacked again. It cannot raise and nothing outside can see it half done but a
// finalizer of what a variable held before. So two shuffles are equal if they leave
// the same stack and the same variables, and store these in the same order, which
// CPython changes only to save a SWAP.
// CPython turns
//
//	SWAP 2; STORE_FAST a; STORE_FAST b    into    STORE_FAST b; STORE_FAST a
//
// if all three stand on one line, and BUILD_TUPLE 2; UNPACK_SEQUENCE 2 into a
// SWAP if they end up adjacent.
//
// shuffle runs both sides from a pair at which the instructions differ. It may
// begin in the middle of a longer run: at a pair, stacks and variables agree.
//
// It ends where another handler takes over, further only where it must, for compilers draw
// the borders of a region as it suits them; and where a variable is read that the run has not stored if only one
// of the sides knows that it is bound, as of two copies of a return. The handlers on the way are compared although nothing in it raises
// (see handlersOf). It ends where a test begins, too: what is moved for that is a part of it (see test).
func (w *walker) shuffle(i, j int) (ni, nj int, ok bool) {
	for _, k := range []ending{{borders: true}, {}, {loads: true}} {
		if ni, nj, ok = w.shuffleTo(i, j, k); ok {
			break
		}
	}
	return ni, nj, ok
}

// ending says where a shuffle ends before it has to.
type ending struct {
	borders bool // where another handler takes over
	loads   bool // at a variable that it has not stored
}

func (w *walker) shuffleTo(i, j int, k ending) (ni, nj int, ok bool) {
	p, q := shuffled{side: w.a, ending: k}, shuffled{side: w.b, ending: k}
	ni, nj = p.run(i), q.run(j)
	if p.moves == 0 && q.moves == 0 {
		return 0, 0, false
	}
	// Bring both to the same number of slots below the known ones.
	for p.taken < q.taken {
		p.dig()
	}
	for q.taken < p.taken {
		q.dig()
	}
	if len(p.stack) != len(q.stack) {
		return 0, 0, false
	}
	m := matcher{}
	for k := range p.stack {
		if !m.equal(p.stack[k], q.stack[k]) {
			return 0, 0, false
		}
	}
	for name, x := range p.vars {
		if !m.equal(x, q.variable(name)) {
			return 0, 0, false
		}
	}
	for name, y := range q.vars {
		if !m.equal(p.variable(name), y) {
			return 0, 0, false
		}
	}
	if !slices.Equal(p.stores, q.stores) && p.swaps == q.swaps {
		return 0, 0, false
	}
	return ni, nj, w.passed(p.passed, q.passed)
}

// passed compares the handlers, one after the other, that two shuffles have passed.
func (w *walker) passed(a, b []int) bool {
	if len(a) == 0 || len(b) == 0 {
		return true
	}
	if len(a) != len(b) {
		return false
	}
	for k := range a {
		if !w.handlers(a[k], b[k]) {
			return false
		}
	}
	return true
}

// moved is a value during a shuffle.
type moved struct {
	kind  uint8 // one of the constants below
	depth int   // fromStack: how deep under the top it was, from 1
	name  string
	c     pyc.Const
	tuple *[]moved // asTuple; the pointer is its identity
	size  int      // values in tuple, inner ones included
}

// maxTuple bounds the size of a tuple: hand-made code can double it with every
// two instructions.
const maxTuple = 1 << 12

const (
	fromStack uint8 = iota
	fromVar
	fromConst
	fromNull
	asTuple
)

// matcher compares the values of two sides and pairs the tuples they made, so
// that one tuple on one side is one tuple on the other.
type matcher struct{ ab, ba map[*[]moved]*[]moved }

func (m *matcher) equal(x, y moved) bool {
	if x.kind == asTuple && y.kind == asTuple {
		return m.tuples(x.tuple, y.tuple)
	}
	if c, ok := x.constant(); ok {
		d, ok := y.constant()
		return ok && constEqual(c, d, nil)
	}
	if x.kind != y.kind {
		return false
	}
	switch x.kind {
	case fromStack:
		return x.depth == y.depth
	case fromVar:
		return x.name == y.name
	case fromNull:
		return true
	}
	return false
}

func (m *matcher) tuples(x, y *[]moved) bool {
	if m.ab == nil {
		m.ab, m.ba = map[*[]moved]*[]moved{}, map[*[]moved]*[]moved{}
	}
	if m.ab[x] != nil || m.ba[y] != nil {
		return m.ab[x] == y && m.ba[y] == x
	}
	m.ab[x], m.ba[y] = y, x
	return slices.EqualFunc(*x, *y, m.equal)
}

// constant returns the value if it is one. A tuple that is built of constants is none:
// each call makes a new object.
func (x moved) constant() (pyc.Const, bool) { return x.c, x.kind == fromConst }

// shuffled is the state of one side.
type shuffled struct {
	*side
	ending
	stack []moved
	taken int // slots of the original stack that are in stack or were popped
	vars  map[string]moved
	moves int

	stores []string // variables, in the order of the stores
	swaps  int      // how often slots were exchanged

	passed []int // an instruction of each handler on the way
}

// dig makes one more slot of the original stack known.
func (s *shuffled) dig() {
	s.taken++
	s.stack = append([]moved{{kind: fromStack, depth: s.taken}}, s.stack...)
}

func (s *shuffled) need(n int) bool {
	if n < 0 || n > 1<<10 {
		return false
	}
	for len(s.stack) < n {
		s.dig()
	}
	return true
}

func (s *shuffled) pop() moved {
	s.need(1)
	m := s.stack[len(s.stack)-1]
	s.stack = s.stack[:len(s.stack)-1]
	return m
}

// run moves values from instruction i on and returns where it must stop.
func (s *shuffled) run(i int) int {
	first := s.handler(i)
	for ; s.moves <= len(s.in); s.moves++ {
		if i = s.skip(i); i < 0 || i >= len(s.in) {
			return i
		}
		h := s.handler(i)
		if s.borders && h != nil && !sameHandler(h, first) || s.leadsTest(i) || !s.move(i) {
			return i
		}
		if n := len(s.passed); h != nil && (n == 0 || !sameHandler(s.handler(s.passed[n-1]), h)) {
			s.passed = append(s.passed, i)
		}
		i++
	}
	return i
}

// sameHandler reports whether two rows of the exception table, if any, are about one handler.
func sameHandler(h, g *bytecode.Handler) bool {
	return h == g || h != nil && g != nil && h.Target == g.Target && h.Depth == g.Depth && h.Lasti == g.Lasti
}

func (s *shuffled) move(i int) bool {
	x := &s.in[i]
	n := len(s.stack)
	switch x.Op {
	case opcode.LoadConst:
		if _, code := x.Const.(*pyc.Code); code {
			return false // must be paired with another
		}
		s.stack = append(s.stack, moved{kind: fromConst, c: x.Const})
	case opcode.PushNull:
		s.stack = append(s.stack, moved{kind: fromNull})
	case opcode.LoadFast:
		m, stored := s.vars[x.Name]
		if !stored {
			if s.loads || s.checked(x) {
				return false // may raise
			}
			m = moved{kind: fromVar, name: x.Name}
		}
		s.stack = append(s.stack, m)
	case opcode.StoreFast:
		m := s.pop()
		if s.vars == nil {
			s.vars = map[string]moved{}
		}
		s.vars[x.Name] = m
		if last := len(s.stores) - 1; last < 0 || s.stores[last] != x.Name {
			s.stores = append(s.stores, x.Name) // of two in a row, CPython drops the first
		}
	case opcode.Pop:
		s.pop()
	case opcode.Copy:
		if x.Arg < 1 || !s.need(x.Arg) {
			return false
		}
		s.stack = append(s.stack, s.stack[len(s.stack)-x.Arg])
	case opcode.Swap:
		if x.Arg < 1 || !s.need(x.Arg) {
			return false
		}
		s.swaps++
		n = len(s.stack)
		s.stack[n-1], s.stack[n-x.Arg] = s.stack[n-x.Arg], s.stack[n-1]
	case opcode.Rot:
		if x.Arg < 1 || !s.need(x.Arg) {
			return false
		}
		s.swaps++
		n = len(s.stack)
		top := s.stack[n-1]
		copy(s.stack[n-x.Arg+1:], s.stack[n-x.Arg:n-1])
		s.stack[n-x.Arg] = top
	case opcode.BuildTuple:
		if x.Arg < 1 || !s.need(x.Arg) {
			return false
		}
		n = len(s.stack)
		items := slices.Clone(s.stack[n-x.Arg:])
		size := 1
		for _, item := range items {
			size += 1 + item.size
		}
		if size > maxTuple {
			return false
		}
		s.stack = append(s.stack[:n-x.Arg], moved{kind: asTuple, tuple: &items, size: size})
	case opcode.UnpackSequence:
		if n == 0 || s.stack[n-1].kind != asTuple || len(*s.stack[n-1].tuple) != x.Arg {
			return false
		}
		s.swaps++ // which is what CPython makes of it
		items := *s.pop().tuple
		for k := len(items) - 1; k >= 0; k-- {
			s.stack = append(s.stack, items[k])
		}
	default:
		return false
	}
	return true
}

// variable is what a variable holds; one that was not stored, what it held.
func (s *shuffled) variable(name string) moved {
	if m, ok := s.vars[name]; ok {
		return m
	}
	return moved{kind: fromVar, name: name}
}
