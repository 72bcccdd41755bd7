// Package browser drives a headless Chromium for tests of what depyf writes as HTML.
//
// It speaks the DevTools protocol over the two pipes that Chromium reads and writes with
// --remote-debugging-pipe: JSON messages with a zero byte behind each. No port is opened and no library is
// needed for the few commands that the tests use.
//
// All tests of a package share one Chromium, since a start costs as much as ten pages: OfTests gives a test a part of it,
// and the package's TestMain calls Main, which ends it.
//
// Invariants:
//
//   - What one test stores, or leaves open, another does not see.
//   - A page may load nothing from a network: whatever it asks for beside its own file is reported.
//   - What goes wrong in a page (an exception, a console error, a violation of its security policy) is reported.
//   - Every wait ends: a command that is not answered fails after a time limit, and Close ends Chromium.
package browser
