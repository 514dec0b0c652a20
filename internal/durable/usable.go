package durable

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"strconv"

	"golang.org/x/sys/unix"
)

// ThisUser is the name of this process's user, as chown(1) takes it.
func ThisUser() string {
	uid := strconv.Itoa(os.Geteuid())
	if found, err := user.LookupId(uid); err == nil {
		return found.Username
	}
	return uid
}

// OwnDir says why a directory cannot be this user's own, with the way out: what MakeTrusted and
// MakeDir would find. It makes nothing; one that is missing and can be made is right.
func OwnDir(path string) error {
	root, err := OpenTrusted(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return canMake(path)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%s may not enter directory %s: run `chown %s %s`, or name another", ThisUser(), path, ThisUser(), path)
	case err != nil:
		return err
	}
	defer root.Close()
	info, err := root.Stat(".")
	if err == nil && !Own(info) {
		err = fmt.Errorf("directory %s belongs to another user than %s: run `chown %s %s`, or name another", path, ThisUser(), ThisUser(), path)
	}
	return err
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
