//go:build linux

package oci

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"hotcell/internal/container/cgroup"
)

// Destroy implements container.Sandbox. A step that fails does not keep the next
// ones from being tried, but it keeps the lock: a later Destroy, which our own
// Sweep is too, or the Sweep after our end, tries again.
func (s *sandbox) Destroy(ctx context.Context) error {
	return s.life.Destroy(ctx, func(ctx context.Context) error {
		if err := errors.Join(s.endProcesses(ctx), s.remove(ctx)); err != nil {
			return err
		}
		return s.unlock()
	})
}

// endProcesses kills what lives and closes what we hold of it.
func (s *sandbox) endProcesses(ctx context.Context) error {
	var faults []error
	if s.origin != nil {
		s.origin.close()
	}
	if s.group != nil {
		faults = append(faults, s.group.Thaw()) // on v1 nothing that is frozen ends
	}
	if s.origin != nil && s.guard != nil && s.guard.child != s.anchor.child {
		faults = append(faults, anchor{s.guard.child}.end(ctx)) // before what waits for all of its pid namespace
	}
	if s.anchor != nil {
		faults = append(faults, s.endAnchor(ctx))
	}
	faults = append(faults, s.endOrphans(ctx))
	if s.pipes != nil {
		faults = append(faults, s.pipes.Close())
	}
	if s.output != nil {
		faults = append(faults, s.output.Close())
		s.output = nil
	}
	return errors.Join(faults...)
}

// remove takes away everything but the lock.
func (s *sandbox) remove(ctx context.Context) error {
	return errors.Join(s.deleteContainer(ctx), s.removePlaces())
}

func (s *sandbox) removePlaces() error {
	return errors.Join(cgroup.Remove(s.groupPath()), s.unmountAll(), os.RemoveAll(s.dir))
}

// unlock removes the lock's file while it is held, so that nobody can lock a file
// that is about to go.
func (s *sandbox) unlock() error {
	if err := os.Remove(s.lockFile.Name()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove lock: %w", err)
	}
	if s.anchor != nil {
		s.anchor.handle.Close()
	}
	if s.guard != nil {
		s.guard.handle.Close()
	}
	return s.lockFile.Close()
}

// unlockAtLast is unlock for who has no second try: the lock is let go whatever happens, so
// that the next Sweep, which may be this process's own, has one.
func (s *sandbox) unlockAtLast() error {
	if err := s.unlock(); err != nil {
		return errors.Join(err, closeAll(s.lockFile))
	}
	return nil
}
