package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/thuml/depyf/internal/lsp"
	"github.com/thuml/depyf/internal/service"
)

const lspUsage = `usage: depyf lsp [DIR]

A language server, on standard input and output, for editors: graph breaks,
recompilations, failures and wrong numbers at the lines of Python files, the
versions of each function, and the way to their code, graphs and kernels. It
shows the newest dump in or below DIR, by default the current folder, and
follows it. docs/editors.md says how to set up an editor.

Exit status: 0 the client has ended it or has gone · 1 the connection failed,
or the client did not say shutdown before exit · 2 wrong usage, or DIR is no
folder.

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
	if len(dirs) != 1 {
		fmt.Fprint(stderr, lspUsage)
		return 2
	}
	if st, err := os.Stat(dirs[0]); err != nil || !st.IsDir() {
		if err == nil {
			err = errors.New("it is no folder")
		}
		fmt.Fprintf(stderr, "depyf lsp: %s: %v\n", dirs[0], plain(err))
		return 2
	}
	dir, err := filepath.Abs(dirs[0])
	if err != nil {
		fmt.Fprintf(stderr, "depyf lsp: %v\n", err)
		return 2
	}
	ignoreWriteSignals() // an editor that goes away
	if err := lsp.New(service.Version, dir).Serve(stdin, stdout); err != nil {
		fmt.Fprintf(stderr, "depyf lsp: %v\n", err)
		return 1
	}
	return 0
}
