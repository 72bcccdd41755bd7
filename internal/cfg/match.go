package cfg

import (
	"github.com/thuml/depyf/internal/bytecode"
	"github.com/thuml/depyf/internal/opcode"
	"github.com/thuml/depyf/internal/pyast"
	"github.com/thuml/depyf/internal/pyc"
)

// matches recognises match statements (3.11+) and folds the test of each case
// into one instruction. A case that is not the last tests a copy of the subject:
//
//	subject                              subject; CASE start
//	COPY 1; …pattern…; STORE x           CASE pattern; POP_JUMP_IF_FALSE F
//	POP_TOP; body; jump end         →    POP_TOP; body; jump end
//	F: COPY 1; …pattern…                 F: CASE pattern; …
//
// It follows the way on which everything matches, with an abstract stack of
// parts of the subject, and reads the pattern off what is asked of each part.
// The failing ways only drop what is left on the stack. What it does not
// understand stays as it is.
func matches(g *Graph) {
	if !g.Func.Code.Version.HasMatch() {
		return
	}
	matchExits(g)
	done := map[place]bool{}
	wild := g.Choices.Either(wildFirst, -1, true)
	for again := true; again; {
		again = false
		for _, b := range g.Blocks {
			if b.Dead {
				continue
			}
			tested := wild && comesToTest(b)
			for i := range b.Instrs {
				if !startsMatch(b, i) && !(tested && behindSubject(g.Func.Code.Version, b, i)) {
					continue
				}
				p := place{b, i}
				if done[p] {
					continue
				}
				done[p] = true
				cases := readCases(p, g.Func.Code.Version)
				if cases == nil || !startsMatch(b, i) && !cases[0].onlyGuarded() {
					continue
				}
				g.foldCases(cases)
				again = true
				break
			}
			if again {
				break
			}
		}
	}
}

// CaseTest is the operation of a folded case test: Invalid, which no compiled
// code has. Arg is an index into Graph.Cases.
const CaseTest = opcode.Invalid

// Case is one folded instruction of a match statement.
type Case struct {
	ID      int           // of the match statement
	Pattern pyast.Pattern // nil: here the statement starts; the subject is on the stack
	Last    bool          // the subject is popped by the test
	EndLine int           // where the pattern ends in the source

	Irrefutable bool // a bare name or `_`: no test
	Guarded     bool // Irrefutable with a guard: more cases follow, and the subject is kept unless it is Last
	Always      bool // Irrefutable with a guard that a constant makes true: the cases that follow are left out
	Never       bool // a constant makes its guard false: a test whose two sides meet, without a body; the subject is kept
}

// startsMatch reports whether the first case of a match may begin here.
func startsMatch(b *Block, i int) bool {
	switch b.Instrs[i].Op {
	case opcode.Copy:
		return b.Instrs[i].Arg == 1
	case opcode.MatchSequence, opcode.MatchMapping:
		return true
	case opcode.LoadName, opcode.LoadGlobal, opcode.LoadFast, opcode.LoadDeref, opcode.LoadClassDeref:
		// The class of a class pattern that is the only case.
		for i++; i < len(b.Instrs) && b.Instrs[i].Op == opcode.LoadAttr; i++ {
		}
		return i+1 < len(b.Instrs) && b.Instrs[i].Op == opcode.LoadConst && b.Instrs[i+1].Op == opcode.MatchClass
	}
	return false
}

// behindSubject reports whether a match whose first case only a guard can refuse may begin here:
// nothing tells but that a value waits on the stack, and that a line begins.
func behindSubject(v pyc.Version, b *Block, i int) bool {
	if b.Instrs[i].Op == CaseTest {
		return false // what waits is the subject of a match that is known
	}
	behind := func(before []bytecode.Instr) bool {
		if n := len(before); n == 0 || before[n-1].Pos.Line <= 0 || before[n-1].Pos.Line >= b.Instrs[i].Pos.Line {
			return false
		}
		return leavesValue(v, before)
	}
	if i > 0 {
		return behind(b.Instrs[:i])
	}
	for _, p := range b.Preds { // `match x if y else z:`
		if !p.Dead && !behind(p.Instrs) {
			return false
		}
	}
	return len(b.Preds) > 1
}

