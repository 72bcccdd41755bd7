//go:build unix && !solaris && !aix

package explain

import (
	"errors"
	"syscall"
)

// lockDir takes the folder for the rest of this process' life. The kernel drops
// the lock when the process ends, however it ends, and no lock file is needed.
// The descriptor is deliberately never closed. File systems that cannot lock
// are taken as free.
func lockDir(dir string) bool {
	fd, err := syscall.Open(dir, syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
	if err != nil {
		return true
	}
	err = syscall.Flock(fd, syscall.LOCK_EX|syscall.LOCK_NB)
	if err == nil {
		return true
	}
	_ = syscall.Close(fd)
	return !errors.Is(err, syscall.EWOULDBLOCK)
}
