//go:build cgo

package parse_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"hotcell/internal/source"
	"hotcell/internal/source/parse"
)

// A victim is this test binary, which does what its second argument names: under the filter
// or without it.
const (
	confinedVictim = "hotcell-confined-victim"
	freeVictim     = "hotcell-free-victim"
	parentVictim   = "hotcell-parent-victim"
)

func TestMain(m *testing.M) {
	if code, is := parse.IfChild(os.Args); is {
		os.Exit(code)
	}
	if os.Args[0] == parentVictim {
		_ = source.Convert(context.Background(), os.Stdin, source.Order{Format: source.Gzip}, new(begun))
		os.Exit(1)
	}
	if os.Args[0] == confinedVictim || os.Args[0] == freeVictim {
		os.Exit(victim(os.Args[0] == confinedVictim, os.Args[1]))
	}
	os.Exit(m.Run())
}

// begun says when a third piece of a table has come: the reader has written all then that
// its buffer does not keep, and reads.
type begun struct{ pieces int }

func (b *begun) Begin(string) (io.Writer, error)   { return b, nil }
func (*begun) End([]source.Column, []string) error { return nil }

func (b *begun) Write(data []byte) (int, error) {
	if b.pieces++; b.pieces == 3 {
		fmt.Println("begun")
	}
	return len(data), nil
}

// TestAReaderEndsWithItsParent: the pipe that it reads has no reader then.
func TestAReaderEndsWithItsParent(t *testing.T) {
	from, to, err := os.Pipe()
	require.NoError(t, err)
	defer to.Close()
	parent := exec.CommandContext(t.Context(), "/proc/self/exe")
	parent.Args, parent.Env, parent.Stdin = []string{parentVictim}, []string{}, from
	said, err := parent.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, parent.Start())
	require.NoError(t, from.Close())
	go func() {
		packed := gzip.NewWriter(to)
		line := make([]byte, 1<<10)
		for range 150 { // KiB: more than the reader's buffer, and less than twice that
			_, _ = rand.Read(line[:len(line)-1])
			line[len(line)-1] = '\n'
			_, _ = packed.Write(line)
		}
		_ = packed.Flush() // and no end
	}()
	_, err = io.ReadFull(said, make([]byte, len("begun\n")))
	require.NoError(t, err)
	require.NoError(t, parent.Process.Kill())
	_ = parent.Wait()
	gone := []unix.PollFd{{Fd: int32(to.Fd())}}
	for gone[0].Revents == 0 {
		ready, err := unix.Poll(gone, 30_000)
		require.True(t, ready == 1 || errors.Is(err, unix.EINTR), "its reader lives on")
	}
	require.NotZero(t, gone[0].Revents&unix.POLLERR)
}

func victim(confined bool, attempt string) int {
	if confined {
		if err := parse.Confine(); err != nil {
			fmt.Println("unconfined:", err)
			return 1
		}
	}
	if err := attempts[attempt](); err != nil {
		fmt.Println(err)
		return 0
	}
	fmt.Println("no error")
	return 0
}

// unconfined is what an attempt says without the filter, if that is not that it succeeds: its
// arguments are none, so that it harms nobody.
var unconfined = map[string]string{
	"execute a program": "",
	"a terminal's keys": unix.EFAULT.Error(),
	"memory as a file":  unix.EFAULT.Error(),
	"who it is":         unix.EFAULT.Error(),
}

func call(number uintptr, arguments ...uintptr) func() error {
	return func() error {
		all := make([]uintptr, 6)
		copy(all, arguments)
		_, _, errno := unix.Syscall6(number, all[0], all[1], all[2], all[3], all[4], all[5])
		if errno != 0 {
			return errno
		}
		return nil
	}
}