// comesToTest reports whether a test stands at the end of b, or where control goes on from there without one: a guard has such.
func comesToTest(b *Block) bool {
	for n := 0; b != nil && n < 100; n++ {
		if b.Taken != nil {
			return true
		}
		b = b.Next
	}
	return b != nil
}

// leavesValue reports whether the last of the instructions leaves a value: it pushes one, or it drops or stores what
// lay below the value that waits.
//
//	SWAP 3; STORE i; STORE j     the end of a comprehension in the function's own code
//	SWAP 2; POP_TOP              that of a chain of comparisons
//	COPY 1; STORE x              (x := value)
func leavesValue(v pyc.Version, list []bytecode.Instr) bool {
	n := len(list) - 1
	for n > 0 && (list[n].Op == opcode.Nop || list[n].Op == opcode.Resume || list[n].Op == opcode.Jump) {
		n--
	}
	switch op := list[n].Op; {
	case op.Tests(): // `b or c` keeps what it tests, from 3.12 on by a copy
		for n > 0 && list[n].Op != opcode.Copy {
			if op := list[n].Op; !op.Tests() && op != opcode.ToBool {
				return false
			}
			n--
		}
		return list[n].Op == opcode.Copy && list[n].Arg == 1
	case op == opcode.JumpIfFalseOrPop, op == opcode.JumpIfTrueOrPop:
		return true
	}
	if _, push := bytecode.StackEffect(v, &list[n], false); push > 0 {
		return true
	}
	below := 1
	for ; n >= 0 && (list[n].Op.Stores() || list[n].Op == opcode.Pop); n-- {
		below++
	}
	if n < 0 {
		return false
	}
	return list[n].Op == opcode.Swap && list[n].Arg == below || list[n].Op == opcode.Copy && list[n].Arg == 1 && below == 2
}

// readCase is a case as found.
type readCase struct {
	start, body, fail place
	pattern           pyast.Pattern
	last              bool
	any               bool // matches everything
	guarded           bool // any, but for its guard
	never, always     bool // its guard is a constant
	endLine           int
}

// onlyGuarded reports whether nothing but a guard can refuse the case.
func (c *readCase) onlyGuarded() bool {
	as, _ := c.pattern.(*pyast.MatchAs)
	return as != nil && as.Pattern == nil && c.guarded
}

// storesTwice reports whether a pattern captures one value by one name twice, which no pattern may: the first is that of a
// case whose guard is false.
//
//	COPY 1; STORE c; STORE c     case c if None: … case c: …
func storesTwice(p pyast.Pattern) bool {
	as, _ := p.(*pyast.MatchAs)
	if as == nil || as.Name == "" {
		return false
	}
	inner, _ := as.Pattern.(*pyast.MatchAs)
	return inner != nil && inner.Name == as.Name
}

// readCases reads the cases of a match whose first test begins at p.
func readCases(p place, v pyc.Version) []readCase {
	var out []readCase
	special := false
	for len(out) < 1000 {
		c, sp, ok := readOne(p, v, len(out) == 0)
		ok = ok && !storesTwice(c.pattern)
		if !ok && len(out) > 0 {
			c, ok = readRefused(p)
		}
		if !ok {
			if c, ok = readGuarded(p, v, len(out) == 0); !ok {
				return nil
			}
		}
		// Nothing else stores a value that it has kept while it tested a copy.
		as, _ := c.pattern.(*pyast.MatchAs)
		special = special || sp || as != nil && as.Pattern != nil && as.Name != ""
		out = append(out, c)
		if c.last || c.always {
			break
		}
		p = c.fail
	}
	if len(out) == 1 && !special {
		return nil // `if x == 1` has the same code
	}
	return out
}
