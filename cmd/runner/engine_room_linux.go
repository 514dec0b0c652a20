package main

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"

	"hotcell/internal/durable"
	"hotcell/internal/engineapi"
)

// What must be free on the disk of the state directory for a run of a front's: a record has its
// script, inputs and streams, and some files. Output beyond that is bounded by its policy, and a
// run whose record cannot be written after all is told as interrupted.
const (
	leastRoom  = 16 << 20 // bytes
	leastFiles = 256
)

// roomForRecord is nil where a run can leave its record. Nobody else tells a front before it has accepted
// a run, and put it in its queue.
func (a *app) roomForRecord() error {
	if err := durable.OnlyOwn(a.state); err != nil {
		return fmt.Errorf("%w: %w", engineapi.ErrNotKept, err)
	}
	var disk unix.Statfs_t
	if err := unix.Statfs(a.state, &disk); err != nil {
		return &os.PathError{Op: "statfs", Path: a.state, Err: err}
	}
	// File systems without a fixed number of files say that there are none at all.
	if free, _ := freeOf(disk); free < leastRoom || disk.Files > 0 && disk.Ffree < leastFiles {
		return fmt.Errorf("%w: make room on the disk of %s (runner gc)", engineapi.ErrNotKept, a.state)
	}
	return nil
}
