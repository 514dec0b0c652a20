package durable

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"golang.org/x/sys/unix"
)

// ErrForeignLink is told of a link that may have been put there to lead us astray.
var ErrForeignLink = errors.New("it is a symbolic link of another user: name the directory itself")

// OpenDir opens the directory that a user names, for changes below it by
// descriptor. Links of root and of the user himself are followed on the way;
// those of others are refused, because they would choose where root writes (CWE-59).
// From then on the path is not to be used again: whoever may write a directory
// above it can put something else in its place (CWE-367).
func OpenDir(path string) (*os.Root, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("open directory: %w", err)
	}
	root, err := openDir(path)
	if err != nil {
		return nil, fmt.Errorf("open directory %s: %w", path, err)
	}
	return root, nil
}

// OpenTrusted is OpenDir for a directory whose content is believed because of who may
// write it: then nobody but root and this user may be able to put another directory in
// its place, either. The first one on the way in which another user could is
// ErrNotTrusted.
func OpenTrusted(path string) (*os.Root, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("open directory: %w", err)
	}
	root, err := openTrusted(path)
	if err != nil {
		return nil, fmt.Errorf("open directory %s: %w", path, err)
	}
	return root, nil
}

// errNotRegular is told of pipes, devices and directories in the place of a file.
var errNotRegular = errors.New("it is not a regular file")

// Open opens a file that a user names for reading. It must be a regular file, or
// one of this process's descriptors by its name in /dev/fd. Links are followed as
// OpenDir follows them. How much is read is the caller's to bound.
func Open(path string) (*os.File, error) {
	file, err := openFile(path, os.O_RDONLY)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	return file, nil
}

// ReadFile reads a file of at most so many bytes, which Open opens. A pipe, a device or an endless
// file in the place of one of the state directory is an error, and never waited for.
func ReadFile(path string, most int64) (content []byte, err error) {
	file, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	if content, err = io.ReadAll(io.LimitReader(file, most+1)); err != nil {
		return nil, err
	}
	if int64(len(content)) > most {
		return nil, &fs.PathError{Op: "read", Path: path, Err: fmt.Errorf("it has more than the %d bytes that it may have", most)}
	}
	return content, nil
}

// Create opens a file that a user names for writing from its beginning, and makes
// it with mode 0644 where it does not exist. What is there must be a file with
// one name, or something of root's or our own that only takes bytes, such as a
// pipe that somebody reads: another user's link would choose which file of ours is
// overwritten, and another user's pipe how long we wait.
func Create(path string) (*os.File, error) {
	file, err := openFile(path, os.O_WRONLY|os.O_CREATE)
	if err == nil {
		file, err = emptied(file)
	}
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	return file, nil
}

// emptied cuts a file that was opened for writing, unless it has a second name.
func emptied(file *os.File) (*os.File, error) {
	info, err := file.Stat()
	if err == nil && info.Mode().IsRegular() {
		if stat, ok := info.Sys().(*syscall.Stat_t); !ok || stat.Nlink != 1 {
			err = errors.New("it has several hard links: name another file")
		} else {
			err = file.Truncate(0)
		}
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

// Own reports whether a file belongs to the user of this process.
func Own(info fs.FileInfo) bool { return belongsTo(info, os.Geteuid()) }

func belongsTo(info fs.FileInfo, uid int) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == uid
}

// MakeDir makes a directory of our own with exactly this mode, whatever the
// umask, or gives the mode to the one that is there. One that belongs to another
// user, or a link, is an error. Its parent must exist.
func MakeDir(path string, mode fs.FileMode) (err error) {
	parent, err := OpenDir(filepath.Dir(path))
	if err != nil {
		return fmt.Errorf("make directory: %w", err)
	}
	defer func() { err = errors.Join(err, parent.Close()) }()
	name := filepath.Base(path)
	if err := parent.Mkdir(name, mode); err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("make directory %s: %w", path, err)
	}
	named, err := parent.Lstat(name)
	if err != nil {
		return fmt.Errorf("make directory %s: %w", path, err)
	}
	dir, err := parent.Open(name)
	if err != nil {
		return fmt.Errorf("make directory %s: %w", path, err)
	}
	defer func() { err = errors.Join(err, dir.Close()) }()
	if err := setMode(dir, named, mode); err != nil {
		return fmt.Errorf("make directory %s: %w", path, err)
	}
	return nil
}

// setMode changes the mode of what is open, if that is our own and what was named.
func setMode(dir *os.File, named fs.FileInfo, mode fs.FileMode) error {
	info, err := dir.Stat()
	if err != nil {
		return err
	}
	if !info.IsDir() || !os.SameFile(info, named) || !Own(info) {
		return errors.New("what is there is not a directory of this user: chown it if it is one, remove it, or name another")
	}
	if info.Mode().Perm() == mode {
		return nil
	}
	return dir.Chmod(mode)
}

// Rename is rename(2) between directories that are opened as OpenDir does it.
func Rename(from, to string) (err error) {
	source, err := OpenDir(filepath.Dir(from))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, source.Close()) }()
	target, err := OpenDir(filepath.Dir(to))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, target.Close()) }()
	return renameAt(source, filepath.Base(from), target, filepath.Base(to))
}

// renameAt is rename(2) between open directories. os.Rename would refuse an empty
// directory as a target, which rename(2) replaces.
func renameAt(from *os.Root, old string, to *os.Root, name string) (err error) {
	source, err := from.Open(".")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, source.Close()) }()
	target, err := to.Open(".")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, target.Close()) }()
	if err := unix.Renameat(int(source.Fd()), old, int(target.Fd()), name); err != nil {
		return &os.LinkError{Op: "renameat", Old: old, New: name, Err: err}
	}
	return nil
}
