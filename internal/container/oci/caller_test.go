//go:build linux

package oci

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// oddCaller makes this test binary one that was started in an odd way.
const oddCaller = "HOTCELL_TEST_ODD_CALLER"

// What the kernel hands from a process to its children, over execve(2), and no runtime
// sets: without control of it, a sandbox of a runner without address randomisation has
// none either, and one of a real-time runner is above every process of the host.
func TestASandboxIsTheSameWhoeverStartsIt(t *testing.T) {
	if os.Getenv(oddCaller) != "" {
		onBothRuntimes(t, requireOrdinary)
		return
	}
	self := []string{os.Args[0], "-test.run=^" + t.Name() + "$", "-test.v"}
	for name, command := range map[string][]string{
		"an ordinary one":                     {"env"},
		"a nice one":                          {"nice", "-n", "7"},
		"an urgent one":                       {"nice", "-n", "-7"},
		"one in batches":                      {"chrt", "--batch", "0"},
		"a real-time one":                     {"chrt", "--rr", "1"},
		"one with a real-time class for disk": {"ionice", "--class", "realtime", "--classdata", "0"},
		"one on a single processor":           {"taskset", "0x1"},
		"one without address randomisation":   {"setarch", "-R"},
		"one whose memory can be executed":    {"setarch", "-X"},
	} {
		t.Run(name, func(t *testing.T) {
			odd := exec.Command(command[0], append(command[1:], self...)...)
			odd.Env = append(os.Environ(), oddCaller+"=1")
			words, err := odd.CombinedOutput()
			require.NoError(t, err, string(words))
			require.Contains(t, string(words), "--- PASS", "nothing was tested")
		})
	}
}

func requireOrdinary(t *testing.T, engine *Engine) {
	s := python(t, engine, "pass")
	const onProcess = 1 // IOPRIO_WHO_PROCESS
	disk, _, errno := unix.Syscall(unix.SYS_IOPRIO_GET, onProcess, uintptr(s.init.pid), 0)
	require.Zero(t, errno)
	require.Zero(t, disk>>13, "class for disk")
	scheduling, err := unix.SchedGetAttr(s.init.pid, 0)
	require.NoError(t, err)
	require.Equal(t, uint32(unix.SCHED_NORMAL), scheduling.Policy)
	require.Zero(t, scheduling.Nice)
	personality, err := os.ReadFile(fmt.Sprintf("/proc/%d/personality", s.init.pid))
	require.NoError(t, err)
	require.Equal(t, "00000000\n", string(personality))
	var processors unix.CPUSet
	require.NoError(t, unix.SchedGetaffinity(s.init.pid, &processors))
	require.Equal(t, everyProcessor(t), processors, "processors")
}

// everyProcessor returns those that the kernel would give to a process of this group.
func everyProcessor(t *testing.T) unix.CPUSet {
	t.Helper()
	var asked, given unix.CPUSet
	asked.Fill()
	require.NoError(t, onThread(func() error {
		return errors.Join(unix.SchedSetaffinity(0, &asked), unix.SchedGetaffinity(0, &given))
	}))
	return given
}
