package runner

import (
	"context"
	"errors"
	"time"

	"hotcell/internal/job"
	"hotcell/internal/wire"
)

// preparedFor is how long what was looked up counts. What is removed or changed meanwhile counts for
// the run as if that had been a moment later.
const preparedFor = time.Second

// Prepare looks up all that a request names, as Run does before it begins, and makes no
// run: what it refuses, Run would refuse just now, and the audit chain has it alike. It refuses
// code and inputs that are larger than the policy takes, too, of which Run makes a record: who
// asks keeps them until their turn comes, and need not. The error wraps ErrInput where the
// request itself is at fault.
//
// What it returns is Run for the same request, for one call at most: later than a second after this it
// looks up everything once more.
func (r *Runner) Prepare(ctx context.Context, ask Ask) (run func(context.Context) (Response, error), err error) {
	execution, err := r.prepareRun(ctx, ask)
	if err == nil {
		if found := execution.refuse(); found != nil && found.status == job.LimitExceeded {
			err = input(errors.New(found.failure.Message))
		}
	}
	if err != nil {
		return nil, r.refused(ctx, ask, err)
	}
	prepared := r.options.Now()
	return func(ctx context.Context) (Response, error) {
		waited := r.options.Now().Sub(prepared)
		if waited > preparedFor {
			return r.Run(ctx, ask)
		}
		execution.begunLater(waited)
		return execution.carryOut(ctx)
	}, nil
}

// prepareRun is prepare for a run.
func (r *Runner) prepareRun(ctx context.Context, ask Ask) (*execution, error) {
	execution, err := r.prepare(ctx, ask, wire.ModeRun)
	if err == nil {
		err = CheckOutput(ctx, ask.OutputDir) // heard before the run, not after it
	}
	return execution, err
}

// begunLater has the run begin later by so much: nobody waited for it in that time.
func (e *execution) begunLater(by time.Duration) {
	e.started = e.started.Add(by)
	e.trace.shift(by)
}
