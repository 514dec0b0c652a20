package beneath

import (
	"errors"
	"fmt"

	"golang.org/x/sys/unix"
)

// openAt opens one component in a directory. The kernel itself refuses links of
// any sort and mounts, bind mounts of the same file system included (openat2(2),
// Linux 5.6).
func openAt(parent int, name string, flags int) (fd int, err error) {
	how := unix.OpenHow{
		Flags:   uint64(flags),
		Resolve: unix.RESOLVE_BENEATH | unix.RESOLVE_NO_SYMLINKS | unix.RESOLVE_NO_MAGICLINKS | unix.RESOLVE_NO_XDEV,
	}
	err = retry(func() error {
		fd, err = unix.Openat2(parent, name, &how)
		return err
	})
	if errors.Is(err, unix.ENOSYS) {
		return -1, fmt.Errorf("%w: openat2 is missing; use Linux 5.6 or newer", err)
	}
	return fd, err
}
