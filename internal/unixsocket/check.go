package unixsocket

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/sys/unix"

	"hotcell/internal/durable"
)

// ErrPlace is wrapped by Listen's error where the socket cannot stand, and where another try meets
// the same.
var ErrPlace = errors.New("no socket can be there")

// Check says why Listen could not make the socket, as far as that can be told without making it,
// with the way out.
func Check(options Options) error {
	dir, err := openDir(options.Path)
	if err != nil {
		return errors.Join(err, options.member())
	}
	defer dir.Close()
	faults := []error{options.member()}
	name := filepath.Base(options.Path)
	if info, err := dir.Lstat(name); err == nil && info.Mode().Type() != fs.ModeSocket {
		faults = append(faults, inTheWay(name))
	}
	if err := errors.Join(faults...); err != nil {
		return fmt.Errorf("listen at %s: %w", options.Path, err)
	}
	return nil
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
		err = fmt.Errorf("%s is no member of group %d, which the socket is to have: start it with that group (systemd's SupplementaryGroups=, setpriv --groups), or name another", durable.ThisUser(), o.Group)
	}
	return err
}

func inTheWay(name string) error {
	return fmt.Errorf("%s is in the way: it is not a socket", name)
}
