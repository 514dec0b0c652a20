// Package beneath reads directory trees that somebody else wrote and may still
// be changing.
//
// It decides how a tree is walked so that no name in it can lead elsewhere: one
// component at a time from an open directory, no link followed, no mount
// crossed, nothing opened that is not the regular file or directory that was
// looked at. It also says which names are fit to leave a sandbox (CheckPath) and
// how an unfit one is shown (Escape). It does not decide what a tree should
// hold: internal/output and internal/bundle do.
//
// os.Root alone is not enough here: it follows links that stay within the root,
// even when told O_NOFOLLOW, and crosses mounts (golang/go 73555, 77827, 79005).
package beneath

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// Kind is what a directory entry is, in words for people.
type Kind string

// The kinds.
const (
	Regular     Kind = "regular file"
	Directory   Kind = "directory"
	Symlink     Kind = "symbolic link"
	FIFO        Kind = "named pipe"
	Socket      Kind = "socket"
	BlockDevice Kind = "block device"
	CharDevice  Kind = "character device"
	Unknown     Kind = "file of unknown type"
)

var (
	// ErrChanged means that the entry is no longer what it was when it was looked at.
	ErrChanged = errors.New("it changed while it was read")
	// ErrMount means that the entry is a mount point.
	ErrMount = errors.New("it is a mount point")
	// ErrUnreadable means that its mode does not let us read it.
	ErrUnreadable = errors.New("it must not be read")
	// ErrTooDeep means that the directory lies deeper than Extent.Depth.
	ErrTooDeep = errors.New("it lies too deep")
	// ErrTooMany means that the tree has more entries than Extent.Entries.
	ErrTooMany = errors.New("too many files and directories")
	// ErrTooLarge means that more bytes came than were allowed.
	ErrTooLarge = errors.New("too many bytes")
	// ErrLinked means that a file has other names, and can be changed under them.
	ErrLinked = errors.New("hard links")
)

// Node is one entry of a tree as the kernel describes it. It is valid only
// during the visit that it was given to.
type Node struct {
	Path    string // relative to the root, slash-separated; raw bytes, not checked
	Kind    Kind
	Bytes   int64
	Links   uint64 // hard links
	Mode    uint32 // permission and setuid, setgid and sticky bits
	Problem error  // why a directory will not be entered: ErrMount, ErrTooDeep, ErrChanged, ErrUnreadable or the system's

	parent *os.File
	name   string
	id     identity
	change unix.Timespec // of the inode, which nobody can set
}

// identity tells one inode from another while both exist.
type identity struct{ device, inode uint64 }

// Fingerprint is everything that the kernel tells of the entry, for comparing it with what was
// there before: what has been written to since, even by the same bytes, has another ctime. Two
// changes within one tick of a clock before Linux 6.13 may have the same.
func (n *Node) Fingerprint() string {
	return fmt.Sprintf("%q %s %d %d %o %d %d %d.%09d", n.Path, n.Kind, n.Bytes, n.Links, n.Mode, n.id.device, n.id.inode, n.change.Sec, n.change.Nsec)
}

// special are the bits that give a file more than permissions.
const special = unix.S_ISUID | unix.S_ISGID | unix.S_ISVTX

// Special reports whether a setuid, setgid or sticky bit is set.
func (n *Node) Special() bool { return n.Mode&special != 0 }

// Open opens a regular file for reading, without following, crossing or waiting
// for anything, and checks that it is still the file that was looked at. The
// caller closes it and must not open the path by name again.
func (n *Node) Open() (*os.File, error) {
	if n.Kind != Regular {
		return nil, fmt.Errorf("open %s: it is a %s", Escape(n.Path), n.Kind)
	}
	return n.open(0)
}

func (n *Node) open(flags int) (*os.File, error) {
	file, err := openComponent(n.parent, n.name, n.Path, flags)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", Escape(n.Path), err)
	}
	opened, err := statFile(file)
	if err == nil && (opened.id != n.id || opened.Kind != n.Kind || opened.Links != n.Links) {
		err = ErrChanged
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open %s: %w", Escape(n.Path), err), file.Close())
	}
	return file, nil
}

// openComponent opens one name in a directory. O_NONBLOCK keeps a named pipe
// that took the file's place from holding us.
func openComponent(parent *os.File, name, path string, flags int) (*os.File, error) {
	fd, err := openAt(int(parent.Fd()), name, unix.O_RDONLY|unix.O_NONBLOCK|unix.O_NOFOLLOW|unix.O_CLOEXEC|flags)
	switch {
	case errors.Is(err, unix.EXDEV):
		return nil, ErrMount
	case errors.Is(err, unix.ELOOP), errors.Is(err, unix.ENOTDIR), errors.Is(err, unix.ENOENT), errors.Is(err, unix.ENXIO):
		return nil, ErrChanged // it was there, and no link, when it was looked at
	case errors.Is(err, unix.EACCES): // and not EPERM, which is a host that forbids openat2
		return nil, ErrUnreadable
	case err != nil:
		return nil, err
	}
	if err := unix.SetNonblock(fd, false); err != nil {
		return nil, errors.Join(err, unix.Close(fd))
	}
	return os.NewFile(uintptr(fd), path), nil
}

func lookAt(parent *os.File, name, path string) (*Node, error) {
	var stat unix.Stat_t
	err := retry(func() error {
		return unix.Fstatat(int(parent.Fd()), name, &stat, unix.AT_SYMLINK_NOFOLLOW)
	})
	if err != nil {
		return nil, fmt.Errorf("look at %s: %w", Escape(path), err)
	}
	node := describe(&stat)
	node.Path, node.parent, node.name = path, parent, name
	return node, nil
}

func statFile(file *os.File) (*Node, error) {
	var stat unix.Stat_t
	if err := retry(func() error { return unix.Fstat(int(file.Fd()), &stat) }); err != nil {
		return nil, err
	}
	return describe(&stat), nil
}

// describe widens what differs between Linux and macOS.
func describe(stat *unix.Stat_t) *Node {
	return &Node{
		Kind:  kindOf(uint32(stat.Mode)),
		Bytes: stat.Size,
		Links: uint64(stat.Nlink),
		Mode:  uint32(stat.Mode) & (special | 0o777),
		id:    identity{uint64(stat.Dev), stat.Ino},

		change: stat.Ctim,
	}
}

func kindOf(mode uint32) Kind {
	switch mode & unix.S_IFMT {
	case unix.S_IFREG:
		return Regular
	case unix.S_IFDIR:
		return Directory
	case unix.S_IFLNK:
		return Symlink
	case unix.S_IFIFO:
		return FIFO
	case unix.S_IFSOCK:
		return Socket
	case unix.S_IFBLK:
		return BlockDevice
	case unix.S_IFCHR:
		return CharDevice
	default:
		return Unknown
	}
}

func retry(call func() error) error {
	for {
		if err := call(); !errors.Is(err, unix.EINTR) {
			return err
		}
	}
}
