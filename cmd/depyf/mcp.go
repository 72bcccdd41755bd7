package main

import (
	"flag"
	"fmt"
	"io"

	"github.com/thuml/depyf/internal/mcpserver"
	"github.com/thuml/depyf/internal/service"
)

const mcpUsage = `usage: depyf mcp [DIR ...]

Answers agents over the Model Context Protocol, on standard input and output:
which sessions are recorded, why code was compiled again, which lines break
graphs, what became of a line, the code of a version, what is different between
two sessions. What lies in the folders, by default the current one, is all that
it reads; it writes nothing. docs/agents.md says how to set up a client.

Exit status: 0 the client has gone · 1 the connection failed · 2 wrong usage,
or a folder cannot be read.

`

// runMCP is "depyf mcp".
func runMCP(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	fs := flag.NewFlagSet("mcp", flag.ContinueOnError)
	dirs, status, done := parseArgs(fs, mcpUsage, args, stdout, stderr)
	if done {
		return status
	}
	if len(dirs) == 0 {
		dirs = []string{"."}
	}
	ignoreWriteSignals() // a client that goes away while it is answered
	s, err := mcpserver.New(service.Version, dirs)
	if err != nil {
		fmt.Fprintf(stderr, "depyf mcp: %v\n", err)
		return 2
	}
	if err := s.Serve(stdin, stdout); err != nil {
		fmt.Fprintf(stderr, "depyf mcp: %v\n", err)
		return 1
	}
	return 0
}
