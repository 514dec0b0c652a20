package durable

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// ErrNotTrusted is wrapped by MakeTrusted where another user could exchange what is
// below a directory.
var ErrNotTrusted = errors.New("it can be exchanged by another user")

// OthersBelow names the first directory on the way to an absolute path without
// links in which another user could put something else in the path's place, and
// says why, or returns nil. Everything that is kept below such a path is that
// user's to exchange, whatever its own mode. The path itself need not exist.
func OthersBelow(path string) error {
	for _, parent := range above(path) {
		var stat unix.Stat_t
		if err := unix.Lstat(parent, &stat); err != nil {
			return &fs.PathError{Op: "lstat", Path: parent, Err: err}
		}
		if fault := othersMayRename(&stat, parent); fault != "" {
			return fmt.Errorf("%s is above it and %s", parent, fault)
		}
	}
	return nil
}

// MakeTrusted makes the directory path, those above it included, with mode 0700
// where they are missing, and returns its name without links. On the way nobody but
// root and this user may be able to change what a name leads to: the first
// directory in which another user could is an error, before anything in it is
// looked up, followed or made.
func MakeTrusted(path string) (resolved string, err error) {
	path, err = filepath.Abs(path)
	if err != nil {
		return "", err
	}
	return makeTrusted(path)
}

// othersMayRename judges a directory. With the sticky bit only the owner of an
// entry, and of the directory, may rename it. A group counts for root, and for
// others if it is not their own, which on most systems has no other member. An
// access control list shows in the group's bits: they are the most that it gives
// to anybody (acl(5)).
func othersMayRename(stat *unix.Stat_t, path string) string {
	mode := uint32(stat.Mode)
	switch {
	case mode&unix.S_IFMT != unix.S_IFDIR:
		return "is not a directory"
	case stat.Uid != 0 && int(stat.Uid) != os.Geteuid():
		return fmt.Sprintf("belongs to user %d", stat.Uid)
	case mode&unix.S_ISVTX != 0:
		return ""
	case mode&0o002 != 0:
		return "can be written by everybody"
	case mode&0o020 == 0:
		return ""
	case hasList(path):
		return "can be written by those whom its access control list names"
	case os.Geteuid() == 0 || int(stat.Gid) != os.Getegid():
		return fmt.Sprintf("can be written by group %d", stat.Gid)
	}
	return ""
}

// hasList reports whether a directory has an access control list that says more than
// its mode. What cannot be read counts as one.
func hasList(path string) bool {
	_, err := unix.Getxattr(path, "system.posix_acl_access", nil)
	return !errors.Is(err, errNoAttribute) && !errors.Is(err, unix.ENOTSUP)
}
