//go:build !linux

package durable

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// openDir follows every link: only the docker engine runs here, and not as root.
func openDir(path string) (*os.Root, error) { return os.OpenRoot(path) }

// openTrusted looks only at what it finds in the end.
func openTrusted(path string) (*os.Root, error) {
	resolved, err := filepath.EvalSymlinks(path)
	if err != nil {
		return nil, err
	}
	if err := OthersBelow(resolved); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNotTrusted, err)
	}
	return os.OpenRoot(resolved)
}

func openFile(path string, flags int) (*os.File, error) {
	file, err := os.OpenFile(path, flags, 0o644)
	if err != nil {
		return nil, err
	}
	if info, err := file.Stat(); err != nil || info.IsDir() {
		return nil, errors.Join(errNotRegular, err, file.Close())
	}
	return file, nil
}

const errNoAttribute = unix.ENOATTR

// makeTrusted looks only at what it finds in the end.
func makeTrusted(path string) (string, error) {
	if err := os.MkdirAll(path, 0o700); err != nil {
		return "", err
	}
	resolved, err := filepath.EvalSymlinks(path)
	if err != nil {
		return "", err
	}
	return resolved, OthersBelow(resolved)
}
