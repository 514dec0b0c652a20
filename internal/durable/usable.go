package durable

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
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
// another's keys, and whoever owns a directory can exchange what is in it.
func OwnDir(path string) error {
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
	return err
}

// anotherDir is the way out of a directory that cannot be this user's.
func anotherDir() string {
	return fmt.Sprintf("name a directory of its own, which root makes by `install -d -o %s -m 700 DIRECTORY`", ThisUser())
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
