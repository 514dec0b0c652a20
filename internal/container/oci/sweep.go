//go:build linux

package oci

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"hotcell/internal/container"
	"hotcell/internal/container/cgroup"
)

// Sweep implements container.Engine.
func (e *Engine) Sweep(ctx context.Context) (int, error) {
	leave, err := e.opening.Enter()
	if err != nil {
		return 0, fmt.Errorf("sweep sandboxes: %w", err)
	}
	defer leave()
	mounts, err := e.prepare(ctx)
	if err != nil {
		return 0, fmt.Errorf("sweep sandboxes: %w", err)
	}
	ids, err := e.known()
	if err != nil {
		return 0, fmt.Errorf("sweep sandboxes: %w", err)
	}
	removed, err := e.opening.DestroyLeft(ctx)
	faults := []error{err}
	for _, id := range ids {
		err := e.sweepOne(ctx, id, mounts)
		if errors.Is(err, errLocked) || errors.Is(err, errGone) {
			continue
		}
		if err != nil {
			faults = append(faults, fmt.Errorf("sweep sandbox %s: %w", id, err))
			continue
		}
		removed++
	}
	return removed, errors.Join(faults...)
}

// known returns the sandboxes of which there is a lock or a directory.
func (e *Engine) known() ([]container.ID, error) {
	var names []string
	for _, dir := range []string{e.locksDir(), e.sandboxesDir()} {
		entries, err := os.ReadDir(dir)
		if err != nil {
			return nil, err
		}
		for _, entry := range entries {
			names = append(names, entry.Name())
		}
	}
	slices.Sort(names)
	var ids []container.ID
	for _, name := range slices.Compact(names) {
		id, err := container.ParseID(name)
		if err != nil {
			return nil, fmt.Errorf("state directory holds what is not ours: %w", err)
		}
		ids = append(ids, id)
	}
	return ids, nil
}

func (e *Engine) sweepOne(ctx context.Context, id container.ID, mounts *namespace) error {
	lockFile, err := e.lockKnown(ctx, id)
	if err != nil {
		return err
	}
	s := e.handle(id, mounts)
	s.lockFile = lockFile
	if copied, err := e.isCopy(id); err != nil || copied {
		return errors.Join(err, e.dropCopy(s, copied))
	}
	if s.place, err = s.knownPlace(); err != nil {
		return errors.Join(err, lockFile.Close())
	}
	if err := s.settle(ctx); err != nil {
		return errors.Join(err, lockFile.Close())
	}
	if err := errors.Join(s.endOrphans(ctx), e.removeAny(ctx, s)); err != nil {
		return errors.Join(err, lockFile.Close())
	}
	return s.unlockAtLast()
}

// dropCopy removes the files of a sandbox that is another state directory's, and
// nothing else: that one may live.
func (e *Engine) dropCopy(s *sandbox, copied bool) error {
	if !copied {
		return s.lockFile.Close()
	}
	entries, err := os.ReadDir(e.runtimesDir())
	if err != nil {
		return errors.Join(err, s.lockFile.Close())
	}
	faults := []error{os.RemoveAll(s.dir)}
	for _, entry := range entries {
		faults = append(faults, os.RemoveAll(filepath.Join(e.runtimeRoot(entry.Name()), s.id.String())))
	}
	if err := errors.Join(faults...); err != nil {
		return errors.Join(err, s.lockFile.Close())
	}
	return cmp.Or(s.unlockAtLast(), errGone)
}

// settleTime is many times what the kernel needs from the release of a dying
// owner's lock to the death of the runtime that it had at work.
const settleTime = 100 * time.Millisecond

// settle waits for that death where there may be such a runtime: it writes the pid
// file last.
func (s *sandbox) settle(ctx context.Context) error {
	if exists(s.path(pidFile)) || !exists(s.path(configFile)) {
		return nil
	}
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-time.After(settleTime):
		return nil
	}
}

// endOrphans kills what lives in a sandbox's control group, which may be absent:
// what a dead owner or a runtime that failed has left. Those that are children of
// this process, a subreaper, are waited for here.
func (s *sandbox) endOrphans(ctx context.Context) error {
	group, err := cgroup.Load(s.groupPath())
	if errors.Is(err, cgroup.ErrNotFound) {
		return s.reapDead(ctx)
	}
	if err != nil {
		return err
	}
	pids, err := group.Procs()
	if err != nil {
		return err
	}
	ours := slices.DeleteFunc(pids, func(pid int) bool { return !isChild(pid) })
	if err := group.Kill(ctx); err != nil {
		return err
	}
	if s.hasSentry() && s.anchor != nil { // its children become ours when it dies
		return s.reapSentry(ctx)
	}
	for _, pid := range ours {
		if err := reapKilled(ctx, pid); err != nil {
			return err
		}
	}
	return s.reapDead(ctx)
}

// reapDead waits for those children of this process that ended in the sandbox's group
// before their parent did, a runtime that failed: crun 1.21 does not wait for a process
// that it cannot execute, and runsc for none. On v2 the dead keep the name of their group;
// on v1 they name none, and stay until this process ends.
func (s *sandbox) reapDead(ctx context.Context) error {
	mode, err := cgroup.HostMode()
	if err != nil || mode != cgroup.ModeUnified || s.anchor != nil { // with an anchor, the runtime did not fail
		return err
	}
	files, err := filepath.Glob("/proc/[0-9]*/cgroup")
	if err != nil {
		return err
	}
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil || !strings.Contains(string(content), s.id.String()) {
			continue // it has ended, or is another's
		}
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(file)))
		if err != nil {
			return err
		}
		if !isChild(pid) {
			continue
		}
		if err := reapKilled(ctx, pid); err != nil {
			return err
		}
	}
	return nil
}

// reapKilled waits for a child that is dead, or has been killed and not come to its end.
// One that outlives ctx is waited for in the background. Somebody else may have waited for
// it: a fork that is on its way from a template's group into its sandbox has an owner.
func reapKilled(ctx context.Context, pid int) error {
	killed := &child{pid: pid, done: make(chan struct{})}
	select {
	case <-killed.reap():
		if _, err := killed.status(); !errors.Is(err, errTaken) {
			return err
		}
		return nil
	case <-ctx.Done():
		return fmt.Errorf("wait for process %d: %w", pid, context.Cause(ctx))
	}
}

func isChild(pid int) bool {
	process := child{pid: pid}
	fields, err := process.procStatus()
	return err == nil && fields["PPid"] == strconv.Itoa(unix.Getpid())
}

// removeAny removes a sandbox of which it is not known which runtime made it.
func (e *Engine) removeAny(ctx context.Context, s *sandbox) error {
	entries, err := os.ReadDir(e.runtimesDir())
	if err != nil {
		return err
	}
	var faults []error
	for _, entry := range entries {
		if !slices.Contains(runtimeNames, entry.Name()) { // a name in the state directory chooses no program
			faults = append(faults, fmt.Errorf("%s is of no runtime that this engine knows (%s): remove it", e.runtimeRoot(entry.Name()), strings.Join(runtimeNames, ", ")))
			continue
		}
		s.runtime = e.runtimeFor(entry.Name(), entry.Name(), "")
		faults = append(faults, s.deleteContainer(ctx))
	}
	return errors.Join(append(faults, s.removePlaces())...)
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
