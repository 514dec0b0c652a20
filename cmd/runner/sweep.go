package main

import (
	"context"
	"errors"
	"fmt"

	"hotcell/internal/container"
	"hotcell/internal/records"
)

// sweep removes what a runner that died left behind.
func (a *app) sweep(ctx context.Context, engine container.Engine, kept *records.Store) error {
	ofOther, err := a.sweepAll(ctx, engine, kept)
	if ofOther != nil {
		a.logger().Warn("a sweep is incomplete", "reason", ofOther)
	}
	return err
}

// sweepAll is sweep, and returns the failure of the engine that is not in use beside what
// is a failure of the command.
func (a *app) sweepAll(ctx context.Context, engine container.Engine, kept *records.Store) (ofOther, err error) {
	sandboxes, ofOther, err := a.sweepEngines(ctx, engine)
	drafts, errDrafts := kept.Sweep(ctx, ownActor())
	if sandboxes > 0 {
		errDrafts = errors.Join(errDrafts, kept.Append(ctx, records.Event{
			Kind: records.KindSweep, Actor: ownActor(), Name: "sandboxes", Count: int64(sandboxes), Reason: "their runners have ended",
		}))
	}
	if sandboxes+drafts > 0 {
		a.logger().Warn("removed what an earlier runner left behind", "sandboxes", sandboxes, "drafts", drafts)
	}
	if err := errors.Join(err, errDrafts); err != nil {
		return ofOther, fmt.Errorf("remove what an earlier runner left behind: %w", err)
	}
	return ofOther, nil
}
