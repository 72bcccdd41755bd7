// Package cfg turns decoded instructions into a control-flow graph with one
// exception model for every CPython version.
//
// Input: a *bytecode.Func. Output: a *Graph of basic blocks in layout order.
//
// Invariants (verified by Check):
//
//   - a block ends at the first instruction that transfers control; Next is the
//     fall-through or unconditional successor, Taken the conditional target;
//   - Exc is the innermost protected region that covers every instruction of
//     the block: for 3.7-3.10 it comes from simulating the block stack once, for
//     3.11+ from the exception table;
//   - exception edges are not in Preds: a handler's predecessors are the regions
//     listed in HandlerOf;
//   - blocks that no normal or exception edge reaches are flagged Dead and kept;
//   - what was decoded stays as it is, since names and the search are told by it: blocks share its instructions, and a pass
//     that changes one gives the block its own first (verified by the check behind each pass of internal/decompile).
package cfg
