package structure

import (
	"iter"

	"github.com/thuml/depyf/internal/cfg"
	"github.com/thuml/depyf/internal/lift"
	"github.com/thuml/depyf/internal/opcode"
)

// places finds instructions by what the position table says of them. Long
// functions ask for each of their jumps.
type places struct {
	at      map[place]int32 // the first instruction of a place
	next    []int32         // the next one of the same place, -1 none
	targets map[int]bool    // instructions that are jumped to
	starts  map[int]*cfg.Block
}

type place struct{ line, col, endCol int32 }

// fewInstrs are looked through as fast as a table of them is made.
const fewInstrs = 100

// samePlace lists the instructions of one place.
func (s *builder) samePlace(line, col, endCol int) iter.Seq[int] {
	instrs := s.g.CFG.Func.Instrs
	if len(instrs) <= fewInstrs {
		return func(yield func(int) bool) {
			for i := range instrs {
				if p := &instrs[i].Pos; int(p.Line) == line && int(p.Col) == col && int(p.EndCol) == endCol && !yield(i) {
					return
				}
			}
		}
	}
	if s.places.at == nil {
		s.places.at, s.places.next = make(map[place]int32, len(instrs)/2), make([]int32, len(instrs))
		for i := len(instrs) - 1; i >= 0; i-- {
			p := place{instrs[i].Pos.Line, instrs[i].Pos.Col, instrs[i].Pos.EndCol}
			s.places.next[i] = -1
			if k, more := s.places.at[p]; more {
				s.places.next[i] = k
			}
			s.places.at[p] = int32(i)
		}
	}
	return func(yield func(int) bool) {
		i, ok := s.places.at[place{int32(line), int32(col), int32(endCol)}]
		for ok && i >= 0 && yield(int(i)) {
			i = s.places.next[i]
		}
	}
}

// copied reports whether the code of the place at which the instruction at offset
// stands is there more than once: the compiler writes the body of a finally clause
// for each way that leads out of the statement, and the jump behind it bears its
// place.
func (s *builder) copied(offset int) bool {
	instrs := s.g.CFG.Func.Instrs
	pos := &instrs[s.g.CFG.Func.Index(offset)].Pos
	if pos.Col < 0 {
		return false
	}
	seen := map[opcode.Op]bool{}
	for i := range s.samePlace(int(pos.Line), int(pos.Col), int(pos.EndCol)) {
		op := instrs[i].Op
		if lift.Raises(&instrs[i]) && seen[op] {
			return true
		}
		seen[op] = true
	}
	return false
}

// targeted reports whether something jumps to instruction i.
func (s *builder) targeted(i int) bool {
	if s.places.targets == nil {
		s.places.targets = map[int]bool{}
		for k := range s.g.CFG.Func.Instrs {
			s.places.targets[s.g.CFG.Func.Instrs[k].Target] = true
		}
	}
	return s.places.targets[i]
}

// blockAt returns the first block whose instructions begin at offset.
func (s *builder) blockAt(offset int) *cfg.Block {
	if s.places.starts == nil {
		s.places.starts = map[int]*cfg.Block{}
		for _, b := range s.g.CFG.Blocks {
			if len(b.Instrs) > 0 && s.places.starts[b.Instrs[0].Offset] == nil {
				s.places.starts[b.Instrs[0].Offset] = b
			}
		}
	}
	return s.places.starts[offset]
}
