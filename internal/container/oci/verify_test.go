//go:build linux

package oci

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/container"
	"hotcell/internal/container/cgroup"
	"hotcell/internal/job"
)

// Each case makes a real sandbox differ from what was asked for, as a runtime that
// forgot something would.
func TestVerificationFindsAMissingControl(t *testing.T) {
	for _, test := range []struct {
		name    string
		control string
		checks  []check
		spoil   func(*testing.T, *sandbox)
	}{
		{"the host's namespaces", container.ControlNamespaces, idleChecks(), asThisProcess},
		{"the host's cgroup namespace", container.ControlCgroupNamespace, idleChecks(), asThisProcess},
		{"the host's user namespace", container.ControlUserNamespace, idleChecks(), asThisProcess},
		{"the host's mounts", container.ControlReadOnlyRoot, idleChecks(), asThisProcess},
		{"another id range", container.ControlUserNamespace, idleChecks(), func(_ *testing.T, s *sandbox) {
			s.paths.UserNamespace = &container.IDRange{First: 100000, Count: 65536}
		}},
		{"a mount that nobody asked for", container.ControlReadOnlyRoot, idleChecks(), func(_ *testing.T, s *sandbox) {
			s.spec.Bundle, s.paths.Bundle = "", ""
		}},
		{"more memory", container.ControlMemory, idleChecks(), func(_ *testing.T, s *sandbox) { s.spec.Limits.MemoryBytes /= 2 }},
		{"less memory", container.ControlMemory, idleChecks(), func(_ *testing.T, s *sandbox) { s.spec.Limits.MemoryBytes *= 2 }},
		{"another process count", container.ControlPIDs, idleChecks(), func(_ *testing.T, s *sandbox) { s.spec.Limits.PIDs++ }},
		{"another CPU quota", container.ControlCPU, idleChecks(), func(_ *testing.T, s *sandbox) { s.spec.Limits.CPUMillis *= 2 }},
		{"a larger output", container.ControlOutputQuota, idleChecks(), func(_ *testing.T, s *sandbox) { s.spec.Limits.OutputBytes /= 2 }},
		{"more output files", container.ControlOutputQuota, idleChecks(), func(_ *testing.T, s *sandbox) { s.spec.Limits.OutputFiles-- }},
		{"a group without swap limit", container.ControlSwapOff, idleChecks(), otherGroup},
		{"a group that is gone", container.ControlOOMCount, idleChecks(), goneGroup},
		{"a clock that is gone", container.ControlCPUClock, idleChecks(), goneGroup},
		{"a process without no_new_privs", container.ControlNoNewPrivs, startedChecks(), asThisProcess},
		{"a process without seccomp", container.ControlSeccomp, startedChecks(), asThisProcess},
		{"a process with capabilities", container.ControlNoCapabilities, startedChecks(), asThisProcess},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := python(t, newHost(t, "").engine(t), "pass")
			require.NoError(t, s.verify(idleChecks()))
			altered := *s
			test.spoil(t, &altered)
			require.ErrorContains(t, altered.verify(test.checks), "does not enforce "+test.control)
		})
	}
}

// What no host lacks cannot be made optional.
func TestVerificationFindsAMissingLimit(t *testing.T) {
	for _, test := range []struct {
		name   string
		checks []check
		spoil  func(*sandbox)
		fault  string
	}{
		{"a larger scratch directory", idleChecks(), func(s *sandbox) { s.spec.Limits.ScratchBytes /= 2 }, container.ScratchDir},
		{"more open files", startedChecks(), func(s *sandbox) { s.spec.Limits.OpenFiles-- }, "RLIMIT_NOFILE"},
		{"larger files", startedChecks(), func(s *sandbox) { s.spec.Limits.OutputBytes *= 2 }, "RLIMIT_FSIZE"},
		{"more CPU time", startedChecks(), func(s *sandbox) { s.spec.Limits.CPUTime *= 2 }, "RLIMIT_CPU"},
		{"core dumps", startedChecks(), func(s *sandbox) { s.guard = &guardProcess{&child{pid: os.Getpid()}} }, "RLIMIT_CORE"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := python(t, newHost(t, "").engine(t), "pass")
			require.NoError(t, s.verify(idleChecks()))
			altered := *s
			test.spoil(&altered)
			err := altered.verify(test.checks)
			require.ErrorContains(t, err, "the runtime did not make the sandbox as asked")
			require.ErrorContains(t, err, test.fault)
		})
	}
}

// A policy may accept that a host has no memory.max: the other limits are for nobody, too,
// where the process is in another group.
func TestVerificationFindsAGroupWithoutTheProcess(t *testing.T) {
	s := python(t, newHost(t, "").engine(t), "pass")
	require.NoError(t, s.verify(idleChecks()))
	altered := *s
	otherGroup(t, &altered)
	altered.host.Controls = nil
	for _, name := range container.Controls() {
		altered.host.Controls = append(altered.host.Controls, job.Control{Name: name, Detail: "accepted"})
	}
	require.ErrorContains(t, altered.verify(idleChecks()), "is not in control group")
	require.ErrorContains(t, altered.verify(sentryIdleChecks()), "is not in control group")
}

// Each of v1's controllers has its own groups, and the runtime moves a process for each.
func TestVerificationFindsAControllerThatHasTheSandboxElsewhere(t *testing.T) {
	if hostMode(t) == cgroup.ModeUnified {
		t.Skip("v2 has one hierarchy")
	}
	s := python(t, newHost(t, "").engine(t), "pass")
	require.NoError(t, s.verify(idleChecks()))
	procs := filepath.Join(cgroup.Mountpoint(), "memory/cgroup.procs")
	require.NoError(t, os.WriteFile(procs, []byte(strconv.Itoa(s.guard.pid)), 0))
	require.ErrorContains(t, s.verify(idleChecks()), "is not in control group")
}

func asThisProcess(_ *testing.T, s *sandbox) { s.guard = &guardProcess{&child{pid: os.Getpid()}} }

func otherGroup(t *testing.T, s *sandbox) {
	resources := container.Resources(s.spec.Limits)
	resources.Memory.Swap = nil
	group, err := cgroup.Create(s.groupPath()+"-other", resources)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, group.Delete()) })
	s.group = group
}

func goneGroup(t *testing.T, s *sandbox) {
	otherGroup(t, s)
	require.NoError(t, s.group.Delete())
}

func TestPrivilegedIDsAreFound(t *testing.T) {
	require.ErrorContains(t, unprivileged(&sandbox{guard: &guardProcess{&child{pid: os.Getpid()}}}), "Uid")
}

func TestUnmaskedPathsAreFound(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, hidden(dir+"/absent"))
	require.NoError(t, hidden("/dev/null"))
	require.Error(t, hidden("/dev/zero"))
	require.Error(t, hidden("/proc/version"))
	require.Error(t, hidden(dir), "writable")
	require.Error(t, hidden("/proc/irq"), "not empty")
	require.NoError(t, os.Symlink("/dev/null", dir+"/link"))
	require.Error(t, hidden(dir+"/link"), "a link to the null device can be pointed elsewhere")
}
