//go:build !linux

package durable

import "os"

// openDir follows every link: only the docker engine runs here, and not as root.
func openDir(path string) (*os.Root, error) { return os.OpenRoot(path) }

func create(path string) (*os.File, error) {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	return emptied(file)
}
