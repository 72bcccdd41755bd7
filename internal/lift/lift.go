package lift

import (
	"errors"
	"fmt"
	"slices"

	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/cfg"
	"github.com/thuml/depyf/internal/evidence"
	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyast"
	"github.com/thuml/depyf/internal/pyc"
)

// Host makes syntax of nested code objects.
type Host interface {
	Comprehension(fn *Func, iter pyast.Expr) (pyast.Expr, error)
	Lambda(fn *Func) (pyast.Expr, error)
	Function(fn *Func, name string) (pyast.Stmt, error)
	Class(c *Class, name string) (pyast.Stmt, error)
	// Generic lifts the wrapper of a generic function, class or alias (3.12+)
	// and returns its result.
	Generic(fn *Func) (*Value, error)
	// Lazy makes an expression of a function that computes it when asked.
	Lazy(fn *Func) (pyast.Expr, error)
	// Annotate receives the function that computes the annotations of the
	// module or class at hand (3.14+).
	Annotate(fn *Func)
}

// Options configure the lifting.
type Options struct {
	Host Host
	// Dynamo says that the code belongs to a frame of torch.compile's.
	Dynamo bool
	// Named says that each value that is needed twice gets a name.
	Named bool
	// Indentation is how the source is indented.
	Indentation evidence.Indentation
}

// lift lifts every reachable block of g.
func lift(g *cfg.Graph, opt Options) (out *Graph, err error) {
	defer func() {
		if r := recover(); r != nil {
			le, ok := r.(liftError)
			if !ok {
				panic(r)
			}
			out, err = nil, le
		}
	}()
	lg := &Graph{CFG: g, Blocks: make([]*Block, 0, len(g.Blocks)), srcs: g.Blocks, of: make([]*Block, len(g.Blocks)), Host: opt.Host, dynamo: opt.Dynamo, named: opt.Named}
	var room []Block
	for i, b := range g.Blocks {
		b.Num = i + 1
		if b.Dead {
			continue
		}
		if len(room) == 0 { // blocks are large: asking for each was a fortieth of the time, and all of a long function's at once stops the collector
			room = make([]Block, min(len(g.Blocks)-i, 500))
		}
		lb := &room[0]
		room = room[1:]
		*lb = Block{ID: b.ID, Src: b, Exc: b.Exc, HandlerOf: b.HandlerOf, entry: b.Apart}
		lg.Blocks = append(lg.Blocks, lb)
		lg.of[i] = lb
	}
	lg.Entry = lg.Of(g.Entry)
	lg.Entry.entry = true
	for _, b := range g.Blocks {
		if e := lg.Of(b.LoopEnd); e != nil {
			e.entry = true // behind the loop's else clause
		}
	}
	for setup := range turns(g) {
		first := lg.Of(setup.Next)
		first.entry, first.TurnOf = true, setup
	}
	for h, last := range deadTurns(g) {
		first := lg.Of(h)
		first.entry, first.DeadTurn = true, last
	}
	for _, b := range g.Blocks {
		if e := lg.Of(overElse(g, b)); e != nil {
			e.entry = true // behind an else clause
		}
	}
	lg.Indentation = opt.Indentation
	l := &lifter{g: lg, r: reducer{lg}, room: 1_000_000 + 100*len(g.Func.Instrs), seen: map[*cfg.Region]bool{}}
	if err := l.all(); err != nil {
		return nil, err
	}
	kept := lg.Blocks[:0]
	for _, b := range lg.Blocks {
		if b.lifted && !b.Gone {
			if len(b.choices) > 0 {
				return nil, fmt.Errorf("a test decides on nothing that is computed up to offset %d", b.Term.Offset)
			}
			if len(b.group) > 0 {
				return nil, fmt.Errorf("the statement at offset %d has stored a part of its values when it branches", b.Term.Offset)
			}
			kept = append(kept, b)
		}
	}
	lg.Blocks = kept
	lg.ComputePreds()
	return lg, nil
}

