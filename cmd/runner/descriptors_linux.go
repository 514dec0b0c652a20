package main

import (
	"errors"
	"fmt"
	"math"

	"golang.org/x/sys/unix"
)

// ownDescriptors keeps what the caller has left open from whatever is started here:
// tools, runtimes, the build of an image. It stays open for this process, for
// `runner run <(command)`. Nothing else of the caller's reaches a tool, either, and a
// directory that a runtime inherits has led out of containers (CVE-2024-21626).
func ownDescriptors() error {
	err := unix.CloseRange(firstOther, math.MaxUint32, unix.CLOSE_RANGE_CLOEXEC)
	if errors.Is(err, unix.ENOSYS) || errors.Is(err, unix.EINVAL) { // before Linux 5.11
		return eachOnExec("/proc/self/fd")
	}
	if err != nil {
		return fmt.Errorf("keep the caller's descriptors from other programs: %w", err)
	}
	return nil
}
