//go:build linux

package oci

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	specs "github.com/opencontainers/runtime-spec/specs-go"
	"golang.org/x/sys/unix"

	"hotcell/internal/container"
)

// scratchLimited allows what tmpfs rounds up to.
func scratchLimited(s *sandbox) error {
	var stat unix.Statfs_t
	if err := unix.Statfs(fmt.Sprintf("/proc/%d/root%s", s.guard.pid, container.ScratchDir), &stat); err != nil {
		return fmt.Errorf("look at %s: %w", container.ScratchDir, err)
	}
	bytes, files := int64(stat.Blocks)*stat.Bsize, int64(stat.Files)
	if stat.Type != unix.TMPFS_MAGIC || bytes >= s.spec.Limits.ScratchBytes+stat.Bsize || files != container.ScratchFiles+1 {
		return fmt.Errorf("%s takes %d bytes and %d inodes", container.ScratchDir, bytes, files)
	}
	return nil
}

// limit is one of the kernel's: its number, and its line in /proc/<pid>/limits.
type limit struct {
	number int
	line   string
}

func limits() map[string]limit {
	return map[string]limit{
		"RLIMIT_CORE": {unix.RLIMIT_CORE, "Max core file size"}, "RLIMIT_MSGQUEUE": {unix.RLIMIT_MSGQUEUE, "Max msgqueue size"},
		"RLIMIT_NOFILE": {unix.RLIMIT_NOFILE, "Max open files"}, "RLIMIT_FSIZE": {unix.RLIMIT_FSIZE, "Max file size"},
		"RLIMIT_CPU": {unix.RLIMIT_CPU, "Max cpu time"}, "RLIMIT_NPROC": {unix.RLIMIT_NPROC, "Max processes"},
		"RLIMIT_STACK": {unix.RLIMIT_STACK, "Max stack size"}, "RLIMIT_MEMLOCK": {unix.RLIMIT_MEMLOCK, "Max locked memory"},
		"RLIMIT_SIGPENDING": {unix.RLIMIT_SIGPENDING, "Max pending signals"}, "RLIMIT_NICE": {unix.RLIMIT_NICE, "Max nice priority"},
		"RLIMIT_RTPRIO": {unix.RLIMIT_RTPRIO, "Max realtime priority"}, "RLIMIT_RTTIME": {unix.RLIMIT_RTTIME, "Max realtime timeout"},
		"RLIMIT_AS": {unix.RLIMIT_AS, "Max address space"}, "RLIMIT_DATA": {unix.RLIMIT_DATA, "Max data size"},
		"RLIMIT_RSS": {unix.RLIMIT_RSS, "Max resident set"}, "RLIMIT_LOCKS": {unix.RLIMIT_LOCKS, "Max file locks"},
	}
}

// allowLimits raises this process's own hard limits where its caller left less than
// a sandbox is to have: runtimes set them in the sandbox's user namespace, where
// nobody may raise any.
func allowLimits(wanted []specs.POSIXRlimit) error {
	var faults []error
	for _, want := range wanted {
		number := limits()[want.Type].number
		var own unix.Rlimit
		err := unix.Getrlimit(number, &own)
		if err == nil && own.Max < want.Hard {
			err = unix.Setrlimit(number, &unix.Rlimit{Cur: own.Cur, Max: want.Hard})
		}
		if err != nil {
			faults = append(faults, fmt.Errorf("raise the hard limit %s to %s: %w: start the runner with no less (ulimit -H), or with CAP_SYS_RESOURCE",
				want.Type, limitText(want.Hard), err))
		}
	}
	return errors.Join(faults...)
}

// exactResourceLimits compares every limit that was asked for, soft and hard, with
// the kernel's own account of the process. prlimit(2) would need CAP_SYS_RESOURCE in
// the sandbox's user namespace.
func exactResourceLimits(s *sandbox) error {
	config, err := s.config()
	if err != nil {
		return err
	}
	content, err := os.ReadFile(fmt.Sprintf("/proc/%d/limits", s.guard.pid))
	if err != nil {
		return fmt.Errorf("read resource limits: %w", err)
	}
	var faults []error
	for _, want := range config.Process.Rlimits {
		limit, known := limits()[want.Type]
		if !known {
			return fmt.Errorf("%s cannot be verified", want.Type)
		}
		soft, hard := limitOf(string(content), limit.line)
		if soft != limitText(want.Soft) || hard != limitText(want.Hard) {
			faults = append(faults, fmt.Errorf("%s is %q and %q, not %d and %d", want.Type, soft, hard, want.Soft, want.Hard))
		}
	}
	return errors.Join(faults...)
}

// limitText is a limit in the words of /proc/<pid>/limits.
func limitText(limit uint64) string {
	if limit == container.Unlimited {
		return "unlimited"
	}
	return strconv.FormatUint(limit, 10)
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
