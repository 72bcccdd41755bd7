package cfg

import "iter"

// Walk visits blocks from start on, each once and depth first. The loop over it
// calls the function that comes with a block for each block to go on with:
//
//	for b, more := range cfg.Walk(start) {
//		b.Succs(more)
//	}
func Walk[B comparable](start B) iter.Seq2[B, func(B)] {
	return func(yield func(B, func(B)) bool) {
		seen := map[B]bool{}
		work := []B{start}
		more := func(b B) { work = append(work, b) }
		for len(work) > 0 {
			b := work[len(work)-1]
			work = work[:len(work)-1]
			if seen[b] {
				continue
			}
			seen[b] = true
			if !yield(b, more) {
				return
			}
		}
	}
}
