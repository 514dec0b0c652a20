package durable

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

const errNoAttribute = unix.ENODATA

// maxLinks is the kernel's own bound for one path.
const maxLinks = 40

func openDir(path string) (*os.Root, error) { return rootAt(walkTo(path)) }

func openTrusted(path string) (*os.Root, error) { return rootAt(walk(path, &way{trusted: true})) }

func rootAt(way *way, err error) (root *os.Root, fault error) {
	if err != nil {
		return nil, err
	}
	defer func() { fault = errors.Join(fault, unix.Close(way.at)) }()
	// There is no os.Root of a descriptor, but this link is the descriptor itself.
	return os.OpenRoot(way.path())
}

// openFile resolves the last name like those before it: /dev/stdout is a link. It
// never waits: whoever owns a named pipe, or a lease on a file, decides when the
// other side comes.
func openFile(name string, flags int) (*os.File, error) {
	name, err := filepath.Abs(name)
	if err != nil {
		return nil, err
	}
	for range maxLinks {
		file, target, err := openIn(name, flags|unix.O_NONBLOCK|unix.O_CLOEXEC)
		if err != nil || file != nil {
			return file, err
		}
		if !filepath.IsAbs(target) {
			target = name[:strings.LastIndexByte(name, '/')+1] + target // not cleaned: ".." is the kernel's to resolve
		}
		name = target
	}
	return nil, unix.ELOOP
}

// ownDescriptor are the names of what is open here already, by the caller's choice.
// The link there has no target by name.
var ownDescriptor = regexp.MustCompile(`^(/proc/(self|thread-self)/fd|/dev/fd)/[0-9]+$`)

// openIn returns the target of the link that it met in the place of a file.
func openIn(name string, flags int) (file *os.File, target string, err error) {
	if ownDescriptor.MatchString(name) {
		fd, err := unix.Open(name, flags&^unix.O_CREAT, 0)
		if err != nil {
			return nil, "", err
		}
		file, err = blocking(fd, name)
		return file, "", err
	}
	end := strings.LastIndexByte(name, '/')
	dir, base := name[:end], name[end+1:]
	way, err := walkTo(dir)
	if err != nil {
		return nil, "", err
	}
	defer func() { err = errors.Join(err, unix.Close(way.at)) }()
	if base == "" {
		base = "."
	}
	fd, err := unix.Openat(way.at, base, flags|unix.O_NOFOLLOW, 0o644)
	if errors.Is(err, unix.ELOOP) {
		target, err = readLink(way.at, base)
		return nil, target, err
	}
	if err != nil {
		return nil, "", waits(err)
	}
	if file, err = blocking(fd, name); err == nil {
		file, err = fit(file, flags)
	}
	return file, "", err
}

// waits names what would have made open(2) wait.
func waits(err error) error {
	switch {
	case errors.Is(err, unix.ENXIO):
		return errors.New("it is a named pipe that nobody reads, or a socket: name a file")
	case errors.Is(err, unix.EWOULDBLOCK):
		return errors.New("another process holds a lease on it: name another file")
	}
	return err
}

// blocking makes a file of a descriptor that was opened without waiting.
func blocking(fd int, name string) (*os.File, error) {
	if err := unix.SetNonblock(fd, false); err != nil {
		return nil, errors.Join(err, unix.Close(fd))
	}
	return os.NewFile(uintptr(fd), name), nil
}