// lifter lifts the blocks of a graph, each when the values on its entry stack are known.
type lifter struct {
	g        *Graph
	r        reducer
	work     []*Block // to be lifted
	waiting  []*Block // begin in the middle of an expression
	handlers []*cfg.Region
	seen     map[*cfg.Region]bool
	raising  map[*cfg.Region]bool     // the regions in which something can raise; nil until somebody asks
	inside   map[*cfg.Region][]*Block // the blocks of each region; nil until somebody asks
	room     int
}

func (l *lifter) all() error {
	l.expectPreds()
	l.g.Entry.entered = true
	l.work = append(l.work, l.g.Entry)
	for {
		switch {
		case len(l.work) > 0:
			b := l.work[0]
			l.work = l.work[1:]
			if err := l.lift(b); err != nil {
				return err
			}
		case len(l.waiting) > 0:
			if err := l.resume(); err != nil {
				return err
			}
		case len(l.handlers) > 0:
			// Handlers come last: by then a stack is known for their region.
			r := l.handlers[0]
			l.handlers = l.handlers[1:]
			h := l.g.Of(r.Handler)
			if h.entered {
				continue
			}
			in, err := l.handlerStack(r)
			if err != nil {
				return err
			}
			h.In, h.entered = in, true
			l.work = append(l.work, h)
		default:
			return nil
		}
	}
}

// lift runs a block on placeholders for what lies on its entry stack.
func (l *lifter) lift(b *Block) error {
	m := &machine{g: l.g, b: b, code: l.g.CFG.Func.Code}
	for k, v := range b.In {
		if v == nil {
			b.In[k] = exprValue(slot(k))
		}
		m.push(b.In[k])
	}
	b.lifted = true
	b.Line = firstLine(b.Src.Instrs)
	b.OpensLoop = b.Src.LoopEnd != nil
	return l.run(m)
}

// onlyQuiet reports whether b is of the body of a try statement in which nothing can raise, and of which the compiler keeps the
// except clauses all the same: what a `pass` has left, or a variable that is returned.
func (l *lifter) onlyQuiet(b *cfg.Block) bool {
	r := b.Exc
	if r == nil || r.Kind != cfg.RegionTable || l.g.dynamo {
		return false
	}
	if l.raising == nil {
		l.raising = map[*cfg.Region]bool{}
		for _, x := range l.g.CFG.Blocks {
			if !x.Dead && slices.ContainsFunc(x.Instrs, func(in bytecode.Instr) bool { return Raises(&in) }) {
				for e := x.Exc; e != nil; e = e.Parent {
					l.raising[e] = true
				}
			}
		}
	}
	return !l.raising[r]
}

// firstNop is the line of the first instruction of b if that does nothing, or 0.
func firstNop(b *cfg.Block) int {
	if len(b.Instrs) > 0 && b.Instrs[0].Op == opcode.Nop {
		return max(0, int(b.Instrs[0].Pos.Line))
	}
	return 0
}

