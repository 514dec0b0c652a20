package security_test

import (
	"crypto/rand"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"hotcell/internal/selftest"
)

// bait is what lies on the host for the attacks to find.
type bait struct {
	selftest.Facts

	token   string        // what follows selftest.SecretPrefix
	shared  string        // path of the file in /dev/shm
	victim  *exec.Cmd     // a process of the host
	reached *atomic.Int64 // connections that came in
}

// layBait lasts until the end of the test.
func layBait(t *testing.T) bait {
	t.Helper()
	b := bait{token: rand.Text(), reached: new(atomic.Int64)}
	b.Abstract, b.Victim = "hotcell-"+rand.Text(), "HOTCELL_VICTIM="+rand.Text()
	b.Secret = b.laySecretFile(t)
	b.shared = b.laySharedFile(t)
	b.ShmID = b.layShared(t)
	b.victim = b.layVictim(t)
	b.TCPPort = b.listen(t, "tcp", "127.0.0.1:0").(*net.TCPAddr).Port
	b.listen(t, "unix", "@"+b.Abstract)
	return b
}

func (b bait) secret() []byte { return []byte(selftest.SecretPrefix + b.token) }

func (b bait) laySecretFile(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "hotcell-bait-")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, os.RemoveAll(dir)) })
	// World-readable: what keeps it must be isolation, not its mode.
	require.NoError(t, os.Chmod(dir, 0o755))
	path := filepath.Join(dir, "secret")
	require.NoError(t, os.WriteFile(path, b.secret(), 0o644))
	return path
}

func (b bait) laySharedFile(t *testing.T) string {
	t.Helper()
	path := filepath.Join("/dev/shm", "hotcell-"+rand.Text())
	require.NoError(t, os.WriteFile(path, b.secret(), 0o644))
	t.Cleanup(func() { require.NoError(t, os.Remove(path)) })
	return path
}

func (b bait) layShared(t *testing.T) int {
	t.Helper()
	id, err := unix.SysvShmGet(unix.IPC_PRIVATE, 4096, unix.IPC_CREAT|0o666)
	require.NoError(t, err)
	t.Cleanup(func() {
		_, err := unix.SysvShmCtl(id, unix.IPC_RMID, nil)
		require.NoError(t, err)
	})
	memory, err := unix.SysvShmAttach(id, 0, 0)
	require.NoError(t, err)
	copy(memory, b.secret())
	require.NoError(t, unix.SysvShmDetach(memory))
	return id
}

// layVictim starts a process of the host with a secret in its environment.
func (b bait) layVictim(t *testing.T) *exec.Cmd {
	t.Helper()
	victim := exec.Command("sleep", "infinity")
	victim.Env = []string{b.Victim}
	require.NoError(t, victim.Start())
	t.Cleanup(func() {
		require.NoError(t, victim.Process.Kill())
		require.Error(t, victim.Wait()) // killed
	})
	return victim
}

func (b bait) listen(t *testing.T, network, address string) net.Addr {
	t.Helper()
	listener, err := net.Listen(network, address)
	require.NoError(t, err)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			connection, err := listener.Accept()
			if err != nil {
				return
			}
			b.reached.Add(1)
			connection.Close()
		}
	}()
	t.Cleanup(func() {
		listener.Close()
		<-done
	})
	return listener.Addr()
}

// requireUntouched looks at everything that was laid out.
func (b bait) requireUntouched(t *testing.T) {
	t.Helper()
	require.Zero(t, b.reached.Load(), "a connection reached the host")
	for _, path := range []string{b.Secret, b.shared} {
		content, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, b.secret(), content, "%s has been changed", path)
	}
	memory, err := unix.SysvShmAttach(b.ShmID, 0, unix.SHM_RDONLY)
	require.NoError(t, err)
	defer func() { require.NoError(t, unix.SysvShmDetach(memory)) }()
	require.Equal(t, b.secret(), memory[:len(b.secret())], "shared memory of the host has been changed")
	require.NoError(t, unix.Kill(b.victim.Process.Pid, 0), "a process of the host has been ended")
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", b.victim.Process.Pid))
	require.NoError(t, err)
	require.Regexp(t, `(?m)^State:\s+S`, string(status), "a process of the host has been stopped")
}

// requireNothingLives looks for processes whose command line holds a probe's
// script, which has the name of the abstract socket in it.
func requireNothingLives(t *testing.T, b bait) {
	t.Helper()
	lines, err := filepath.Glob("/proc/[0-9]*/cmdline")
	require.NoError(t, err)
	for _, line := range lines {
		content, err := os.ReadFile(line)
		if err != nil {
			continue // it has ended since
		}
		require.NotContains(t, string(content), b.Abstract, "%s is a process of a run", line)
	}
}
