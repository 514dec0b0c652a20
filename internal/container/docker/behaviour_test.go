//go:build linux

package docker

import (
	"os"
	"os/exec"
	"path"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/container"
	"hotcell/internal/container/containertest"
)

func TestBehaviour(t *testing.T) {
	containertest.Run(t, behaviours(newHarness(t, false)))
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
		containertest.Run(t, behaviours(newHarness(t, true)))
		return
	}
	newHarness(t, true) // or skip
	suite := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestBehaviourRemote$", "-test.skip=/.*/("+remoteUnknown+")")
	suite.Env = append(os.Environ(), remoteSuite+"=yes")
	output, err := suite.CombinedOutput()
	require.NoError(t, err, "%s", output)
}

func behaviours(h harness) containertest.Harness {
	return containertest.Harness{
		New: func(*testing.T) container.Engine { return h.Engine },
		Spec: func(*testing.T) container.Spec {
			spec := h.spec("")
			spec.Bundle = testBundle
			return spec
		},
		Environment: h.environment,
		Bundle:      containertest.File{Path: path.Join(container.BundleDir, bundleManifest), Content: testManifest},
		Devices:     []string{"/dev/tty", "/etc/resolv.conf"}, // masked: both are /dev/null
		LoopbackUp:  true,                                     // Docker's own doing
		Processes:   containertest.HostProcesses,
		Kill:        containertest.HostKill,
		Leftovers:   containertest.HostLeftovers,
	}
}
