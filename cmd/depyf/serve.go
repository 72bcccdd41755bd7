package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"syscall"

	"github.com/thuml/depyf/internal/live"
)

const serveUsage = `usage: depyf serve [--port N] [--open] DUMP_DIR

Shows a page in the browser that follows a running program: what is compiled at
the moment, failures, causes of recompilation and graph breaks as they come, and
the whole report when the program ends. DUMP_DIR is the folder that it dumps
into ("depyf run --out DUMP_DIR program.py", DEPYF_DUMP=DUMP_DIR); it need not be there
yet, and may hold several processes.

The page is for this machine alone, and its address holds a secret: open the one
that is printed. Runs until it is interrupted. Nothing is written.

Exit status: 0 interrupted · 1 the address cannot be opened · 2 wrong usage.

`

func runServe(args []string, _ io.Reader, stdout, stderr io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	return serve(ctx, args, stdout, stderr)
}

// serve is "depyf serve" until the context ends.
func serve(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	fs := flag.NewFlagSet("serve", flag.ContinueOnError)
	port := fs.Int("port", 0, "listen at port `N` (default one that is free)")
	browse := fs.Bool("open", false, "open the page in the browser")
	paths, status, done := parseArgs(fs, serveUsage, args, stdout, stderr)
	if done {
		return status
	}
	if len(paths) != 1 || *port < 0 || *port > 65535 {
		fmt.Fprint(stderr, serveUsage)
		return 2
	}
	if st, err := os.Stat(paths[0]); err == nil && !st.IsDir() {
		fmt.Fprintf(stderr, "depyf serve: %s is no folder: give the one that the program dumps into\n", paths[0])
		return 2
	}
	s, err := live.Listen(paths[0], *port)
	if err != nil {
		fmt.Fprintf(stderr, "depyf serve: %v\n", err)
		return 1
	}
	fmt.Fprintf(stdout, "%s\n", s.URL())
	fmt.Fprintf(stderr, "depyf serve: follows %s at that address until it is interrupted\n", paths[0])
	if *browse {
		if err := openBrowser(s.URL()); err != nil {
			fmt.Fprintf(stderr, "depyf serve: no browser could be opened: %v\n", err)
		}
	}
	if err := s.Serve(ctx); err != nil {
		fmt.Fprintf(stderr, "depyf serve: %v\n", err)
		return 1
	}
	return 0
}

// openBrowser asks the desktop for its browser.
func openBrowser(url string) error {
	command := []string{"xdg-open", url}
	switch runtime.GOOS {
	case "darwin":
		command[0] = "open"
	case "windows":
		command = []string{"rundll32", "url.dll,FileProtocolHandler", url}
	}
	return exec.Command(command[0], command[1:]...).Start()
}
