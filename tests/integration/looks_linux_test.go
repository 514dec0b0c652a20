package integration_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"hotcell/internal/container"
)

// TestNobodyOfTheSandboxsUIDLooksIntoIt: without a user namespace a sandbox's
// process has a uid of the host. Until it gives up being dumpable, /proc/PID/root
// shows all that it sees, the run's data first, to everybody who has that uid; and
// that takes as long as Python takes to start.
func TestNobodyOfTheSandboxsUIDLooksIntoIt(t *testing.T) {
	onEveryTarget(t, func(t *testing.T, target target) {
		w := newWorkspace(t, target)
		file := fmt.Sprintf("seen_by_%d.csv", os.Getpid()) // others may test on this host, too
		w.write("data/"+file, "a,b\n1,2\n")
		w.runner("bundle", "create", "data", "--name", "looks", "--version", "1.0", "--study", "S1",
			"--method", "synthetic", "--attested-by", "A. Tester", "--statement", "Made up.")
		w.runner("bundle", "add", "data")

		look := startLooking(t, container.UserID, "bundle/"+file, "proc/self/comm")
		ordinary := exec.CommandContext(t.Context(), "/bin/sleep", "infinity")
		ordinary.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: container.UserID, Gid: container.UserID}}
		require.NoError(t, ordinary.Start())
		e := w.run(fmt.Sprintf("print((DATA / %q).exists())", file), "--bundle", "looks")
		require.NoError(t, ordinary.Process.Kill())
		require.Error(t, ordinary.Wait())
		seen := look.end(t)
		require.Zero(t, e.code, e.stderr)
		require.Contains(t, e.stdout, "True", "the file is not where this test looks for it")
		require.Contains(t, seen["proc/self/comm"], ordinary.Process.Pid, "the test sees nothing")
		require.Empty(t, seen["bundle/"+file], "processes through which the run's data were seen")
	})
}

// looking is a thread with another uid that looks for paths below the roots of all
// processes, again and again.
type looking struct {
	stop chan struct{}
	seen chan map[string][]int
	err  error // once seen is closed
}

func startLooking(t *testing.T, uid int, paths ...string) *looking {
	t.Helper()
	l := &looking{stop: make(chan struct{}), seen: make(chan map[string][]int, 1)}
	begun := make(chan struct{})
	go func() {
		defer close(l.seen)
		runtime.LockOSThread() // and never unlocked: the thread ends with its uid
		l.err = becomeHere(uid)
		close(begun)
		if l.err == nil {
			l.seen <- lookUntil(l.stop, paths)
		}
	}()
	<-begun
	return l
}

func (l *looking) end(t *testing.T) map[string][]int {
	t.Helper()
	close(l.stop)
	seen := <-l.seen
	require.NoError(t, l.err)
	return seen
}

// becomeHere gives this thread, and no other, another user's identity.
func becomeHere(uid int) error {
	id := uintptr(uid)
	_, _, groups := unix.RawSyscall(unix.SYS_SETGROUPS, 0, 0, 0)
	_, _, group := unix.RawSyscall(unix.SYS_SETRESGID, id, id, id)
	_, _, user := unix.RawSyscall(unix.SYS_SETRESUID, id, id, id)
	for _, failed := range []syscall.Errno{groups, group, user} {
		if failed != 0 {
			return fmt.Errorf("become uid %d: %w", uid, failed)
		}
	}
	return nil
}

// lookUntil returns the processes below whose root each path was seen.
func lookUntil(stop <-chan struct{}, paths []string) map[string][]int {
	seen := make(map[string][]int)
	for {
		select {
		case <-stop:
			return seen
		default:
			lookOnce(seen, paths)
		}
	}
}

func lookOnce(seen map[string][]int, paths []string) {
	roots, _ := filepath.Glob("/proc/[0-9]*/root")
	for _, root := range roots {
		pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(root)))
		for _, path := range paths {
			if _, err := os.Lstat(filepath.Join(root, path)); err == nil && !slices.Contains(seen[path], pid) {
				seen[path] = append(seen[path], pid)
			}
		}
	}
}
