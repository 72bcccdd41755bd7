// Package answers says in plain, typed facts what one torch.compile session was.
//
// It goes between the model (package explain) and everything that shows it: the
// JSON of "depyf report --format json" is these types, field by field, and is
// described in docs/json.md.
//
// Invariants:
//
//   - An answer is a pure function of a linked model: no file, no clock, no map order.
//   - Numbers, names, places and torch's own words. What is a judgement stands apart: the titles,
//     remedies and grouping of causes (causes.go) and of lines that break the graph (breaklines.go).
//   - What is not known is absent (null, or an empty list), never zero: a graph without
//     operations and a graph that nobody counted are different things.
//   - A change of the form that a reader could trip over raises Form.
package answers
