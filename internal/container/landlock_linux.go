package container

import (
	"errors"
	"fmt"

	"golang.org/x/sys/unix"
)

// mostLandlock is the newest ABI of which the guard uses something.
const mostLandlock = 6

// Landlock asks this machine's kernel which ABI of Landlock a guard on it puts into
// force. What one guard did is for it to say, before user code begins.
func Landlock() (abi int, err error) {
	answer, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	switch errno {
	case 0:
		return min(int(answer), mostLandlock), nil
	case unix.ENOSYS:
		return 0, errors.New("this kernel has no Landlock")
	case unix.EOPNOTSUPP:
		return 0, errors.New("this kernel has Landlock, but was started without it")
	default: // a filter around this process, for example
		return 0, fmt.Errorf("ask the kernel for Landlock's version: %w", errno)
	}
}
