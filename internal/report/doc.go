// Package report writes the dump folder of a session: the files that a person
// opens, steps through and greps.
//
// Every file is a pure function of an explain.Model, so that a recorded event
// log gives the same folder again (see Write), with neither torch nor Python.
//
// Invariants:
//
//   - Names of files are an API (docs/dump_folder.md): other programs glob.
//   - Every .py file is valid Python. What torch says that is not becomes a
//     comment.
//   - Files are replaced in one step; no temporary or lock file stays.
//   - A file that cannot be written is an error of that file only.
//   - No UUID, memory address or time in text meant for reading, so that two
//     runs can be compared with diff. report.html shows times all the same.
//   - report.html needs nothing beside it. All that comes from the session is
//     escaped by html/template or, where code is marked up, by writeLine.
package report
