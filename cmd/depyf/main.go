// Command depyf explains torch.compile and decompiles Python bytecode.
//
// Every subcommand is a function of its arguments and streams that returns the
// exit status, so that tests call it without a process.
package main

import (
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"

	"github.com/thuml/depyf/internal/pyc"
	"github.com/thuml/depyf/internal/service"
)

type command struct {
	name  string
	run   func(args []string, stdin io.Reader, stdout, stderr io.Writer) int
	about string
}

func commands() []command {
	list := []command{
		{"decompile", runDecompile, "turn .pyc files into Python source, with a verdict on each"},
		{"dis", runDis, "list the instructions of a .pyc file"},
		{"verify", runVerify, "prove that a source means the same as a .pyc file"},
		{"coverage", runCoverage, "say which instructions of each version the cases of a checkout show"},
		{"report", runReport, "write a dump folder anew from its event log"},
	}
	for _, q := range questions() {
		list = append(list, command{q.Name, q.run, q.About})
	}
	return append(list, []command{
		{"diff", runDiff, "say what is different between two dump folders"},
		{"ranks", runRanks, "say what differs between the ranks of a distributed run"},
		{"check", runCheck, "fail where a program compiles worse than it should, for continuous integration"},
		{"serve", runServe, "show a page that follows a running program"},
		{"mcp", runMCP, "answer agents over the Model Context Protocol"},
		{"lsp", runLSP, "show in an editor what became of each line: a language server"},
		{"run", runRun, "run a Python program and dump what torch.compile does in it"},
		{"service", runService, "answer the Python package on standard input and output"},
		{"version", runVersion, "print the version and the CPython versions it reads"},
	}...)
}

func main() {
	if os.Getenv("GOGC") == "" {
		switch {
		case len(os.Args) > 1 && os.Args[1] == "decompile":
			// A batch, whose functions are garbage one after the other: what stays is
			// little, and a twentieth of the time is saved up to the memory promised for it.
			debug.SetGCPercent(1600)
			debug.SetMemoryLimit(184 << 20)
		case len(os.Args) > 1 && (os.Args[1] == "dis" || os.Args[1] == "verify"):
			// What a file needs is bounded, and this is memory that is promised anyway.
			debug.SetGCPercent(seldom)
			debug.SetMemoryLimit(384 << 20)
		default:
			collectAsItGrows()
		}
	}
	os.Exit(dispatch(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

func dispatch(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	if len(args) == 0 {
		usage(stderr)
		return 2
	}
	switch args[0] {
	case "help", "-h", "--help":
		return runHelp(args[1:], stdin, stdout, stderr)
	case "--version":
		return runVersion(nil, stdin, stdout, stderr)
	}
	for _, c := range commands() {
		if c.name == args[0] {
			return c.run(args[1:], stdin, stdout, stderr)
		}
	}
	fmt.Fprintf(stderr, "depyf: unknown command %q\n\n", args[0])
	usage(stderr)
	return 2
}

// runHelp is "depyf help [COMMAND]".
func runHelp(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	if len(args) == 0 || args[0] == "help" || strings.HasPrefix(args[0], "-") {
		usage(stdout)
		return 0
	}
	return dispatch([]string{args[0], "-h"}, stdin, stdout, stderr)
}

func usage(w io.Writer) {
	fmt.Fprint(w, "depyf turns Python bytecode into source and proves it, and explains torch.compile.\n\nusage: depyf COMMAND [arguments]\n\n")
	for _, c := range commands() {
		fmt.Fprintf(w, "  %-13s %s\n", c.name, c.about)
	}
	fmt.Fprint(w, "\n\"depyf help COMMAND\" tells more about one. From inside a program, use the Python package:\n")
	fmt.Fprint(w, "  with depyf.prepare_debug(\"./dump\"): ...\n")
}

func runVersion(args []string, _ io.Reader, stdout, _ io.Writer) int {
	if wantsHelp(args) {
		fmt.Fprint(stdout, "usage: depyf version\n\nPrints the version of depyf and the CPython versions whose bytecode it reads.\n")
		return 0
	}
	fmt.Fprintf(stdout, "depyf %s (reads CPython %v to %v)\n", service.Version, pyc.Oldest, pyc.Newest)
	return 0
}
