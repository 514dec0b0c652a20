package engineapi

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"hotcell/internal/runner"
)

// answering is an engine that sends what a test says to whoever asks for a run, and may wait then
// until the other goes.
func answering(t *testing.T, text string, wait bool) *Client {
	t.Helper()
	dir := t.TempDir()
	listener, err := Listen(dir)
	require.NoError(t, err)
	gone := make(chan struct{})
	server := &http.Server{ReadHeaderTimeout: time.Minute, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", contentType)
		if r.Method == http.MethodGet {
			fmt.Fprintf(w, `{"protocol":%d,"version":"v1","engine":"fake","daemon":"","places":1,"draining":false}`+"\n", Protocol)
			return
		}
		defer close(gone)
		_, _ = io.Copy(io.Discard, r.Body) // then its end is noticed
		fmt.Fprintln(w, text)
		_ = http.NewResponseController(w).Flush()
		if wait {
			<-r.Context().Done()
		}
	})}
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	client, err := Connect(t.Context(), dir)
	require.NoError(t, err)
	t.Cleanup(func() {
		<-gone
		require.NoError(t, client.Close())
		require.NoError(t, server.Close())
		<-served
		_ = listener.Close()
	})
	return client
}

// A command that takes it for success ends with 0, and prints nothing.
func TestAnAnswerThatSaysNothingIsNone(t *testing.T) {
	_, err := answering(t, `{"final":{}}`, false).Run(t.Context(), runner.Ask{})
	require.ErrorIs(t, err, ErrMalformed)
}

// The engine would go on with a run of which nobody hears any more.
func TestAClientHangsUpAfterALineThatIsNone(t *testing.T) {
	_, err := answering(t, `{"final":`, true).Run(t.Context(), runner.Ask{})
	require.ErrorIs(t, err, ErrMalformed)
}

// What it answers would be believed.
func TestAnEngineOfAnotherUserIsNotAsked(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs root, to be somebody else")
	}
	dir := t.TempDir()
	require.NoError(t, os.Chmod(dir, 0o700))
	for uid, refused := range map[int]bool{0: false, 65534: true} {
		path := filepath.Join(dir, SocketName)
		socket, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
		require.NoError(t, err)
		require.NoError(t, unix.Bind(socket, &unix.SockaddrUnix{Name: path}))
		require.NoError(t, listenAs(uid, socket))
		conn, err := dial(t.Context(), dir)
		if refused {
			require.ErrorContains(t, err, "it is of user 65534")
		} else {
			require.NoError(t, err)
			require.NoError(t, conn.Close())
		}
		require.NoError(t, unix.Close(socket))
		require.NoError(t, os.Remove(path))
	}
}

// listenAs has a thread be the user while it listens: the kernel tells a client who that was.
func listenAs(uid, socket int) error {
	done := make(chan error)
	go func() {
		runtime.LockOSThread() // for good: the thread ends with the goroutine
		if _, _, fault := unix.RawSyscall(unix.SYS_SETRESUID, ^uintptr(0), uintptr(uid), ^uintptr(0)); fault != 0 {
			done <- fault
			return
		}
		done <- unix.Listen(socket, 1)
	}()
	return <-done
}
