//go:build !unix || solaris || aix

package explain

import (
	"os"
	"strconv"
	"strings"
)

// lockDir reports whether the folder is free. Where folders cannot be locked,
// the process that the log names is looked for: on Windows FindProcess fails
// for a process that is gone.
func lockDir(dir string) (locked bool, unlock func()) {
	m, err := Replay(dir)
	if err != nil || m.Start.token == "" {
		return true, func() {}
	}
	id, _, _ := strings.Cut(m.Start.token, "-")
	pid, err := strconv.Atoi(id)
	if err != nil {
		return true, func() {}
	}
	p, err := os.FindProcess(pid)
	if err != nil {
		return true, func() {}
	}
	_ = p.Release()
	return false, func() {}
}
