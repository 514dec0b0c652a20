//go:build linux

package oci

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// child is a process of a sandbox that is our child since its runtime has ended: we alone
// wait for it.
type child struct {
	pid    int
	handle *os.File // pidfd

	reaping sync.Once
	done    chan struct{} // closed when it has been waited for
	result  unix.WaitStatus
	err     error
}

// openChild relies on pid being our unreaped child, so that the number cannot
// have been given to another process.
func openChild(pid int) (*child, error) {
	fd, err := unix.PidfdOpen(pid, 0)
	if err != nil {
		return nil, fmt.Errorf("open process %d: %w", pid, err)
	}
	return &child{pid: pid, handle: os.NewFile(uintptr(fd), fmt.Sprintf("pidfd %d", pid)), done: make(chan struct{})}, nil
}

// requireThere wants the process not to have been waited for, so that its number is its own.
func (p *child) requireThere() error {
	if err := unix.PidfdSendSignal(int(p.handle.Fd()), 0, nil, 0); err != nil {
		return fmt.Errorf("process %d: %w", p.pid, err)
	}
	return nil
}

// reap begins to wait for the process and returns a channel that is closed when
// it has ended. Its owner must see to it that it ends.
func (p *child) reap() <-chan struct{} {
	p.reaping.Do(func() {
		go func() {
			defer close(p.done)
			p.result, p.err = wait(p.pid)
		}()
	})
	return p.done
}

var errTaken = errors.New("its exit status was taken by another part of this program: nothing may reap children that it did not start")

func wait(pid int) (unix.WaitStatus, error) {
	for {
		var status unix.WaitStatus
		_, err := unix.Wait4(pid, &status, unix.WALL, nil)
		if errors.Is(err, unix.EINTR) {
			continue
		}
		if errors.Is(err, unix.ECHILD) {
			return 0, fmt.Errorf("wait for process %d: %w", pid, errTaken)
		}
		return status, err
	}
}

// reapOrphans waits for what a runtime that failed left of its process group,
// which is our children since it ended. What does not end in time is in the
// control group and dies with that.
func (p *pipes) reapOrphans(ctx context.Context) {
	if p.command == nil || p.command.Process == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	_ = reapGroup(ctx, p.command.Process.Pid)
}

// reapGroup waits for the children of this process in a process group until that is
// empty. Its number cannot be given to another one before.
func reapGroup(ctx context.Context, group int) error {
	for {
		pid, err := unix.Wait4(-group, nil, unix.WNOHANG|unix.WALL, nil)
		if pid > 0 || errors.Is(err, unix.EINTR) {
			continue
		}
		if errors.Is(unix.Kill(-group, 0), unix.ESRCH) {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("reap process group %d: %w", group, context.Cause(ctx))
		case <-time.After(time.Millisecond):
		}
	}
}

// status returns how the process ended, once reap's channel is closed.
func (p *child) status() (unix.WaitStatus, error) {
	<-p.done
	return p.result, p.err
}

// procStatus reads /proc/<pid>/status. It works on a zombie, too.
func (p *child) procStatus() (map[string]string, error) {
	content, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.pid))
	if err != nil {
		return nil, fmt.Errorf("read status of process %d: %w", p.pid, err)
	}
	fields := map[string]string{}
	for line := range strings.Lines(string(content)) {
		name, value, _ := strings.Cut(line, ":")
		fields[name] = strings.TrimSpace(value)
	}
	return fields, nil
}

// threads is how many the process with this id has, and 1 for a zombie. What of it is looked
// at in /proc/<pid> is its first one's: another may have other descriptors, credentials and
// filters.
func threads(pid int) (int, error) {
	fields, err := (&child{pid: pid}).procStatus()
	if err != nil {
		return 0, err
	}
	count, err := strconv.Atoi(fields["Threads"])
	if err != nil {
		return 0, fmt.Errorf("read status of process %d: its threads: %w", pid, err)
	}
	return count, nil
}
