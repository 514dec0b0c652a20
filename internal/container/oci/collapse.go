//go:build linux

package oci

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"unsafe"

	"golang.org/x/sys/unix"
)

// hugePage is the size in bytes of what the kernel puts together, on the architectures
// that we know.
const hugePage = 2 << 20

// extent is a range of another process's addresses: struct iovec.
type extent struct{ start, length uintptr }

// collapse has the kernel put a process's own memory together into huge pages
// (MADV_COLLAPSE, Linux 6.1). A fork copies the table of its pages, and its end goes through
// it again: a template with 300 MB of tables has 150 entries for them then, and not 77,000.
// What a fork writes to is still copied 4 KiB at a time. It changes nothing but time.
func (p *child) collapse() error {
	extents, err := p.ownMemory()
	if err != nil {
		return err
	}
	var faults []error
	for _, one := range extents {
		// #nosec G103 -- x/sys has no function for it, and the kernel reads one iovec of ours.
		_, _, errno := unix.Syscall6(unix.SYS_PROCESS_MADVISE, p.handle.Fd(), uintptr(unsafe.Pointer(&one)), 1, unix.MADV_COLLAPSE, 0, 0)
		if errno != 0 {
			faults = append(faults, errno) // the others may do
		}
	}
	if err := errors.Join(faults...); err != nil {
		return fmt.Errorf("put the memory of process %d together: %w", p.pid, err)
	}
	return nil
}

// ownMemory is what the process has to itself and can write to, in whole huge pages.
func (p *child) ownMemory() ([]extent, error) {
	maps, err := os.ReadFile(fmt.Sprintf("/proc/%d/maps", p.pid))
	if err != nil {
		return nil, err
	}
	var found []extent
	for line := range strings.Lines(string(maps)) {
		// 7f1c2a000000-7f1c2a400000 rw-p 00000000 00:00 0 [heap]: proc_pid_maps(5)
		fields := strings.Fields(line)
		if len(fields) < 5 || fields[1] != "rw-p" || fields[4] != "0" {
			continue
		}
		var start, end uintptr
		if _, err := fmt.Sscanf(fields[0], "%x-%x", &start, &end); err != nil {
			return nil, fmt.Errorf("read the maps of process %d: %w", p.pid, err)
		}
		start, end = (start+hugePage-1)/hugePage*hugePage, end/hugePage*hugePage
		if start < end {
			found = append(found, extent{start, end - start})
		}
	}
	return found, nil
}
