//go:build unix && !solaris && !aix

package explain

import (
	"errors"
	"syscall"
)

// lockDir takes the folder until unlock is called, or for the rest of this
// process' life. The kernel drops the lock when the process ends, however it
// ends, and no lock file is needed. File systems that cannot lock are taken as free.
func lockDir(dir string) (locked bool, unlock func()) {
	fd, err := syscall.Open(dir, syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
	if err != nil {
		return true, func() {}
	}
	unlock = func() { _ = syscall.Close(fd) }
	err = syscall.Flock(fd, syscall.LOCK_EX|syscall.LOCK_NB)
	if err == nil {
		return true, unlock
	}
	unlock()
	return !errors.Is(err, syscall.EWOULDBLOCK), func() {}
}
