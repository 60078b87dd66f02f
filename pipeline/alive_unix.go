//go:build unix

package pipeline

import (
	"errors"
	"syscall"
)

// processAlive asks with the null signal; a process that belongs to somebody
// else exists too.
func processAlive(pid int) bool {
	if pid <= 0 {
		return false
	}
	err := syscall.Kill(pid, 0)
	return err == nil || errors.Is(err, syscall.EPERM)
}
