package security_test

import (
	"crypto/rand"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// secretPrefix begins every secret, by which an attack knows one.
const secretPrefix = "hotcell-secret:"

// bait is what lies on the host for the attacks to find. They are told where it
// is: that it cannot be reached must not depend on its place being unknown.
type bait struct {
	Secret   string `json:"secret"`
	TCPPort  int    `json:"tcp_port"`
	Abstract string `json:"abstract"`
	ShmID    int    `json:"shm_id"`
	Victim   string `json:"victim"`

	token   string        // what follows secretPrefix
	reached *atomic.Int64 // connections that came in
}

// layBait lasts until the end of the test.
func layBait(t *testing.T) bait {
	t.Helper()
	b := bait{Abstract: "hotcell-" + rand.Text(), Victim: "HOTCELL_VICTIM=" + rand.Text(), token: rand.Text(), reached: new(atomic.Int64)}
	b.Secret = b.laySecretFile(t)
	b.laySharedFile(t)
	b.ShmID = b.layShared(t)
	b.layVictim(t)
	b.TCPPort = b.listen(t, "tcp", "127.0.0.1:0").(*net.TCPAddr).Port
	b.listen(t, "unix", "@"+b.Abstract)
	return b
}

func (b bait) secret() []byte { return []byte(secretPrefix + b.token) }

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

func (b bait) laySharedFile(t *testing.T) {
	t.Helper()
	path := filepath.Join("/dev/shm", "hotcell-"+rand.Text())
	require.NoError(t, os.WriteFile(path, b.secret(), 0o644))
	t.Cleanup(func() { require.NoError(t, os.Remove(path)) })
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
func (b bait) layVictim(t *testing.T) {
	t.Helper()
	victim := exec.Command("sleep", "infinity")
	victim.Env = []string{b.Victim}
	require.NoError(t, victim.Start())
	t.Cleanup(func() {
		require.NoError(t, victim.Process.Kill())
		require.Error(t, victim.Wait()) // killed
	})
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
