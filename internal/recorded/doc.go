// Package recorded finds and reads what lies at a path: dumps of depyf, one for each process, and
// what torch itself has logged.
//
// It knows where files lie and nothing of what they say. Reading is all that it does: no file is written, and no
// file is opened that Files does not name, but for those that a dump keeps its large texts in, which it names too.
package recorded
