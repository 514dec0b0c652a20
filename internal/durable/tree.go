package durable

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// SyncTree syncs every file and directory of a tree of our own to the disk.
func SyncTree(top string) error {
	return filepath.WalkDir(top, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return fmt.Errorf("sync %s: %w", top, err)
		}
		if !entry.IsDir() && !entry.Type().IsRegular() {
			return fmt.Errorf("sync %s: not a file or directory", path)
		}
		return SyncDir(path)
	})
}

// SyncDir syncs one directory, or file, to the disk.
func SyncDir(path string) error {
	file, err := os.Open(path)
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
func SetModes(top string, file, dir fs.FileMode) error {
	var dirs []string
	err := filepath.WalkDir(top, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			dirs = append(dirs, path)
			return nil
		}
		return os.Chmod(path, file)
	})
	for _, path := range dirs {
		err = errors.Join(err, os.Chmod(path, dir))
	}
	if err != nil {
		return fmt.Errorf("set modes: %w", err)
	}
	return nil
}

// RemoveAll removes a tree of our own, read-only directories included. It
// follows no link.
func RemoveAll(top string) error {
	err := os.RemoveAll(top)
	if !errors.Is(err, fs.ErrPermission) {
		return err
	}
	// Only an owner who is not root gets here: he may not empty a directory
	// that he made read-only.
	if err := makeWritable(top); err != nil {
		return fmt.Errorf("remove %s: %w", top, err)
	}
	return os.RemoveAll(top)
}

func makeWritable(top string) error {
	return filepath.WalkDir(top, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			return os.Chmod(path, 0o700)
		}
		return nil
	})
}

// WriteFile makes a new file with mode 0600. It never opens one that exists. It
// does not sync: SyncTree does.
func WriteFile(path string, data []byte) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("write file: %w", err)
	}
	if _, err := file.Write(data); err != nil {
		return errors.Join(fmt.Errorf("write file: %w", err), file.Close())
	}
	return file.Close()
}
