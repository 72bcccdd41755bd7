// Package passpage shows one function on its way through all passes, as a page with a
// column for each pass that has changed it.
//
// A [Recorder] sees the passes; [Recorder.WriteHTML] writes the page, which needs no
// other file and asks for none.
package passpage
