// Package unixsocket is for sockets with a name on the disk: one is made in the place of what a
// process that died has left, and never in that of a living one's, and the kernel says whose
// process is at the other end. It decides nothing about who that may be.
package unixsocket

import (
	"cmp"
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
	Lock  string      // the name of its lock, beside it; "" for that of the socket with .lock
	Mode  fs.FileMode // of the socket: who may write it may connect
	User  int         // its owner, or -1 for this process's own
	Group int         // its group, or -1 for this process's own
}

// Listener is a socket, and the lock that says that its name is taken, which stays.
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
	dir, err := openDir(options.Path)
	if err != nil {
		return nil, err
	}
	return listen(dir, options, func() (net.Listener, error) { return bind(options.Path) })
}

// ListenIn is Listen for a directory that is open, and that others cannot enter. It belongs to
// the listener from then on. Its path may be of any length.
func ListenIn(dir *os.Root, options Options) (*Listener, error) {
	return listen(dir, options, func() (net.Listener, error) { return WithAddress(dir, filepath.Base(options.Path), bind) })
}

func bind(address string) (net.Listener, error) {
	var config net.ListenConfig
	return config.Listen(context.Background(), "unix", address)
}

func listen(dir *os.Root, options Options, bind func() (net.Listener, error)) (*Listener, error) {
	l := &Listener{dir: dir, name: filepath.Base(options.Path)}
	if err := l.open(options, bind); err != nil {
		return nil, errors.Join(fmt.Errorf("listen at %s: %w", options.Path, err), l.release())
	}
	return l, nil
}

func (l *Listener) open(options Options, bind func() (net.Listener, error)) (err error) {
	now, end := context.WithCancelCause(context.Background())
	end(ErrAnother)
	lock := filepath.Join(filepath.Dir(options.Path), cmp.Or(options.Lock, l.name+".lock"))
	if l.lock, err = durable.Lock(now, lock); err != nil {
		return err
	}
	if err := l.remove(); err != nil {
		return err
	}
	if l.Listener, err = bind(); err != nil {
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

// WithAddress gives use a name of a socket that is short, however long the directory's is: a
// socket's may have 107 bytes. It leads into the directory that is open.
func WithAddress[T any](dir *os.Root, name string, use func(address string) (T, error)) (made T, err error) {
	here, err := dir.Open(".")
	if err != nil {
		return made, err
	}
	defer func() { err = errors.Join(err, here.Close()) }()
	return use(fmt.Sprintf("/proc/self/fd/%d/%s", here.Fd(), name))
}

// closedToOthers wants a directory whose entries only this user, its owner, can exchange.
func closedToOthers(dir *os.Root) error {
	info, err := dir.Stat(".")
	if err == nil && (!durable.Own(info) || info.Mode().Perm()&0o022 != 0) {
		err = fmt.Errorf("others can write its directory: name a place in a directory of its own, which root makes by `install -d -o %s -m 755 DIRECTORY`", durable.ThisUser())
	}
	return err
}

// admit gives the socket its owners before its mode: until then it has what the umask left, and
// nobody is answered before Accept.
func (l *Listener) admit(options Options) error {
	if options.User >= 0 || options.Group >= 0 {
		if err := l.dir.Lchown(l.name, options.User, options.Group); err != nil {
			return fmt.Errorf("%w: this process has to be root, or a member of the group", err)
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
		err = inTheWay(l.name)
	}
	if err != nil {
		return err
	}
	if err := l.dir.Remove(l.name); err != nil {
		return fmt.Errorf("remove old socket: %w", err)
	}
	return nil
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
