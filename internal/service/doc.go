// Package service is the Go end of the pipe to the Python package: the packet
// codec, the dispatcher that answers Python's requests while it may itself ask
// Python to compile text, and the conversion between packets and code objects.
//
// docs/protocol.md describes what travels; nothing here decides anything about
// decompiling or reporting, it only carries.
package service
