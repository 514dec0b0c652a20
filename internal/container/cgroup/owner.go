//go:build linux

package cgroup

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// requireOurs requires that only this user or root can write a group and each one above it
// up to the root. Whoever may write one of them can move processes from one place below it
// to another, and so take away the limits that were read back (cgroup-v2.rst, "Delegation
// Containment"). On v1 they can also rename the group and put one of their own, which
// counts nothing, under its name. Root by sudo in a user's delegated scope has it from
// that user; a user's own place is below root's slices.
func requireOurs(root, path string, user int) error {
	root, err := filepath.EvalSymlinks(root) // v1's "cpu" may be one to "cpu,cpuacct"
	if err != nil {
		return err
	}
	for {
		if err := requireOurGroup(filepath.Join(root, path), user); err != nil {
			return err
		}
		if path == "/" {
			return nil
		}
		path = filepath.Dir(path)
	}
}

// requireOurGroup is requireOurs without the groups above.
func requireOurGroup(dir string, user int) error {
	for _, name := range []string{"", "cgroup.procs", "cgroup.subtree_control", "tasks"} {
		file := filepath.Join(dir, name)
		var found unix.Stat_t
		err := unix.Lstat(file, &found)
		if errors.Is(err, fs.ErrNotExist) && (name == "cgroup.subtree_control" || name == "tasks") {
			continue // v2's, and v1's
		}
		if err != nil {
			return &os.PathError{Op: "lstat", Path: file, Err: err}
		}
		if owner := int(found.Uid); owner != 0 && owner != user {
			return fmt.Errorf("%s belongs to user %d, who could take sandboxes out of their limits", file, owner)
		}
		if found.Mode&0o022 != 0 {
			return fmt.Errorf("%s may be written by others than its owner, who could take sandboxes out of their limits: chmod go-w %[1]s", file)
		}
	}
	return nil
}

// requireOursOrNone is requireOurs for a group that there may not be so far: then it is
// whoever may write the one above who could make it.
func requireOursOrNone(root, path string, user int) error {
	for {
		err := requireOurs(root, path, user)
		if !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if path == "/" {
			return nil // Create wants the hierarchy itself
		}
		path = filepath.Dir(path)
	}
}

// requireLegacyPlace is for a place on v1, of which each hierarchy has one, or none so far.
func requireLegacyPlace(path string) error {
	for _, dir := range (legacy{path}).dirs() {
		if err := requireOursOrNone(strings.TrimSuffix(dir, path), path, os.Geteuid()); err != nil {
			return err
		}
	}
	return nil
}
