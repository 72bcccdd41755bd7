package cfg

import (
	"fmt"
	"slices"
	"strings"

	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/choice"
	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyc"
)

// Block is a basic block.
type Block struct {
	ID        int // position in layout order
	Num       int // counts the blocks from 1 while they are lifted
	Instrs    []bytecode.Instr
	Next      *Block    // fall-through, or the target of an unconditional jump
	Taken     *Block    // target of a conditional jump, or where an exhausted ForIter goes
	Preds     []*Block  // sources of normal edges, one entry for each edge
	Exc       *Region   // innermost protected region, nil outside
	HandlerOf []*Region // the regions whose exceptions arrive here
	Dead      bool      // not reachable from the entry
	Apart     bool      // begins a statement of its own, behind a protected one
	Handmade  bool      // no compiler made it (Unshuffle has run): a cell on the stack is the cell itself, not the variable in it

	Ends      *Region   // ≤3.10: the block ends where this region's body ends normally
	Leaps     opcode.Op // 3.8 and 3.10+: BreakLoop or ContinueLoop where the block ends with what such a statement does to leave a finally body or an except clause or, in 3.10, a for loop
	Caught    bool      // ≤3.10: the block ends where an except clause ends normally
	ClauseEnd *Block    // ≤3.8: for a block that ends with the SETUP_FINALLY of `except E as e`, where the clause would end
	LoopEnd   *Block    // 3.7: for a block that ends with SETUP_LOOP, where BREAK_LOOP goes
	LoopSetup *Block    // 3.7: for BREAK_LOOP and CONTINUE_LOOP, the block that ends with the loop's SETUP_LOOP
	Leaves    *Region   // 3.9, 3.10: the block ends with the POP_BLOCK that leaves this try/finally; a copy of its finally body follows
}

// RegionKind says which instruction opened a region (3.7-3.10 only).
type RegionKind uint8

// The region kinds. A 3.11+ exception table does not tell them apart.
const (
	RegionTable RegionKind = iota
	RegionExcept
	RegionFinally
	RegionWith
	RegionAsyncWith
)

// Region is a set of instructions protected by one handler, at one nesting.
type Region struct {
	ID      int
	Kind    RegionKind
	Handler *Block
	Parent  *Region // the region that protects the handled statement as a whole
	Depth   int     // stack depth kept for the handler (3.11+), else -1
	Lasti   bool    // the instruction offset is pushed too (3.11+)
	Clean   bool    // the copies of its finally body are gone
	Setup   *Block  // block that ends with the SETUP instruction (3.7-3.10)
}

// Graph is the control-flow graph of one code object.
type Graph struct {
	Func    *bytecode.Func
	Blocks  []*Block // layout order
	Entry   *Block
	Regions []*Region
	Inlined map[*pyc.Code]*Graph // comprehensions that uninline took out (3.12+)
	Saved   []string             // of a graph in Inlined: the variables that the code around saves for it, in that order
	Cells   []string             // and those of its variables for which it makes a cell

	Choices *choice.Run  // how what the bytecode does not tell is decided; nil: in the likeliest way
	Stray   map[int]bool // by their offsets, whether the jumps of tests were sent past the end of the brackets that they stand in, where that is known (3.14, see gaps.go)
	Waiting map[int]bool // the offsets of constants that wait while a statement is left

	Cases   []Case // folded tests of match statements
	matches int

	temps int
}

// TempPrefix starts the names of temporaries that the decompiler invents. No name
// of a program starts so: sugar.NameTemps gives those that are left proper names.
const TempPrefix = "%t"

// NewTemp returns a fresh temporary's name.
func (g *Graph) NewTemp() string {
	g.temps++
	return fmt.Sprintf("%s%d", TempPrefix, g.temps)
}

// HasTemps reports whether a temporary has been made.
func (g *Graph) HasTemps() bool { return g.temps > 0 }

// NewTempFor is NewTemp for a temporary that serves as what: it is called that in the text (TempFor).
func (g *Graph) NewTempFor(what string) string { return g.NewTemp() + " " + what }

// TempFor tells what a temporary serves as, "" where nothing does.
func TempFor(name string) string {
	_, what, _ := strings.Cut(name, " ")
	return what
}

// Last returns the block's last instruction, or nil.
func (b *Block) Last() *bytecode.Instr {
	if len(b.Instrs) == 0 {
		return nil
	}
	return &b.Instrs[len(b.Instrs)-1]
}

// own gives the block instructions of its own, to be changed: until then they are those of Func, or of another block.
func (b *Block) own() { b.Instrs = slices.Clone(b.Instrs) }

// Succs calls f for each normal successor.
func (b *Block) Succs(f func(*Block)) {
	if b.Next != nil {
		f(b.Next)
	}
	if b.Taken != nil {
		f(b.Taken)
	}
}

// Inside reports whether r is outer or lies within it; a nil outer holds all.
func (r *Region) Inside(outer *Region) bool {
	if outer == nil {
		return true
	}
	for ; r != nil; r = r.Parent {
		if r == outer {
			return true
		}
	}
	return false
}

// ComputePreds recomputes Preds, HandlerOf and Dead after edges have changed.
func (g *Graph) ComputePreds() {
	room := make([]*Block, 2*len(g.Blocks)) // few blocks have more predecessors
	for i, b := range g.Blocks {
		b.Preds, b.HandlerOf, b.Dead = room[2*i:2*i:2*i+2], nil, true
	}
	seenRegion := make([]bool, len(g.Regions))
	var work []*Block
	visit := func(b *Block) {
		if b.Dead {
			b.Dead = false
			work = append(work, b)
		}
	}
	visit(g.Entry)
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		b.Succs(func(s *Block) {
			s.Preds = append(s.Preds, b)
			visit(s)
		})
		if b.Exc != nil && !seenRegion[b.Exc.ID] {
			seenRegion[b.Exc.ID] = true
			b.Exc.Handler.HandlerOf = append(b.Exc.Handler.HandlerOf, b.Exc)
			visit(b.Exc.Handler)
		}
	}
}

// Raises reports whether an instruction of b can raise an exception.
func (b *Block) Raises() bool {
	return slices.ContainsFunc(b.Instrs, func(in bytecode.Instr) bool { return !in.Op.Silent() })
}
