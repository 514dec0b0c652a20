//go:build cgo

package parse

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	libseccomp "github.com/seccomp/libseccomp-golang"
	"golang.org/x/sys/unix"

	"hotcell/internal/source"
)

// confine leaves this process, in all of its threads and for good, with the file at its
// standard input, its standard output, and memory that holds no new code.
func confine() error {
	// What Go makes for its timers it makes now, or never.
	time.Sleep(time.Nanosecond)
	if err := onlyStandard(); err != nil {
		return err
	}
	// A process that another of the same user may look into, or that dumps its core, gives the
	// source away.
	if err := unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0); err != nil {
		return fmt.Errorf("set dumpable: %w", err)
	}
	for _, limit := range []struct {
		what int
		most uint64
	}{
		{unix.RLIMIT_AS, source.MaxMemory}, {unix.RLIMIT_CPU, source.MaxSeconds}, {unix.RLIMIT_FSIZE, 0},
		{unix.RLIMIT_NOFILE, 0}, {unix.RLIMIT_CORE, 0}, {unix.RLIMIT_MEMLOCK, 0},
	} {
		if err := lower(limit.what, limit.most); err != nil {
			return fmt.Errorf("set limit %d: %w", limit.what, err)
		}
	}
	return filter()
}

// lower sets a limit, or leaves a lower one, which nobody but root could raise.
func lower(what int, most uint64) error {
	var now unix.Rlimit
	if err := unix.Getrlimit(what, &now); err != nil {
		return err
	}
	most = min(most, now.Max)
	return unix.Setrlimit(what, &unix.Rlimit{Cur: most, Max: most})
}

// onlyStandard closes what else was inherited: no filter tells one descriptor from another.
func onlyStandard() error {
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return fmt.Errorf("look at descriptors: %w", err)
	}
	for _, entry := range entries {
		leads, err := os.Readlink("/proc/self/fd/" + entry.Name())
		descriptor, isNone := strconv.Atoi(entry.Name())
		isGo := leads == "anon_inode:[eventpoll]" || leads == "anon_inode:[eventfd]"
		if err != nil || isNone != nil || isGo || descriptor <= 2 {
			continue // the directory itself is closed by now
		}
		if err := unix.Close(descriptor); err != nil {
			return fmt.Errorf("close descriptor %d: %w", descriptor, err)
		}
	}
	return nil
}

// calls are those that a process of Go needs to compute and to read and write what it has
// open. None names a file, an address or another process.
var calls = strings.Fields(`read pread64 lseek fstat write writev close
	munmap madvise brk mremap futex sched_yield sched_getaffinity nanosleep clock_nanosleep clock_gettime clock_getres gettimeofday getrandom
	getpid gettid rt_sigaction rt_sigprocmask rt_sigreturn sigaltstack restart_syscall set_robust_list rseq exit exit_group
	epoll_wait epoll_pwait epoll_pwait2 epoll_ctl`)

// filter refuses all other calls with EPERM, and those of another architecture with death.
func filter() (err error) {
	made, err := libseccomp.NewFilter(libseccomp.ActErrno.SetReturnCode(int16(unix.EPERM)))
	if err != nil {
		return fmt.Errorf("make filter: %w", err)
	}
	defer made.Release()
	if err := errors.Join(made.SetBadArchAction(libseccomp.ActKillProcess), made.SetNoNewPrivsBit(true)); err != nil {
		return fmt.Errorf("make filter: %w", err)
	}
	for _, name := range calls {
		if err := allow(made, name, libseccomp.ActAllow); err != nil {
			return err
		}
	}
	const thread = unix.CLONE_VM | unix.CLONE_THREAD
	for _, rule := range []struct {
		name     string
		argument uint
		mask     uint64
		value    uint64
	}{
		{"mmap", 2, unix.PROT_EXEC, 0}, // no new code
		{"mprotect", 2, unix.PROT_EXEC, 0},
		{"clone", 0, thread, thread}, // a thread, and no process
		{"tgkill", 0, ^uint64(0), uint64(os.Getpid())},
	} {
		condition, err := libseccomp.MakeCondition(rule.argument, libseccomp.CompareMaskedEqual, rule.mask, rule.value)
		if err != nil {
			return fmt.Errorf("make condition of %s: %w", rule.name, err)
		}
		if err := allow(made, rule.name, libseccomp.ActAllow, condition); err != nil {
			return err
		}
	}
	// Its flags are in memory, where no filter sees them: libc then takes clone.
	if err := allow(made, "clone3", libseccomp.ActErrno.SetReturnCode(int16(unix.ENOSYS))); err != nil {
		return err
	}
	// NewFilter asks for all threads at once, and does not say where that cannot be had.
	if level, err := libseccomp.GetAPI(); err != nil || level < 2 {
		return fmt.Errorf("this kernel's seccomp does not reach all threads (level %d): %w", level, errors.ErrUnsupported)
	}
	if err := made.Load(); err != nil {
		return fmt.Errorf("load filter: %w", err)
	}
	if fd, err := unix.Open("/", unix.O_RDONLY|unix.O_CLOEXEC, 0); !errors.Is(err, unix.EPERM) {
		_ = unix.Close(fd)
		return fmt.Errorf("the filter that was loaded does not hold: %w", err)
	}
	return nil
}

// allow passes over a call that this libseccomp does not know: it is refused then.
func allow(made *libseccomp.ScmpFilter, name string, action libseccomp.ScmpAction, conditions ...libseccomp.ScmpCondition) error {
	call, err := libseccomp.GetSyscallFromName(name)
	if errors.Is(err, libseccomp.ErrSyscallDoesNotExist) {
		return nil
	}
	if err == nil && len(conditions) == 0 {
		err = made.AddRule(call, action)
	} else if err == nil {
		err = made.AddRuleConditional(call, action, conditions)
	}
	if err != nil {
		return fmt.Errorf("add rule for %s: %w", name, err)
	}
	return nil
}
