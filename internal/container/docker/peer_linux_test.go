package docker

import (
	"encoding/json"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/moby/moby/api/types/system"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// believed answers as a daemon does that a runner has no reason to doubt.
func believed(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Api-Version", "1.44")
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(system.Info{OSType: "linux", DefaultRuntime: "runc", KernelVersion: "6", Architecture: runtime.GOARCH})
}

// listenAs serves a daemon of that user's. The thread that takes his identity ends
// with its goroutine.
func listenAs(t *testing.T, uid uintptr, address string, answer http.HandlerFunc) {
	t.Helper()
	listener, err := net.Listen("unix", address)
	made := make(chan struct{})
	go func() {
		defer close(made)
		runtime.LockOSThread()
		if err != nil || uid == 0 {
			return
		}
		const same = ^uintptr(0)
		if _, _, errno := unix.RawSyscall(unix.SYS_SETRESUID, same, uid, same); errno != 0 {
			err = errno
			return
		}
		raw, rawErr := listener.(*net.UnixListener).SyscallConn()
		if err = rawErr; err == nil {
			_ = raw.Control(func(fd uintptr) { err = unix.Listen(int(fd), 16) }) // once more, as that user
		}
	}()
	<-made
	require.NoError(t, err)
	server := &httptest.Server{Listener: listener, Config: &http.Server{Handler: answer}}
	server.Start()
	t.Cleanup(server.Close)
}

const unbelieved = "run the runner as that user, or unset DOCKER_HOST"

func needRoot(t *testing.T) {
	t.Helper()
	if os.Geteuid() != 0 {
		lacking(t, "needs root")
	}
}

// A name tells nothing about who answers: an abstract one has no owner, and what a path
// leads to can be exchanged.
func TestRootDoesNotBelieveAUsersDaemon(t *testing.T) {
	needRoot(t)
	dir := t.TempDir()
	abstract := "@hotcell" + strings.ReplaceAll(filepath.Base(dir)+t.Name(), "/", "")
	owned := filepath.Join(dir, "owned.sock") // by root, whoever listens
	link := filepath.Join(dir, "link.sock")
	require.NoError(t, os.Symlink(owned, link))
	listenAs(t, 1000, abstract, believed)
	listenAs(t, 1000, owned, believed)
	for _, address := range []string{abstract, owned, link} {
		_, err := engineAt(t, "unix://"+address).Probe(t.Context(), "")
		require.ErrorContains(t, err, unbelieved, address)
		require.ErrorContains(t, err, "uid 1000")
		require.NotContains(t, err.Error(), "not answering", "it does")
	}
}

func TestRootBelievesRootsDaemon(t *testing.T) {
	needRoot(t)
	path := filepath.Join(t.TempDir(), "docker.sock")
	listenAs(t, 0, path, believed)
	require.NoError(t, os.Chown(path, 1000, 1000)) // as the group docker has it, and more
	_, err := engineAt(t, "unix://"+path).Probe(t.Context(), "")
	require.NoError(t, err)
}

// `su` without a dash keeps XDG_RUNTIME_DIR, which names the daemon of the user before.
func TestAUserDoesNotBelieveAnothersDaemon(t *testing.T) {
	require.NoError(t, checkPeer("/x", 1000, 1000))
	require.NoError(t, checkPeer("/x", 0, 1000))
	require.ErrorContains(t, checkPeer("/x", 1001, 1000), unbelieved)
	require.ErrorContains(t, checkPeer("/x", 65534, 0), unbelieved)
}

// The daemon is exchanged after it was asked about itself. With DOCKER_CERT_PATH,
// Docker's client would leave the dialer that it was given.
func TestEveryConnectionIsAskedWhoseItIs(t *testing.T) {
	needRoot(t)
	t.Setenv("DOCKER_CERT_PATH", filepath.Join(t.TempDir(), "none"))
	path := filepath.Join(t.TempDir(), "docker.sock")
	listenAs(t, 0, path, believed)
	engine := engineAt(t, "unix://"+path)
	_, err := engine.Probe(t.Context(), "")
	require.NoError(t, err)

	require.NoError(t, os.Rename(path, path+".old"))
	listenAs(t, 1000, path, believed)
	_, err = (&sandbox{engine: engine, containerID: testContainer}).attach(t.Context())
	require.ErrorContains(t, err, unbelieved)
	require.ErrorContains(t, engine.podman(t.Context(), http.MethodGet, "info", nil, nil), unbelieved)
}
