//go:build linux

package oci

import (
	"context"
	"errors"
	"fmt"

	"golang.org/x/sys/unix"
)

// anchor is the first process of a sandbox's pid namespace, which dies with it: what ends
// the sandbox ends this one. It need not be the one that runs the guard.
type anchor struct{ *child }

// end kills every process of the pid namespace, and waits until all of them are gone or
// ctx ends: the kernel lets none of them die that somebody has frozen, and a tracer or a
// disk that does not answer may keep one. Idempotent.
func (a anchor) end(ctx context.Context) error {
	if err := unix.PidfdSendSignal(int(a.handle.Fd()), unix.SIGKILL, nil, 0); err != nil && !errors.Is(err, unix.ESRCH) {
		return fmt.Errorf("kill process %d: %w", a.pid, err)
	}
	select {
	case <-a.reap():
		return nil
	case <-ctx.Done():
		return fmt.Errorf("process %d was killed and lives on: see whether its control group is frozen, or who traces it: %w", a.pid, context.Cause(ctx))
	}
}
