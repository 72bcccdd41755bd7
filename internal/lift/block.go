package lift

import (
	"slices"
	"strings"

	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/cfg"
	"github.com/thuml/depyf/internal/evidence"
	"github.com/thuml/depyf/internal/pyast"
)

// TermKind says how a block ends.
type TermKind uint8

// The terminators.
const (
	Goto    TermKind = iota // to Next
	Branch                  // to True or False, by Cond
	For                     // next item: to True with the item pushed, else to False
	Return                  // Value
	Raise                   // Value, Cause
	Reraise                 // the running exception
	Stop                    // never continues (generator clean-up)
)

// Term is a block's terminator.
type Term struct {
	Kind       TermKind
	KeepTrue   bool // Branch: the condition's value stays on the stack when true
	KeepFalse  bool
	Async      bool // For
	Continue   bool // Goto: 3.7's CONTINUE_LOOP
	Break      bool // Goto: 3.7's BREAK_LOOP
	Jump       bool // Goto: by a jump over other code
	EndExcept  bool // Goto: an except clause ends normally here (≤3.10)
	EndFinally bool // Goto: a finally body that is shared by all ways ends here (≤3.8)

	Cond    pyast.Expr // Branch
	Bind    *Bind      // For: the loop target
	Iter    *Value     // For
	Value   pyast.Expr
	Cause   pyast.Expr
	Line    int
	Col     int // from 0, -1 unknown
	EndCol  int // of a range on one line, else 0
	Offset  int
	At      bytecode.Pos   // of its instruction
	Earlier []bytecode.Pos // Branch: of the tests that have been made one with it
	EndBody *cfg.Region    // Goto: the body of this protected statement ends normally here (≤3.10)
}

// madeOf notes that the test of a Branch has been made of those of a and b, of which b comes last.
func (t *Term) madeOf(a, b *Term) {
	t.Earlier = slices.Concat(a.Earlier, []bytecode.Pos{a.At}, b.Earlier)
	t.At = b.At
}

// standsAt reports whether a test stands there that a Branch is made of.
func (t *Term) standsAt(at bytecode.Pos) bool { return t.At == at || slices.Contains(t.Earlier, at) }

// Block is a lifted basic block.
type Block struct {
	ID        int
	Num       int // counts the blocks that are being structured from 1; 0: it is none of these
	Stmts     []pyast.Stmt
	In        []*Value // entry stack
	Out       []*Value // exit stack, without the value a Branch tests or keeps
	Term      Term
	Next      *Block // Goto
	True      *Block
	False     *Block
	Preds     []*Block
	Exc       *cfg.Region
	HandlerOf []*cfg.Region
	Line      int // first line, 0 unknown
	Src       *cfg.Block
	ClauseEnd *Block       // ≤3.8: where the except clause that b begins would end
	TurnOf    *cfg.Block   // 3.7: the block begins a while loop that never goes round: the block that ends with its SETUP_LOOP
	DeadTurn  int          // 3.8, 3.9: the block begins a loop that never goes round: the ID of the block that would lead back, at the end of its body
	line      int          // smallest line since the last statement
	group     []groupStore // stores of a tuple assignment that the block is in the middle of
	Into      *Block       // the block that a joined block is part of now
	result    *Value       // Graph.Result, where the block returns it
	bound     []bound      // targets of loops and with statements that the block has filled
	choices   []choosing   // tests that decide on values that are not made yet, the innermost last

	// Together, since a function has many blocks.
	ClauseReturns bool // ≤3.8: ClauseEnd is where the function ends, and nothing else leads there
	OpensLoop     bool // 3.7: a SETUP_LOOP is in the block
	OpensBody     bool // the body of a protected statement begins here, even if nothing in it can raise
	leaves        bool // ends where a try/finally is left: a copy of its finally body follows, with the value of a return below it
	entered       bool // its entry stack is known
	lifted        bool // its instructions have been executed
	entry         bool // never joined with the block in front: control enters the function here, or a statement ends
	Gone          bool // merged into another block
	loud          bool // has absorbed a block whose instructions can raise
	dropTop       bool // the first Pop was taken into the predecessor's Branch
}

// bound is a target that a block has filled: its expressions are evaluated behind so
// many statements.
type bound struct {
	*Bind
	behind int
}

// Graph is the lifted function.
type Graph struct {
	CFG         *cfg.Graph
	Blocks      []*Block
	Entry       *Block
	Host        Host
	Indentation evidence.Indentation // of the source
	Result      *Value               // what the wrapper of a generic function, class or alias returns
	params      *Value               // its type parameters
	tests       map[tested][]int     // the conditional jumps, by what stands in front of them; see copies
	dynamo      bool
	named       bool                   // Options.Named
	brackets    map[*pyast.BoolOp]bool // operands that stand in brackets, see boolOp
	values      []Value                // that are not used yet
	srcs        []*cfg.Block           // the blocks of CFG, by Num
	of          []*Block               // what has become of each, see Of
}

// Of is what a block of CFG has been lifted to; nil for one that nothing reaches, or that is not in CFG.
func (g *Graph) Of(b *cfg.Block) *Block {
	if b == nil || b.Num == 0 || b.Num > len(g.srcs) || g.srcs[b.Num-1] != b {
		return nil
	}
	return g.of[b.Num-1]
}

// NewTemp returns a fresh temporary's name.
func (g *Graph) NewTemp() string { return g.CFG.NewTemp() }

// NewTempFor is NewTemp for one that is called what in the text.
func (g *Graph) NewTempFor(what string) string { return g.CFG.NewTempFor(what) }

// TempPrefix starts the names of temporaries that the decompiler invents, until
// sugar.NameTemps names them.
const TempPrefix = cfg.TempPrefix

// IsTemp reports whether name is such a temporary.
func IsTemp(name string) bool { return strings.HasPrefix(name, TempPrefix) }

// Succs calls f for each successor.
func (b *Block) Succs(f func(*Block)) {
	for _, s := range [...]*Block{b.Next, b.True, b.False} {
		if s != nil {
			f(s)
		}
	}
}

// MarkerKind says what a Marker stands for.
type MarkerKind uint8

// The markers: effects that become part of a compound statement.
const (
	MarkExcAs     MarkerKind = iota // the running exception is stored in Target
	MarkWithEnter                   // With is entered; the protected body follows
	MarkWithExit                    // the normal call of __exit__
	MarkAdd                         // a comprehension's accumulator receives Args
	MarkYieldAsync
	MarkCase  // a case that matches everything; ID is its index. Where it has a guard, that is the test behind
	MarkMatch // a match statement begins; Args[0] is its subject
)

// Marker is a statement that only the structurer understands. It embeds
// pyast.Pass so that it can stand in statement lists.
type Marker struct {
	pyast.Pass
	Kind   MarkerKind
	Target pyast.Expr
	With   *With
	Args   []pyast.Expr
	ID     int  // MarkMatch
	Star   bool // MarkAdd: all items of Args[0]
}

// EqualTo compares as pyast.Equal does.
func (m *Marker) EqualTo(b pyast.Node) bool {
	o, ok := b.(*Marker)
	return ok && m.Kind == o.Kind && m.With == o.With && m.ID == o.ID && m.Star == o.Star &&
		pyast.Equal(m.Target, o.Target) && slices.EqualFunc(m.Args, o.Args, func(a, b pyast.Expr) bool { return pyast.Equal(a, b) })
}
