//go:build linux

package oci

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"hotcell/internal/container"
	"hotcell/internal/container/cgroup"
)

// A template that was taken over, by way of the data that it has read, forks more than it was
// asked for: a process that stays behind in a sandbox's namespaces could read and write there
// during its run and after, within the limits of nobody. Or it keeps descriptors of those
// namespaces, or of a run's streams. Or it does so for as long as nobody looks.
//
// So one sandbox at a time is made from a template, and before that is given out, all that can
// have had a part in it stands still: the control groups of both are frozen while they are
// looked at. Once there is nothing else, nothing can come back.

// censusTime bounds how long a template may take to be alone again. An honest one lets go of
// what it was given as soon as it has forked.
const censusTime = 5 * time.Second

// giveUpTime is censusTime for a sandbox that nobody waits for any more.
const giveUpTime = 2 * time.Second

var (
	errStrangers     = errors.New("the template has forked, or kept open, more than it was asked for")
	errTemplateEnded = errors.New("the template has ended")
)

// turnTime is how long somebody waits for others to have theirs. A template that was taken over
// lets each take forkTime.
const turnTime = 2 * time.Second

// takeTurn waits until no other sandbox is being made from the template, but not for long: then
// it is container.ErrBusy.
func (t *template) takeTurn(ctx context.Context) error {
	select {
	case t.turn <- struct{}{}:
		return nil
	case <-t.Dead():
		return errTemplateEnded
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-time.After(turnTime):
		return container.ErrBusy
	}
}

// endTurn is called once the sandbox was verified, or is no more. Where there is none, the
// template has to be alone again, or is killed.
func (t *template) endTurn(ctx context.Context, made bool) error {
	defer func() { <-t.turn }()
	if made {
		return nil
	}
	ctx, cancel := context.WithTimeoutCause(context.WithoutCancel(ctx), giveUpTime, errStrangers)
	defer cancel()
	err := t.requireAlone(ctx, func() error { return nil })
	if errors.Is(err, errTemplateEnded) {
		return nil
	}
	return err
}

// kill ends a template from which nothing more is to come, if it has not ended.
func (t *template) kill() error {
	err := unix.PidfdSendSignal(int(t.box.guard.handle.Fd()), unix.SIGKILL, nil, 0)
	if errors.Is(err, unix.ESRCH) {
		return nil
	}
	return err
}

// beginCensus notes what the template holds before the first demand.
func (t *template) beginCensus(ctx context.Context) error {
	return whileStill(ctx, func() (err error) {
		t.holds, err = holdingsOf(t.box.guard.pid)
		return errors.Join(err, t.requireFew(), nothingShared(t.box))
	}, t.box.group)
}

// requireFew wants that to be no more than it needs: what it had besides, its forks would have
// in common.
func (t *template) requireFew() error {
	ours, err := t.box.pipes.inodes()
	if err != nil {
		return err
	}
	wanted := map[string]int{"/dev/null": 1, "socket": 1}
	for _, inode := range ours {
		wanted[pipeTarget(inode)] = 2 // at most, for which is which does not matter
	}
	for _, one := range t.holds.open {
		target, _, _ := strings.Cut(one, " ")
		if strings.HasPrefix(target, "socket:") {
			target = "socket"
		}
		if wanted[target]--; wanted[target] < 0 {
			return fmt.Errorf("the template has something open that it does not need: %q", one)
		}
	}
	return nil
}

// holdings are by what a process gets at files and namespaces, but for what it has mapped.
type holdings struct {
	open   []string // what its descriptors lead to, sorted: pipes and sockets by their inodes, and each with the mount that it is on
	places []string // its current directory, its root and its namespaces
}

