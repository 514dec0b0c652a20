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
)

// maxSocketPath is what an address has room for (unix(7)).
const maxSocketPath = 107

// ListenFront makes a socket that belongs to one user, who alone may connect. It lies in a
// directory that only this process's user, which is root, can write; the last one of its
// path is made where it is missing.
func ListenFront(path string, uid uint32) (*Listener, error) {
	if !filepath.IsAbs(path) || filepath.Clean(path) != path || len(path) > maxSocketPath {
		return nil, fmt.Errorf("listen: the front's socket %q: name it by a clean absolute path of at most %d bytes", path, maxSocketPath)
	}
	dir := filepath.Dir(path)
	root, err := openFrontDir(dir)
	if err != nil {
		return nil, fmt.Errorf("listen: the front's socket: %w", err)
	}
	name := filepath.Base(path)
	l, err := listen(dir, &Listener{dir: root, name: name, lockName: name + ".lock"})
	if err != nil {
		return nil, err
	}
	if err := root.Lchown(name, int(uid), -1); err != nil {
		return nil, errors.Join(fmt.Errorf("listen: the front's socket: %w", err), l.Close())
	}
	return l, nil
}

func openFrontDir(dir string) (*os.Root, error) {
	root, err := durable.OpenTrusted(dir)
	if errors.Is(err, fs.ErrNotExist) {
		// Above it nobody else can put anything in its place, or this fails as the first did.
		if root, err = durable.OpenTrusted(filepath.Dir(dir)); err != nil {
			return nil, err
		}
		err = errors.Join(root.Close(), durable.MakeDir(dir, 0o755))
		if err == nil {
			root, err = durable.OpenTrusted(dir)
		}
	}
	if errors.Is(err, durable.ErrNotTrusted) {
		return nil, fmt.Errorf("%w: run `chmod go-w` and `chown root` on that one, or name another place", err)
	}
	if err != nil {
		return nil, err
	}
	info, err := root.Stat(".")
	if err == nil && (!durable.Own(info) || info.Mode().Perm()&0o022 != 0) {
		err = fmt.Errorf("directory %s can be written by others: run `chown root` and `chmod go-w` on it, or name another place", dir)
	}
	if err != nil {
		return nil, errors.Join(err, root.Close())
	}
	return root, nil
}

// dialFront connects to the engine at a front's socket. Its answers are believed if it is
// root's or, in a test, this user's own.
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
