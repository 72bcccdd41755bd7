package main

import "testing"

// A small heap is collected seldom, a large one before it has doubled: the memory is in proportion to what is alive.
func TestPercentFor(t *testing.T) {
	for live, want := range map[uint64]int{0: seldom, 1 << 20: seldom, 11 << 20: seldom, 28 << 20: 100, 40 << 20: leastGrow, 1 << 30: leastGrow} {
		if got := percentFor(live); got != want {
			t.Errorf("%d MiB: %d %%, not %d", live>>20, got, want)
		}
	}
	last := seldom
	for live := uint64(1 << 20); live < 1<<31; live += 1 << 20 {
		p := percentFor(live)
		if goal := live + live*uint64(p)/100; p > last || goal > max(cheapHeap, live*3/2)+live/100 {
			t.Fatalf("%d MiB: %d %%, a heap of %d MiB", live>>20, p, goal>>20)
		}
		last = p
	}
}
