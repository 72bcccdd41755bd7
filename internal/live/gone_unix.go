//go:build unix

package live

import (
	"errors"
	"syscall"
)

// gone reports whether no process of this machine has that number.
func gone(pid int) bool { return errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) }
