package main

import (
	"fmt"
	"os"
	"runtime"

	"golang.org/x/sys/unix"

	"hotcell/internal/admission"
	"hotcell/internal/container/kubernetes"
	"hotcell/internal/durable"
	"hotcell/internal/engineapi"
)

// clusterRuns is how many runs there are at a time where sandboxes are pods and nobody says a
// number. With the sandboxes that are kept ready (16 at most) they fit the quota of deploy/.
const clusterRuns = 32

// room is how many runs there are at a time: what the user says, or what this machine carries. Of
// its memory and its CPUs the pods of a cluster have none, so that those decide nothing there.
func (a *app) room(engine string, maxRuns int) (admission.Options, error) {
	var room admission.Options
	switch {
	case maxRuns > 0:
		room = admission.For(maxRuns)
	case engine == kubernetes.Name:
		room = admission.For(clusterRuns)
	default:
		memory, err := machineMemory()
		if err != nil {
			return admission.Options{}, err
		}
		room = admission.Default(runtime.GOMAXPROCS(0), memory)
	}
	a.logger().Debug("room for runs", "places", room.Places, "queue", room.Queue)
	return room, nil
}

// shareOfTemplates is what part of the machine's memory templates may hold, with the tables
// that they have loaded: a quarter. The rest is for runs.
const shareOfTemplates = 4

// roomForTemplates is in bytes, or 0 where templates hold none of this machine's memory.
func roomForTemplates(engine string) (int64, error) {
	if engine == kubernetes.Name {
		return 0, nil
	}
	memory, err := machineMemory()
	return memory / shareOfTemplates, err
}

// machineMemory is in bytes.
func machineMemory() (int64, error) {
	var machine unix.Sysinfo_t
	if err := unix.Sysinfo(&machine); err != nil {
		return 0, fmt.Errorf("look at the machine's memory: %w", err)
	}
	return int64(machine.Totalram) * int64(machine.Unit), nil
}

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
