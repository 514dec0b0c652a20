// Package durable makes directories that appear whole or not at all, and that do
// not outlive the process that was making them.
//
// A Draft is a directory under construction, locked by its owner. Publish syncs
// it and renames it into place in one step; Discard removes it; Sweep removes
// the drafts of owners that are dead. The package does not decide what a
// directory holds. internal/bundle, internal/output and internal/records use it.
package durable

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// ErrBusy means that a live owner holds the draft.
var ErrBusy = errors.New("another process is at work on it")

// Draft is a locked directory with mode 0700. It has one owner; its methods are
// not for concurrent use. The lock is flock(2) on the directory itself, so it
// ends with the process, however that ends, and moves with a rename.
type Draft struct {
	path string
	dir  *os.File // holds the lock; nil once the draft is published or discarded
}

// NewDraft makes and locks the directory path, whose parent must exist. What a
// dead owner of the same user left there is removed first; a live one's is
// ErrBusy.
func NewDraft(path string) (*Draft, error) {
	for range 16 { // a Sweep can take a directory between mkdir and lock
		if err := removeAbandoned(path); err != nil {
			return nil, fmt.Errorf("make draft %s: %w", path, err)
		}
		if err := os.Mkdir(path, 0o700); err != nil {
			if errors.Is(err, fs.ErrExist) {
				continue
			}
			return nil, fmt.Errorf("make draft: %w", err)
		}
		dir, err := lock(path)
		if err == nil {
			return &Draft{path, dir}, nil
		}
		if !errors.Is(err, ErrBusy) && !errors.Is(err, fs.ErrNotExist) {
			return nil, errors.Join(fmt.Errorf("make draft %s: %w", path, err), os.Remove(path))
		}
	}
	return nil, fmt.Errorf("make draft %s: %w", path, ErrBusy)
}

// Path is where the draft is until it is published.
func (d *Draft) Path() string { return d.path }

// Publish syncs everything in the draft to the disk, renames it to target, which
// must be on the same file system and must not exist or be an empty directory,
// and syncs target's parent. On error the draft still is where it was, to be
// discarded.
func (d *Draft) Publish(target string) error {
	if d.dir == nil {
		return errors.New("publish draft: it has been published or discarded")
	}
	if err := SyncTree(d.path); err != nil {
		return err
	}
	return d.Rename(target)
}

// Rename is Publish for a draft that has been synced.
func (d *Draft) Rename(target string) error {
	// os.Rename would refuse an empty directory, which rename(2) replaces.
	if err := unix.Rename(d.path, target); err != nil {
		return fmt.Errorf("publish draft: %w", &os.LinkError{Op: "rename", Old: d.path, New: target, Err: err})
	}
	if err := SyncDir(filepath.Dir(target)); err != nil {
		return errors.Join(err, os.Rename(target, d.path))
	}
	if err := d.unlock(); err != nil {
		return errors.Join(fmt.Errorf("unlock draft: %w", err), os.Rename(target, d.path))
	}
	return nil
}

// Discard removes the draft. It does nothing after Publish or another Discard.
func (d *Draft) Discard() error {
	if d.dir == nil {
		return nil
	}
	return errors.Join(RemoveAll(d.path), d.unlock())
}

func (d *Draft) unlock() error {
	dir := d.dir
	d.dir = nil
	return dir.Close()
}

// Sweep calls remove with each directory in parent whose name begins with prefix
// and whose owner is dead, and returns how many it was. The directory is locked
// during the call. remove is RemoveAll where nothing can be saved.
func Sweep(parent, prefix string, remove func(path string) error) (int, error) {
	entries, err := os.ReadDir(parent)
	if err != nil {
		return 0, fmt.Errorf("sweep drafts: %w", err)
	}
	swept := 0
	var faults []error
	for _, entry := range entries {
		if !entry.IsDir() || !strings.HasPrefix(entry.Name(), prefix) {
			continue
		}
		done, err := sweepOne(filepath.Join(parent, entry.Name()), remove)
		if done {
			swept++
		}
		faults = append(faults, err)
	}
	return swept, errors.Join(faults...)
}

func sweepOne(path string, remove func(string) error) (done bool, err error) {
	dir, err := lock(path)
	if errors.Is(err, ErrBusy) || errors.Is(err, fs.ErrNotExist) {
		return false, nil // alive, or just published
	}
	if err != nil {
		return false, fmt.Errorf("sweep draft %s: %w", path, err)
	}
	defer func() { err = errors.Join(err, dir.Close()) }()
	if err := remove(path); err != nil {
		return false, fmt.Errorf("sweep draft: %w", err)
	}
	return true, nil
}

// removeAbandoned makes room for a draft. A directory that another user planted
// is not ours to remove.
func removeAbandoned(path string) error {
	var stat unix.Stat_t
	err := unix.Lstat(path, &stat)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if stat.Mode&unix.S_IFMT != unix.S_IFDIR || int(stat.Uid) != os.Geteuid() {
		return fmt.Errorf("%s is in the way: remove it", path)
	}
	dir, err := lock(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return errors.Join(RemoveAll(path), dir.Close())
}

// lock opens and locks a directory without waiting, and makes sure that the path
// still leads to it: its owner may have published or removed it meanwhile.
func lock(path string) (*os.File, error) {
	dir, err := os.OpenFile(path, os.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW, 0)
	if err != nil {
		return nil, err
	}
	if err := tryLock(dir, path); err != nil {
		return nil, errors.Join(err, dir.Close())
	}
	return dir, nil
}

func tryLock(dir *os.File, path string) error {
	err := unix.Flock(int(dir.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	if errors.Is(err, unix.EWOULDBLOCK) {
		return ErrBusy
	}
	if err != nil {
		return fmt.Errorf("lock: %w", err)
	}
	locked, err := dir.Stat()
	if err != nil {
		return err
	}
	there, err := os.Lstat(path)
	if err != nil {
		return err
	}
	if !os.SameFile(locked, there) {
		return ErrBusy
	}
	return nil
}
