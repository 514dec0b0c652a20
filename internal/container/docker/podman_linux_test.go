package docker

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/container"
	"hotcell/internal/container/cgroup"
	"hotcell/internal/image/imagetest"
	"hotcell/internal/job"
)

// With v1 a container can be in the group that has its limits for one controller, and
// outside of it for another.
func TestLimitsCountWhereEveryControllerHasTheContainer(t *testing.T) {
	if os.Geteuid() != 0 {
		imagetest.Lacking(t, "needs root to make control groups")
	}
	place, err := cgroup.Home(t.Context())
	require.NoError(t, err)
	containerID := strings.Repeat("0c", 32)
	limits := job.Limits{MemoryBytes: 64 << 20, PIDs: 16, CPUMillis: 500}
	group, err := cgroup.Create(filepath.Join(place.Path, containerID), container.Resources(limits))
	require.NoError(t, err)
	t.Cleanup(func() {
		ctx, cancel := container.ReleaseContext(t.Context())
		defer cancel()
		require.NoError(t, group.Kill(ctx))
		require.NoError(t, group.Delete())
	})
	command := exec.Command("/bin/sleep", "1000")
	require.NoError(t, command.Start())
	t.Cleanup(func() {
		require.NoError(t, command.Process.Kill())
		require.Error(t, command.Wait())
	})
	near := &nearMonitor{localMonitor: &localMonitor{limits: limits}}
	process := openProc(command.Process.Pid)
	if group.Mode() != cgroup.ModeUnified {
		procs := filepath.Join(cgroup.Mountpoint(), "pids", group.Path(), "cgroup.procs")
		require.NoError(t, os.WriteFile(procs, []byte(strconv.Itoa(command.Process.Pid)), 0))
	}
	require.Error(t, near.checkOwnGroup(process, containerID))
	require.NoError(t, group.AddProc(command.Process.Pid))
	require.NoError(t, near.checkOwnGroup(process, containerID))
}

// Root opens what the daemon names: a pipe would keep it waiting, and without end.
func TestWhatIsNoFileIsNotReadAsAConfiguration(t *testing.T) {
	dir := t.TempDir()
	pipe, large := filepath.Join(dir, "pipe"), filepath.Join(dir, "large")
	require.NoError(t, syscall.Mkfifo(pipe, 0o600))
	require.NoError(t, os.WriteFile(large, bytes.Repeat([]byte(" "), maxPodmanAnswer+1), 0o600))
	empty, own, err := os.Pipe()
	require.NoError(t, err)
	defer empty.Close()
	defer own.Close()
	descriptor := "/dev/fd/" + strconv.Itoa(int(empty.Fd()))
	for path, wanted := range map[string]string{descriptor: "not a regular file", pipe: "not a regular file", dir: "not a regular file", "/dev/zero": "not a regular file", large: "EOF"} {
		_, err := readRuntimeConfig(path)
		require.ErrorContains(t, err, wanted, path)
	}
}
