package structure

import (
	"slices"

	"github.com/thuml/depyf/internal/cfg"
	"github.com/thuml/depyf/internal/choice"
	"github.com/thuml/depyf/internal/lift"
)

// What the structurer guesses, see internal/choice.
const (
	loopEnd     choice.Kind = "where a loop's breaks lead"
	loopTest    choice.Kind = "the test of a while loop, or of an if in it"
	firstTurn   choice.Kind = "an if, or a while loop that is left in its first turn"
	finallyLoop choice.Kind = "a finally clause that breaks a loop, or goes on by itself"
	armsMeet    choice.Kind = "where the arms of an if meet"
	bodyEnds    choice.Kind = "where a protected body ends"
	goesOn      choice.Kind = "what stands behind a protected statement"
	behindExit  choice.Kind = "what ends a block behind __exit__: a statement behind the with statement, or in it"
	functionEnd choice.Kind = "a return None that is not written"
)

// choosing reports whether a search decides. Nothing is looked for otherwise.
func (s *builder) choosing() bool { return s.g.CFG.Choices != nil }

// either is what is guessed, or its contrary where the search decides so.
func (s *builder) either(kind choice.Kind, b *lift.Block, guess bool) bool {
	return s.g.CFG.Choices.Either(kind, offsetOf(b), guess)
}

// offsetOf is where b's code begins, -1 if it has none.
func offsetOf(b *lift.Block) int {
	switch {
	case b == nil:
	case b.Src != nil && len(b.Src.Instrs) > 0:
		return b.Src.Instrs[0].Offset
	case b.Term.Offset > 0:
		return b.Term.Offset
	}
	return -1
}

// mostPlaces bounds the places that a search tries for one decision.
const mostPlaces = 6

// place picks where a way leads: to guess, or to one of the other places that come into question, the
// first in the order of the graph before others. What falls off the end of the context, and no place at all, do.
func (s *builder) place(kind choice.Kind, about, guess *lift.Block, c ctx, others func() map[*lift.Block]bool) *lift.Block {
	if !s.choosing() {
		return guess
	}
	list := []*lift.Block{guess}
	add := func(b *lift.Block) {
		if !slices.ContainsFunc(list, func(x *lift.Block) bool { return x == b || x != nil && b != nil && s.at(b, x) }) {
			list = append(list, b)
		}
	}
	var sorted []*lift.Block
	for b := range others() {
		sorted = append(sorted, b)
	}
	slices.SortFunc(sorted, s.byOrder)
	for _, b := range sorted {
		if len(list) < mostPlaces && !c.busy.has(b) {
			add(b)
		}
	}
	if c.fall != noBlock {
		add(c.fall)
	}
	add(nil)
	return list[s.g.CFG.Choices.Pick(kind, offsetOf(about), len(list))]
}

// leavingTo is the set of places that the ways out of r's body, which begins at b, lead to.
func (s *builder) leavingTo(b *lift.Block, r *cfg.Region, c ctx) map[*lift.Block]bool {
	set := map[*lift.Block]bool{}
	for _, e := range s.leaving(b, r, c) {
		set[e.to] = true
	}
	return set
}
