//go:build unix

package main

import (
	"os"
	"os/exec"
	"os/signal"
	"syscall"
)

// replaceProcess becomes the command, so that signals and terminals are its own.
// With streams that are not this process's own, as in tests, it is a child.
func replaceProcess(cmd *exec.Cmd) error {
	if cmd.Stdin != os.Stdin || cmd.Stdout != os.Stdout {
		return childProcess(cmd)
	}
	return syscall.Exec(cmd.Path, cmd.Args, os.Environ())
}

// ignoreWriteSignals turns the signals of writes that fail into errors: at the limit of a
// file's size, and where a program that is gone was to be asked.
func ignoreWriteSignals() { signal.Ignore(syscall.SIGXFSZ, syscall.SIGPIPE) }
