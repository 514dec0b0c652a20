package containertest

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func usageTests() []subtest {
	return []subtest{
		{"CPU time is at least what the program used", cpuUsage},
		{"peak memory is at least what the program touched", memoryUsage},
		{"peak processes are at least what the program started", pidsUsage},
		{"a killed sandbox has its usage too", usageOfKilled},
	}
}

func cpuUsage(t *testing.T, h Harness) {
	exit, _ := newTrial(t, h, Behaviour{Name: Burn, MS: 300}).collect()
	requireCleanEnd(t, exit)
	require.GreaterOrEqual(t, exit.Usage.CPUMS, int64(300))
	require.Positive(t, exit.Usage.WallMS)
}

// memoryUsage takes an eighth off: the program counts pages, and older kernels
// read a per-CPU counter that lags.
func memoryUsage(t *testing.T, h Harness) {
	const touched = 64 << 20
	r := newTrial(t, h, Behaviour{Name: Allocate, Bytes: touched})
	exit, stdout := r.collect()
	requireCleanEnd(t, exit)
	require.Equal(t, "allocated\n", string(stdout))
	requirePeak(t, exit.Usage.MemoryPeakBytes, touched-touched/8, r.spec.Limits.MemoryBytes)
}

func pidsUsage(t *testing.T, h Harness) {
	r := newTrial(t, h, Behaviour{Name: ForkMany, Count: 10})
	var report StartReport
	exit := r.report(&report)
	require.Equal(t, StartReport{Started: 10}, report)
	requirePeak(t, exit.Usage.PIDsPeak, 11, r.spec.Limits.PIDs)
}

// requirePeak accepts -1: this kernel does not count it.
func requirePeak(t *testing.T, peak, low, high int64) {
	t.Helper()
	if peak == -1 {
		return
	}
	require.GreaterOrEqual(t, peak, low)
	require.LessOrEqual(t, peak, high)
}

func usageOfKilled(t *testing.T, h Harness) {
	r := newTrial(t, h, Behaviour{Name: Allocate, Bytes: 64 << 20})
	running := r.converse()
	running.expect("allocated")
	running.cancel()
	exit := running.wait()
	requireKilledByUs(t, exit, "")
	require.Positive(t, exit.Usage.CPUMS)
	requirePeak(t, exit.Usage.MemoryPeakBytes, 32<<20, r.spec.Limits.MemoryBytes)
}
