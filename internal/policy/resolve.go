package policy

import (
	"errors"
	"fmt"
	"strconv"
	"time"

	"hotcell/internal/job"
)

// Resolve joins a policy and what a request wants tighter. It refuses, for every
// override at once, what is above the policy: silently giving less than what was
// asked for would be as wrong as giving more.
func Resolve(p Policy, overrides job.Overrides) (Terms, error) {
	terms := Terms{
		Policy: p, Limits: p.Limits.resolved(), Budgets: p.budgets(),
		ReportBytes: int64(p.Limits.Report), InputBytes: int64(p.Limits.Inputs),
	}
	var faults []error
	for _, bound := range terms.bounds(overrides) {
		faults = append(faults, bound.tighten())
	}
	err := errors.Join(append(faults, terms.tooSmall()...)...)
	if err == nil {
		err = terms.Limits.Validate()
	}
	if err != nil {
		return Terms{}, fmt.Errorf("resolve policy %s: %w", p.Name, err)
	}
	return terms, nil
}

// budgets are the policy's own. Without tools there is no call to count.
func (p Policy) budgets() job.Budgets {
	budgets := job.Budgets{Operations: p.Limits.Operations, LoopIterations: p.Limits.LoopIterations}
	if p.Tools != nil {
		budgets.ToolCalls = p.Tools.MaxCalls
	}
	return budgets
}

// bound is one limit and what a request wants in its place.
type bound struct {
	limit    *int64
	asked    int64
	name     string
	show     func(int64) string
	optional bool // a limit of 0 means that nothing is counted: a request may begin to
}

// bounds pairs every override with its limit. Each field of job.Overrides stands
// here once: a test walks them.
func (t *Terms) bounds(o job.Overrides) []bound {
	limits, budgets := &t.Limits, &t.Budgets
	duration := func(value int64) string { return time.Duration(value).String() }
	size := func(value int64) string { return Size(value).String() }
	number := func(value int64) string { return strconv.FormatInt(value, 10) }
	return []bound{
		{limit: (*int64)(&limits.WallClock), asked: int64(o.WallClock), name: "wall_clock", show: duration},
		{limit: &limits.MemoryBytes, asked: o.MemoryBytes, name: "memory", show: size},
		{limit: &limits.CPUMillis, asked: o.CPUMillis, name: "cpus", show: cpus},
		{limit: &limits.PIDs, asked: o.PIDs, name: "pids", show: number},
		{limit: &budgets.Operations, asked: o.Budgets.Operations, name: "operations", show: number, optional: true},
		{limit: &budgets.LoopIterations, asked: o.Budgets.LoopIterations, name: "loop_iterations", show: number, optional: true},
		{limit: &budgets.ToolCalls, asked: o.Budgets.ToolCalls, name: "tool_calls", show: number},
	}
}

func (b bound) tighten() error {
	switch {
	case b.asked == 0:
		return nil
	case b.asked < 0:
		return fmt.Errorf("%s must be greater than zero", b.name)
	case *b.limit == 0 && !b.optional:
		return fmt.Errorf("%s of %s: the policy allows none", b.name, b.show(b.asked))
	case b.asked > *b.limit && *b.limit != 0:
		return fmt.Errorf("%s of %s is above the policy's %s; a request can only tighten", b.name, b.show(b.asked), b.show(*b.limit))
	default:
		*b.limit = b.asked
		return nil
	}
}

// tooSmall refuses what no container or no Python starts in.
func (t *Terms) tooSmall() []error {
	var faults []error
	if memory := t.Limits.MemoryBytes; memory < minMemory {
		faults = append(faults, fmt.Errorf("memory of %s is too little for Python itself: give it at least %s", Size(memory), Size(minMemory)))
	}
	if pids := t.Limits.PIDs; pids < minPIDs {
		faults = append(faults, fmt.Errorf("pids of %d is too few to start a container: give it at least %d", pids, minPIDs))
	}
	return faults
}

// minMemory leaves room for the runtime's own start: crun 1.8 fails to create a
// container in 12 MiB. Python and the guard alone peak at 6 MiB.
const minMemory = 32 << 20

// minPIDs leaves room for the threads of runc's own init before it becomes the
// guard: with 4, runc 1.1 was seen to break.
const minPIDs = 16

func cpus(millis int64) string { return fmt.Sprintf("%g", float64(millis)/1000) }
