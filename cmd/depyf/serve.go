package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"syscall"

	"github.com/thuml/depyf/internal/live"
	"github.com/thuml/depyf/internal/recorded"
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
	if logs, err := recorded.Logs(paths[0]); err == nil && len(logs) > 0 {
		fmt.Fprintf(stderr, "depyf serve: %s holds torch's own log: \"depyf explain\" reads it; followed are the dumps of depyf\n", paths[0])
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
		file, err := openBrowser(s.URL())
		if err != nil {
			fmt.Fprintf(stderr, "depyf serve: no browser could be opened: %v\n", err)
		}
		defer os.Remove(file)
	}
	if err := s.Serve(ctx); err != nil {
		fmt.Fprintf(stderr, "depyf serve: %v\n", err)
		return 1
	}
	return 0
}

// openBrowser asks the desktop for its browser. Arguments of processes can be seen by everybody on the machine: so it is given
// a file that leads to the page, and that no other user can read.
func openBrowser(url string) (file string, err error) {
	f, err := os.CreateTemp("", "depyf-serve-*.html")
	if err != nil {
		return "", err
	}
	_, err = fmt.Fprintf(f, "<!DOCTYPE html><meta charset=\"utf-8\"><meta http-equiv=\"refresh\" content=\"0;url=%s\">\n", url)
	if err := errors.Join(err, f.Close()); err != nil {
		return f.Name(), err
	}
	command := []string{"xdg-open", f.Name()}
	switch runtime.GOOS {
	case "darwin":
		command[0] = "open"
	case "windows":
		command = []string{"rundll32", "url.dll,FileProtocolHandler", f.Name()}
	}
	return f.Name(), exec.Command(command[0], command[1:]...).Start()
}
