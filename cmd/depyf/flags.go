package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"
)

// parseArgs parses flags that may stand anywhere among the other arguments, as
// -x or --x, up to "--". When done is true the command ends with status: after
// -h, which prints help to stdout, or after wrong usage.
func parseArgs(fs *flag.FlagSet, help string, args []string, stdout, stderr io.Writer) (rest []string, status int, done bool) {
	fs.SetOutput(io.Discard)
	fs.Usage = func() {}
	for len(args) > 0 {
		err := fs.Parse(args)
		if errors.Is(err, flag.ErrHelp) {
			printHelp(stdout, fs, help)
			return nil, 0, true
		}
		if err != nil {
			fmt.Fprintf(stderr, "depyf %s: %v; \"depyf %s -h\" lists the flags\n", fs.Name(), err, fs.Name())
			return nil, 2, true
		}
		left := fs.Args()
		if n := len(args) - len(left); n > 0 && args[n-1] == "--" {
			return append(rest, left...), 0, false
		}
		if len(left) == 0 {
			break
		}
		rest, args = append(rest, left[0]), left[1:]
	}
	return rest, 0, false
}

// printHelp writes the help text of a command and its flags.
func printHelp(w io.Writer, fs *flag.FlagSet, help string) {
	fmt.Fprint(w, help)
	first := true
	fs.VisitAll(func(f *flag.Flag) {
		if first {
			fmt.Fprint(w, "Flags, as -x or --x, before or after the paths:\n\n")
			first = false
		}
		arg, about := flag.UnquoteUsage(f)
		name := "-" + f.Name
		if len(f.Name) > 1 {
			name = "-" + name
		}
		if arg != "" {
			name += " " + strings.ToUpper(arg)
		}
		if f.DefValue != "" && f.DefValue != "false" && f.DefValue != "-1" { // none, false, no limit
			about += " (default " + f.DefValue + ")"
		}
		fmt.Fprintf(w, "  %-24s %s\n", name, strings.ReplaceAll(about, "\n", "\n"+strings.Repeat(" ", 27)))
	})
}

// wantsHelp reports whether the only argument asks for help.
func wantsHelp(args []string) bool {
	return len(args) == 1 && (args[0] == "-h" || args[0] == "--h" || args[0] == "-help" || args[0] == "--help")
}
