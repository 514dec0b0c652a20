package engineapi

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"hotcell/internal/durable"
	"hotcell/internal/unixsocket"
)

// ListenFront makes a socket that belongs to one user, who alone may connect: any user where this
// process is root's, and its own elsewhere. It lies in a directory that only this process's user can write; the last one of its
// path is made where it is missing.
func ListenFront(path string, uid uint32) (*unixsocket.Listener, error) {
	if err := makeFrontDir(filepath.Dir(path)); err != nil {
		return nil, fmt.Errorf("the front's socket: %w: %w", unixsocket.ErrPlace, err)
	}
	listener, err := theOnly(unixsocket.Listen(unixsocket.Options{Path: path, Mode: 0o600, User: int(uid), Group: -1}))
	if err != nil {
		return nil, fmt.Errorf("the front's socket: %w", err)
	}
	return listener, nil
}

// makeFrontDir makes a directory that is missing, in one in which nobody else can put anything in
// its place.
func makeFrontDir(dir string) error {
	if _, err := os.Lstat(dir); !errors.Is(err, fs.ErrNotExist) || !filepath.IsAbs(dir) {
		return nil // what it is, is looked at where it is opened
	}
	above, err := durable.OpenTrusted(filepath.Dir(dir))
	if err != nil {
		return err
	}
	return errors.Join(above.Close(), durable.MakeDir(dir, 0o755))
}

// dialFront connects to the engine at a front's socket. Its answers are believed if it is
// root's, or this user's own: who is this user can be this process.
func dialFront(ctx context.Context, path string) (*net.UnixConn, error) {
	dialer := net.Dialer{Timeout: answerTime}
	conn, err := dialer.DialContext(ctx, "unix", path)
	switch {
	case errors.Is(err, unix.ECONNREFUSED):
		return nil, ErrDead
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%w: %w", ErrNone, err)
	case errors.Is(err, fs.ErrPermission):
		return nil, fmt.Errorf("%w: this process is of user %d, who may not connect to %s: start the engine with --front-user and the name of that user", ErrOthers, os.Geteuid(), path)
	case err != nil:
		return nil, fmt.Errorf("connect to engine: %w", err)
	}
	return peerOfUs(conn, 0, os.Geteuid())
}
