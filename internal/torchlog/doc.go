// Package torchlog reads what TORCH_TRACE writes: torch's structured log, one file per process.
//
// There is no specification of it. The authority is TorchLogsFormatter in
// torch/_logging/_internal.py: a line
//
//	V1121 02:37:03.355000 9006 torch/_dynamo/utils.py:2473] {"dynamo_start": …}
//
// is an entry, and the lines behind it that begin with a tab are its payload.
//
// Invariants:
//
//   - Whatever is no entry is counted and skipped: logs are cut off, begin in the middle, and
//     hold the output of other programs.
//   - A payload is given as torch wrote it, or marked as torn where its checksum says so.
//   - Memory is bounded by the longest entry, not by the log.
package torchlog
