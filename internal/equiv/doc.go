// Package equiv decides whether two code objects mean the same.
//
// It is the program's claim of truth, so it is built on one rule: whatever is
// not understood is different. No function of this package says "equal" because
// nothing spoke against it; it says so because it walked both codes to the end.
//
// Two comparisons live here.
//
//   - Compare is for code that a CPython compiler made. It walks both
//     instruction graphs in lockstep and builds a bisimulation: a relation over
//     instruction pairs that contains the pair of entries and is closed under
//     "next", "taken" and "on an exception". Operations, operands, branch
//     polarity and handlers must agree; the order and duplication of blocks, NOPs,
//     line numbers and slot numbers need not.
//   - CompareEffects is for code that no compiler would emit (torch.compile's),
//     where the stack is used in ways Python source cannot spell. It executes
//     both codes symbolically and compares the effects they have on the world.
//
// Invariants of Compare, which the helpers rely on:
//
//   - When a pair (i, j) is visited, the operand stacks of both sides hold equal
//     values slot by slot, the block stacks (3.7-3.10) hold blocks of the same
//     kind whose handlers are themselves visited pairs, and variables of equal
//     name and scope hold equal values. Every step must re-establish this for
//     the pairs it pushes.
//   - A step may cover several instructions on each side, but then they have at
//     most the effects, in the order, that the other side's have.
//   - Both sides are of the same CPython version.
//
// Assumptions, all of them CPython's own, since its optimiser makes them too:
// testing the truth of one object twice in a row, with nothing between, gives
// the same answer as testing it once; dropping a reference a few instructions
// earlier or later is no effect; a signal handler's exception may surface at any
// instruction, so where exactly an instruction that cannot itself raise is
// covered by a handler does not matter.
package equiv
