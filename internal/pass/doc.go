// Package pass runs the steps of the decompiler.
//
// A [Table] is the list of steps of one stage in order, each with its name, the
// reason why it is there, and the steps that must come before it. The packages that
// hold the steps have a table each; internal/decompile joins them and has the order
// checked as the program starts.
//
// Invariants:
//
//   - names are unique over all tables; a step comes behind all those that it names
//     in After, or the program does not start ([Order]);
//   - a step that a [Watch] sees runs as it does without: what watches a state must
//     not change it;
//   - without a Watch a table costs no more than calling its steps one after another.
package pass
