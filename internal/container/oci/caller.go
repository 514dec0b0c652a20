//go:build linux

package oci

import (
	"errors"
	"fmt"
	"os"
	"os/signal"
	"unsafe"

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
		named("set processors", unix.SchedSetaffinity(0, &processors)), ordinaryTurn(),
		ordinaryMemory(), ordinarySignals(),
		named("set timer slack", unix.Prctl(unix.PR_SET_TIMERSLACK, ordinarySlack, 0, 0, 0)))
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

// ordinarySlack is the kernel's own, in nanoseconds. A thread inherits that of the one
// that made it; 0 would be the inherited one again.
const ordinarySlack = 50_000

// ordinaryMask are the sorts of memory that a core dump has, as the kernel begins: a
// handler on the host gets one whatever RLIMIT_CORE says.
const ordinaryMask = "0x33"

// ordinaryMemory undoes what a caller has said of its memory. Merging of equal pages,
// once it is inherited, lets one sandbox learn from timings what another one holds.
// The first two and the mask are of this whole process, which is no worse for it.
func ordinaryMemory() error {
	const byDefault = 0 // MPOL_DEFAULT
	_, _, policy := unix.Syscall(unix.SYS_SET_MEMPOLICY, byDefault, 0, 0)
	merge := unix.Prctl(unix.PR_SET_MEMORY_MERGE, 0, 0, 0, 0)
	for _, absent := range []error{unix.EINVAL, unix.ENOSYS} { // kernels without NUMA or KSM
		if errors.Is(merge, absent) {
			merge = nil
		}
		if errors.Is(policy, absent) {
			policy = 0
		}
	}
	return errors.Join(
		named("set merging of memory", merge), named("set huge pages", unix.Prctl(unix.PR_SET_THP_DISABLE, 0, 0, 0, 0)),
		named("set memory policy", errorOf(policy)),
		named("set what is dumped", os.WriteFile("/proc/self/coredump_filter", []byte(ordinaryMask), 0))) //nolint:forbidigo // the kernel's
}

// ordinarySignals unblocks all signals for this thread and what it starts, and has
// those that are ignored caught, and forgotten: what is caught execve(2) resets, what
// is ignored stays so, in the sandbox too. A terminal's signals can be unignored for
// a program by signal.Notify alone; others Go does not know, and nobody sends.
func ordinarySignals() error {
	var faults []error
	for number := unix.Signal(1); number < signals; number++ {
		ignored, err := isIgnored(number)
		switch {
		case err != nil || !ignored || number == unix.SIGKILL || number == unix.SIGSTOP:
			faults = append(faults, err)
		case number < firstRealTime:
			signal.Notify(forgotten, number)
		default:
			faults = append(faults, setDefault(number))
		}
	}
	return errors.Join(append(faults, named("unblock signals", unix.PthreadSigmask(unix.SIG_SETMASK, &unix.Sigset_t{}, nil)))...)
}

const (
	signals       = 65
	firstRealTime = 32
)

// forgotten is never read: what does not fit is dropped.
var forgotten = make(chan os.Signal, 1)

// sigaction is the kernel's, with what a handler needs on every architecture.
type sigaction struct {
	handler         uintptr
	flags, restorer uint64
	mask            uint64
}

func isIgnored(number unix.Signal) (bool, error) {
	const ignore = 1 // SIG_IGN
	var action sigaction
	_, _, errno := unix.RawSyscall6(unix.SYS_RT_SIGACTION, uintptr(number), 0, uintptr(unsafe.Pointer(&action)), unsafe.Sizeof(action.mask), 0, 0) // #nosec G103 -- the kernel fills it during the call
	return action.handler == ignore, named("look at signal", errorOf(errno))
}

func setDefault(number unix.Signal) error {
	var action sigaction
	_, _, errno := unix.RawSyscall6(unix.SYS_RT_SIGACTION, uintptr(number), uintptr(unsafe.Pointer(&action)), 0, unsafe.Sizeof(action.mask), 0, 0) // #nosec G103 -- the kernel reads it during the call
	return named("reset signal", errorOf(errno))
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
