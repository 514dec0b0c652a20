package container

import (
	"math"
	"time"

	specs "github.com/opencontainers/runtime-spec/specs-go"

	"hotcell/internal/job"
)

const (
	// OOMScoreAdj makes a sandbox die before the host's own services when the host
	// runs out of memory. A negative value would need CAP_SYS_RESOURCE.
	OOMScoreAdj = 500
	// cpuPeriod is the kernel's default for cpu.max, in microseconds.
	cpuPeriod = 100_000
	// minCPUQuota is the least that the kernel accepts, in microseconds.
	minCPUQuota = 1_000
)

// Device is a character device node by its kernel numbers.
type Device struct {
	Path         string
	Major, Minor int64
}

// Devices are the nodes that a sandbox may use.
func Devices() []Device {
	return []Device{
		{"/dev/null", 1, 3}, {"/dev/zero", 1, 5}, {"/dev/full", 1, 7},
		{"/dev/random", 1, 8}, {"/dev/urandom", 1, 9},
	}
}

// Resources returns the cgroup limits. Swap is off: for the runtime-spec, Swap is
// memory and swap together.
func Resources(limits job.Limits) *specs.LinuxResources {
	memory, swap := limits.MemoryBytes, limits.MemoryBytes
	period, quota := uint64(cpuPeriod), max(limits.CPUMillis*cpuPeriod/1000, minCPUQuota)
	pids := limits.PIDs
	return &specs.LinuxResources{
		Devices: deviceRules(),
		Memory:  &specs.LinuxMemory{Limit: &memory, Swap: &swap},
		CPU:     &specs.LinuxCPU{Period: &period, Quota: &quota},
		Pids:    &specs.LinuxPids{Limit: &pids},
	}
}

func deviceRules() []specs.LinuxDeviceCgroup {
	rules := []specs.LinuxDeviceCgroup{{Allow: false, Access: "rwm"}}
	for _, device := range Devices() {
		major, minor := device.Major, device.Minor
		rules = append(rules, specs.LinuxDeviceCgroup{
			Allow: true, Type: "c", Major: &major, Minor: &minor, Access: "rw"})
	}
	return rules
}

// ProcessLimits are set hard, so that nothing inside can raise them.
func ProcessLimits(limits job.Limits, ownUserNamespace bool) []specs.POSIXRlimit {
	list := []specs.POSIXRlimit{
		{Type: "RLIMIT_CORE"}, // a core dump would carry data to the host's crash handler
		{Type: "RLIMIT_MSGQUEUE"},
		hardLimit("RLIMIT_NOFILE", limits.OpenFiles),
		// A backstop: the file systems' own sizes come first, and their ENOSPC tells
		// output from scratch.
		hardLimit("RLIMIT_FSIZE", max(limits.OutputBytes, limits.ScratchBytes)+1<<20),
		// Of one process; the engine's CPU clock counts all and fires first.
		hardLimit("RLIMIT_CPU", CPUBackstop(limits.CPUTime)),
		hardLimit("RLIMIT_STACK", stack),
	}
	if ownUserNamespace {
		// The kernel counts per uid and user namespace. With the host's namespace,
		// concurrent sandboxes would use up each other's share. Twice pids.max, for
		// the refusal must come from the cgroup, which counts it.
		list = append(list, hardLimit("RLIMIT_NPROC", 2*limits.PIDs))
		list = append(list, callersLimits()...)
	}
	return list
}

// stack is of each thread, and of the first one. Calls that go through C (sorted with a key
// that sorts) are counted by CPython up to as many as the guard lets a script allow itself,
// which 8 MiB do not hold: it would end of SIGSEGV where CPython raises RecursionError. The
// kernel leaves 128 MiB between a stack and what is mapped below it, and only pages that were
// touched are memory.
const stack = 64 << 20

// CPUBackstop is the RLIMIT_CPU of who may use so much CPU time, in seconds.
func CPUBackstop(allowed time.Duration) int64 { return int64(math.Ceil(allowed.Seconds())) + 2 }

// callersLimits are the rest of what the kernel has. Where no daemon stands between,
// what is not set is what the caller of the runner has, and a sandbox would be another
// under systemd than under cron. They are what a fresh system has, but hard.
func callersLimits() []specs.POSIXRlimit {
	const lockable, pending = 64 << 10, 1024
	list := []specs.POSIXRlimit{
		hardLimit("RLIMIT_MEMLOCK", lockable), hardLimit("RLIMIT_SIGPENDING", pending),
		{Type: "RLIMIT_NICE"}, {Type: "RLIMIT_RTPRIO"},
	}
	// Bounded by the control group, or by what is denied altogether.
	for _, name := range []string{"RLIMIT_AS", "RLIMIT_DATA", "RLIMIT_RSS", "RLIMIT_LOCKS", "RLIMIT_RTTIME"} {
		list = append(list, specs.POSIXRlimit{Type: name, Hard: Unlimited, Soft: Unlimited})
	}
	return list
}

// Unlimited is how the kernel counts what has no limit.
const Unlimited = math.MaxUint64

func hardLimit(name string, value int64) specs.POSIXRlimit {
	return specs.POSIXRlimit{Type: name, Hard: uint64(value), Soft: uint64(value)}
}
