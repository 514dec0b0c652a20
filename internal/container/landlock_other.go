//go:build !linux

package container

import "errors"

// Landlock asks this machine's kernel, which is not the one of its sandboxes.
func Landlock() (abi int, err error) {
	return 0, errors.New("this is no Linux")
}
