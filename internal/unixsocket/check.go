package unixsocket

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"golang.org/x/sys/unix"

	"hotcell/internal/durable"
)

// ErrPlace is wrapped by Listen's error where the socket cannot stand, and where another try meets
// the same.
var ErrPlace = errors.New("no socket can be there")

// Check says why Listen could not make the socket, as far as that can be told without making it,
// with the way out. Where nothing else is wrong, a living process that has it is ErrAnother.
func Check(ctx context.Context, options Options) error {
	dir, err := openDir(options.Path)
	if err != nil {
		return errors.Join(err, options.member())
	}
	defer dir.Close()
	faults := []error{options.member()}
	name := filepath.Base(options.Path)
	if info, err := dir.Lstat(name); err == nil && info.Mode().Type() != fs.ModeSocket {
		faults = append(faults, inTheWay(name))
	} else if err == nil && errors.Join(faults...) == nil && answers(ctx, options.Path) {
		faults = append(faults, fmt.Errorf("%w: end it, or name another place", ErrAnother))
	}
	if err := errors.Join(faults...); err != nil {
		return fmt.Errorf("listen at %s: %w", options.Path, err)
	}
	return nil
}

// answers reports whether a process listens at a socket. Its lock would say so, too; whoever tries
// that has it for a moment, in which a service that starts is refused.
func answers(ctx context.Context, path string) bool {
	conn, err := (&net.Dialer{Timeout: time.Second}).DialContext(ctx, "unix", path)
	if err == nil {
		err = conn.Close()
	}
	return err == nil
}

// openDir opens the directory of a socket, in which this process has to make it, and nobody else
// can.
func openDir(path string) (*os.Root, error) {
	if len(path) > maxPath || !filepath.IsAbs(path) || filepath.Clean(path) != path {
		return nil, fmt.Errorf("%w: listen at %q: name it by a clean absolute path of at most %d bytes", ErrPlace, path, maxPath)
	}
	name, me := filepath.Dir(path), durable.ThisUser()
	dir, err := durable.OpenTrusted(name)
	if err == nil {
		if fault := cmp.Or(closedToOthers(dir), unix.Access(name, unix.W_OK|unix.X_OK)); fault != nil {
			err = errors.Join(fault, dir.Close())
		}
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		err = fmt.Errorf("its directory %s is missing: run as root `install -d -o %s -m 755 %s`, or name another place", name, me, name)
	case errors.Is(err, fs.ErrPermission):
		err = fmt.Errorf("%s may not write its directory %s: name a place in a directory of its own, which root makes by `install -d -o %s -m 755 DIRECTORY`", me, name, me)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: listen at %s: %w", ErrPlace, path, err)
	}
	return dir, nil
}

// member wants the group to be one of this process's: nobody else may give a socket to it.
func (o Options) member() error {
	if o.Group < 0 || os.Geteuid() == 0 || o.Group == os.Getegid() {
		return nil
	}
	groups, err := os.Getgroups()
	if err == nil && !slices.Contains(groups, o.Group) {
		err = fmt.Errorf("%s is no member of group %s, which the socket is to have: start it with that group (systemd's SupplementaryGroups=, setpriv --groups), or name another", durable.ThisUser(), groupOf(o.Group))
	}
	return err
}

// groupOf is the name of a group, or its number where it has none.
func groupOf(id int) string {
	gid := strconv.Itoa(id)
	if found, err := user.LookupGroupId(gid); err == nil {
		return found.Name
	}
	return gid
}

func inTheWay(name string) error {
	return fmt.Errorf("%s is in the way: it is not a socket", name)
}
