package durable

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"

	"golang.org/x/sync/errgroup"
)

// syncsAtOnce is how many files of a tree are synced at a time: a journal that is written
// for one takes the others along.
const syncsAtOnce = 8

// SyncTree syncs every file and directory of a tree of our own to the disk.
func SyncTree(top *os.Root) error {
	var group errgroup.Group
	group.SetLimit(syncsAtOnce)
	err := fs.WalkDir(top.FS(), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return fmt.Errorf("sync tree: %w", err)
		}
		if !entry.IsDir() && !entry.Type().IsRegular() {
			return fmt.Errorf("sync %s: not a file or directory", name)
		}
		group.Go(func() error { return sync(top, name) })
		return nil
	})
	return errors.Join(err, group.Wait())
}

// SyncDir syncs one directory to the disk.
func SyncDir(dir *os.Root) error { return sync(dir, ".") }

func sync(root *os.Root, name string) error {
	file, err := root.Open(name)
	if err != nil {
		return fmt.Errorf("sync: %w", err)
	}
	if err := file.Sync(); err != nil {
		return errors.Join(fmt.Errorf("sync: %w", err), file.Close())
	}
	return file.Close()
}

// SetModes gives every file of a tree of our own one mode and every directory
// another.
func SetModes(top *os.Root, file, dir fs.FileMode) error {
	var dirs []string
	err := fs.WalkDir(top.FS(), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			dirs = append(dirs, name)
			return nil
		}
		return chmod(top, name, file)
	})
	for _, name := range slices.Backward(dirs) { // what lies deeper first: the mode above may keep us out
		err = errors.Join(err, chmod(top, name, dir))
	}
	if err != nil {
		return fmt.Errorf("set modes: %w", err)
	}
	return nil
}

// chmod changes what it has opened.
func chmod(root *os.Root, name string, mode fs.FileMode) error {
	file, err := root.Open(name)
	if err != nil {
		return err
	}
	return errors.Join(file.Chmod(mode), file.Close())
}

// Remove removes a tree of our own from a directory, read-only directories
// included. It follows no link.
func Remove(parent *os.Root, name string) error {
	err := parent.RemoveAll(name)
	if !errors.Is(err, fs.ErrPermission) {
		return err
	}
	// Only an owner other than root gets here: they may not empty a directory
	// that they made read-only.
	if err := makeWritable(parent, name); err != nil {
		return fmt.Errorf("remove %s: %w", name, err)
	}
	return parent.RemoveAll(name)
}

// empty removes everything in a directory.
func empty(root *os.Root) error {
	entries, err := fs.ReadDir(root.FS(), ".")
	for _, entry := range entries {
		err = errors.Join(err, Remove(root, entry.Name()))
	}
	return err
}

func makeWritable(parent *os.Root, name string) error {
	return fs.WalkDir(parent.FS(), path.Clean(name), func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			return chmod(parent, name, 0o700)
		}
		return nil
	})
}

// WriteFile makes a new file with mode 0600. It never opens one that exists. It
// does not sync: SyncTree does.
func WriteFile(dir *os.Root, name string, data []byte) error {
	file, err := dir.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("write file: %w", err)
	}
	if _, err := file.Write(data); err != nil {
		return errors.Join(fmt.Errorf("write file: %w", err), file.Close())
	}
	return file.Close()
}