// run executes the instructions of the block at hand and enters what it leads to.
func (l *lifter) run(m *machine) error {
	b, g := m.b, l.g.CFG
	src := b.Src
	l.unexpect(b)
	m.run(src.Instrs)
	if line := firstNop(src); (line > 0 || len(m.stack) > len(b.In)) && len(b.Stmts) == 0 && l.onlyQuiet(src) {
		b.OpensBody = true
		if line > 0 {
			pass := &pyast.Pass{}
			pass.Line = line
			b.Stmts = append(b.Stmts, pass)
		}
	}
	if !m.done {
		b.Term = Term{Kind: Goto}
		if last := src.Last(); last != nil {
			b.Term.Line, b.Term.Offset = int(last.Pos.Line), last.Offset
		}
		b.Next = l.g.Of(src.Next)
		b.Term.EndBody = src.Ends
		if last := src.Last(); last != nil && last.Op.SetsUp() && b.Next != nil {
			b.Next.OpensBody = true
		}
		b.Term.EndExcept = src.Caught
		b.Term.Break, b.Term.Continue = src.Leaps == opcode.BreakLoop, src.Leaps == opcode.ContinueLoop
		b.Term.Jump = b.Term.Break || b.Term.Continue
	}
	if b.Term.Kind == Branch && (b.True == nil || b.False == nil) {
		return fmt.Errorf("one way of the test at offset %d leads out of the code", b.Term.Offset)
	}
	m.settleLambdas()
	if e := src.ClauseEnd; e != nil {
		if b.ClauseEnd = l.g.Of(e); b.ClauseEnd != nil {
			b.ClauseEnd.entry = true
		} else {
			b.ClauseReturns = endsCode(g, e)
		}
	}
	m.nameOut()
	b.Out, b.line, b.group, b.leaves = m.stack, m.line, m.group, src.Leaves != nil
	b.choices = m.choices
	b.Succs(func(s *Block) { s.Preds = append(s.Preds, b) })
	// Each block has its own copy of the stack: many blocks under a deep one
	// would take more memory than any compiler's code does.
	if l.room -= len(b.Out); l.room < 0 {
		return errors.New("the stack is too deep in too many places")
	}
	for r := b.Exc; r != nil; r = r.Parent {
		if !l.seen[r] {
			l.seen[r] = true
			l.handlers = append(l.handlers, r)
		}
	}
	return l.enterNext(b)
}

// enterNext hands the exit stack of b on to the blocks that it leads to.
func (l *lifter) enterNext(b *Block) error {
	switch b.Term.Kind {
	case Goto:
		return l.enter(b.Next, b.Out)
	case Reraise:
		if b.Next != nil && l.enter(b.Next, b.Out) != nil {
			unpred(b.Next, b)
			b.Next = nil
		}
	case For:
		if err := l.enter(b.True, b.Out, &Value{Kind: KBind, special: &special{bind: b.Term.Bind}}); err != nil {
			return err
		}
		n := len(b.Out) - 1
		if b.Out[n].Kind == KIndex {
			n--
		}
		return l.enter(b.False, b.Out[:n])
	case Branch:
		t, f := []*Value(nil), []*Value(nil)
		if b.Term.KeepTrue {
			t = []*Value{{}}
		}
		if b.Term.KeepFalse {
			f = []*Value{{}}
		}
		return errors.Join(l.enter(b.True, b.Out, t...), l.enter(b.False, b.Out, f...))
	}
	return nil
}

// enter notes the kinds of the values with which s begins.
func (l *lifter) enter(s *Block, out []*Value, extra ...*Value) error {
	if s == nil {
		return nil
	}
	if n := len(out) + len(extra); s.entered {
		if len(s.In) != n {
			return fmt.Errorf("the stack is %d deep on one way to offset %d and %d on another", len(s.In), offsetOf(s.Src), n)
		}
		return nil
	}
	s.entered = true
	s.In = append(append(make([]*Value, 0, len(out)+len(extra)), out...), extra...)
	open := awaits(s.In, s)
	for k, v := range s.In {
		if v.Kind == KExpr && !isAnnotationDict(v) {
			s.In[k], open = nil, true
		}
	}
	if open && (len(s.Preds) > 1 || l.only(s) != nil) && !s.entry && len(s.HandlerOf) == 0 {
		l.waiting = append(l.waiting, s)
	} else {
		l.work = append(l.work, s)
	}
	return nil
}

// offsetOf is where a block begins, for messages; a pass may have emptied it.
func offsetOf(b *cfg.Block) int {
	if len(b.Instrs) == 0 {
		return -1
	}
	return b.Instrs[0].Offset
}

// blocksIn are the blocks that r protects.
func (l *lifter) blocksIn(r *cfg.Region) []*Block {
	if l.inside == nil {
		l.inside = map[*cfg.Region][]*Block{}
		for _, b := range l.g.Blocks {
			for x := b.Exc; x != nil; x = x.Parent {
				l.inside[x] = append(l.inside[x], b)
			}
		}
	}
	return l.inside[r]
}

