//go:build linux

package oci

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// census knows what a template has been asked to fork. One that was taken over, by way of
// the data that it has read, forks more than that: a process that stays behind in a
// sandbox's namespaces could read and write there during its run and after, within the
// limits of nobody. Or it keeps descriptors of those namespaces, and with them their memory.
type census struct {
	mu       sync.Mutex
	expected map[int]bool // forks on their way
	handles  []string     // what the template has open while it waits, sorted
}

// censusTime bounds how long forks on their way may hide whether there are others. Each
// is unknown for about a millisecond.
const censusTime = 5 * time.Second

var errStrangers = errors.New("the template has forked, or kept open, more than it was asked for")

func (c *census) expect(pid int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.expected == nil {
		c.expected = map[int]bool{}
	}
	c.expected[pid] = true
}

func (c *census) forget(pids ...int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, pid := range pids {
		delete(c.expected, pid)
	}
}

// strangers counts the processes that nobody has asked for.
func (c *census) strangers(pids []int, own int) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	count := 0
	for _, pid := range pids {
		if pid != own && !c.expected[pid] {
			count++
		}
	}
	return count
}

// beginCensus notes what the template has open before the first demand.
func (t *template) beginCensus() (err error) {
	t.census.handles, err = handlesOf(t.box.guard.pid)
	return err
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
	for _, one := range t.census.handles {
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

// handlesOf is what the descriptors of a process lead to, sorted: pipes and sockets by their
// inodes, and each with the mount that it is on.
func handlesOf(pid int) (found []string, err error) {
	dir := fmt.Sprintf("/proc/%d/fd", pid)
	open, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	for _, one := range open {
		target, err := os.Readlink(filepath.Join(dir, one.Name()))
		if err == nil {
			var mount string
			mount, err = mountOfDescriptor(pid, one.Name())
			target += " " + mount
		}
		if errors.Is(err, fs.ErrNotExist) {
			continue // it has just been closed
		}
		if err != nil {
			return nil, err
		}
		found = append(found, target)
	}
	slices.Sort(found)
	return found, nil
}

func pipeTarget(inode uint64) string { return fmt.Sprintf("pipe:[%d]", inode) }

// requireAlone waits for a moment in which the template's control group holds what was asked
// for, each of it one thread, the template has nothing open but what it had, and nobody else
// there has one of the run's pipes. Where there is none the template is killed: nothing more is to come from it.
func (t *template) requireAlone(ctx context.Context, pipes []uint64) error {
	ctx, cancel := context.WithTimeoutCause(ctx, censusTime, errStrangers)
	defer cancel()
	began, quiet := time.Now(), false
	for pause := 100 * time.Microsecond; ; pause = min(2*pause, 10*time.Millisecond) {
		alone, err := t.isAlone(pipes)
		if err != nil {
			return t.stderr.Explain(fmt.Errorf("count what the template has forked: %w", err))
		}
		if alone {
			return nil
		}
		if !quiet && time.Since(began) > censusTime/5 && t.mu.TryLock() {
			defer t.mu.Unlock() // no further demand: what is on its way comes to its end
			quiet = true
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			err := context.Cause(ctx)
			if errors.Is(err, errStrangers) {
				err = errors.Join(err, unix.PidfdSendSignal(int(t.box.guard.handle.Fd()), unix.SIGKILL, nil, 0))
			}
			return err
		}
	}
}

func (t *template) isAlone(pipes []uint64) (bool, error) {
	pids, err := t.box.group.Procs()
	if err != nil {
		return false, err
	}
	open, err := handlesOf(t.box.guard.pid)
	if err != nil || !slices.Equal(open, t.census.handles) {
		return false, err
	}
	for _, pid := range pids {
		count, err := threads(pid)
		if hasEnded(err) {
			continue
		}
		if err != nil || count != 1 || pid != t.box.guard.pid && holdsAny(pid, pipes) {
			return false, nil
		}
	}
	// Who has forked meanwhile could have handed on what it is seen to have let go of.
	again, err := t.box.group.Procs()
	if err != nil || !slices.Equal(pids, again) {
		return false, err
	}
	return t.census.strangers(pids, t.box.guard.pid) == 0, nil
}

// hasEnded tells whether there was no such process any more, by what reading of it in /proc said.
func hasEnded(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, unix.ESRCH)
}

// holdsAny tells whether the process has one of the pipes open. One that has ended has not.
func holdsAny(pid int, pipes []uint64) bool {
	open, err := handlesOf(pid)
	if err != nil {
		return !hasEnded(err)
	}
	return slices.ContainsFunc(open, func(one string) bool {
		target, _, _ := strings.Cut(one, " ")
		return slices.ContainsFunc(pipes, func(inode uint64) bool { return target == pipeTarget(inode) })
	})
}
