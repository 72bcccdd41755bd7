package main

import (
	"fmt"
	"io"
	"runtime/debug"

	"github.com/thuml/depyf/internal/service"
)

// runService is `depyf service`, the other end of the Python package's pipe.
func runService(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	if wantsHelp(args) {
		fmt.Fprint(stdout, "usage: depyf service\n\nAnswers the Python package: packets on standard input and output, as docs/protocol.md\nsays. Ends when standard input is closed.\n")
		return 0
	}
	if len(args) != 0 {
		fmt.Fprintln(stderr, "depyf service takes no arguments; it talks packets on standard input and output")
		return 2
	}
	// Memory is cheap here, and the time is taken from the user's program; a full
	// disk's limit (ulimit -f) is an error of a write, not the end; nor is a program that ends
	// while it is asked something.
	debug.SetGCPercent(400)
	ignoreWriteSignals()
	workInBatches()
	if err := service.Serve(serviceConfig(), waitInPoller(stdin), stdout); err != nil {
		fmt.Fprintln(stderr, "depyf service:", err)
		return 1
	}
	return 0
}
