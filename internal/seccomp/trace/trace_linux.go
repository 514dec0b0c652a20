package trace

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"hotcell/internal/seccomp"
)

// Exec puts the calling thread under a filter that reports every call, and becomes
// the command. It returns only on failure. Nothing but the process that Run starts
// may call it: without a supervisor the first call waits for ever.
func Exec(command []string) error {
	path, err := exec.LookPath(command[0])
	if err != nil {
		return fmt.Errorf("find command: %w", err)
	}
	environment := os.Environ()
	runtime.LockOSThread() // other threads stay unfiltered until execve ends them
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("set no_new_privs: %w", err)
	}
	filter := []unix.SockFilter{{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_USER_NOTIF}}
	program := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	_, _, errno := unix.RawSyscall(unix.SYS_SECCOMP,
		unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_NEW_LISTENER, uintptr(unsafe.Pointer(&program))) //nolint:gosec // struct sock_fprog for seccomp(2)
	if errno != 0 {
		return fmt.Errorf("load filter: %w", errno)
	}
	return fmt.Errorf("execute %s: %w", path, syscall.Exec(path, command, environment))
}

// Run runs the command to its end. It needs Linux 5.6 and the right to trace the
// command, which its parent has. Ending ctx kills the command's first process.
func Run(ctx context.Context, options Options) (Report, error) {
	child := exec.CommandContext(ctx, "/proc/self/exe")
	child.Args = append(append([]string{}, options.Helper...), options.Command...)
	child.Stdin, child.Stdout, child.Stderr = options.Stdin, options.Stdout, options.Stderr
	pidfd := -1
	child.SysProcAttr = &syscall.SysProcAttr{PidFD: &pidfd}
	if err := child.Start(); err != nil {
		return Report{}, fmt.Errorf("start command: %w", err)
	}
	counted := &tally{profile: options.Profile, calls: map[key]*Call{}}
	supervised := make(chan error, 1)
	go func() { supervised <- supervise(child.Process.Pid, pidfd, counted) }()
	ended := child.Wait()
	err := <-supervised
	if ended != nil && err == nil {
		if _, ok := errors.AsType[*exec.ExitError](ended); !ok {
			err = fmt.Errorf("wait for command: %w", ended)
		}
	}
	if err = errors.Join(err, context.Cause(ctx)); err != nil {
		return Report{}, err
	}
	return Report{Calls: counted.sorted(), Locked: counted.locked, ExitCode: child.ProcessState.ExitCode()}, nil
}

// supervise answers until no process is under the filter any more.
func supervise(pid, pidfd int, counted *tally) error {
	defer unix.Close(pidfd)
	listener, err := findListener(pid, pidfd)
	if err != nil {
		return err
	}
	defer unix.Close(listener)
	for {
		polled := []unix.PollFd{{Fd: int32(listener), Events: unix.POLLIN}}
		if _, err := unix.Poll(polled, -1); err != nil && !errors.Is(err, unix.EINTR) {
			return fmt.Errorf("wait for a call: %w", err)
		}
		if polled[0].Revents&unix.POLLIN != 0 {
			if err := answer(listener, counted); err != nil {
				return err
			}
		} else if polled[0].Revents&unix.POLLHUP != 0 {
			return nil
		}
	}
}

// findListener takes the filter's descriptor out of the child, which cannot send
// it: sending is a call, too.
func findListener(pid, pidfd int) (int, error) {
	const patience = 10 * time.Second
	directory := filepath.Join("/proc", strconv.Itoa(pid), "fd")
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		entries, err := os.ReadDir(directory)
		if err != nil {
			return 0, fmt.Errorf("look for the filter's descriptor: %w", err)
		}
		for _, entry := range entries {
			target, err := os.Readlink(filepath.Join(directory, entry.Name()))
			if err != nil || target != "anon_inode:seccomp notify" {
				continue // closed meanwhile, or another file
			}
			number, err := strconv.Atoi(entry.Name())
			if err != nil {
				return 0, fmt.Errorf("read %s: %w", directory, err)
			}
			listener, err := unix.PidfdGetfd(pidfd, number, 0)
			if err != nil {
				return 0, fmt.Errorf("take the filter's descriptor: %w", err)
			}
			return listener, nil
		}
	}
	return 0, errors.New("look for the filter's descriptor: the command did not load its filter")
}

// notification is struct seccomp_notif, reply struct seccomp_notif_resp.
type notification struct {
	id     uint64
	pid    uint32
	flags  uint32
	number int32
	token  uint32
	ip     uint64
	args   [6]uint64
}

type reply struct {
	id    uint64
	value int64
	err   int32
	flags uint32
}

const flagContinue = 1 // SECCOMP_USER_NOTIF_FLAG_CONTINUE

func answer(listener int, counted *tally) error {
	var told notification
	if err := control(listener, unix.SECCOMP_IOCTL_NOTIF_RECV, unsafe.Pointer(&told)); err != nil { //nolint:gosec // struct seccomp_notif
		return ignoreGone("receive call", err)
	}
	counted.add(seccomp.Call{Arch: archOf(told.token), Number: uint32(told.number), Args: told.args})
	given := reply{id: told.id, flags: flagContinue}
	return ignoreGone("let call through", control(listener, unix.SECCOMP_IOCTL_NOTIF_SEND, unsafe.Pointer(&given))) //nolint:gosec // struct seccomp_notif_resp
}

// ignoreGone: the caller has died, or a signal has taken its call back.
func ignoreGone(doing string, err error) error {
	if err == nil || errors.Is(err, unix.ENOENT) || errors.Is(err, unix.EINTR) {
		return nil
	}
	return fmt.Errorf("%s: %w", doing, err)
}

func control(fd int, request uint, data unsafe.Pointer) error {
	if _, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(fd), uintptr(request), uintptr(data)); errno != 0 {
		return errno
	}
	return nil
}

// archOf returns "" for a foreign architecture, which every profile kills.
func archOf(token uint32) seccomp.Arch {
	switch token {
	case unix.AUDIT_ARCH_X86_64:
		return seccomp.AMD64
	case unix.AUDIT_ARCH_AARCH64:
		return seccomp.ARM64
	default:
		return ""
	}
}
