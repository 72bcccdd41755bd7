package main

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// Most memory is garbage soon. Collecting it seldom costs some memory and saves a quarter of the time.
const seldom = 400

// How far the heap may grow between two collections: up to a size that costs nobody anything, and beyond that in proportion to
// what is alive, as a log may have any size.
const (
	cheapHeap = 56 << 20
	leastGrow = 50 // per cent
)

// percentFor is Go's GOGC for a heap of which that much is alive.
func percentFor(live uint64) int {
	if live == 0 || live*(100+seldom)/100 <= cheapHeap {
		return seldom
	}
	return max(leastGrow, int((cheapHeap-min(cheapHeap, live))*100/live))
}

// collectAsItGrows sets GOGC anew after each collection.
func collectAsItGrows() {
	debug.SetGCPercent(seldom)
	type sentinel struct{ _ [16]byte }
	var again func(*sentinel)
	again = func(*sentinel) {
		sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
		metrics.Read(sample)
		if sample[0].Value.Kind() == metrics.KindUint64 {
			debug.SetGCPercent(percentFor(sample[0].Value.Uint64()))
		}
		runtime.SetFinalizer(new(sentinel), again)
	}
	runtime.SetFinalizer(new(sentinel), again)
}
