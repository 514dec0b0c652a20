package policy

import (
	"errors"
	"fmt"
	"time"

	"hotcell/internal/job"
)

// Resolve joins a policy and what a request wants tighter. It refuses, for every
// override at once, what is above the policy: silently giving less than what was
// asked for would be as wrong as giving more.
func Resolve(p Policy, overrides job.Overrides) (Terms, error) {
	limits := p.Limits.resolved()
	duration := func(value int64) string { return time.Duration(value).String() }
	size := func(value int64) string { return Size(value).String() }
	err := errors.Join(
		tighten((*int64)(&limits.WallClock), int64(overrides.WallClock), "wall_clock", duration),
		tighten(&limits.MemoryBytes, overrides.MemoryBytes, "memory", size),
		tighten(&limits.CPUMillis, overrides.CPUMillis, "cpus", cpus),
		tighten(&limits.PIDs, overrides.PIDs, "pids", func(value int64) string { return fmt.Sprint(value) }),
	)
	if limits.MemoryBytes < minMemory {
		err = errors.Join(err, fmt.Errorf("memory of %s is too little for Python itself: give it at least %s", size(limits.MemoryBytes), size(minMemory)))
	}
	if limits.PIDs < minPIDs {
		err = errors.Join(err, fmt.Errorf("pids of %d is too few to start a container: give it at least %d", limits.PIDs, minPIDs))
	}
	if err == nil {
		err = limits.Validate()
	}
	if err != nil {
		return Terms{}, fmt.Errorf("resolve policy %s: %w", p.Name, err)
	}
	return Terms{Policy: p, Limits: limits, ReportBytes: int64(p.Limits.Report)}, nil
}

// minMemory leaves room for the runtime's own start: crun 1.8 fails to create a
// container in 12 MiB. Python and the guard alone peak at 6 MiB.
const minMemory = 32 << 20

// minPIDs leaves room for the threads of runc's own init before it becomes the
// guard: with 4, runc 1.1 was seen to break.
const minPIDs = 16

func tighten(limit *int64, asked int64, name string, show func(int64) string) error {
	switch {
	case asked == 0:
		return nil
	case asked < 0:
		return fmt.Errorf("%s must be greater than zero", name)
	case asked > *limit:
		return fmt.Errorf("%s of %s is above the policy's %s; a request can only tighten", name, show(asked), show(*limit))
	default:
		*limit = asked
		return nil
	}
}

func cpus(millis int64) string { return fmt.Sprintf("%g", float64(millis)/1000) }
