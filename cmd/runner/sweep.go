package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"hotcell/internal/container"
	"hotcell/internal/panics"
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
	drafts, errDrafts := kept.Sweep(ctx)
	if sandboxes+drafts > 0 {
		a.logger().Warn("removed what an earlier runner left behind", "sandboxes", sandboxes, "drafts", drafts)
	}
	if err := errors.Join(err, errDrafts); err != nil {
		return ofOther, fmt.Errorf("remove what an earlier runner left behind: %w", err)
	}
	return ofOther, nil
}

// keepSwept sweeps until ctx ends. Commands that run cold are killed beside a process that
// stays, too, and perhaps none comes after them. A failure ends nothing, and is told when
// it is another one than the time before.
func (a *app) keepSwept(ctx context.Context, every time.Duration, sweep func(context.Context) error) {
	next := time.NewTicker(every)
	defer next.Stop()
	told := ""
	for {
		select {
		case <-ctx.Done():
			return
		case <-next.C:
		}
		err := panics.Catch("sweeping", func() error { return sweep(ctx) })
		switch {
		case ctx.Err() != nil:
			return
		case err == nil:
			told = ""
		case err.Error() != told:
			told = err.Error()
			a.logger().Warn("a sweep is incomplete, and is tried again", "reason", err)
		}
	}
}
