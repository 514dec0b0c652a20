package main

import (
	"context"
	"errors"
	"sync"
	"time"
)

// throughput is what came of many runs.
type throughput struct {
	callers int
	took    sample
	elapsed time.Duration // until the last answer
	cold    int           // runs whose sandbox came from no template
}

func (t throughput) perSecond() float64 { return float64(len(t.took)) / t.elapsed.Seconds() }

// tally is a throughput that several callers note their runs in.
type tally struct {
	throughput
	mu     sync.Mutex
	faults []error
}

// note notes one run, whose sandbox need not have been ready.
func (t *tally) note(took float64, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case errors.Is(err, errNotWarm):
		t.cold++
	case err != nil:
		t.faults = append(t.faults, err)
		return
	}
	t.took = append(t.took, took)
}

// sustain has callers ask for so long, each again as soon as it is answered. What it
// begins, it waits for.
func sustain(ctx context.Context, e *engine, a ask, callers int, each time.Duration) (throughput, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	all := tally{throughput: throughput{callers: callers}}
	var crowd sync.WaitGroup
	begun := time.Now()
	for range callers {
		crowd.Go(func() {
			for time.Since(begun) < each && ctx.Err() == nil {
				took, _, err := e.once(ctx, a)
				if all.note(took, err); err != nil && !errors.Is(err, errNotWarm) {
					cancel() // the others need not go on
				}
			}
		})
	}
	crowd.Wait()
	all.elapsed = time.Since(begun)
	return all.throughput, errors.Join(all.faults...)
}
