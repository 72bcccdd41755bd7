package cfg

import (
	"slices"

	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyast"
)

// matchHeads makes each question that only a pattern can ask a match statement of its own, which
// keeps what it takes from the subject in temporaries:
//
//	subject; LOAD C; LOAD names              subject; COPY 1; CASE C(%t1, %t2)
//	MATCH_CLASS 2; COPY 1                    POP_JUMP_IF_FALSE G
//	POP_JUMP_IF_NONE F                  →    POP_TOP; LOAD %t2; LOAD %t1; …
//	UNPACK_SEQUENCE 2; …                     G: POP_TOP; LOAD None; jump F
//
// What is between these questions is ordinary code: guards, alternatives, and values that are compared.
// Nothing is guessed about which cases belong together, so that a dispatch loop can hold
// any match there is.
func matchHeads(g *Graph) (changed bool) {
	if !g.Func.Code.Version.HasMatch() {
		return false
	}
	for k := 0; k < len(g.Blocks); k++ { // grows: what lies behind a question is a block of its own
		b := g.Blocks[k]
		if b.Dead {
			continue
		}
		for i := range b.Instrs {
			h := &headReader{g: g, at: place{b, i}, begin: place{b, i}, old: g.Func.Code.Version.MatchPushesBool()}
			if read := matchHeadsOf[b.Instrs[i].Op]; read != nil && read(h) {
				h.fold()
				break
			}
		}
	}
	return true
}

// headReader reads one question.
type headReader struct {
	g       *Graph
	begin   place // the subject is on top there
	at      place
	fail    *Block
	old     bool // 3.10: a bool says whether there are items
	pattern pyast.Pattern
	items   []string // temporaries for what is taken from the subject
	taken   bool     // the items lie on the stack
	keys    bool     // above its keys, which nobody needs: what they leave of a mapping is taken at once
	gone    bool     // and the subject does not
	lost    bool     // nor where nothing matches
}

var matchHeadsOf = map[opcode.Op]func(*headReader) bool{
	opcode.MatchSequence: (*headReader).sequence,
	opcode.MatchMapping:  (*headReader).mapping,
	opcode.MatchClass:    (*headReader).class,
}

// next is the instruction at hand, behind which the reader moves if it is an op.
func (h *headReader) next(op opcode.Op) *bytecode.Instr {
	p := skip(h.at)
	if p.i == len(p.b.Instrs) || p.b.Instrs[p.i].Op != op {
		return nil
	}
	h.at = place{p.b, p.i + 1}
	return &p.b.Instrs[p.i]
}

// test moves over the jump of a test that leads away where it does not hold.
func (h *headReader) test(op opcode.Op) bool {
	p := h.at
	if h.next(op) == nil || h.at.b.Taken == nil {
		return false
	}
	if p = h.at; h.fail == nil {
		h.fail = p.b.Taken
	}
	h.at = place{p.b.Next, 0}
	return true
}

// length reads a test of the subject's length, if one stands here.
func (h *headReader) length() (n int, open, ok bool) {
	before, fail := h.at, h.fail
	if h.next(opcode.GetLen) != nil {
		if k := h.next(opcode.LoadConst); k != nil {
			n, ok = constInt(pyast.Const(k.Const))
		}
		c := h.next(opcode.Compare)
		h.next(opcode.ToBool)
		if ok && c != nil && (c.Arg == opcode.Eq || c.Arg == opcode.Ge) && h.test(opcode.PopJumpIfFalse) {
			return n, c.Arg == opcode.Ge, true
		}
	}
	h.at, h.fail = before, fail
	return 0, true, false
}

func (h *headReader) sequence() bool {
	if h.next(opcode.MatchSequence) == nil || !h.test(opcode.PopJumpIfFalse) {
		return false
	}
	n, open, _ := h.length()
	p := &pyast.MatchSequence{}
	h.pattern = p
	if !open {
		for range n {
			p.Patterns = append(p.Patterns, &pyast.MatchAs{})
		}
		return true
	}
	picked := h.picked(n)
	back := 0
	for k := range picked {
		back = max(back, -k)
	}
	for k := range n - back {
		p.Patterns = append(p.Patterns, &pyast.MatchAs{Name: picked[k]})
	}
	p.Patterns = append(p.Patterns, &pyast.MatchStar{})
	for k := back; k > 0; k-- {
		p.Patterns = append(p.Patterns, &pyast.MatchAs{Name: picked[-k]})
	}
	return true
}

