package containertest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/internal/container"
	"hotcell/internal/job"
)

func limitTests() []subtest {
	return []subtest{
		{"memory.max ends the guard and is counted", memoryEndsAll(Allocate)},
		{"memory.max ends a child and is counted", memoryEndsChild},
		{"memory.max ends threads without a leader and is counted", memoryEndsAll(AllocateOrphaned)},
		{"memory.max ends who share memory and is counted", memoryEndsAll(AllocateShared)},
		{"files in the output count towards memory.max", filesCountAsMemory(container.OutputDir)},
		{"files in scratch count towards memory.max", filesCountAsMemory(container.ScratchDir)},
		{"pids.max refuses processes and is counted", pidsRefused(ForkMany)},
		{"pids.max refuses threads and is counted", pidsRefused(ThreadMany)},
		{"cpu.max slows what spins", cpuSlowed},
		{"cpu_time ends one process", cpuTimeEnds(0)},
		{"cpu_time adds up over children", cpuTimeEnds(3)},
		{"cpu_time below the limit is no event", cpuTimeBelow},
		{"open_files refuses descriptors", openFilesRefused},
		{"output_bytes refuses bytes", bytesRefused(container.OutputDir)},
		{"scratch_bytes refuses bytes", bytesRefused(container.ScratchDir)},
		{"output_files refuses files", outputFilesRefused},
		{"scratch refuses files", scratchFilesRefused},
		{"what a request tightened is enforced", tightenedIsEnforced},
		{"memory that a request tightened is enforced", tightenedMemoryEnds},
		{"a share of processors that a request tightened is enforced", tightenedCPUSlows},
		{"what a request tightened does not show", tightenedDoesNotShow},
	}
}

// memoryEndsAll has it whoever owns the memory: cgroup v1 counts by that (mm->owner).
func memoryEndsAll(name Name) func(*testing.T, Harness) {
	return func(t *testing.T, h Harness) {
		exit, stdout := newTrial(t, h, Behaviour{Name: name, Bytes: 512 << 20}).collect()
		require.Empty(t, string(stdout))
		requireOOM(t, h, exit)
		requireEndedBy(t, exit, "SIGKILL")
	}
}

func requireOOM(t *testing.T, h Harness, exit container.Exit) {
	t.Helper()
	require.True(t, exit.OOMKills > 0 || h.OOMsUntold, "%+v", exit)
}

func requireEndedBy(t *testing.T, exit container.Exit, signal string) {
	t.Helper()
	require.Equal(t, -1, exit.Code)
	require.Equal(t, signal, exit.Signal)
	require.False(t, exit.KilledByUs)
	require.Empty(t, exit.Limit)
}

// memoryEndsChild says nothing about the guard's end: the kernel may end the whole
// group (memory.oom.group) or the child alone.
func memoryEndsChild(t *testing.T, h Harness) {
	exit, _ := newTrial(t, h, Behaviour{Name: AllocateInChild, Bytes: 512 << 20}).collect()
	requireOOM(t, h, exit)
	require.False(t, exit.KilledByUs)
}

func filesCountAsMemory(dir string) func(*testing.T, Harness) {
	return func(t *testing.T, h Harness) {
		roomy := func(spec *container.Spec) {
			spec.Limits.OutputBytes, spec.Limits.ScratchBytes = 512<<20, 512<<20
			spec.Limits.OutputFiles = 64 << 10
			spec.Limits.MemoryBytes = 64 << 20
		}
		r := newTrial(t, h, Behaviour{Name: FillBytes, Path: dir, Bytes: 256 << 20, FileBytes: 16 << 20}, roomy)
		exit, stdout := r.collect()
		require.Empty(t, string(stdout))
		requireOOM(t, h, exit)
		requireEndedBy(t, exit, "SIGKILL")
	}
}

func pidsRefused(name Name) func(*testing.T, Harness) {
	return func(t *testing.T, h Harness) {
		r := newTrial(t, h, Behaviour{Name: name, Count: 1000})
		var report StartReport
		exit := r.reportDespiteDenials(&report)
		require.Equal(t, !h.PIDsUncounted, exit.PIDsDenied > 0, "%d refusals", exit.PIDsDenied)
		require.Equal(t, "EAGAIN", report.Errno)
		require.Equal(t, r.spec.Limits.PIDs-1, report.Started)
	}
}

