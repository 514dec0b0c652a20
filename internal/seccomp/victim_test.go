//go:build linux && cgo

package seccomp_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"hotcell/internal/seccomp"
)

// victimVariable makes the test binary a victim: a process that puts itself under
// the shipped profile and tries what the variable names.
const victimVariable = "HOTCELL_TEST_VICTIM"

func TestMain(m *testing.M) {
	if attempt := os.Getenv(victimVariable); attempt != "" {
		os.Exit(victim(attempt))
	}
	os.Exit(m.Run())
}

// victim prints "unfiltered" when it could not put itself under the filter, else
// what its attempt returned.
func victim(attempt string) int {
	if err := confine(); err != nil {
		fmt.Println("unfiltered:", err)
		return 1
	}
	if err := attempts()[attempt](); err != nil {
		fmt.Println(err.Error())
		return 0
	}
	fmt.Println("no error")
	return 0
}

func confine() error {
	data, err := os.ReadFile("../../policies/seccomp/" + pythonAnalysis + ".json")
	if err != nil {
		return err
	}
	profile, err := seccomp.Load(pythonAnalysis, data)
	if err != nil {
		return err
	}
	arch, ok := seccomp.Native(runtime.GOARCH)
	if !ok {
		return errors.New("no table for this machine")
	}
	program, err := profile.Compile(arch)
	if err != nil {
		return err
	}
	return install(program)
}

// install puts every thread of this process under the program, for good.
func install(program *seccomp.Program) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("set no_new_privs: %w", err)
	}
	var filter []unix.SockFilter
	for _, i := range program.Instructions {
		filter = append(filter, unix.SockFilter{Code: i.Op, Jt: i.Jt, Jf: i.Jf, K: i.K})
	}
	header := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	failed, _, errno := unix.Syscall(unix.SYS_SECCOMP,
		unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_TSYNC, uintptr(unsafe.Pointer(&header)))
	if errno != 0 || failed != 0 {
		return fmt.Errorf("load filter: %w, thread %d", errno, failed)
	}
	return nil
}

func attempts() map[string]func() error {
	raw := func(number, a, b, c uintptr) func() error {
		return func() error {
			_, _, errno := unix.Syscall(number, a, b, c)
			if errno != 0 {
				return errno
			}
			return nil
		}
	}
	return map[string]func() error{
		"getpid":         raw(unix.SYS_GETPID, 0, 0, 0),
		"socket":         raw(unix.SYS_SOCKET, unix.AF_INET, unix.SOCK_STREAM, 0),
		"socket AF_ALG":  raw(unix.SYS_SOCKET, unix.AF_ALG, unix.SOCK_SEQPACKET, 0),
		"memfd_create":   raw(unix.SYS_MEMFD_CREATE, 0, 0, 0),
		"clone3":         raw(unix.SYS_CLONE3, 0, 0, 0),
		"fork":           raw(unix.SYS_CLONE, uintptr(unix.SIGCHLD), 0, 0),
		"executable map": raw(unix.SYS_MPROTECT, 0, 4096, unix.PROT_EXEC),
		"TIOCSTI":        raw(unix.SYS_IOCTL, 0, unix.TIOCSTI|1<<32, 0),
		"dumpable":       raw(unix.SYS_PRCTL, unix.PR_SET_DUMPABLE, 1, 0),
		"unshare":        raw(unix.SYS_UNSHARE, unix.CLONE_NEWUSER, 0, 0),
		"mount":          raw(unix.SYS_MOUNT, 0, 0, 0),
		"ptrace":         raw(unix.SYS_PTRACE, unix.PTRACE_TRACEME, 0, 0),
		"bpf":            raw(unix.SYS_BPF, 0, 0, 0),
		"io_uring_setup": raw(unix.SYS_IO_URING_SETUP, 1, 0, 0),
		"x32 getpid":     raw(0x40000000|unix.SYS_GETPID, 0, 0, 0),
		"a thread":       startThread,
	}
}

// startThread needs clone as libc calls it: the filter must let threads start.
func startThread() error {
	done := make(chan int)
	go func() {
		runtime.LockOSThread() // not unlocked: the thread ends with the goroutine
		done <- unix.Gettid()
	}()
	if <-done <= 0 {
		return errors.New("no thread")
	}
	return nil
}

func TestVictimUnderTheFilter(t *testing.T) {
	killed := "killed by SIGSYS"
	tests := map[string]string{
		"getpid":         "no error",
		"a thread":       "no error",
		"socket":         unix.EPERM.Error(),
		"socket AF_ALG":  unix.EPERM.Error(),
		"memfd_create":   unix.EPERM.Error(),
		"clone3":         unix.ENOSYS.Error(),
		"fork":           unix.EPERM.Error(),
		"executable map": unix.EPERM.Error(),
		"TIOCSTI":        unix.EPERM.Error(),
		"dumpable":       unix.EPERM.Error(),
		"unshare":        killed,
		"mount":          killed,
		"ptrace":         killed,
		"bpf":            killed,
		"io_uring_setup": killed,
	}
	if runtime.GOARCH == "amd64" {
		tests["x32 getpid"] = killed
	}
	for attempt, want := range tests {
		t.Run(attempt, func(t *testing.T) { require.Equal(t, want, runVictim(t, attempt)) })
	}
}

// runVictim returns what the victim printed, or how it was killed.
func runVictim(t *testing.T, attempt string) string {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	command := exec.CommandContext(t.Context(), self)
	command.Env = append(os.Environ(), victimVariable+"="+attempt, "GOTRACEBACK=none")
	output, err := command.Output()
	if err == nil {
		return strings.TrimSpace(string(output))
	}
	exit, ok := errors.AsType[*exec.ExitError](err)
	require.True(t, ok, "%v", err)
	status, ok := exit.Sys().(syscall.WaitStatus)
	require.True(t, ok)
	require.Positive(t, int(status.Signal()), "%s: %v", output, err)
	return "killed by " + unix.SignalName(status.Signal())
}