// attempts are what a reader that a file has taken over would do. Each succeeds in a process
// that is not confined.
var attempts = map[string]func() error{
	"open a file":       func() error { _, err := os.ReadFile("/etc/hostname"); return err },
	"write a file":      func() error { return os.WriteFile("/dev/null", []byte("x"), 0o600) },
	"list a directory":  func() error { _, err := os.ReadDir("/proc"); return err },
	"look at a file":    func() error { _, err := os.Stat("/etc/hostname"); return err },
	"make a socket":     call(unix.SYS_SOCKET, unix.AF_INET, unix.SOCK_STREAM, 0),
	"make a Unix one":   call(unix.SYS_SOCKET, unix.AF_UNIX, unix.SOCK_STREAM, 0),
	"execute a program": func() error { return unix.Exec("/bin/true", []string{"true"}, nil) },
	"start a process":   func() error { return exec.Command("/bin/true").Run() },
	"a fork":            fork,
	"new code later":    newCodeLater,
	"trace its parent":  call(unix.SYS_PTRACE, unix.PTRACE_TRACEME, 0, 0),
	"signal another":    func() error { return unix.Kill(os.Getppid(), 0) },
	"new code":          call(unix.SYS_MMAP, 0, 4096, unix.PROT_READ|unix.PROT_EXEC, unix.MAP_PRIVATE|unix.MAP_ANON, ^uintptr(0), 0),
	"memory as a file":  call(unix.SYS_MEMFD_CREATE, 0, 0),
	"a user namespace":  call(unix.SYS_UNSHARE, 0),
	"a terminal's keys": call(unix.SYS_IOCTL, 0, unix.TIOCINQ, 0),
	"more memory":       moreMemory,
	"a larger limit":    func() error { return unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{Cur: 0, Max: 0}) },
	"who it is":         call(unix.SYS_UNAME, 0),
	"another's memory":  call(unix.SYS_PROCESS_VM_READV, 0, 0, 0, 0, 0, 0),
	"read another file": func() error { _, err := unix.Pread(3, make([]byte, 8), 0); return err },
	"a thread":          thread,
	"a timer":           func() error { time.Sleep(time.Millisecond); runtime.GC(); return nil },
}

// fork asks the kernel alone: what else starts a process opens files first.
func fork() error {
	child, _, errno := unix.RawSyscall6(unix.SYS_CLONE, uintptr(unix.SIGCHLD), 0, 0, 0, 0, 0)
	switch {
	case errno != 0:
		return errno
	case child == 0:
		unix.RawSyscall(unix.SYS_EXIT_GROUP, 0, 0, 0)
	}
	_, _ = unix.Wait4(int(child), nil, 0, nil) // which the filter refuses, too
	return nil
}

func newCodeLater() error {
	memory, err := unix.Mmap(-1, 0, 4096, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
	if err != nil {
		return fmt.Errorf("no memory at all: %w", err)
	}
	return unix.Mprotect(memory, unix.PROT_READ|unix.PROT_EXEC)
}

func moreMemory() error {
	_, err := unix.Mmap(-1, 0, 8<<30, unix.PROT_READ, unix.MAP_PRIVATE|unix.MAP_ANON|unix.MAP_NORESERVE)
	return err
}

func thread() error {
	done := make(chan int)
	for range 8 {
		go func() {
			runtime.LockOSThread() // the thread ends with the goroutine
			done <- unix.Gettid()
		}()
	}
	for range 8 {
		<-done
	}
	return nil
}

func TestAConfinedReaderCanDoNothingElse(t *testing.T) {
	allowed := map[string]bool{"a thread": true, "a timer": true}
	for attempt := range attempts {
		t.Run(attempt, func(t *testing.T) {
			said := runVictim(t, confinedVictim, attempt)
			switch {
			case allowed[attempt]:
				require.Equal(t, "no error", said)
			case attempt == "read another file":
				return // which the next test opens
			case attempt == "more memory":
				require.Equal(t, unix.ENOMEM.Error(), said)
			default:
				require.Contains(t, said, unix.EPERM.Error())
			}
			want := "no error"
			if other, is := unconfined[attempt]; is {
				want = other
			}
			require.Equal(t, want, runVictim(t, freeVictim, attempt), "without the filter")
		})
	}
}

func runVictim(t *testing.T, name, attempt string) string {
	t.Helper()
	child := exec.CommandContext(t.Context(), "/proc/self/exe")
	debug := "GODEBUG=containermaxprocs=0,updatemaxprocs=0"
	if attempt == "trace its parent" {
		debug += ",asyncpreemptoff=1" // every signal stops who is traced, Go's own, too
	}
	child.Args, child.Env, child.Stdin = []string{name, attempt}, []string{debug}, strings.NewReader("")
	var out bytes.Buffer
	child.Stdout, child.Stderr = &out, io.Discard
	require.NoError(t, child.Run(), out.String())
	return strings.TrimSpace(out.String())
}

func TestAReaderKeepsNoOtherFileOpen(t *testing.T) {
	other, err := os.Open("/etc/passwd")
	require.NoError(t, err)
	defer other.Close()
	for victim, want := range map[string]string{confinedVictim: unix.EBADF.Error(), freeVictim: "no error"} {
		child := exec.CommandContext(t.Context(), "/proc/self/exe")
		child.Args, child.Env = []string{victim, "read another file"}, []string{"GODEBUG=containermaxprocs=0,updatemaxprocs=0"}
		child.ExtraFiles = []*os.File{other}
		out, err := child.Output()
		require.NoError(t, err)
		require.Equal(t, want, strings.TrimSpace(string(out)))
	}
}
