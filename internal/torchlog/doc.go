// Package torchlog reads what torch logs of itself: the structured log that TORCH_TRACE writes, one
// file per process, and the text that TORCH_LOGS writes for people.
//
// There is no specification of it. The authority is TorchLogsFormatter in
// torch/_logging/_internal.py: a line
//
//	V1121 02:37:03.355000 9006 torch/_dynamo/utils.py:2473] {"dynamo_start": …}
//
// is an entry, and the lines behind it that begin with a tab are its payload. The same formatter writes a
// message of a logger with the header before each of its lines:
//
//	V1121 02:37:03.355000 9006 torch/_dynamo/guards.py:2321] [0/0] [__guards] | +- TENSOR_MATCH: …
//
// Such text is pasted into issues and cut from the logs of servers: in colours, behind timestamps, with the
// lines of several ranks between each other, or without the headers.
//
// Invariants:
//
//   - Whatever is no entry is counted and skipped: logs are cut off, begin in the middle, and
//     hold the output of other programs.
//   - A payload is given as torch wrote it, or marked as torn where its checksum says so.
//   - Memory is bounded by the longest entry, not by the log.
package torchlog