// picked finds the items of a sequence of at least n that are taken by index, from the end when negative, and has each read from
// a temporary: no expression has the length that is asked for.
//
//	COPY 1; GET_LEN; LOAD 1; BINARY_OP -; BINARY_SUBSCR     COPY 1; POP_TOP; LOAD %t
func (h *headReader) picked(n int) map[int]string {
	out := map[int]string{}
	item := func(k int, b *Block, i, end int) {
		if out[k] == "" {
			out[k] = h.g.NewTempFor("item")
		}
		first := b.Instrs[i]
		first.Op = opcode.Pop
		load := first
		load.Op, load.Name, load.Target = opcode.LoadFast, out[k], -1
		b.Instrs = slices.Concat(b.Instrs[:i:i], []bytecode.Instr{first, load}, b.Instrs[end:])
	}
	h.ahead([]role{theSubject}, func(b *Block, i int, top role) bool {
		list := b.Instrs[i:]
		is := func(ops ...opcode.Op) bool {
			return top == theSubject && len(list) >= len(ops) && slices.EqualFunc(list[:len(ops)], ops, func(in bytecode.Instr, op opcode.Op) bool { return in.Op == op })
		}
		switch {
		case is(opcode.GetLen, opcode.LoadConst, opcode.BinaryOp, opcode.Subscr):
			if k, ok := constInt(pyast.Const(list[1].Const)); ok && k > 0 && k <= n {
				item(-k, b, i, i+4)
			}
		case is(opcode.LoadConst, opcode.Subscr):
			if k, ok := constInt(pyast.Const(list[0].Const)); ok && k >= 0 && k < n {
				item(k, b, i, i+2)
			}
		}
		return false
	})
	return out
}

// role is what a value on the stack is to the question that is read.
type role uint8

const (
	noRole role = iota
	theSubject
	theKeys
)

// ahead shows f the instructions that follow where everything matches, each with what is on top then, until f says
// that it is enough or nothing of the stack is left.
func (h *headReader) ahead(stack []role, f func(b *Block, i int, top role) bool) {
	seen := map[*Block]bool{}
	v := h.g.Func.Code.Version
	stack = slices.Concat(make([]role, 8), stack) // what lies below takes part in exchanges
	for b, i := h.at.b, h.at.i; b != nil && !seen[b]; b, i = b.Next, 0 {
		seen[b] = true
		for ; i < len(b.Instrs); i++ {
			n := len(stack)
			if !slices.ContainsFunc(stack, func(r role) bool { return r != noRole }) || f(b, i, stack[n-1]) {
				return
			}
			in := &b.Instrs[i] // f may have changed it
			pop, push := bytecode.StackEffect(v, in, false)
			shuffles := in.Op == opcode.Copy || in.Op == opcode.Swap || in.Op == opcode.Rot
			if pop > n || shuffles && (in.Arg < 1 || in.Arg > n) {
				return
			}
			switch in.Op {
			case opcode.Copy:
				stack = append(stack, stack[n-in.Arg])
			case opcode.Swap:
				stack[n-1], stack[n-in.Arg] = stack[n-in.Arg], stack[n-1]
			case opcode.Rot:
				stack = slices.Insert(stack[:n-1], n-in.Arg, stack[n-1])
			default:
				stack = append(stack[:n-pop], make([]role, push)...)
			}
		}
	}
}

// captures are patterns for n items.
func (h *headReader) captures(n int) (out []pyast.Pattern) {
	for range n {
		t := h.g.NewTempFor("item")
		h.items, out = append(h.items, t), append(out, &pyast.MatchAs{Name: t})
	}
	return out
}

// unpacked reads the test for None of a tuple with n items, and its items. In 3.10 a bool is tested, and the items are
// taken from the tuple one by one.
func (h *headReader) unpacked(n int) bool {
	h.taken = true
	if h.old {
		return h.test(opcode.PopJumpIfFalse)
	}
	if c := h.next(opcode.Copy); c == nil || c.Arg != 1 || !h.test(opcode.PopJumpIfNone) {
		return false
	}
	u := h.next(opcode.UnpackSequence)
	return u != nil && u.Arg == n
}

func (h *headReader) mapping() bool {
	if h.next(opcode.MatchMapping) == nil || !h.test(opcode.PopJumpIfFalse) {
		return false
	}
	p := &pyast.MatchMapping{}
	h.pattern = p
	before := h.at
	_, _, sized := h.length()
	keys := h.exprs()
	if h.next(opcode.MatchKeys) == nil || len(keys) != 1 {
		h.at = before
		return !sized
	}
	items, ok := tupleItems(keys[0])
	if !ok || len(items) > 0 != sized {
		return false
	}
	if !sized {
		return h.rest(p)
	}
	p.Keys, p.Patterns = items, h.captures(len(items))
	h.keys = true
	if !h.unpacked(len(items)) {
		return false
	}
	if h.old {
		h.left(p)
	}
	return true
}

// left takes what the keys leave of a mapping with the items (3.10), and has it in place of the keys.
func (h *headReader) left(p *pyast.MatchMapping) {
	h.ahead([]role{theSubject, theKeys, noRole}, func(b *Block, i int, top role) bool {
		if top == theKeys && b.Instrs[i].Op == opcode.CopyDictWithoutKeys {
			p.Rest = h.g.NewTempFor("rest")
			b.own()
			b.Instrs[i].Op = opcode.Nop
		}
		return p.Rest != ""
	})
}

