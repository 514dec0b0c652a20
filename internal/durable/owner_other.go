//go:build !linux

package durable

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// identity tells a file from every copy of it that exists beside it.
func identity(file *os.File) (string, error) {
	var stat unix.Stat_t
	if err := unix.Fstat(int(file.Fd()), &stat); err != nil {
		return "", err
	}
	return fmt.Sprint(stat.Ino), nil
}

// mounted tells the file's file system from every other.
func mounted(file *os.File) (string, error) {
	var stat unix.Stat_t
	if err := unix.Fstat(int(file.Fd()), &stat); err != nil {
		return "", err
	}
	return fmt.Sprintf("0.%016x", uint32(stat.Dev)), nil
}
