// Package structure turns the lifted graph into nested statements.
//
// Input: a reduced and finished *lift.Graph. Output: a statement list.
//
// The method is recursion over the graph under a continuation context: what
// falling off the end, `break` and `continue` mean at this place. A jump to
// one of those emits nothing, `break` or `continue`; everything else is
// structured where it stands. The join of an `if`, the code behind a loop or a
// `try` is the first block that all ways which come out of it reach.
//
// What resists can become a dispatch loop (dispatch.go), which goes by the stack and
// the regions alone.
//
// Invariants:
//
//   - the output is equivalent to the graph or an error is returned: no block is
//     dropped, at worst one is written twice (equal code to the proof);
//   - the work is bounded: a budget on blocks written stops code that cannot be
//     expressed without copying over and over.
package structure
