//go:build linux

package oci

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// process is a container's first process, our child since its runtime has ended.
type process struct {
	pid    int
	handle *os.File // pidfd

	reaping sync.Once
	done    chan struct{} // closed when it has been waited for
	result  unix.WaitStatus
	err     error
}

// openProcess relies on pid being our unreaped child, so that the number cannot
// have been given to another process.
func openProcess(pid int) (*process, error) {
	fd, err := unix.PidfdOpen(pid, 0)
	if err != nil {
		return nil, fmt.Errorf("open process %d: %w", pid, err)
	}
	return &process{pid: pid, handle: os.NewFile(uintptr(fd), fmt.Sprintf("pidfd %d", pid)), done: make(chan struct{})}, nil
}

// reap begins to wait for the process and returns a channel that is closed when
// it has ended. Its owner must see to it that it ends.
func (p *process) reap() <-chan struct{} {
	p.reaping.Do(func() {
		go func() {
			defer close(p.done)
			p.result, p.err = wait(p.pid)
		}()
	})
	return p.done
}

func wait(pid int) (unix.WaitStatus, error) {
	for {
		var status unix.WaitStatus
		_, err := unix.Wait4(pid, &status, unix.WALL, nil)
		if errors.Is(err, unix.EINTR) {
			continue
		}
		if errors.Is(err, unix.ECHILD) {
			return 0, fmt.Errorf("wait for process %d: its exit status was taken by another part of this program: "+
				"nothing may reap children that it did not start", pid)
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
	for {
		pid, err := unix.Wait4(-p.command.Process.Pid, nil, unix.WNOHANG|unix.WALL, nil)
		if err != nil && !errors.Is(err, unix.EINTR) {
			return // ECHILD: nobody is left
		}
		if pid > 0 {
			continue
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(time.Millisecond):
		}
	}
}

// status returns how the process ended, once reap's channel is closed.
func (p *process) status() (unix.WaitStatus, error) {
	<-p.done
	return p.result, p.err
}

// end kills the process, and with it every process of its pid namespace, and
// waits until all of them are gone. Idempotent.
func (p *process) end() error {
	if err := unix.PidfdSendSignal(int(p.handle.Fd()), unix.SIGKILL, nil, 0); err != nil && !errors.Is(err, unix.ESRCH) {
		return fmt.Errorf("kill process %d: %w", p.pid, err)
	}
	<-p.reap()
	return nil
}

// procStatus reads /proc/<pid>/status. It works on a zombie, too.
func (p *process) procStatus() (map[string]string, error) {
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

// What /proc/<pid>/status says of seccomp: a filter is on, or it has killed the
// task (Linux 5.16). A guard that makes such a call at once may be gone before we
// look.
const (
	seccompFilter = "2"
	seccompDead   = "3"
)

// awaitSeccomp waits until the kernel says that a filter is on. Runtimes load it
// last, just before they execute the guard. An earlier end is an error.
func (p *process) awaitSeccomp(ctx context.Context) error {
	pause := 100 * time.Microsecond
	for {
		fields, err := p.procStatus()
		if err != nil {
			return err
		}
		if fields["Seccomp"] == seccompFilter || fields["Seccomp"] == seccompDead {
			return nil
		}
		if strings.HasPrefix(fields["State"], "Z") {
			return errors.New("the process ended before it had a filter")
		}
		select {
		case <-ctx.Done():
			return errors.New("the process has no filter")
		case <-time.After(pause):
			pause = min(2*pause, 10*time.Millisecond)
		}
	}
}
