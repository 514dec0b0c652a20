//go:build linux

package oci

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/moby/sys/mountinfo"

	"hotcell/internal/container"
)

// sentryIdleChecks hold before the guest has a process.
func sentryIdleChecks() []check {
	return []check{
		{container.ControlNamespaces, ownNamespaces("mnt", "net", "ipc", "uts")},
		{container.ControlUserNamespace, ownNamespaces("user")},
		{container.ControlUserNamespace, nobody},
		{"", grouped},
		{container.ControlMemory, memoryLimited},
		{container.ControlSwapOff, swapLimited},
		{container.ControlPIDs, pidsLimited},
		{container.ControlCPU, cpuLimited},
		{container.ControlOutputQuota, outputLimited},
		{container.ControlOOMCount, counted},
		{container.ControlCPUClock, counted},
	}
}

// sentryStartedChecks hold once the Sentry has its filter, which it loads after it
// has mounted the guest's files and before the guest's first instruction.
func sentryStartedChecks() []check {
	return []check{
		{container.ControlNoNewPrivs, statusIs("NoNewPrivs", "1")},
		{container.ControlSeccomp, statusIs("Seccomp", seccompFilter, seccompDead)},
		{container.ControlReadOnlyRoot, emptySentryRoot},
		{container.ControlReadOnlyRoot, goferMounts},
		{container.ControlNamespaces, ofGofer(ownNamespaces("mnt", "pid", "net", "ipc", "uts"))},
		{container.ControlUserNamespace, ofGofer(ownNamespaces("user"))},
		{container.ControlUserNamespace, ofGofer(mappedIDs)},
		{container.ControlNoNewPrivs, ofGofer(statusIs("NoNewPrivs", "1"))},
		{container.ControlSeccomp, ofGofer(statusIs("Seccomp", seccompFilter))},
		{"", ofGofer(grouped)},
	}
}

func (s *sandbox) idleChecks() []check {
	if s.hasSentry() {
		return sentryIdleChecks()
	}
	if s.template != nil {
		return templateChecks()
	}
	return idleChecks()
}

func (s *sandbox) startedChecks() []check {
	if s.hasSentry() {
		return sentryStartedChecks()
	}
	return startedChecks()
}

// nobody refuses a Sentry that is, or can become, this host's root.
func nobody(s *sandbox) error {
	fields, err := s.guard.procStatus()
	if err != nil {
		return err
	}
	for _, name := range []string{"Uid", "Gid"} {
		if slices.Contains(strings.Fields(fields[name]), "0") {
			return fmt.Errorf("%s of the Sentry is %q", name, fields[name])
		}
	}
	for _, name := range []string{"uid_map", "gid_map"} {
		content, err := os.ReadFile(fmt.Sprintf("/proc/%d/%s", s.guard.pid, name))
		if err != nil {
			return err
		}
		if mapsRoot(string(content)) {
			return fmt.Errorf("%s of the Sentry maps root: %q", name, content)
		}
	}
	return nil
}

// mapsRoot reads lines of "first id inside, first id outside, count".
func mapsRoot(idMap string) bool {
	for line := range strings.Lines(idMap) {
		if fields := strings.Fields(line); len(fields) != 3 || fields[1] == "0" {
			return true
		}
	}
	return idMap == ""
}

// emptySentryRoot wants a Sentry that has no file system but an empty one.
func emptySentryRoot(s *sandbox) error {
	mounts, err := mountsOf(s.guard.pid)
	if err != nil {
		return err
	}
	return sameMounts(mounts, map[string][]string{"/": {"ro"}})
}

// goferMounts wants a gofer that has the sandbox's files and nothing else.
func goferMounts(s *sandbox) error {
	locked := []string{"nosuid", "nodev", "noexec"}
	wanted := map[string][]string{"/": {"ro"}, container.OutputDir: locked, container.ScratchDir: locked}
	if s.paths.Bundle != "" {
		wanted[container.BundleDir] = append([]string{"ro"}, locked...)
	}
	return ofGofer(func(gofer *sandbox) error {
		mounts, err := mountsOf(gofer.guard.pid)
		if err != nil {
			return err
		}
		return sameMounts(mounts, wanted)
	})(s)
}

func mountsOf(pid int) ([]*mountinfo.Info, error) {
	file, err := os.Open(fmt.Sprintf("/proc/%d/mountinfo", pid))
	if err != nil {
		return nil, err
	}
	defer file.Close()
	mounts, err := mountinfo.GetMountsFromReader(file, nil)
	if err != nil {
		return nil, fmt.Errorf("read mounts: %w", err)
	}
	return mounts, nil
}

// sameMounts wants exactly the mount points that are the keys of wanted, with at
// least these options.
func sameMounts(mounts []*mountinfo.Info, wanted map[string][]string) error {
	seen := map[string]bool{}
	for _, mount := range mounts {
		options, known := wanted[mount.Mountpoint]
		if !known {
			return fmt.Errorf("unexpected mount on %s", mount.Mountpoint)
		}
		if missing := lacking(mount.Options, options); missing != nil {
			return fmt.Errorf("mount on %s lacks %v", mount.Mountpoint, missing)
		}
		seen[mount.Mountpoint] = true
	}
	for point := range wanted {
		if !seen[point] {
			return fmt.Errorf("nothing is mounted on %s", point)
		}
	}
	return nil
}

// ofGofer is a check of the gofer: of every process in the group that is our child
// and not the Sentry. There must be one.
func ofGofer(verify func(*sandbox) error) func(*sandbox) error {
	return func(s *sandbox) error {
		pids, err := s.group.Procs()
		if err != nil {
			return err
		}
		found := false
		for _, pid := range pids {
			if pid == s.guard.pid || !isChild(pid) {
				continue
			}
			found = true
			gofer := *s
			gofer.guard = &guardProcess{&child{pid: pid}}
			if err := verify(&gofer); err != nil {
				return fmt.Errorf("gofer: %w", err)
			}
		}
		if !found {
			return errors.New("there is no gofer in the sandbox's control group")
		}
		return nil
	}
}
