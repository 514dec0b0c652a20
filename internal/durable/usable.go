package durable

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// ThisUser is the name of this process's user, as chown(1) takes it.
func ThisUser() string { return userOf(os.Geteuid()) }

func userOf(id int) string {
	uid := strconv.Itoa(id)
	if found, err := user.LookupId(uid); err == nil {
		return found.Username
	}
	return uid
}

// OwnDir says why a directory cannot be this user's own, with the way out: what MakeTrusted and
// MakeDir would find. It makes nothing; one that is missing and can be made is right. It never asks
// for one that is there to be given to this user: what a slip has named may be the system's, or hold
// another's keys, and whoever owns a directory can exchange what is in it. Nor is one to be closed to
// others that holds something, but not the file by which it is known as ours: they may need it.
func OwnDir(path, mark string) error {
	root, err := OpenTrusted(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return canMake(path)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%s may not enter directory %s: %s", ThisUser(), path, anotherDir())
	case err != nil:
		return err
	}
	defer root.Close()
	info, err := root.Stat(".")
	if err == nil && !Own(info) {
		err = fmt.Errorf("directory %s belongs to %s, and not to %s: %s", path, ownerOf(info), ThisUser(), anotherDir())
	}
	if err != nil || info.Mode().Perm()&0o077 == 0 {
		return err
	}
	if _, err := root.Lstat(mark); err == nil {
		return nil
	}
	dir, err := root.Open(".")
	if err != nil {
		return err
	}
	defer dir.Close()
	if _, err = dir.Readdirnames(1); errors.Is(err, io.EOF) {
		return nil
	}
	return cmp.Or(err, fmt.Errorf("directory %s is open to others, who would be shut out, and holds what is not the service's: %s", path, anotherDir()))
}

// anotherDir is the way out of a directory that cannot be this user's.
func anotherDir() string {
	return fmt.Sprintf("name a directory of its own, which root makes by `install -d -o %s -m 700 DIRECTORY`", ThisUser())
}

// OnlyOwn is nil for a directory in which nobody but root and this user can have changed anything: it
// is this user's, nobody else may write it, and nobody else can put another one in its place. Whoever
// owns a directory can exchange all that is in it, whatever the modes of that are. Else the error says
// whose it is, and wraps ErrNotTrusted.
func OnlyOwn(path string) error {
	root, err := OpenTrusted(path)
	if err != nil {
		return err
	}
	defer root.Close()
	info, err := root.Stat(".")
	switch {
	case err != nil:
		return err
	case !Own(info):
		return fmt.Errorf("%w: directory %s belongs to %s, and not to %s", ErrNotTrusted, path, ownerOf(info), ThisUser())
	case info.Mode().Perm()&0o022 != 0:
		return fmt.Errorf("%w: directory %s can be written by its group or by others (mode %04o)", ErrNotTrusted, path, info.Mode().Perm())
	}
	return nil
}

func ownerOf(info fs.FileInfo) string {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return "another user"
	}
	return userOf(int(stat.Uid))
}

// canMake reports whether a directory that is missing could be made.
func canMake(path string) error {
	for above := filepath.Dir(path); ; above = filepath.Dir(above) {
		root, err := OpenTrusted(above)
		if errors.Is(err, fs.ErrNotExist) && above != filepath.Dir(above) {
			continue
		}
		if err == nil {
			err = errors.Join(unix.Access(above, unix.W_OK|unix.X_OK), root.Close())
		}
		if errors.Is(err, fs.ErrPermission) {
			return fmt.Errorf("directory %s is missing, and %s may not make it: run as root `install -d -o %s -m 700 %s`", path, ThisUser(), ThisUser(), path)
		}
		return err
	}
}

// ClosedAbove says which directory on the way to a file this user may not enter, with the way out, or
// is nil: whatever is done to the file itself, it stays unreadable.
func ClosedAbove(path string) error {
	for _, dir := range above(path) {
		if err := unix.Access(dir, unix.X_OK); errors.Is(err, fs.ErrPermission) {
			return fmt.Errorf("%s may not enter %s, in which it is: %w: move it to a directory that %s may enter, such as /etc/hotcell", ThisUser(), dir, err, ThisUser())
		}
	}
	return nil
}

// above are the directories on the way to a path, the topmost first.
func above(path string) []string {
	var all []string
	for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) {
		all = append(all, dir)
		if dir == filepath.Dir(dir) {
			slices.Reverse(all)
			return all
		}
	}
}
