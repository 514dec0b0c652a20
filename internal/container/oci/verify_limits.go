//go:build linux

package oci

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"hotcell/internal/container"
)

// scratchLimited allows what tmpfs rounds up to.
func scratchLimited(s *sandbox) error {
	var stat unix.Statfs_t
	if err := unix.Statfs(fmt.Sprintf("/proc/%d/root%s", s.init.pid, container.ScratchDir), &stat); err != nil {
		return fmt.Errorf("look at %s: %w", container.ScratchDir, err)
	}
	bytes, files := int64(stat.Blocks)*stat.Bsize, int64(stat.Files)
	if stat.Type != unix.TMPFS_MAGIC || bytes >= s.spec.Limits.ScratchBytes+stat.Bsize || files != container.ScratchFiles+1 {
		return fmt.Errorf("%s takes %d bytes and %d inodes", container.ScratchDir, bytes, files)
	}
	return nil
}

// limitLines maps a resource limit to its line in /proc/<pid>/limits.
func limitLines() map[string]string {
	return map[string]string{
		"RLIMIT_CORE": "Max core file size", "RLIMIT_MSGQUEUE": "Max msgqueue size", "RLIMIT_NOFILE": "Max open files",
		"RLIMIT_FSIZE": "Max file size", "RLIMIT_CPU": "Max cpu time", "RLIMIT_NPROC": "Max processes",
	}
}

// exactResourceLimits compares every limit that was asked for, soft and hard, with
// the kernel's own account of the process. prlimit(2) would need CAP_SYS_RESOURCE in
// the sandbox's user namespace.
func exactResourceLimits(s *sandbox) error {
	config, err := container.Config(s.spec, s.paths)
	if err != nil {
		return err
	}
	content, err := os.ReadFile(fmt.Sprintf("/proc/%d/limits", s.init.pid))
	if err != nil {
		return fmt.Errorf("read resource limits: %w", err)
	}
	var faults []error
	for _, want := range config.Process.Rlimits {
		line, known := limitLines()[want.Type]
		if !known {
			return fmt.Errorf("%s cannot be verified", want.Type)
		}
		soft, hard := limitOf(string(content), line)
		if soft != strconv.FormatUint(want.Soft, 10) || hard != strconv.FormatUint(want.Hard, 10) {
			faults = append(faults, fmt.Errorf("%s is %q and %q, not %d and %d", want.Type, soft, hard, want.Soft, want.Hard))
		}
	}
	return errors.Join(faults...)
}

// limitOf returns the soft and the hard limit of a line, or nothing.
func limitOf(content, name string) (soft, hard string) {
	for line := range strings.Lines(content) {
		rest, found := strings.CutPrefix(line, name+" ")
		if fields := strings.Fields(rest); found && len(fields) >= 2 {
			return fields[0], fields[1]
		}
	}
	return "", ""
}