// handlerStack is the stack on entry to a region's handler: what lay below the
// protected statement, then the exception as each version pushes it.
func (l *lifter) handlerStack(r *cfg.Region) ([]*Value, error) {
	g := l.g
	var base []*Value
	if r.Depth >= 0 {
		found := r.Depth == 0
		for _, b := range l.blocksIn(r) {
			if b.lifted && len(b.In) >= r.Depth && b.In != nil {
				base = append(base, b.In[:r.Depth]...)
				found = true
				break
			}
		}
		if !found {
			for _, b := range l.blocksIn(r) {
				if b.lifted && len(b.Out) >= r.Depth && b.Out != nil {
					base = append(base, b.Out[:r.Depth]...)
					found = true
					break
				}
			}
		}
		if !found {
			return nil, fmt.Errorf("no stack is known for the handler at offset %d", offsetOf(r.Handler))
		}
		if r.Lasti {
			base = append(base, &Value{Kind: KOldExc})
		}
		return append(base, &Value{Kind: KExc}), nil
	}
	if r.Setup != nil {
		s := g.holder(r.Setup)
		if s == nil {
			return nil, fmt.Errorf("no stack is known for the handler at offset %d", offsetOf(r.Handler))
		}
		n := len(s.Out)
		if r.Kind == cfg.RegionWith || r.Kind == cfg.RegionAsyncWith {
			n--
		}
		if n < 0 {
			return nil, fmt.Errorf("no stack is known for the handler at offset %d", offsetOf(r.Handler))
		}
		base = append(base, s.Out[:n]...)
	}
	if g.CFG.Func.Code.Version.SharesFinallyBody() && r.Kind != cfg.RegionExcept {
		return append(base, &Value{Kind: KFin}), nil
	}
	for i := 0; i < 3; i++ {
		base = append(base, &Value{Kind: KOldExc})
	}
	for i := 0; i < 3; i++ {
		base = append(base, &Value{Kind: KExc})
	}
	return base, nil
}

// ComputePreds recomputes Preds.
func (g *Graph) ComputePreds() {
	for _, b := range g.Blocks {
		b.Preds = b.Preds[:0]
	}
	for _, b := range g.Blocks {
		b.Succs(func(s *Block) { s.Preds = append(s.Preds, b) })
	}
}

func firstLine(instrs []bytecode.Instr) int {
	for i := range instrs {
		if l := int(instrs[i].Pos.Line); l > 0 && instrs[i].Op != opcode.Nop {
			return l
		}
	}
	for i := range instrs {
		if l := int(instrs[i].Pos.Line); l > 0 {
			return l
		}
	}
	return 0
}

// nameOut turns a value that was stored from a duplicate and lives on into an
// assignment expression: `(v := f()) is not None`, where a block ends between
// the store and the test.
func (m *machine) nameOut() {
	for i, v := range m.stack {
		if v.Kind != KExpr || len(v.Targets()) == 0 || !allNames(v.Targets()) || isSlot(v.E) {
			continue
		}
		twice := false
		for j, w := range m.stack {
			twice = twice || j != i && w == v
		}
		if !twice {
			for _, t := range v.Targets() {
				v.E = &pyast.NamedExpr{Target: t, Value: v.E}
			}
			v.setTargets(nil)
		}
	}
}

// allNames reports whether a value was stored in variables alone.
func allNames(targets []pyast.Expr) bool {
	return !slices.ContainsFunc(targets, func(t pyast.Expr) bool { return !isName(t) })
}

// endsCode reports whether b is the end that the compiler adds to a function.
func endsCode(g *cfg.Graph, b *cfg.Block) bool {
	if len(b.Instrs) != 2 || b.Instrs[1].Op != opcode.Return {
		return false
	}
	_, none := b.Instrs[0].Const.(pyc.None)
	return none && g.Func.EndsAt(b.Instrs[1].Offset)
}
