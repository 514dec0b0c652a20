//go:build linux

package docker

import (
	"maps"
	"os"
	"os/exec"
	"path"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"hotcell/internal/container"
	"hotcell/internal/container/containertest"
)

func TestBehaviour(t *testing.T) {
	containertest.Run(t, behaviours(t, newHarness(t, false)))
}

// TestBehaviourOfSandboxesInAdvance runs the suite in containers that were started, and had a
// guard that prepared, before there was a run.
func TestBehaviourOfSandboxesInAdvance(t *testing.T) {
	suite := behaviours(t, newHarness(t, false))
	cold := suite.New
	suite.New = func(t *testing.T) container.Engine { return containertest.InAdvance{Warmer: cold(t).(*Engine)} }
	suite.Command = func(b containertest.Behaviour) []string {
		return containertest.PreparedCommand(containertest.PythonCommand(b))
	}
	out := map[string]string{"lifecycle/a sandbox is idle until it runs": "its guard is there, and waits"}
	maps.Copy(out, suite.LeftOut)
	suite.LeftOut = out
	containertest.Run(t, suite)
}

// remoteUnknown are the subtests about what a daemon elsewhere does not tell: the
// kernel's own exit status, refused forks, and CPU time of less than a second ago.
const remoteUnknown = "exit_code_137_is|pids.max_refuses|CPU_time_is_at_least|a_killed_sandbox_has_its_usage"

// remoteSuite makes the process of TestBehaviourRemote run the suite.
const remoteSuite = "HOTCELL_DOCKER_REMOTE_SUITE"

// TestBehaviourRemote runs the suite in a process of its own, because subtests
// can only be left out from the command line.
func TestBehaviourRemote(t *testing.T) {
	if os.Getenv(remoteSuite) != "" {
		containertest.Run(t, behaviours(t, newHarness(t, true)))
		return
	}
	newHarness(t, true) // or skip
	suite := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestBehaviourRemote$", "-test.skip=/.*/("+remoteUnknown+")")
	suite.Env = append(os.Environ(), remoteSuite+"=yes")
	output, err := suite.CombinedOutput()
	require.NoError(t, err, "%s", output)
}

func behaviours(t *testing.T, h harness) containertest.Harness {
	t.Helper()
	return containertest.Harness{
		New: func(t *testing.T) container.Engine { return newEngine(t, h.options) },
		Spec: func(*testing.T) container.Spec {
			spec := h.spec("")
			spec.Bundle = testBundle
			return spec
		},
		Environment: h.environment,
		Bundle:      containertest.BundleFile{Path: path.Join(container.BundleDir, bundleManifest), Content: testManifest},
		Devices:     []string{"/dev/tty", "/etc/resolv.conf"}, // masked: both are /dev/null
		LoopbackUp:  true,                                     // Docker's own doing
		Processes:   containertest.HostProcesses,
		Kill:        containertest.HostKill,
		Leftovers:   containertest.HostLeftovers,
		LeftOut:     leftOut(t),
		OOMsUntold:  h.oomsUntold,
	}
}

// leftOut are subtests about what this kernel does not tell of a process that is not our
// child: before Linux 6.15, how it ended.
func leftOut(t *testing.T) map[string]string {
	t.Helper()
	child := exec.CommandContext(t.Context(), "/bin/sh", "-c", "exit 137")
	require.NoError(t, child.Start())
	pidfd, err := unix.PidfdOpen(child.Process.Pid, 0)
	require.NoError(t, err)
	defer unix.Close(pidfd)
	require.Error(t, child.Wait())
	if _, known := (&localMonitor{pidfd: pidfd, dead: make(chan struct{})}).waitStatus(); known {
		return nil
	}
	return map[string]string{"exit/exit code 137 is the program's": "this kernel does not tell, and to Docker it is SIGKILL"}
}
