//go:build linux

package oci

import (
	"context"
	"errors"
	"fmt"
	"os"
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
	handles  int          // that the template has open while it waits
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
	t.census.handles, err = t.openHandles()
	return err
}

func (t *template) openHandles() (int, error) {
	open, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", t.box.guard.pid))
	return len(open), err
}

// requireAlone waits for a moment in which the template's control group holds what was asked
// for, and the template has open what it had. Where there is none it is killed, and all
// that came from it and is still in its group: nothing more is to come from it.
func (t *template) requireAlone(ctx context.Context) error {
	ctx, cancel := context.WithTimeoutCause(ctx, censusTime, errStrangers)
	defer cancel()
	for pause := 100 * time.Microsecond; ; pause = min(2*pause, 10*time.Millisecond) {
		alone, err := t.isAlone()
		if err != nil {
			return t.stderr.Explain(fmt.Errorf("count what the template has forked: %w", err))
		}
		if alone {
			return nil
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

func (t *template) isAlone() (bool, error) {
	pids, err := t.box.group.Procs()
	if err != nil {
		return false, err
	}
	handles, err := t.openHandles()
	if err != nil {
		return false, err
	}
	return t.census.strangers(pids, t.box.guard.pid) == 0 && handles <= t.census.handles, nil
}
