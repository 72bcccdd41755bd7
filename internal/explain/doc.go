// Package explain is the model of one torch.compile session.
//
// Raw facts arrive as events (docs/protocol.md). Each event goes through the
// same four steps, in this order:
//
//  1. derive: everything that needs the outside world happens here, once: code
//     objects are decompiled, names of files are chosen. The outcome is put
//     into the event's record.
//  2. apply: the record changes the Model. This step is a pure function of the
//     record, so a replayed log gives the same model.
//  3. log: the record is appended to events.jsonl, large values to .blobs/pack.
//  4. sink: whoever writes files (internal/report) is told what is new.
//
// Invariants:
//
//   - No error of one event prevents the next. What goes wrong becomes a Problem
//     in the model and in the log; an error is returned as well.
//   - Model is only appended to. Joining what belongs together (functions,
//     versions, graphs, guards, resume functions) is done by Link, which reads
//     a Model and changes nothing.
//   - Names in the model are clean: no UUID, no memory address. The raw text
//     stays in the log.
//   - The log of a killed process is usable: every record is one line, written
//     with one call; a torn last line is skipped and counted.
package explain
