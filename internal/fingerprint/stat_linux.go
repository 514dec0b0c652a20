package fingerprint

import (
	"encoding/binary"
	"os"

	"golang.org/x/sys/unix"

	"hotcell/internal/digest"
)

// describe adds one entry to a digest.
func describe(sum *digest.Hash, name string, stat *unix.Stat_t) {
	var text [10 * 8]byte
	for n, figure := range [...]uint64{
		uint64(len(name)), uint64(stat.Mode), uint64(stat.Uid)<<32 | uint64(stat.Gid), uint64(stat.Size), uint64(stat.Nlink),
		stat.Ino, uint64(stat.Ctim.Sec), uint64(stat.Ctim.Nsec), uint64(stat.Mtim.Sec), uint64(stat.Mtim.Nsec),
	} {
		binary.BigEndian.PutUint64(text[n*8:], figure)
	}
	_, _ = sum.Write(text[:]) // never an error
	_, _ = sum.Write([]byte(name))
}

func deviceOf(stat *unix.Stat_t) uint64 { return stat.Dev }

func changedAt(stat *unix.Stat_t) int64 { return stat.Ctim.Nano() }

// keepsStamps knows the file systems whose ctimes the kernel makes itself, by its own
// clock. A server (NFS) and a process (FUSE) may say what they like, and an overlay says
// what the file systems below it do.
func keepsStamps(dir *os.File) bool {
	var stat unix.Statfs_t
	if err := unix.Fstatfs(int(dir.Fd()), &stat); err != nil {
		return false
	}
	switch int64(stat.Type) {
	case unix.EXT4_SUPER_MAGIC, unix.XFS_SUPER_MAGIC, unix.BTRFS_SUPER_MAGIC, unix.F2FS_SUPER_MAGIC, unix.TMPFS_MAGIC:
		return true
	default:
		return false
	}
}

// Unwritten reports whether nobody can write to an open file at this moment: there is no
// descriptor for writing, and no shared mapping. A write through a mapping stamps the
// file only where it is the first since the page was last written to the disk, on tmpfs
// the first of all, so that a mapping which is older than a look could change what the
// look has seen, and leave no trace. The kernel grants a read lease only where there is
// no writer (fcntl(2)). Whatever cannot be asked counts as written.
func Unwritten(file *os.File) bool {
	fd := file.Fd()
	if _, err := unix.FcntlInt(fd, unix.F_SETLEASE, unix.F_RDLCK); err != nil {
		return false
	}
	_, err := unix.FcntlInt(fd, unix.F_SETLEASE, unix.F_UNLCK)
	return err == nil
}

func modifiedAt(stat *unix.Stat_t) int64 { return stat.Mtim.Nano() }
