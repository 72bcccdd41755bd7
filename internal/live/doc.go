// Package live shows a page that follows the event logs of a running program.
//
// A Watcher reads what is new in the logs of a dump folder; a Server shows it to browsers on this machine, and tells
// them what has changed. What is shown is what package card and package report make of the answers.
//
// Invariants:
//
//   - Nothing is written, and nothing of the folder is read but the event logs and their blobs.
//   - A log that is being written, that a killed program has left behind or that another run replaces is read as far as it goes.
//   - While nobody looks, nothing is done. While nothing changes, files are looked at once a second and not read. What
//     has changed is worked out at most once a second, and takes at most a tenth of a processor's time.
//   - The server listens on the loopback address alone. It answers who knows its token and asks for it by a name of this
//     machine: pages of other sites, which can send requests here, know no token, and have another name.
//   - Pages load nothing but the server's own files. A report runs in a sandbox.
package live
