package durable

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// lockInterval is how often a held lock is tried again. flock(2) can wait, but no
// context ends it.
const lockInterval = 5 * time.Millisecond

// Lock opens the file at path, which it makes (0600) where there is none, and waits
// until ctx ends for the lock on it. Closing the file releases the lock, and so
// does the kernel when the process ends, however that ends. The file stays: who
// removed it would let two in, and who waits for one that was removed, or exchanged,
// waits for the next. The path is in a directory that nobody else may write. What is no
// file of our own, by one name and closed to others, is an error: they could hold it.
func Lock(ctx context.Context, path string) (*os.File, error) {
	for {
		//nolint:forbidigo // in the state directory, which only its owner may enter
		file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0o600)
		if err != nil {
			return nil, fmt.Errorf("open lock: %w", err)
		}
		current, err := lockOwn(ctx, file)
		if err == nil && current {
			return file, nil
		}
		if err = errors.Join(err, file.Close()); err != nil {
			return nil, err
		}
	}
}

// lockOwn reports whether the file, once it is locked, still is the one of its name.
func lockOwn(ctx context.Context, file *os.File) (current bool, err error) {
	if err := requireLockable(file); err != nil {
		return false, err
	}
	if err := WaitLock(ctx, file); err != nil {
		return false, err
	}
	return IsNamed(file)
}

func requireLockable(file *os.File) error {
	info, err := file.Stat()
	if err != nil {
		return fmt.Errorf("look at lock: %w", err)
	}
	if stat, ok := info.Sys().(*syscall.Stat_t); !ok || !info.Mode().IsRegular() || !Own(info) || info.Mode().Perm()&0o077 != 0 || stat.Nlink > 1 {
		return fmt.Errorf("lock %s is not a file of this user's own, by one name, that nobody else may open: remove it while nothing runs", file.Name())
	}
	return nil
}

// IsNamed reports whether an open file still is the one that its name leads to: who waited
// for a lock on it may have waited for its end.
func IsNamed(file *os.File) (bool, error) {
	held, err := file.Stat()
	if err != nil {
		return false, fmt.Errorf("look at lock: %w", err)
	}
	named, err := os.Lstat(file.Name())
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("look at lock: %w", err)
	}
	return os.SameFile(held, named), nil
}

// WaitLock locks an open file or directory for as long as it stays open. It waits
// for whoever holds the lock until ctx ends.
func WaitLock(ctx context.Context, file *os.File) error { return wait(ctx, file, unix.LOCK_EX) }

// WaitShared is WaitLock for a lock that others may hold in the same way, though nobody by
// WaitLock.
func WaitShared(ctx context.Context, file *os.File) error { return wait(ctx, file, unix.LOCK_SH) }

func wait(ctx context.Context, file *os.File, how int) error {
	err := try(file, how)
	if !errors.Is(err, ErrBusy) {
		return err
	}
	again := time.NewTicker(lockInterval)
	defer again.Stop()
	for errors.Is(err, ErrBusy) {
		select {
		case <-ctx.Done():
			return fmt.Errorf("lock %s: %w", file.Name(), context.Cause(ctx))
		case <-again.C:
			err = try(file, how)
		}
	}
	return err
}

// TryLock is WaitLock without waiting: a lock that another holds, in this process
// or another, is ErrBusy.
func TryLock(file *os.File) error { return try(file, unix.LOCK_EX) }

func try(file *os.File, how int) error {
	err := unix.Flock(int(file.Fd()), how|unix.LOCK_NB)
	if errors.Is(err, unix.EWOULDBLOCK) {
		return ErrBusy
	}
	if err != nil {
		return fmt.Errorf("lock %s: %w", file.Name(), err)
	}
	return nil
}

// held is a directory of our own that is open and locked.
type held struct {
	root *os.Root
	dir  *os.File // the same directory; has the lock
}

// lock opens and locks a directory without waiting, and makes sure that the name
// still leads to it: its owner may have published or removed it meanwhile. A
// directory of another user's is an error.
func lock(parent *os.Root, name string) (*held, error) {
	root, err := parent.OpenRoot(name) // follows links below parent; named tells
	if err != nil {
		return nil, err
	}
	dir, err := root.Open(".")
	if err != nil {
		return nil, errors.Join(err, root.Close())
	}
	h := &held{root, dir}
	if err := errors.Join(TryLock(h.dir), h.named(parent, name)); err != nil {
		return nil, errors.Join(err, h.Close())
	}
	return h, nil
}

// lookTime is far above how long somebody holds a directory to see whether its owner is dead.
const lookTime = time.Second

// lockMade locks a directory that its caller has just made. Another one who would make it may look
// just then whether it was left: that is no reason to leave it to nobody.
func lockMade(parent *os.Root, name string) (h *held, err error) {
	for begun := time.Now(); ; time.Sleep(lockInterval) {
		if h, err = lock(parent, name); !errors.Is(err, ErrBusy) || time.Since(begun) > lookTime {
			return h, err
		}
	}
}

func (h *held) named(parent *os.Root, name string) error {
	there, err := parent.Lstat(name)
	if err != nil {
		return err
	}
	locked, err := h.dir.Stat()
	if err != nil {
		return err
	}
	if !os.SameFile(locked, there) {
		return ErrBusy
	}
	if !Own(locked) {
		return errors.New("it belongs to another user")
	}
	return nil
}

// isNew tells a directory that has just been made from one that somebody moved
// into its place between making and opening.
func (h *held) isNew() error {
	info, err := h.dir.Stat()
	if err != nil {
		return err
	}
	names, err := h.dir.Readdirnames(1)
	if !errors.Is(err, io.EOF) && err != nil {
		return err
	}
	if info.Mode().Perm()&0o077 != 0 || len(names) > 0 {
		return errors.New("somebody put another directory in its place")
	}
	return nil
}

// remove empties the directory and removes its name, unless that leads to
// something else by now: then it is whoever moved it who keeps an empty directory.
func (h *held) remove(parent *os.Root, name string) error {
	err := h.dir.Chmod(0o700) // a draft that was closed to be published is closed to its owner, too, who is not root
	if err == nil {
		err = empty(h.root)
	}
	if err != nil {
		return err
	}
	err = h.named(parent, name)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, ErrBusy) {
		return nil
	}
	if err != nil {
		return err
	}
	return removeEmpty(parent, name)
}

// Close ends the lock. A second Close is an error.
func (h *held) Close() error { return errors.Join(h.dir.Close(), h.root.Close()) }