// reportDespiteDenials is report for a program that pids.max stopped.
func (r *trial) reportDespiteDenials(into any) container.Exit {
	r.t.Helper()
	running := r.converse()
	running.decode(into)
	exit := running.finish()
	rest := exit
	rest.PIDsDenied = 0
	requireCleanEnd(r.t, rest)
	return exit
}

// cpuSlowed holds whatever else the host does: a busy host gives less, never more.
// The kernel hands out a share for each period that has begun, and a slice of 5 ms
// for each processor beyond it.
func cpuSlowed(t *testing.T, h Harness) {
	requireSlowed(t, h, func(spec *container.Spec) { spec.Limits.CPUMillis = quarterCPU })
}

const quarterCPU = 250 // thousandths

func requireSlowed(t *testing.T, h Harness, slow func(*container.Spec)) {
	t.Helper()
	const slack = 100
	exit, stdout := newTrial(t, h, Behaviour{Name: Burn, MS: 400}, slow).collect()
	requireCleanEnd(t, exit)
	require.Equal(t, "burnt\n", string(stdout))
	require.LessOrEqual(t, exit.Usage.CPUMS, exit.Usage.WallMS*quarterCPU/1000+slack)
}

func cpuTimeEnds(children int64) func(*testing.T, Harness) {
	return func(t *testing.T, h Harness) {
		brief := func(spec *container.Spec) { spec.Limits.CPUTime = time.Second }
		exit, stdout := newTrial(t, h, Behaviour{Name: Burn, Count: children}, brief).collect()
		require.Empty(t, string(stdout))
		require.GreaterOrEqual(t, exit.Usage.CPUMS, int64(1000))
		requireKilledByUs(t, exit, job.LimitCPUTime)
	}
}

func cpuTimeBelow(t *testing.T, h Harness) {
	exit, stdout := newTrial(t, h, Behaviour{Name: Burn, MS: 50}).collect()
	requireCleanEnd(t, exit)
	require.Equal(t, "burnt\n", string(stdout))
}

func openFilesRefused(t *testing.T, h Harness) {
	r := newTrial(t, h, Behaviour{Name: OpenMany, Count: 100_000})
	var report FillReport
	r.report(&report)
	require.Equal(t, "EMFILE", report.Errno)
	require.Equal(t, r.spec.Limits.OpenFiles-3, report.Files, "three are the streams")
}

// bytesRefused leaves a sixteenth for the file system's own use, and a page for
// the size that it rounds up to.
func bytesRefused(dir string) func(*testing.T, Harness) {
	return func(t *testing.T, h Harness) {
		r := newTrial(t, h, Behaviour{Name: FillBytes, Path: dir, Bytes: 64 << 20, FileBytes: 256 << 10})
		var report FillReport
		r.report(&report)
		require.Equal(t, "ENOSPC", report.Errno)
		limit := r.spec.Limits.OutputBytes // equal to ScratchBytes in this suite
		require.LessOrEqual(t, report.Bytes, limit+4096)
		require.GreaterOrEqual(t, report.Bytes, limit-limit/16)
	}
}

// inodeSlack is what an engine may add to OutputFiles for the file system's own
// use, such as its root directory.
const inodeSlack = 16

func outputFilesRefused(t *testing.T, h Harness) {
	r := newTrial(t, h, Behaviour{Name: FillInodes, Path: container.OutputDir, Count: 100_000})
	var report FillReport
	r.report(&report)
	require.Equal(t, "ENOSPC", report.Errno)
	require.GreaterOrEqual(t, report.Files, r.spec.Limits.OutputFiles)
	require.LessOrEqual(t, report.Files, r.spec.Limits.OutputFiles+inodeSlack)
}

func scratchFilesRefused(t *testing.T, h Harness) {
	r := newTrial(t, h, Behaviour{Name: FillInodes, Path: container.ScratchDir, Count: 100_000})
	var report FillReport
	r.report(&report)
	require.Equal(t, "ENOSPC", report.Errno)
	require.Positive(t, report.Files)
	require.LessOrEqual(t, report.Files, int64(container.ScratchFiles))
}
