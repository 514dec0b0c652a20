package containertest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/container"
)

// halve tightens to the half of what the Spec gives.
func halve(spec *container.Spec) {
	limits := spec.Limits
	limits.MemoryBytes, limits.PIDs, limits.CPUMillis = limits.MemoryBytes/2, limits.PIDs/2, limits.CPUMillis/2
	spec.Tightened = container.TightenedTo(limits)
}

// tightenedIsEnforced starts threads, of which every engine refuses one too many.
func tightenedIsEnforced(t *testing.T, h Harness) {
	r := newTrial(t, h, Behaviour{Name: ThreadMany, Count: 1000}, halve)
	var report StartReport
	r.reportDespiteDenials(&report)
	require.Equal(t, r.spec.Limits.PIDs/2-1, report.Started)
}

func tightenedMemoryEnds(t *testing.T, h Harness) {
	whole := h.spec(t, Behaviour{Name: Allocate}).Limits.MemoryBytes
	exit, stdout := newTrial(t, h, Behaviour{Name: Allocate, Bytes: whole * 3 / 4}, halve).collect()
	require.Empty(t, string(stdout))
	requireOOM(t, h, exit)
	requireEndedBy(t, exit, "SIGKILL")
}

func tightenedCPUSlows(t *testing.T, h Harness) {
	requireSlowed(t, h, func(spec *container.Spec) { spec.Limits.CPUMillis, spec.Tightened.CPUMillis = 1000, quarterCPU })
}

// tightenedDoesNotShow holds Key's promise where an idle sandbox could break it: its
// environment tells libraries how many processors there are.
func tightenedDoesNotShow(t *testing.T, h Harness) {
	several := func(spec *container.Spec) { spec.Limits.CPUMillis = 4000 }
	var whole, half []string
	first := newTrial(t, h, Behaviour{Name: PrintEnvironment}, several)
	first.report(&whole)
	second := newTrial(t, h, Behaviour{Name: PrintEnvironment}, several, halve)
	second.report(&half)
	second.spec.Command = first.spec.Command // whose marker is the trial's own
	require.Equal(t, first.spec.Key(), second.spec.Key())
	require.ElementsMatch(t, whole, half, "gVisor has them in any order")
}

func looserRefused(t *testing.T, h Harness) {
	for name, loosen := range map[string]func(*container.Spec){
		"memory": func(s *container.Spec) { s.Tightened.MemoryBytes = s.Limits.MemoryBytes + 1 },
		"pids":   func(s *container.Spec) { s.Tightened.PIDs = s.Limits.PIDs + 1 },
		"cpus":   func(s *container.Spec) { s.Tightened.CPUMillis = s.Limits.CPUMillis + 1 },
	} {
		spec := h.spec(t, Behaviour{Name: ExitWith})
		loosen(&spec)
		require.ErrorContains(t, refusal(t, h, h.New(t), spec), name+" of ")
	}
}
