// Package peakmemory reports the peak memory of a process, for the tests that bound
// it.
//
// It asks the kernel for VmHWM. getrusage(2) would not do: it counts children, and
// with the oci engine the sandbox is one.
package peakmemory

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// Of returns the most that a process has had resident, in bytes. Of a zombie the kernel
// tells nothing, which is an error as for one that is gone.
func Of(pid int) (int64, error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, fmt.Errorf("read peak memory: %w", err)
	}
	_, after, _ := strings.Cut(string(status), "\nVmHWM:")
	line, _, _ := strings.Cut(after, "\n")
	kib, err := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(line), " kB"), 10, 64)
	if err != nil {
		return 0, fmt.Errorf("read peak memory of process %d: %w", pid, err)
	}
	return kib << 10, nil
}
