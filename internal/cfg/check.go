package cfg

import (
	"fmt"

	"github.com/thuml/depyf/internal/opcode"
)

// Check reports the first invariant of the package that the graph breaks. It is run
// behind each pass in tests and in fuzzing.
func (g *Graph) Check() error {
	if err := g.checkOwn(); err != nil {
		return err
	}
	for c, inner := range g.Inlined { // those inside of one another share the map
		if err := inner.checkOwn(); err != nil {
			return fmt.Errorf("%s: %w", c.Name, err)
		}
	}
	return nil
}

// checkOwn is Check without the comprehensions that were taken out.
func (g *Graph) checkOwn() error {
	in := make(map[*Block]bool, len(g.Blocks))
	for _, b := range g.Blocks {
		if in[b] {
			return fmt.Errorf("b%d is in the list twice", b.ID)
		}
		in[b] = true
	}
	if !in[g.Entry] {
		return fmt.Errorf("the entry is none of the blocks")
	}
	for i, r := range g.Regions {
		if r.ID != i {
			return fmt.Errorf("region %d is at place %d", r.ID, i)
		}
		seen := map[*Region]bool{}
		for p := r; p != nil; p = p.Parent {
			if seen[p] {
				return fmt.Errorf("r%d lies in itself", r.ID)
			}
			seen[p] = true
		}
	}
	for _, b := range g.Blocks {
		if b.Dead {
			continue
		}
		if err := g.checkBlock(b, in); err != nil {
			return fmt.Errorf("b%d: %w", b.ID, err)
		}
	}
	return nil
}

// checkBlock checks the edges and the region of a block that is reached.
func (g *Graph) checkBlock(b *Block, in map[*Block]bool) error {
	for i := range b.Instrs {
		if op := b.Instrs[i].Op; i < len(b.Instrs)-1 && (op.Conditional() || !op.FallsThrough()) {
			return fmt.Errorf("control leaves at %s, which is not its last instruction", op)
		}
	}
	var last opcode.Op
	if l := b.Last(); l != nil {
		last = l.Op
	}
	switch {
	case last.Conditional() && (b.Next == nil || b.Taken == nil):
		return fmt.Errorf("%s lacks a way", last)
	case !last.Conditional() && b.Taken != nil:
		return fmt.Errorf("%s has a second way", last)
	case last.Exits() && b.Next != nil:
		return fmt.Errorf("%s goes on", last)
	}
	var err error
	b.Succs(func(s *Block) {
		switch {
		case !in[s]:
			err = fmt.Errorf("an edge leads to a block that is not in the graph")
		case s.Dead:
			err = fmt.Errorf("b%d behind it counts as unreachable", s.ID)
		}
	})
	if r := b.Exc; r != nil && err == nil {
		switch {
		case r.ID >= len(g.Regions) || g.Regions[r.ID] != r:
			err = fmt.Errorf("its region is not in the graph")
		case !in[r.Handler]:
			err = fmt.Errorf("the handler of r%d is not in the graph", r.ID)
		case r.Handler.Dead:
			err = fmt.Errorf("the handler of r%d counts as unreachable", r.ID)
		}
	}
	return err
}
