package docker

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/container/cgroup"
)

// With v1 a container can be in the group that has its limits for one controller, and
// outside of it for another.
func TestLimitsCountWhereEveryControllerHasTheContainer(t *testing.T) {
	id := strings.Repeat("0c", 32)
	for _, name := range []string{id, "docker-" + id + ".scope", "libpod-" + id + ".scope"} { // with cgroupfs, with systemd
		t.Run(name, func(t *testing.T) {
			group, command := groupOfOurs(t, name), asleep(t)
			near := &nearMonitor{localMonitor: &localMonitor{limits: testLimits(), pid: command.Process.Pid}}
			process := openProc(command.Process.Pid)
			if group.Mode() != cgroup.ModeUnified {
				procs := filepath.Join(cgroup.Mountpoint(), "pids", group.Path(), "cgroup.procs")
				require.NoError(t, os.WriteFile(procs, []byte(strconv.Itoa(command.Process.Pid)), 0))
			}
			require.Error(t, near.checkOwnGroup(process, id))
			require.NoError(t, group.AddProc(command.Process.Pid))
			require.NoError(t, near.checkOwnGroup(process, id))
		})
	}
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
