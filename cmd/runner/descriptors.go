package main

import (
	"fmt"
	"os"
	"strconv"
	"syscall"
)

// firstOther is the first descriptor after the three that everybody has.
const firstOther = 3

// eachOnExec goes through a directory of this process's descriptors.
func eachOnExec(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("keep the caller's descriptors from other programs: %w", err)
	}
	for _, entry := range entries {
		if number, err := strconv.Atoi(entry.Name()); err == nil && number >= firstOther {
			syscall.CloseOnExec(number)
		}
	}
	return nil
}
