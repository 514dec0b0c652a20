//go:build linux

package cgroup

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"
)

// deleteAttempts times deletePause bounds the wait for processes that are dead
// but not yet off the kernel's books.
const (
	deleteAttempts = 200
	deletePause    = 5 * time.Millisecond
)

// Delete removes the group and its descendants from every hierarchy. It fails
// while a process lives in it: Kill first. Idempotent.
func (g *Group) Delete() error {
	if err := g.remove(); err != nil {
		return fmt.Errorf("delete control group %s: %w", g.path, err)
	}
	return nil
}

// Remove is Delete for a group that may be absent or half made.
func Remove(path string) error {
	mode, err := checkedMode(path)
	if err != nil {
		return fmt.Errorf("delete control group: %w", err)
	}
	return (&Group{path: path, mode: mode}).Delete()
}

func (g *Group) remove() error {
	if unit := sliceUnit(g.path); unit != "" {
		return fmt.Errorf("%s is systemd's to remove", unit)
	}
	roots, err := hierarchies(g.mode)
	if err != nil {
		return err
	}
	var faults []error
	for _, root := range roots {
		faults = append(faults, removeTree(filepath.Join(root, g.path)))
	}
	return errors.Join(faults...)
}

// removeTree removes dir and the groups below it, deepest first. The files in a
// cgroup directory go with it and cannot be unlinked.
func removeTree(dir string) error {
	entries, err := os.ReadDir(dir)
	if isGone(err) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if !entry.IsDir() {
			continue
		}
		if err := removeTree(filepath.Join(dir, entry.Name())); err != nil {
			return err
		}
	}
	return removeEmpty(dir)
}

func removeEmpty(dir string) error {
	for attempt := 1; ; attempt++ {
		err := unix.Rmdir(dir) //nolint:forbidigo // a cgroup tree has no links, and only root renames in it
		if err == nil || errors.Is(err, unix.ENOENT) {
			return nil
		}
		if !errors.Is(err, unix.EBUSY) || attempt == deleteAttempts {
			return &os.PathError{Op: "rmdir", Path: dir, Err: err}
		}
		time.Sleep(deletePause)
	}
}

// exists reports whether any hierarchy has the group.
func exists(mode Mode, path string) (bool, error) {
	roots, err := hierarchies(mode)
	if err != nil {
		return false, err
	}
	for _, root := range roots {
		_, err := os.Stat(filepath.Join(root, path))
		if err == nil {
			return true, nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return false, err
		}
	}
	return false, nil
}
