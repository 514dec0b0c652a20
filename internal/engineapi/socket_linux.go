package engineapi

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"time"

	"golang.org/x/sys/unix"

	"hotcell/internal/durable"
	"hotcell/internal/unixsocket"
)

// ErrAnother is wrapped by Listen's error where an engine serves the directory already.
var ErrAnother = errors.New("another engine serves this state directory")

// Listen makes the socket in dir, a state directory: one that nobody else may enter. What
// an engine that died has left there is replaced, which its lock tells.
func Listen(dir string) (*unixsocket.Listener, error) {
	root, err := durable.OpenDir(dir)
	if err != nil {
		return nil, fmt.Errorf("open state directory: %w", err)
	}
	listener, err := unixsocket.ListenIn(root, unixsocket.Options{
		Path: filepath.Join(dir, SocketName), Lock: LockName, Mode: 0o600, User: -1, Group: -1,
	})
	return theOnly(listener, err)
}

// theOnly words an error of a socket that another engine has.
func theOnly(listener *unixsocket.Listener, err error) (*unixsocket.Listener, error) {
	if errors.Is(err, unixsocket.ErrAnother) {
		err = fmt.Errorf("%w: %w", ErrAnother, err)
	}
	return listener, err
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
	conn, err := unixsocket.WithAddress(root, SocketName, func(address string) (net.Conn, error) {
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