// fit refuses what would keep us waiting: another user's pipe, whose other end
// that user holds, and for reading whatever is not a file.
func fit(file *os.File, flags int) (*os.File, error) {
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		switch {
		case flags&unix.O_ACCMODE == unix.O_RDONLY:
			err = errNotRegular
		case !rootsOrOwn(info):
			err = errors.New("it is not a regular file, and belongs to another user: name a file")
		}
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

func rootsOrOwn(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && (stat.Uid == 0 || int(stat.Uid) == os.Geteuid())
}

// way is a walk from the root of the file system, one name at a time.
type way struct {
	at    int // O_PATH descriptor
	todo  []string
	links int
	// trusted refuses directories in which others could exchange an entry, and making
	// makes what is missing in all the others.
	trusted, making bool
}

func walkTo(path string) (*way, error) { return walk(path, &way{}) }

func makeTrusted(path string) (resolved string, err error) {
	w, err := walk(path, &way{trusted: true, making: true})
	if err != nil {
		return "", fmt.Errorf("open directory %s: %w", path, err)
	}
	defer func() { err = errors.Join(err, unix.Close(w.at)) }()
	return os.Readlink(w.path())
}

// walk goes the way of w, which is at its beginning.
func walk(path string, w *way) (*way, error) {
	at, err := unix.Open("/", unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	w.at, w.todo = at, strings.Split(path, "/")
	for len(w.todo) > 0 {
		name := w.todo[0]
		w.todo = w.todo[1:]
		if name == "" || name == "." {
			continue
		}
		if err := w.step(name); err != nil {
			return nil, errors.Join(fmt.Errorf("%s: %w", strconv.Quote(name), err), unix.Close(w.at))
		}
	}
	return w, nil
}

// path is a name of the directory that is open, whatever is renamed.
func (w *way) path() string { return fmt.Sprintf("/proc/self/fd/%d", w.at) }

// open opens the next name, and makes a directory of it where it is to.
func (w *way) open(name string) (int, error) {
	const flags = unix.O_PATH | unix.O_NOFOLLOW | unix.O_CLOEXEC
	if !w.trusted {
		return unix.Openat(w.at, name, flags, 0)
	}
	var stat unix.Stat_t
	if err := unix.Fstat(w.at, &stat); err != nil {
		return -1, err
	}
	if fault := othersMayRename(&stat, w.path()); fault != "" {
		named, err := os.Readlink(w.path())
		return -1, errors.Join(fmt.Errorf("%w: %s is above it and %s", ErrNotTrusted, named, fault), err)
	}
	next, err := unix.Openat(w.at, name, flags, 0)
	if !w.making || !errors.Is(err, unix.ENOENT) {
		return next, err
	}
	if err := unix.Mkdirat(w.at, name, 0o700); err != nil && !errors.Is(err, unix.EEXIST) {
		return -1, err
	}
	return unix.Openat(w.at, name, flags, 0)
}

func (w *way) step(name string) error {
	next, err := w.open(name)
	if err != nil {
		return err
	}
	var stat unix.Stat_t
	if err := unix.Fstat(next, &stat); err != nil {
		return errors.Join(err, unix.Close(next))
	}
	switch stat.Mode & unix.S_IFMT {
	case unix.S_IFDIR:
		last := w.at
		w.at = next
		return unix.Close(last)
	case unix.S_IFLNK:
		return errors.Join(w.follow(next), unix.Close(next))
	default:
		return errors.Join(unix.ENOTDIR, unix.Close(next))
	}
}

func (w *way) follow(link int) error {
	if w.links++; w.links > maxLinks {
		return unix.ELOOP
	}
	target, err := readLink(link, "")
	if err != nil {
		return err
	}
	w.todo = append(strings.Split(target, "/"), w.todo...)
	if !strings.HasPrefix(target, "/") {
		return nil
	}
	top, err := unix.Open("/", unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	last := w.at
	w.at = top
	return unix.Close(last)
}

// readLink reads a link of root's or of our own. The name is "" where the link
// itself is open.
func readLink(dir int, name string) (string, error) {
	flags := unix.AT_SYMLINK_NOFOLLOW
	if name == "" {
		flags |= unix.AT_EMPTY_PATH
	}
	var stat unix.Stat_t
	if err := unix.Fstatat(dir, name, &stat, flags); err != nil {
		return "", err
	}
	if stat.Uid != 0 && int(stat.Uid) != os.Geteuid() {
		return "", ErrForeignLink
	}
	buffer := make([]byte, unix.PathMax)
	n, err := unix.Readlinkat(dir, name, buffer)
	if err != nil {
		return "", err
	}
	return string(buffer[:n]), nil
}
