package service

import (
	"errors"
	"fmt"
	"math"
	"time"

	"hotcell/api"
	"hotcell/internal/engineapi"
	"hotcell/internal/job"
)

// maxKey is the most bytes of an idempotency key, as others have it.
const maxKey = 255

// maxPriority is the highest priority, and with a minus the lowest.
const maxPriority = 100

func checkKey(key string) error {
	if len(key) > maxKey {
		return fmt.Errorf("%w: an idempotency key has at most %d bytes", ErrRefused, maxKey)
	}
	for _, one := range []byte(key) {
		if one < ' ' || one > '~' {
			return fmt.Errorf("%w: an idempotency key is printable ASCII", ErrRefused)
		}
	}
	return nil
}

// requestOf is what the engine is asked for. It has nothing that a caller on the network has
// no right to.
func requestOf(asked api.CreateRun) (job.Request, error) {
	if asked.Priority < -maxPriority || asked.Priority > maxPriority {
		return job.Request{}, fmt.Errorf("%w: a priority is from -%d to %d", ErrRefused, maxPriority, maxPriority)
	}
	overrides, err := overridesOf(asked.Limits)
	if err != nil {
		return job.Request{}, err
	}
	request := job.Request{
		Policy: asked.Policy, Bundle: asked.Bundle, Code: []byte(asked.Code), ScriptName: asked.ScriptName,
		Overrides: overrides, Imports: asked.Imports, Tables: asked.Tables, Seed: asked.Seed, Inputs: asked.Inputs,
	}
	if request.ScriptName == "" {
		request.ScriptName = "script.py"
	}
	return request, inBounds(request)
}

// inBounds refuses what no policy takes, before it waits for anything, or is kept.
func inBounds(request job.Request) error {
	if err := engineapi.CheckBounds(request); err != nil {
		return tell(ErrRefused, err)
	}
	return nil
}

func overridesOf(limits api.Tightened) (job.Overrides, error) {
	var errs []error
	for _, one := range []struct {
		name  string
		value int64
	}{
		{"memory_bytes", limits.MemoryBytes}, {"cpu_millis", limits.CPUMillis}, {"pids", limits.PIDs},
		{"operations", limits.Operations}, {"loop_iterations", limits.LoopIterations}, {"tool_calls", limits.ToolCalls},
	} {
		if one.value < 0 {
			errs = append(errs, fmt.Errorf("%w: limits.%s is below zero", ErrRefused, one.name))
		}
	}
	wall, err := milliseconds("limits.wall_clock_ms", limits.WallClockMS)
	if err := errors.Join(append(errs, err)...); err != nil {
		return job.Overrides{}, err
	}
	return job.Overrides{
		WallClock: wall, MemoryBytes: limits.MemoryBytes, CPUMillis: limits.CPUMillis, PIDs: limits.PIDs,
		Budgets: job.Budgets{Operations: limits.Operations, LoopIterations: limits.LoopIterations, ToolCalls: limits.ToolCalls},
	}, nil
}

func milliseconds(name string, ms int64) (time.Duration, error) {
	if ms < 0 || ms > math.MaxInt64/int64(time.Millisecond) {
		return 0, fmt.Errorf("%w: %s is no length of time that can be", ErrRefused, name)
	}
	return time.Duration(ms) * time.Millisecond, nil
}
