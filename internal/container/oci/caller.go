//go:build linux

package oci

import (
	"errors"
	"fmt"

	"golang.org/x/sys/unix"
)

// forgetCaller gives this thread, and so the processes that it starts, what a process
// has that nobody has treated in a special way. The kernel hands all of this on over
// fork(2) and execve(2), and the runtimes set none of it: a sandbox would be without
// address randomisation because its runner was started so (setarch -R, a debugger), or
// run before every process of the host, and past its share of the processors, because
// its runner is a real-time process. The thread must end afterwards, see onThread.
func forgetCaller() error {
	var processors unix.CPUSet
	processors.Fill() // the kernel takes off those that the control group has not
	const onProcess, noClass = 1, 0
	_, _, persona := unix.Syscall(unix.SYS_PERSONALITY, 0, 0, 0)
	_, _, disk := unix.Syscall(unix.SYS_IOPRIO_SET, onProcess, 0, noClass)
	err := errors.Join(
		named("set personality", errorOf(persona)), named("set priority for disks", errorOf(disk)),
		named("set processors", unix.SchedSetaffinity(0, &processors)), ordinaryTurn())
	if err != nil {
		return fmt.Errorf("give sandbox what no caller has changed: %w", err)
	}
	return nil
}

// ordinaryTurn is what every process has that is neither nice nor urgent.
func ordinaryTurn() error {
	err := unix.SchedSetAttr(0, &unix.SchedAttr{Size: unix.SizeofSchedAttr, Policy: unix.SCHED_NORMAL}, 0)
	if errors.Is(err, unix.EPERM) {
		return fmt.Errorf("set scheduling: %w: start the runner without nice(1), or with CAP_SYS_NICE", err)
	}
	return named("set scheduling", err)
}

func errorOf(errno unix.Errno) error {
	if errno == 0 {
		return nil
	}
	return errno
}

func named(action string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", action, err)
}
