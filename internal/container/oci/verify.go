//go:build linux

package oci

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"hotcell/internal/container"
)

// check verifies one control on a sandbox from the outside, through the kernel's
// own view of the process: what the runtime was told is no evidence.
type check struct {
	control string // "" for what no host lacks
	verify  func(*sandbox) error
}

// idleChecks hold before the guard is executed.
func idleChecks() []check {
	return []check{
		{container.ControlNamespaces, ownNamespaces("mnt", "pid", "net", "ipc", "uts")},
		{container.ControlCgroupNamespace, ownNamespaces("cgroup")},
		{container.ControlUserNamespace, ownNamespaces("user")},
		{container.ControlUserNamespace, mappedIDs},
		{container.ControlReadOnlyRoot, exactMounts},
		{container.ControlReadOnlyRoot, hiddenPaths},
		{"", grouped},
		{container.ControlMemory, memoryLimited},
		{container.ControlSwapOff, swapLimited},
		{container.ControlPIDs, pidsLimited},
		{container.ControlCPU, cpuLimited},
		{container.ControlOutputQuota, outputLimited},
		{"", scratchLimited},
		{container.ControlOOMCount, counted},
		{container.ControlCPUClock, counted},
	}
}

// templateChecks are idleChecks but for what a template has in common with the host.
func templateChecks() []check {
	own := check{container.ControlNamespaces, ownNamespaces("mnt", "net", "ipc", "uts")}
	return append([]check{own}, slices.DeleteFunc(idleChecks(), func(one check) bool {
		return slices.Contains([]string{container.ControlNamespaces, container.ControlUserNamespace}, one.control)
	})...)
}

// startedChecks hold once the runtime has given the process its last properties,
// and before it has any input.
func startedChecks() []check {
	return []check{
		{container.ControlNoNewPrivs, statusIs("NoNewPrivs", "1")},
		{container.ControlSeccomp, statusIs("Seccomp", seccompFilter, seccompDead)},
		{container.ControlNoCapabilities, noCapabilities},
		{container.ControlNoCapabilities, unprivileged},
		{"", exactResourceLimits},
	}
}

// verify refuses a sandbox that lacks a control which the host is said to have. A
// control that the host lacks was accepted before this.
func (s *sandbox) verify(checks []check) error {
	var faults []error
	for _, check := range checks {
		if check.control != "" && !s.enforces(check.control) {
			continue
		}
		err := check.verify(s)
		switch {
		case err == nil:
		case check.control == "":
			faults = append(faults, fmt.Errorf("the runtime did not make the sandbox as asked: %w", err))
		default:
			faults = append(faults, container.Lacking(check.control, err))
		}
	}
	return errors.Join(faults...)
}

func ownNamespaces(names ...string) func(*sandbox) error {
	return func(s *sandbox) error {
		for _, name := range names {
			ours, err := os.Readlink("/proc/self/ns/" + name)
			if err != nil {
				return err
			}
			theirs, err := os.Readlink(fmt.Sprintf("/proc/%d/ns/%s", s.guard.pid, name))
			if err != nil {
				return err
			}
			if ours == theirs {
				return fmt.Errorf("the sandbox is in the host's %s namespace", name)
			}
		}
		return nil
	}
}

// mappedIDs compares /proc/<pid>/uid_map and gid_map with what was asked for.
func mappedIDs(s *sandbox) error {
	ids := s.paths.UserNamespace
	if ids == nil {
		return errors.New("ids are not mapped")
	}
	want := fmt.Sprintf("0 %d %d", ids.First, ids.Count)
	for _, name := range []string{"uid_map", "gid_map"} {
		content, err := os.ReadFile(fmt.Sprintf("/proc/%d/%s", s.guard.pid, name))
		if err != nil {
			return err
		}
		if got := strings.Join(strings.Fields(string(content)), " "); got != want {
			return fmt.Errorf("%s is %q, not %q", name, got, want)
		}
	}
	return nil
}

func memoryLimited(s *sandbox) error {
	limits, err := s.group.Limits()
	if err != nil {
		return err
	}
	page := int64(os.Getpagesize())
	if want := s.limits().MemoryBytes; limits.MemoryBytes > want || limits.MemoryBytes <= want-page {
		return fmt.Errorf("memory limit is %d bytes, not %d", limits.MemoryBytes, want)
	}
	return nil
}

// grouped wants the process where the limits are: without this, each of them is a limit
// of nothing. No accepted absence of one of them passes over it.
func grouped(s *sandbox) error { return s.group.Holds(s.guard.pid) }

func swapLimited(s *sandbox) error {
	limits, err := s.group.Limits()
	if err == nil && limits.SwapBytes != 0 {
		err = fmt.Errorf("swap limit is %d bytes, not 0", limits.SwapBytes)
	}
	return err
}

func pidsLimited(s *sandbox) error {
	limits, err := s.group.Limits()
	if want := s.limits().PIDs; err == nil && limits.PIDs != want {
		err = fmt.Errorf("process limit is %d, not %d", limits.PIDs, want)
	}
	return err
}

func cpuLimited(s *sandbox) error {
	limits, err := s.group.Limits()
	cpu := container.Resources(s.limits()).CPU
	if want := *cpu.Quota * 1000 / int64(*cpu.Period); err == nil && limits.CPUMillis != want {
		err = fmt.Errorf("CPU limit is %d thousandths, not %d", limits.CPUMillis, want)
	}
	return err
}

// outputLimited allows what tmpfs rounds up to.
func outputLimited(s *sandbox) error {
	root, err := s.output.Open(".")
	if err != nil {
		return err
	}
	defer root.Close()
	var stat unix.Statfs_t
	if err := unix.Fstatfs(int(root.Fd()), &stat); err != nil {
		return err
	}
	bytes, files := int64(stat.Blocks)*stat.Bsize, int64(stat.Files)
	if stat.Type != unix.TMPFS_MAGIC || bytes >= s.spec.Limits.OutputBytes+stat.Bsize || files != s.spec.Limits.OutputFiles+1 {
		return fmt.Errorf("output file system takes %d bytes and %d inodes", bytes, files)
	}
	return nil
}

func counted(s *sandbox) error {
	_, err := s.group.Usage()
	return err
}

func statusIs(name string, wanted ...string) func(*sandbox) error {
	return func(s *sandbox) error {
		fields, err := s.guard.procStatus()
		if err == nil && !slices.Contains(wanted, fields[name]) {
			err = fmt.Errorf("%s is %q, not %q", name, fields[name], wanted[0])
		}
		return err
	}
}

func noCapabilities(s *sandbox) error {
	fields, err := s.guard.procStatus()
	if err != nil {
		return err
	}
	for _, set := range []string{"CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"} {
		if value, present := fields[set]; !present || strings.Trim(value, "0") != "" {
			return fmt.Errorf("%s is %q", set, value)
		}
	}
	return nil
}

func unprivileged(s *sandbox) error {
	fields, err := s.guard.procStatus()
	if err != nil {
		return err
	}
	id := strconv.FormatUint(uint64(s.guardID()), 10)
	for _, name := range []string{"Uid", "Gid"} {
		if want := strings.Join([]string{id, id, id, id}, "\t"); fields[name] != want {
			return fmt.Errorf("%s is %q, not %q", name, fields[name], want)
		}
	}
	if groups := fields["Groups"]; groups != "" && groups != id {
		return fmt.Errorf("additional groups are %q", groups)
	}
	return nil
}
