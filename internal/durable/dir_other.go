//go:build !linux

package durable

import (
	"errors"
	"os"
)

// openDir follows every link: only the docker engine runs here, and not as root.
func openDir(path string) (*os.Root, error) { return os.OpenRoot(path) }

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