// holdingsOf is for a process that stands still, or what it is just closing is an error.
func holdingsOf(pid int) (found holdings, err error) {
	dir := fmt.Sprintf("/proc/%d/", pid)
	open, err := os.ReadDir(dir + "fd")
	if err != nil {
		return holdings{}, err
	}
	for _, one := range open {
		target, err := os.Readlink(filepath.Join(dir, "fd", one.Name()))
		if err != nil {
			return holdings{}, err
		}
		mount, err := mountOfDescriptor(pid, one.Name())
		if err != nil {
			return holdings{}, err
		}
		found.open = append(found.open, target+" "+mount)
	}
	slices.Sort(found.open)
	for _, name := range []string{"cwd", "root"} {
		place, err := placeOf(dir + name)
		if err != nil {
			return holdings{}, err
		}
		found.places = append(found.places, name+" "+place)
	}
	namespaces, err := namespacesOf(pid)
	found.places = append(found.places, namespaces...)
	return found, err
}

// placeOf is a directory, by its inode and the mount that it is on.
func placeOf(path string) (string, error) {
	stat, err := statx(path, unix.STATX_INO, 0)
	return fmt.Sprintf("%d:%d %d on %d", stat.Dev_major, stat.Dev_minor, stat.Ino, stat.Mnt_id), err
}

// namespacesOf are all that the kernel knows of.
func namespacesOf(pid int) (found []string, err error) {
	dir := fmt.Sprintf("/proc/%d/ns", pid)
	names, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		namespace, err := os.Readlink(filepath.Join(dir, name.Name()))
		if err != nil {
			return nil, err
		}
		found = append(found, name.Name()+" "+namespace)
	}
	return found, nil
}

func pipeTarget(inode uint64) string { return fmt.Sprintf("pipe:[%d]", inode) }

// requireAlone waits for a moment in which the template has nothing open but what it had, and is
// alone in its control group, and looks at the rest then: while nothing runs in the
// template's group and in those of others. Where there is no such moment, or the rest is not as it
// should be, the template is killed: nothing more is to come from it.
func (t *template) requireAlone(ctx context.Context, rest func() error, others ...*cgroup.Group) error {
	ctx, cancel := context.WithTimeoutCause(ctx, censusTime, errStrangers)
	defer cancel()
	for pause := 100 * time.Microsecond; ; pause = min(2*pause, 10*time.Millisecond) {
		alone, fault := false, error(nil)
		err := whileStill(ctx, func() (err error) {
			if alone, err = t.isAlone(); err == nil && alone {
				if fault = nothingShared(t.box); fault == nil {
					fault = rest()
				}
			}
			return err
		}, append(others, t.box.group)...)
		if err == nil && alone && fault == nil {
			return nil
		}
		if err == nil && fault == nil {
			select {
			case <-time.After(pause):
				continue
			case <-t.Dead():
				err = errTemplateEnded
			case <-ctx.Done():
				err = context.Cause(ctx)
			}
		}
		// What is honest is found as it should be, and what is not would be asked again and again.
		if err = errors.Join(err, fault); fault != nil || errors.Is(err, errStrangers) {
			err = errors.Join(err, t.kill())
		}
		return t.stderr.Explain(err)
	}
}

// whileStill calls look while no process of the groups runs.
func whileStill(ctx context.Context, look func() error, groups ...*cgroup.Group) (err error) {
	for _, group := range groups {
		defer func() { err = errors.Join(err, group.Thaw()) }()
		if err := group.Freeze(ctx); err != nil {
			return err
		}
	}
	return look()
}

func (t *template) isAlone() (bool, error) {
	pids, err := t.box.group.Procs()
	if err != nil || !slices.Equal(pids, []int{t.box.guard.pid}) {
		return false, err
	}
	count, err := threads(t.box.guard.pid)
	if err != nil || count != 1 {
		return false, err
	}
	holds, err := holdingsOf(t.box.guard.pid)
	if err != nil || !slices.Equal(holds.open, t.holds.open) || !slices.Equal(holds.places, t.holds.places) {
		return false, err
	}
	return true, nil
}
