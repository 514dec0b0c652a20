//go:build !linux

package tool

import (
	"errors"
	"fmt"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// ownGroup gives the tool a process group, which can be killed as one.
func ownGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// awaitExit returns when the process has ended, and leaves it unreaped.
func awaitExit(process *os.Process) error {
	queue, err := unix.Kqueue()
	if err != nil {
		return fmt.Errorf("wait for tool: %w", err)
	}
	defer unix.Close(queue)
	var exit unix.Kevent_t
	unix.SetKevent(&exit, process.Pid, unix.EVFILT_PROC, unix.EV_ADD|unix.EV_ONESHOT)
	exit.Fflags = unix.NOTE_EXIT
	for {
		_, err := unix.Kevent(queue, []unix.Kevent_t{exit}, make([]unix.Kevent_t, 1), nil)
		if err == nil || errors.Is(err, unix.ESRCH) { // it had ended before
			return nil
		}
		if !errors.Is(err, unix.EINTR) {
			return fmt.Errorf("wait for tool: %w", err)
		}
	}
}
