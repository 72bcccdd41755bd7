//go:build unix

package main

import (
	"io"
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

// waitInPoller reads a pipe without a thread that blocks in the read: the goroutine waits in the
// runtime's network poller. Where a thread blocks, the runtime's monitor looks every 20 microseconds
// whether it has come back (runtime.sysmon, runtime/proc.go), which was a sixth of what the service costs.
// Anything but a pipe stays as it is: a terminal's or a file's mode is shared with other processes.
func waitInPoller(in io.Reader) io.Reader {
	file, ok := in.(*os.File)
	if !ok {
		return in
	}
	info, err := file.Stat()
	if err != nil || info.Mode()&os.ModeNamedPipe == 0 {
		return in
	}
	fd, err := syscall.Dup(int(file.Fd()))
	if err != nil {
		return in
	}
	syscall.CloseOnExec(fd)
	if syscall.SetNonblock(fd, true) != nil {
		_ = syscall.Close(fd)
		return in
	}
	return os.NewFile(uintptr(fd), file.Name())
}
