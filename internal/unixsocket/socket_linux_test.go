package unixsocket

import (
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// place is a short path in a directory that only this user may write.
func place(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "socket")
	require.NoError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return filepath.Join(dir, "s.sock")
}

func TestASocketHasItsModeAndIsRemoved(t *testing.T) {
	path := place(t)
	listener, err := Listen(Options{Path: path, Mode: 0o660, User: -1, Group: os.Getegid()})
	require.NoError(t, err)
	info, err := os.Lstat(path)
	require.NoError(t, err)
	require.Equal(t, fs.ModeSocket|0o660, info.Mode())
	_, err = Listen(Options{Path: path, Mode: 0o660, User: -1, Group: -1})
	require.ErrorIs(t, err, ErrAnother)
	conn, err := net.Dial("unix", path)
	require.NoError(t, err, "it is still there")
	uid, err := PeerUID(conn)
	require.NoError(t, err)
	require.Equal(t, os.Geteuid(), int(uid))
	uid, err = PeerUID(wrapped{conn})
	require.NoError(t, err)
	require.Equal(t, os.Geteuid(), int(uid))
	require.NoError(t, conn.Close())
	require.NoError(t, listener.Close())
	require.NoError(t, listener.Close())
	require.NoFileExists(t, path)
}

type wrapped struct{ net.Conn }

func (w wrapped) NetConn() net.Conn { return w.Conn }

func TestTheSocketOfADeadProcessIsReplaced(t *testing.T) {
	path := place(t)
	fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	require.NoError(t, err)
	require.NoError(t, unix.Bind(fd, &unix.SockaddrUnix{Name: path}))
	require.NoError(t, unix.Close(fd))
	listener, err := Listen(Options{Path: path, Mode: 0o600, User: -1, Group: -1})
	require.NoError(t, err)
	require.NoError(t, listener.Close())
}

func TestWhereNoSocketIsMade(t *testing.T) {
	path := place(t)
	require.NoError(t, os.WriteFile(path, []byte("mine"), 0o600))
	_, err := Listen(Options{Path: path, Mode: 0o600, User: -1, Group: -1})
	require.ErrorContains(t, err, "it is not a socket")
	require.FileExists(t, path)
	for _, strange := range []string{"relative.sock", "", "/tmp/../tmp/x.sock", "/" + strings.Repeat("x", 110)} {
		_, err = Listen(Options{Path: strange, Mode: 0o600, User: -1, Group: -1})
		require.ErrorContains(t, err, "clean absolute path")
	}
	open := place(t)
	require.NoError(t, os.Chmod(filepath.Dir(open), 0o777))
	_, err = Listen(Options{Path: open, Mode: 0o600, User: -1, Group: -1})
	require.ErrorContains(t, err, "a directory of its own")
	require.ErrorIs(t, err, ErrPlace)
	require.NotContains(t, err.Error(), "chmod")
	require.NoFileExists(t, open)
}
