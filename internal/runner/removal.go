package runner

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"hotcell/internal/container"
)

// Removal says how sandboxes are removed whose run is over. The zero Removal makes every
// run wait for its own, and a failure an error of that run.
type Removal struct {
	// Pending is how many may be under way while their callers have their answers. The
	// caller of one more waits for one to end.
	Pending int
	// Failed hears of each that could not be removed, from any goroutine: its run has been
	// answered. Required with Pending.
	Failed func(sandbox container.ID, err error)
}

func (r Removal) check() error {
	if r.Pending < 0 || r.Pending > 0 && r.Failed == nil {
		return errors.New("new runner: removals that nobody waits for need somebody who hears of their failures")
	}
	return nil
}

// removals are those under way.
type removals struct {
	options Removal
	slots   chan struct{} // one taken by each
	closing sync.Once
	closed  chan struct{} // then every run waits for its own
	failed  atomic.Int64
}

func newRemovals(options Removal) *removals {
	return &removals{options: options, slots: make(chan struct{}, options.Pending), closed: make(chan struct{})}
}

// remove removes a sandbox in which nothing lives and from which everything was read. Who
// dies meanwhile leaves what the next sweep removes.
func (r *removals) remove(ctx context.Context, id container.ID, sandbox container.Sandbox) error {
	if r.options.Pending == 0 {
		return destroy(ctx, sandbox)
	}
	select {
	case <-r.closed:
		return destroy(ctx, sandbox)
	default:
	}
	select {
	case <-r.closed:
		return destroy(ctx, sandbox)
	case r.slots <- struct{}{}: // each removal has a deadline, and so has the wait for one
	}
	go func() {
		defer func() { <-r.slots }()
		if err := destroy(ctx, sandbox); err != nil {
			r.failed.Add(1)
			r.options.Failed(id, err)
		}
	}()
	return nil
}

// close waits for all that are under way.
func (r *removals) close(ctx context.Context) error {
	var err error
	r.closing.Do(func() {
		close(r.closed)
		for n := range r.options.Pending {
			select {
			case r.slots <- struct{}{}:
			case <-ctx.Done():
				err = fmt.Errorf("close runner: up to %d sandboxes are not removed yet: %w", r.options.Pending-n, context.Cause(ctx))
				return
			}
		}
	})
	return err
}

// Close waits for the removal of all sandboxes whose runs have been answered, until ctx
// ends. Runs that go on, or begin later, wait for their own. The second Close waits for
// the first and does nothing.
func (r *Runner) Close(ctx context.Context) error { return r.removals.close(ctx) }

// RemovalsFailed is how many sandboxes could not be removed after their runs had been
// answered. What is left of them is held by this process, and swept after its end.
func (r *Runner) RemovalsFailed() int64 { return r.removals.failed.Load() }
