//go:build linux

package oci

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"time"
)

// openSender opens the process that has said something, if it is still there. What a
// template has taken over may say something and end, so that by now another process of the
// host has the number: that one is not in the template's control group, which no process
// leaves by itself.
func (f *fork) openSender(pid int) (*child, error) {
	process, err := openChild(pid)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(f.template.box.group.Holds(pid), process.requireThere()); err != nil {
		return nil, errors.Join(fmt.Errorf("the fork has not come from its template: %w", err), process.handle.Close())
	}
	return process, nil
}

// adoptFork takes a process over as the sandbox's guard: one that is in every namespace of
// the sandbox, and by now a child of this process's, because the envoy has ended. Nobody
// waits for it before it is in the sandbox's control group, so that its number stays its own
// even if it dies; and none that is not the sandbox's is ever waited for, or killed.
func (s *sandbox) adoptFork(ctx context.Context, guard *child) error {
	err := s.requireOwnFork(ctx, guard)
	if err != nil {
		return errors.Join(err, guard.handle.Close())
	}
	s.guard = &guardProcess{guard}
	if s.anchorTasks, err = s.group.Tasks(); err != nil {
		return err
	}
	if err := s.group.AddProc(guard.pid); err != nil {
		return err
	}
	guard.reap() // a pid namespace does not end before all of it has been waited for
	return s.limitPIDs()
}

func (s *sandbox) requireOwnFork(ctx context.Context, guard *child) error {
	if guard.pid == s.anchor.pid { // in its own pid namespace it could say so
		return errors.New("the fork gives itself out for the runtime's process")
	}
	if err := awaitChild(ctx, guard); err != nil {
		return err
	}
	return s.requireNamespaces(guard.pid)
}

// awaitChild waits until the process is this one's child, which then keeps its number until
// it is waited for.
func awaitChild(ctx context.Context, process *child) error {
	for {
		fields, err := process.procStatus()
		if err == nil {
			err = process.requireThere() // so it is its own status
		}
		if err != nil {
			return err
		}
		if fields["PPid"] == strconv.Itoa(os.Getpid()) {
			return nil
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(100 * time.Microsecond):
		}
	}
}
