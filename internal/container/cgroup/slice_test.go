//go:build linux

package cgroup

import (
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/internal/container"
	"hotcell/internal/job"
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
	name := strings.ReplaceAll(job.NewID(time.Now()).String(), "-", "_")
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
	require.Equal(t, Limits{MemoryBytes: 32 << 20, SwapBytes: 0, PIDs: 16, CPUMillis: 500}, got)
	require.ErrorContains(t, group.Delete(), "systemd's to remove")
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
