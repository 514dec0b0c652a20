package main

import (
	"context"
	"errors"
	"strconv"
	"sync"
	"time"
)

// runsOfAMode is how many runs the leaderboards' burst has.
const runsOfAMode = 100

// modes measures the three ways in which public leaderboards ask: one after the other, one
// begun every 200 ms, and all at once. They ask for an echo; here it is a group-by.
func (l *lab) modes(ctx context.Context, e *engine) (table, error) {
	t := table{name: "modes", head: []string{"mode", "p50 ms", "p99 ms", "all of them s", "runs/s", "n", "without a template"}}
	for _, mode := range []struct {
		name       string
		apart      time.Duration
		sequential bool
	}{
		{name: "sequential", sequential: true},
		{name: "staggered by 200 ms", apart: 200 * time.Millisecond},
		{name: "burst of 100"},
	} {
		progress("mode: %s", mode.name)
		if err := rest(ctx); err != nil {
			return t, err
		}
		got, err := inMode(ctx, e, mode.sequential, mode.apart)
		if err != nil {
			return t, err
		}
		t.add(mode.name, ms(got.took.p50()), ms(got.took.p99()), ms(got.elapsed.Seconds()), ms(got.perSecond()), strconv.Itoa(len(got.took)), strconv.Itoa(got.cold))
	}
	return t, nil
}

func inMode(ctx context.Context, e *engine, sequential bool, apart time.Duration) (throughput, error) {
	var got tally
	var runs sync.WaitGroup
	begun := time.Now()
	for range runsOfAMode {
		ask := func() {
			took, _, err := e.once(ctx, askFor(group, ""))
			got.note(took, err)
		}
		if sequential {
			ask()
			continue
		}
		runs.Go(ask)
		time.Sleep(apart)
	}
	runs.Wait()
	got.elapsed = time.Since(begun)
	return got.throughput, errors.Join(got.faults...)
}
