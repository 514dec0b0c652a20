// Package unixsocket is for sockets with a name on the disk: one is made in the place of what a
// process that died has left, and never in that of a living one's, and the kernel says whose
// process is at the other end. It decides nothing about who that may be.
package unixsocket

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"sync"

	"hotcell/internal/durable"
)

// ErrAnother is wrapped by Listen's error where a living process has the socket.
var ErrAnother = errors.New("another process listens there")

// maxPath is what the kernel takes of a socket's name, in bytes (unix(7)).
const maxPath = 107

// Options say where a socket is, and who may connect.
type Options struct {
	Path  string
	Mode  fs.FileMode // of the socket: who may write it may connect
	Group int         // its group, or -1 for this process's own
}

// Listener is a socket, and the lock that says that its name is taken: PATH.lock, which stays.
type Listener struct {
	net.Listener
	dir  *os.Root
	name string
	lock *os.File

	once   sync.Once
	closed error
}

// Listen makes the socket. The directory must exist, and nobody but root and this user may be
// able to write it: whoever could would put a socket of their own in its place.
func Listen(options Options) (*Listener, error) {
	if len(options.Path) > maxPath || !filepath.IsAbs(options.Path) {
		return nil, fmt.Errorf("listen at %s: want an absolute path of at most %d bytes", options.Path, maxPath)
	}
	dir, err := durable.OpenTrusted(filepath.Dir(options.Path))
	if err != nil {
		return nil, fmt.Errorf("listen at %s: %w", options.Path, err)
	}
	l := &Listener{dir: dir, name: filepath.Base(options.Path)}
	if err := l.open(options); err != nil {
		return nil, errors.Join(fmt.Errorf("listen at %s: %w", options.Path, err), l.release())
	}
	return l, nil
}

func (l *Listener) open(options Options) (err error) {
	if err := closedToOthers(l.dir); err != nil {
		return err
	}
	now, end := context.WithCancelCause(context.Background())
	end(ErrAnother)
	if l.lock, err = durable.Lock(now, options.Path+".lock"); err != nil {
		return err
	}
	if err := l.remove(); err != nil {
		return err
	}
	var config net.ListenConfig
	if l.Listener, err = config.Listen(context.Background(), "unix", options.Path); err != nil {
		return err
	}
	if local, ok := l.Listener.(*net.UnixListener); ok {
		local.SetUnlinkOnClose(false) // by its name, which Close removes from the open directory
	}
	if err := l.admit(options); err != nil {
		return errors.Join(err, l.Listener.Close(), l.remove())
	}
	return nil
}

// closedToOthers wants a directory whose entries only its owner can exchange.
func closedToOthers(dir *os.Root) error {
	info, err := dir.Stat(".")
	if err == nil && info.Mode().Perm()&0o022 != 0 {
		err = errors.New("its directory is writable by its group or by others: run `chmod go-w` on it")
	}
	return err
}

// admit gives the socket its group before its mode: until then it has what the umask left, and
// nobody is answered before Accept.
func (l *Listener) admit(options Options) error {
	if options.Group >= 0 {
		if err := l.dir.Lchown(l.name, -1, options.Group); err != nil {
			return fmt.Errorf("%w: this process has to be a member of the group", err)
		}
	}
	return l.dir.Chmod(l.name, options.Mode)
}

// remove removes what a dead process has left, and nothing that is not a socket.
func (l *Listener) remove() error {
	info, err := l.dir.Lstat(l.name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil && info.Mode().Type() != fs.ModeSocket {
		err = fmt.Errorf("%s is in the way: it is not a socket", l.name)
	}
	if err != nil {
		return err
	}
	return l.dir.Remove(l.name)
}

// Close removes the socket: whoever looks for it finds none. Idempotent.
func (l *Listener) Close() error {
	l.once.Do(func() { l.closed = errors.Join(l.Listener.Close(), l.remove(), l.release()) })
	return l.closed
}

func (l *Listener) release() (err error) {
	if l.lock != nil {
		err = l.lock.Close()
	}
	return errors.Join(err, l.dir.Close())
}

// innermost is the connection within those that wrap it.
func innermost(conn net.Conn) net.Conn {
	for {
		wrapped, ok := conn.(interface{ NetConn() net.Conn })
		if !ok {
			return conn
		}
		conn = wrapped.NetConn()
	}
}
