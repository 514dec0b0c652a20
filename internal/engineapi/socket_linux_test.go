package engineapi

import (
	"context"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

func TestASocketIsForItsUserAlone(t *testing.T) {
	dir := t.TempDir()
	listener, err := Listen(dir)
	require.NoError(t, err)
	info, err := os.Lstat(filepath.Join(dir, SocketName))
	require.NoError(t, err)
	require.Equal(t, fs.ModeSocket|0o600, info.Mode())
	_, err = Listen(dir)
	require.ErrorIs(t, err, ErrAnother)
	require.ErrorContains(t, err, LockName)
	require.NoError(t, listener.Close())
	require.NoError(t, listener.Close())
	require.NoFileExists(t, filepath.Join(dir, SocketName))
	again, err := Listen(dir)
	require.NoError(t, err)
	require.NoError(t, again.Close())
}

func TestThePathOfASocketMayBeLong(t *testing.T) {
	dir := filepath.Join(t.TempDir(), strings.Repeat("d", 100), strings.Repeat("e", 100))
	require.NoError(t, os.MkdirAll(dir, 0o700))
	listener, err := Listen(dir)
	require.NoError(t, err)
	conn, err := dial(t.Context(), dir)
	require.NoError(t, err)
	require.NoError(t, conn.Close())
	require.NoError(t, listener.Close())
}

// leaveSocket leaves what an engine that was killed leaves.
func leaveSocket(t *testing.T, dir string) {
	t.Helper()
	fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	require.NoError(t, err)
	t.Chdir(dir)
	require.NoError(t, unix.Bind(fd, &unix.SockaddrUnix{Name: SocketName}))
	require.NoError(t, unix.Close(fd))
}

func TestTheSocketOfADeadEngine(t *testing.T) {
	dir := t.TempDir()
	_, err := Connect(t.Context(), dir)
	require.ErrorIs(t, err, ErrNone)
	leaveSocket(t, dir)
	_, err = Connect(t.Context(), dir)
	require.NotErrorIs(t, err, ErrNone, "somebody thinks that an engine serves this directory")
	require.ErrorIs(t, err, ErrDead)
	listener, err := Listen(dir)
	require.NoError(t, err)
	require.NoError(t, listener.Close())
}

func TestNothingButASocketIsReplaced(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, SocketName), []byte("mine"), 0o600))
	_, err := Listen(dir)
	require.ErrorContains(t, err, "it is not a socket")
	require.FileExists(t, filepath.Join(dir, SocketName))
	_, err = Connect(t.Context(), dir)
	require.Error(t, err)
	require.NotErrorIs(t, err, ErrNone)
}

func TestWhatSpeaksOtherwiseIsNoEngine(t *testing.T) {
	for name, says := range map[string]string{
		"no HTTP":         "220 mail.example.org\r\n",
		"another service": "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n",
		"other JSON":      "HTTP/1.1 200 OK\r\nContent-Type: " + contentType + "\r\nContent-Length: 17\r\n\r\n{\"protocol\":\"x\"}\n",
		"nothing":         "",
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			listener, err := Listen(dir)
			require.NoError(t, err)
			done := make(chan struct{})
			go func() {
				defer close(done)
				conn, err := listener.Accept()
				if err != nil {
					return
				}
				_, _ = conn.Read(make([]byte, 4096))
				_, _ = conn.Write([]byte(says))
				_ = conn.Close()
			}()
			_, err = Connect(t.Context(), dir)
			require.ErrorContains(t, err, "ask what listens at engine.sock")
			require.NotErrorIs(t, err, ErrNone)
			<-done
			require.NoError(t, listener.Close())
		})
	}
}

func TestAPeerThatIsNotKnownHasNoRights(t *testing.T) {
	one, two := net.Pipe()
	defer one.Close()
	defer two.Close()
	_, known := peerOf(withPeer(context.Background(), one))
	require.False(t, known)
}
