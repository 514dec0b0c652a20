package durable

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"golang.org/x/sys/unix"
)

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
	if err := errors.Join(h.lock(), h.named(parent, name)); err != nil {
		return nil, errors.Join(err, h.Close())
	}
	return h, nil
}

func (h *held) lock() error {
	err := unix.Flock(int(h.dir.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	if errors.Is(err, unix.EWOULDBLOCK) {
		return ErrBusy
	}
	if err != nil {
		return fmt.Errorf("lock: %w", err)
	}
	return nil
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
	if err := empty(h.root); err != nil {
		return err
	}
	err := h.named(parent, name)
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
