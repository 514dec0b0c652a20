package fingerprint

import (
	"fmt"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// Inode is how one file, or directory, looked. Two that are equal are of one file,
// unchanged, if the first was of Sure.
type Inode struct {
	device, inode, size, links uint64
	mode                       uint32
	user, group                uint32
	changed, modified          int64 // ctime and mtime, in nanoseconds since 1970
}

// Look looks at what stands at a path. It follows no link there.
func Look(path string) (Inode, error) {
	var stat unix.Stat_t
	if err := unix.Lstat(path, &stat); err != nil {
		return Inode{}, fmt.Errorf("look at %s: %w", path, err)
	}
	return fileOf(&stat), nil
}

// Sure looks at an open file or directory before it is read, and reports whether any
// change from now on will show: nobody can be writing to it, the last change is long
// enough before at, which is now, and the file system is one that keeps ctimes.
func Sure(file *os.File, at time.Time) (Inode, bool) {
	var stat unix.Stat_t
	if err := unix.Fstat(int(file.Fd()), &stat); err != nil {
		return Inode{}, false
	}
	look := fileOf(&stat)
	settled := keepsStamps(file) && look.changed < at.Add(-Margin).UnixNano()
	return look, settled && (stat.Mode&unix.S_IFMT == unix.S_IFDIR || Unwritten(file)) // a directory has no mapping
}

func fileOf(stat *unix.Stat_t) Inode {
	return Inode{
		device: deviceOf(stat), inode: stat.Ino, size: uint64(stat.Size), links: uint64(stat.Nlink), mode: uint32(stat.Mode),
		user: stat.Uid, group: stat.Gid, changed: changedAt(stat), modified: modifiedAt(stat),
	}
}
