package durable

import (
	"fmt"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// identity tells a file from every copy of it on this host, and is the same after it
// was renamed and after a restart: an inode's number is used again, its time of birth
// is not. Device numbers are left to mounted, because a restart may change them.
func identity(file *os.File) (string, error) {
	var stat unix.Statx_t
	if err := unix.Statx(int(file.Fd()), "", unix.AT_EMPTY_PATH, unix.STATX_INO|unix.STATX_BTIME, &stat); err != nil {
		return "", err
	}
	if stat.Mask&unix.STATX_BTIME == 0 { // a file system that has none
		stat.Btime = unix.StatxTimestamp{}
	}
	return fmt.Sprintf("%d %d.%09d", stat.Ino, stat.Btime.Sec, stat.Btime.Nsec), nil
}

// mounted tells the file's file system from every other of this start of the machine.
func mounted(file *os.File) (string, error) {
	boot, err := os.ReadFile("/proc/sys/kernel/random/boot_id") //nolint:forbidigo // the kernel's
	if err != nil {
		return "", err
	}
	var stat unix.Stat_t
	if err := unix.Fstat(int(file.Fd()), &stat); err != nil {
		return "", err
	}
	return fmt.Sprintf("%s.%016x", strings.ReplaceAll(strings.TrimSpace(string(boot)), "-", ""), stat.Dev), nil
}