// rest reads the whole of `{**rest}`.
func (h *headReader) rest(p *pyast.MatchMapping) bool {
	if !h.unpacked(0) {
		return false
	}
	whole := []opcode.Op{opcode.BuildMap, opcode.Swap, opcode.DictUpdate, opcode.UnpackSequence}
	if h.old {
		whole = []opcode.Op{opcode.Pop, opcode.CopyDictWithoutKeys}
	}
	for _, op := range whole {
		if h.next(op) == nil {
			return false
		}
	}
	p.Rest = h.g.NewTempFor("rest")
	h.items, h.taken, h.gone = []string{p.Rest}, false, !h.old
	return true
}

// exprs reads loads, and tuples of them.
func (h *headReader) exprs() (out []pyast.Expr) {
	for {
		p := skip(h.at)
		if p.i == len(p.b.Instrs) {
			return out
		}
		in := &p.b.Instrs[p.i]
		switch n := len(out); {
		case in.Op == opcode.LoadConst || loadsName(in.Op):
			out = append(out, loadExpr(in))
		case in.Op == opcode.LoadAttr && n > 0:
			out[n-1] = pyast.Attr(out[n-1], in.Name)
		case in.Op == opcode.BuildTuple && in.Arg <= n:
			out = append(out[:n-in.Arg:n-in.Arg], &pyast.Tuple{Elts: out[n-in.Arg:]})
		default:
			return out
		}
		h.at = place{p.b, p.i + 1}
	}
}

func loadsName(op opcode.Op) bool {
	switch op {
	case opcode.LoadName, opcode.LoadGlobal, opcode.LoadFast, opcode.LoadDeref, opcode.LoadClassDeref:
		return true
	}
	return false
}

func (h *headReader) class() bool {
	// The names of attributes are in front, and the class.
	list := h.at.b.Instrs[:h.at.i]
	i := len(list) - 2
	for i >= 0 && list[i].Op == opcode.LoadAttr {
		i--
	}
	if i < 0 || !loadsName(list[i].Op) {
		return false
	}
	h.begin = place{h.at.b, i}
	read := headReader{at: h.begin}
	loaded := read.exprs()
	names, ok := constNames(loaded[len(loaded)-1])
	if !ok || len(loaded) != 2 {
		return false
	}
	n := h.next(opcode.MatchClass).Arg
	p := &pyast.MatchClass{Cls: loaded[0], Patterns: h.captures(n), KwdAttrs: names}
	p.KwdPatterns = h.captures(len(names))
	h.pattern, h.gone, h.lost = p, true, true
	return h.unpacked(n + len(names))
}

// fold writes the question.
func (h *headReader) fold() {
	g, b := h.g, h.begin.b
	first := b.Instrs[h.begin.i]
	mk := func(op opcode.Op, arg int, name string) bytecode.Instr {
		in := bytecode.Instr{Op: op, Arg: arg, Name: name, Target: -1, Offset: first.Offset, Pos: first.Pos}
		if op == opcode.LoadConst {
			in.Const = noneConst
		}
		return in
	}
	behind := g.blockAt(h.at)
	var yes, no []bytecode.Instr
	if h.gone {
		yes = []bytecode.Instr{mk(opcode.Pop, 0, "")}
	}
	if h.lost {
		no = []bytecode.Instr{mk(opcode.Pop, 0, ""), mk(opcode.LoadConst, 0, "")}
	}
	switch p, _ := h.pattern.(*pyast.MatchMapping); {
	case h.keys && p.Rest != "":
		yes = append(yes, mk(opcode.LoadFast, 0, p.Rest))
	case h.keys:
		yes = append(yes, mk(opcode.LoadConst, 0, ""))
	}
	for _, t := range h.items {
		yes = append(yes, mk(opcode.LoadFast, 0, t))
	}
	switch {
	case !h.taken:
	case h.old:
		yes = append(yes, mk(opcode.BuildTuple, len(h.items), ""))
	default:
		slices.Reverse(yes[len(yes)-len(h.items):]) // the first lies on top
	}
	g.matches++
	g.Cases = append(g.Cases, Case{ID: g.matches}, Case{ID: g.matches, Pattern: h.pattern, Last: true})
	n := len(g.Cases)
	b.Instrs = append(
		b.Instrs[:h.begin.i:h.begin.i],
		mk(opcode.Copy, 1, ""), mk(CaseTest, n-2, ""), mk(CaseTest, n-1, ""), mk(opcode.PopJumpIfFalse, 0, ""),
	)
	b.Next, b.Taken = g.behindHead(b, yes, behind), g.behindHead(b, no, h.fail)
}

// behindHead leads from b to a block, by way of the instructions.
func (g *Graph) behindHead(b *Block, list []bytecode.Instr, to *Block) *Block {
	if len(list) == 0 {
		return to
	}
	x := &Block{ID: b.ID, Instrs: list, Next: to, Exc: b.Exc}
	g.Blocks = append(g.Blocks, x)
	return x
}
