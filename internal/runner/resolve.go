package runner

import (
	"context"
	"errors"

	"hotcell/internal/job"
	"hotcell/internal/wire"
)

// Resolve looks up all that a request names, as Run does before it begins, and makes no
// run: what it refuses, Run would refuse just now, and the audit chain has it alike. It refuses
// code and inputs that are larger than the policy takes, too, of which Run makes a record: who
// asks keeps them until their turn comes, and need not. The error wraps ErrInput where the
// request itself is at fault.
func (r *Runner) Resolve(ctx context.Context, ask Ask) error {
	e, err := r.prepare(ctx, ask, wire.ModeRun)
	if err == nil {
		if found := e.refuse(); found != nil && found.status == job.LimitExceeded {
			err = input(errors.New(found.failure.Message))
		}
	}
	if err != nil {
		return r.refused(ctx, ask, err)
	}
	return nil
}
