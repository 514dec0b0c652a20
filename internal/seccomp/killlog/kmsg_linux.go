package killlog

import (
	"errors"

	"golang.org/x/sys/unix"
)

// maxRecord is what one read of /dev/kmsg may return, in bytes (the kernel's
// PRINTK_MESSAGE_MAX is 2048, 8192 on older ones).
const maxRecord = 8192

// kernelLog reads the kernel's log buffer from its beginning to its end, a record
// with each read.
func kernelLog() (name string, lines []byte, err error) {
	name = "the kernel log"
	fd, err := unix.Open("/dev/kmsg", unix.O_RDONLY|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		return name, nil, err
	}
	defer unix.Close(fd)
	buffer := make([]byte, maxRecord)
	for {
		count, err := unix.Read(fd, buffer)
		switch {
		case errors.Is(err, unix.EAGAIN):
			return name, lines, nil
		case errors.Is(err, unix.EPIPE), errors.Is(err, unix.EINTR): // overwritten meanwhile: the next read goes on
			continue
		case err != nil:
			return name, nil, err
		case count == 0:
			return name, lines, nil
		}
		lines = append(append(lines, buffer[:count]...), '\n')
	}
}
