//go:build linux

package oci

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"hotcell/internal/container"
)

// A template forks, and what it forks becomes this process's child. One that was taken
// over, by way of the data that it has read, forks more than it was asked for. Nobody
// knows of those, and so nobody waits for them: they are strays.

func pidNamespaceOf(pid int) string { return fmt.Sprintf("/proc/%d/ns/pid", pid) }

// The first look for strays is when a sandbox without them has ended.
const (
	firstStrayLook = 20 * time.Millisecond
	lastStrayLook  = time.Second
)

// endAnchor ends the anchor, and with it the pid namespace, which does not end before all
// that was in it has been waited for.
func (s *sandbox) endAnchor(ctx context.Context) error {
	if s.origin == nil {
		return s.anchor.end(ctx)
	}
	ended := make(chan error, 1)
	go func() { ended <- s.anchor.end(ctx) }()
	for pause := firstStrayLook; ; pause = min(2*pause, lastStrayLook) {
		select {
		case err := <-ended:
			return err
		case <-time.After(pause):
			if err := s.reapStrays(); err != nil {
				s.logger.Debug("could not end what a fork has left", "sandbox", s.id, "reason", err)
			}
		}
	}
}

// reapStrays waits for those in the sandbox's pid namespace that are dead and are nobody's
// guard. Where somebody who came from the template is their parent, and does not wait for
// them, it is killed: then they are ours.
func (s *sandbox) reapStrays() error {
	return forEachDead(func(pid, parent int) error {
		if !isIn(pid, s.pidNamespace) || pid == s.anchor.pid || s.guard != nil && pid == s.guard.pid {
			return nil // another sandbox's, or waited for
		}
		if parent == os.Getpid() {
			return reapDeadChild(pid)
		}
		return s.origin.endOwn(parent)
	})
}

// isIn tells whether the process is there, and in the pid namespace.
func isIn(pid int, namespace string) bool {
	theirs, err := os.Readlink(pidNamespaceOf(pid))
	return err == nil && theirs == namespace
}

// endOwn kills what has come from the fork's template.
func (f *fork) endOwn(pid int) error {
	process, err := f.openSender(pid)
	if err != nil {
		return err
	}
	return errors.Join(unix.PidfdSendSignal(int(process.handle.Fd()), unix.SIGKILL, nil, 0), process.handle.Close())
}

// reapForked waits for the children of this process that a template has forked and left
// dead. They have its user, or one of the sandboxes' without being in a pid namespace of
// any, as no other child of this process is.
func (s *sandbox) reapForked() error {
	own, err := os.Readlink(pidNamespaceOf(os.Getpid()))
	if err != nil {
		return err
	}
	return forEachDead(func(pid, parent int) error {
		if parent != os.Getpid() || !isIn(pid, own) || s.anchor != nil && pid == s.anchor.pid {
			return nil
		}
		ids := container.DefaultIDRange()
		user, err := userOf(pid)
		ofSandbox := user >= ids.First && user-ids.First < ids.Count
		if err == nil && (user == s.template.user || ofSandbox) {
			err = reapDeadChild(pid)
		}
		return err
	})
}

// forEachDead calls do for every process that is dead and has not been waited for.
func forEachDead(do func(pid, parent int) error) error {
	dirs, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		return err
	}
	var faults []error
	for _, dir := range dirs {
		pid, err := strconv.Atoi(filepath.Base(dir))
		if err != nil {
			return err
		}
		fields, err := (&child{pid: pid}).procStatus()
		if err != nil || !strings.HasPrefix(fields["State"], "Z") {
			continue
		}
		parent, err := strconv.Atoi(fields["PPid"])
		faults = append(faults, err)
		if err == nil {
			faults = append(faults, do(pid, parent))
		}
	}
	return errors.Join(faults...)
}

func userOf(pid int) (uint32, error) {
	fields, err := (&child{pid: pid}).procStatus()
	if err != nil {
		return 0, err
	}
	own, _, _ := strings.Cut(fields["Uid"], "\t")
	user, err := strconv.ParseUint(own, 10, 32)
	return uint32(user), err
}

// reapDeadChild does not wait: somebody else may have.
func reapDeadChild(pid int) error {
	if _, err := unix.Wait4(pid, nil, unix.WNOHANG|unix.WALL, nil); err != nil && !errors.Is(err, unix.ECHILD) {
		return fmt.Errorf("wait for process %d: %w", pid, err)
	}
	return nil
}
