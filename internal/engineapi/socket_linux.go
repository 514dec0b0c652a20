package engineapi

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"hotcell/internal/durable"
	"hotcell/internal/unixsocket"
)

// ErrAnother is wrapped by Listen's error where an engine serves the directory already.
var ErrAnother = errors.New("another engine serves this state directory")

// Listener is the socket of an engine, and the lock that says that there is no other.
type Listener struct {
	net.Listener
	dir            *os.Root
	name, lockName string // in dir
	lock           *os.File

	once   sync.Once
	closed error
}

// Listen makes the socket in dir, a state directory: one that nobody else may enter. What
// an engine that died has left there is replaced, which its lock tells.
func Listen(dir string) (*Listener, error) {
	root, err := durable.OpenDir(dir)
	if err != nil {
		return nil, fmt.Errorf("open state directory: %w", err)
	}
	return listen(dir, &Listener{dir: root, name: SocketName, lockName: LockName})
}

func listen(dir string, l *Listener) (*Listener, error) {
	if err := l.open(dir); err != nil {
		return nil, errors.Join(err, l.release())
	}
	return l, nil
}

func (l *Listener) open(dir string) (err error) {
	now, end := context.WithCancelCause(context.Background())
	end(ErrAnother)
	if l.lock, err = durable.Lock(now, filepath.Join(dir, l.lockName)); err != nil {
		return err
	}
	if err := l.removeSocket(); err != nil {
		return err
	}
	l.Listener, err = withAddress(l.dir, l.name, func(address string) (net.Listener, error) {
		var config net.ListenConfig
		return config.Listen(context.Background(), "unix", address)
	})
	if err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	if local, ok := l.Listener.(*net.UnixListener); ok {
		local.SetUnlinkOnClose(false) // its address is of a descriptor that is closed by then
	}
	// Until here only the directory keeps others away.
	if err := l.dir.Chmod(l.name, 0o600); err != nil {
		return errors.Join(fmt.Errorf("listen: %w", err), l.Listener.Close(), l.removeSocket())
	}
	return nil
}

// removeSocket removes what a dead engine has left, and nothing that is not a socket.
func (l *Listener) removeSocket() error {
	info, err := l.dir.Lstat(l.name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil && info.Mode().Type() != fs.ModeSocket {
		err = fmt.Errorf("%s is in the way: it is not a socket", l.name)
	}
	if err == nil {
		err = l.dir.Remove(l.name)
	}
	if err != nil {
		return fmt.Errorf("remove old socket: %w", err)
	}
	return nil
}

// Close removes the socket: whoever looks for an engine finds none. Idempotent.
func (l *Listener) Close() error {
	l.once.Do(func() { l.closed = errors.Join(l.Listener.Close(), l.removeSocket(), l.release()) })
	return l.closed
}

func (l *Listener) release() (err error) {
	if l.lock != nil {
		err = l.lock.Close()
	}
	return errors.Join(err, l.dir.Close())
}

// withAddress gives use a name of the socket that is short, however long the directory's
// is: a socket's may have 107 bytes. It leads into the directory that is open.
func withAddress[T any](dir *os.Root, name string, use func(address string) (T, error)) (made T, err error) {
	here, err := dir.Open(".")
	if err != nil {
		return made, err
	}
	defer func() { err = errors.Join(err, here.Close()) }()
	return use(fmt.Sprintf("/proc/self/fd/%d/%s", here.Fd(), name))
}

// dial connects to the engine of a state directory. Where there is no socket the error
// wraps fs.ErrNotExist.
func dial(ctx context.Context, dir string) (*net.UnixConn, error) {
	root, err := durable.OpenDir(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	if _, err := root.Lstat(SocketName); err != nil {
		return nil, err
	}
	conn, err := withAddress(root, SocketName, func(address string) (net.Conn, error) {
		dialer := net.Dialer{Timeout: answerTime}
		return dialer.DialContext(ctx, "unix", address)
	})
	if errors.Is(err, unix.ECONNREFUSED) {
		return nil, ErrDead
	}
	if err != nil {
		return nil, fmt.Errorf("connect to engine: %w", err)
	}
	return peerOfUs(conn, os.Geteuid())
}

// peerOfUs refuses an engine of another user's, whose answers would be believed.
func peerOfUs(conn net.Conn, users ...int) (*net.UnixConn, error) {
	uid, err := unixsocket.PeerUID(conn)
	if err == nil && !slices.Contains(users, int(uid)) {
		err = fmt.Errorf("connect to engine: it is of user %d", uid)
	}
	local, ok := conn.(*net.UnixConn)
	if err != nil || !ok {
		return nil, errors.Join(err, conn.Close())
	}
	return local, nil
}

// answerTime is how long an engine may take to say what it is. It does nothing for that.
const answerTime = 10 * time.Second
