//go:build linux

package cgroup

import (
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/internal/container"
)

// newSlice makes a slice where systemd can.
func newSlice(t *testing.T) (*Group, string) {
	t.Helper()
	requireRoot(t)
	mode, err := HostMode()
	require.NoError(t, err)
	if mode != ModeUnified || !systemdRuns() {
		t.Skip("systemd does not manage this host's groups, or they are v1's")
	}
	name := container.NewID().String()
	group, err := CreateSlice(t.Context(), name, container.Resources(limits()))
	require.NoError(t, err)
	t.Cleanup(func() {
		ctx, cancel := container.ReleaseContext(t.Context())
		defer cancel()
		require.NoError(t, RemoveSlice(ctx, name))
		require.NoError(t, RemoveSlice(ctx, name), "the second time")
		_, err := Load(SlicePath(name))
		require.ErrorIs(t, err, ErrNotFound)
	})
	return group, sliceUnit(group.Path())
}

func TestSliceHasLimits(t *testing.T) {
	group, _ := newSlice(t)
	got, err := group.Limits()
	require.NoError(t, err)
	require.Equal(t, Settings{MemoryBytes: 32 << 20, SwapBytes: 0, PIDs: 16, CPUMillis: 500}, got)
	require.ErrorContains(t, group.Delete(), "systemd's to remove")
}

func TestASlicesLimitsCanBeLowered(t *testing.T) {
	group, unit := newSlice(t)
	lower := limits()
	lower.MemoryBytes, lower.PIDs, lower.CPUMillis = 16<<20, 8, 250
	name := strings.TrimSuffix(strings.TrimPrefix(unit, "hotcell-"), ".slice")
	require.NoError(t, UpdateSlice(t.Context(), name, container.Resources(lower)))
	require.NoError(t, exec.Command("systemctl", "daemon-reload").Run())
	got, err := group.Limits()
	require.NoError(t, err)
	require.Equal(t, Settings{MemoryBytes: 16 << 20, SwapBytes: 0, PIDs: 8, CPUMillis: 250}, got)
}

// Docker's container is a scope in the slice, and gone when it is accounted for.
func TestSliceCountsWhatWasInIt(t *testing.T) {
	group, unit := newSlice(t)
	const script = "head -c 200000000 /dev/zero | tail -n 1 >/dev/null"
	require.Error(t, exec.Command("systemd-run", "--quiet", "--collect", "--scope", "--slice="+unit, "/bin/sh", "-c", script).Run())
	usage, err := group.Usage()
	require.NoError(t, err)
	require.Positive(t, usage.OOMKills)
	require.Greater(t, usage.MemoryPeakBytes, int64(16<<20))
}

func TestSliceIsKilled(t *testing.T) {
	group, unit := newSlice(t)
	command := exec.Command("systemd-run", "--quiet", "--collect", "--scope", "--slice="+unit, "/bin/sleep", "1000")
	require.NoError(t, command.Start())
	require.Eventually(t, func() bool {
		pids, err := group.Procs()
		return err == nil && len(pids) == 1
	}, time.Minute, time.Millisecond)
	kill(t, group)
	require.Error(t, command.Wait())
}

func TestSlicePaths(t *testing.T) {
	require.Equal(t, "/hotcell.slice/hotcell-17952_9f86.slice", SlicePath("17952_9f86"))
	require.Equal(t, "hotcell-17952_9f86.slice", sliceUnit(SlicePath("17952_9f86")))
	for _, path := range []string{"/hotcell.slice", "/hotcell/x", "/system.slice/x.slice", "/hotcell.slice/x.scope", "/hotcell.slice/x.slice/y.slice"} {
		require.Empty(t, sliceUnit(path), path)
	}
}
