//go:build linux

package oci

import (
	"errors"
	"fmt"

	"golang.org/x/sys/unix"
)

// anchor is the first process of a sandbox's pid namespace, which dies with it: what ends
// the sandbox ends this one. It need not be the one that runs the guard.
type anchor struct{ *child }

// end kills every process of the pid namespace, and waits until all of them are gone.
// Idempotent.
func (a anchor) end() error {
	if err := unix.PidfdSendSignal(int(a.handle.Fd()), unix.SIGKILL, nil, 0); err != nil && !errors.Is(err, unix.ESRCH) {
		return fmt.Errorf("kill process %d: %w", a.pid, err)
	}
	<-a.reap()
	return nil
}
