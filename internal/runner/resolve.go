package runner

import (
	"context"

	"hotcell/internal/wire"
)

// Resolve looks up all that a request names, as Run does before it begins, and makes no
// run: what it refuses, Run would refuse just now, and the audit chain has it alike. The
// error wraps ErrInput where the request itself is at fault.
func (r *Runner) Resolve(ctx context.Context, ask Ask) error {
	if _, err := r.prepare(ctx, ask, wire.ModeRun); err != nil {
		return r.refused(ctx, ask, err)
	}
	return nil
}
