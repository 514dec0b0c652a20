//go:build !linux

package tool

import "os"

// ownExecutable is the file under the name that this process was started by.
func ownExecutable() (os.FileInfo, error) {
	name, err := os.Executable()
	if err != nil {
		return nil, err
	}
	return os.Stat(name)
}
