// Package pyworker compiles Python source with a real CPython of a wanted
// version, so that the program can compare what it printed with what it read.
//
// A Pool keeps a few interpreters alive, each running worker.py, which compiles
// and never executes. Requests and answers are frames on a pipe:
//
//	frame    u32 little-endian length, then that many bytes
//	hello    "depyf-worker", then "major minor magic", once, from the worker
//	request  u8 form, u32 flags of compile(), u32 length of the file name, file name, source
//	         form: 1 the source is bytes, whose coding cookie counts
//	               2 compile(..., "eval"), 4 "single"; else "exec"
//	answer   u8 status, then 0: marshal data, or 1: text of the exception
//
// Text is UTF-8 with surrogates passed; a worker spells those as escapes, because
// a source that CPython compiles cannot hold them.
//
// Invariants: a worker whose answer is late, malformed or missing is killed and
// replaced, and the request fails; no request is tried twice, since one that
// crashed an interpreter would crash the next. Interpreters are started isolated
// (-I -S -E) and with stdin as their lifeline: when this process dies, they end.
package pyworker
