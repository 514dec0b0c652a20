//go:build !linux

package beneath

import "golang.org/x/sys/unix"

// openAt opens one component in a directory, following no link. A mount shows
// as another device.
func openAt(parent int, name string, flags int) (fd int, err error) {
	err = retry(func() error {
		fd, err = unix.Openat(parent, name, flags, 0)
		return err
	})
	if err != nil {
		return -1, err
	}
	var above, opened unix.Stat_t
	if err := unix.Fstat(parent, &above); err != nil {
		return -1, closing(fd, err)
	}
	if err := unix.Fstat(fd, &opened); err != nil {
		return -1, closing(fd, err)
	}
	if above.Dev != opened.Dev {
		return -1, closing(fd, unix.EXDEV)
	}
	return fd, nil
}

// closing closes fd and returns err, which is the one worth telling.
func closing(fd int, err error) error {
	if closeErr := unix.Close(fd); closeErr != nil {
		return closeErr
	}
	return err
}
