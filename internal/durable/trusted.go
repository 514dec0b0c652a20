package durable

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// OthersBelow names the first directory on the way to an absolute path without
// links in which another user could put something else in the path's place, and
// says why, or returns nil. Everything that is kept below such a path is that
// user's to exchange, whatever its own mode. The path itself need not exist.
func OthersBelow(path string) error {
	var above []string
	for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) {
		above = append(above, dir)
		if dir == filepath.Dir(dir) {
			break
		}
	}
	for i := len(above) - 1; i >= 0; i-- {
		info, err := os.Lstat(above[i])
		if err != nil {
			return err
		}
		if fault := othersMayRename(info); fault != "" {
			return fmt.Errorf("%s is above it and %s", above[i], fault)
		}
	}
	return nil
}

// othersMayRename judges a directory. With the sticky bit only the owner of an
// entry, and of the directory, may rename it. A group counts for root, who is in
// none that he would have to trust; other users have groups of their own.
func othersMayRename(info fs.FileInfo) string {
	stat, ok := info.Sys().(*syscall.Stat_t)
	mode := info.Mode()
	switch {
	case !ok || !info.IsDir():
		return "is not a directory"
	case stat.Uid != 0 && int(stat.Uid) != os.Geteuid():
		return fmt.Sprintf("belongs to user %d", stat.Uid)
	case mode&fs.ModeSticky != 0:
		return ""
	case mode.Perm()&0o002 != 0:
		return "can be written by everybody"
	case mode.Perm()&0o020 != 0 && stat.Gid != 0 && os.Geteuid() == 0:
		return fmt.Sprintf("can be written by group %d", stat.Gid)
	}
	return ""
}
