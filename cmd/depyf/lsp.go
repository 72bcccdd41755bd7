package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/thuml/depyf/internal/lsp"
	"github.com/thuml/depyf/internal/service"
)

const lspUsage = `usage: depyf lsp [DIR ...]

A language server, on standard input and output, for editors: graph breaks,
recompilations, failures and wrong numbers at the lines of Python files, the
versions of each function, and the way to their code, graphs and kernels. It
shows the newest dump in or below the folders, by default the current one, and
follows it. A folder that is not there yet is waited for. docs/editors.md says
how to set up an editor.

Exit status: 0 the client has ended it or has gone · 1 the connection failed,
or the client did not say shutdown before exit · 2 wrong usage, or DIR is a
file.

`

// runLSP is "depyf lsp".
func runLSP(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	fs := flag.NewFlagSet("lsp", flag.ContinueOnError)
	fs.Bool("stdio", false, "what editors pass for standard input and output: there is no other way")
	dirs, status, done := parseArgs(fs, lspUsage, args, stdout, stderr)
	if done {
		return status
	}
	if len(dirs) == 0 {
		dirs = []string{"."}
	}
	for i, dir := range dirs {
		if st, err := os.Stat(dir); err == nil && !st.IsDir() {
			fmt.Fprintf(stderr, "depyf lsp: %s: it is no folder\n", dir)
			return 2
		}
		var err error
		if dirs[i], err = filepath.Abs(dir); err != nil {
			fmt.Fprintf(stderr, "depyf lsp: %v\n", err)
			return 2
		}
	}
	ignoreWriteSignals() // an editor that goes away
	if err := lsp.New(service.Version, dirs...).Serve(stdin, stdout); err != nil {
		fmt.Fprintf(stderr, "depyf lsp: %v\n", err)
		return 1
	}
	return 0
}
