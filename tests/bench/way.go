package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"
)

// way is one way to an answer, as one row of a table has it.
type way struct {
	name   string
	script string // by its name
	beside *way   // what its figures are divided by, or nil where it is a baseline itself
	every  int    // in every such round it takes its turn
	// once carries it out and says how many milliseconds that took.
	once func(context.Context) (float64, error)

	took   sample
	absent string // why it is not measured, or ""
	missed int    // runs that were not what the row is about, and do not count
}

// errNotWarm is wrapped by once where a sandbox was not ready: that says how busy the
// machine is, and nothing of the row.
var errNotWarm = errors.New("no sandbox was ready")

// turns is how ways take theirs.
type turns struct {
	rounds int
	within time.Duration // after which no further round begins
	rest   func(context.Context) error
}

// take measures the ways in rounds, so that all of them meet the same machine. The
// first time of each does not count. Each begins after a rest from the one before: what an
// engine makes ready again belongs to nobody's figure.
func (t turns) take(ctx context.Context, ways []*way) error {
	begun := time.Now()
	for round := range t.rounds + 1 {
		if round > 1 && time.Since(begun) > t.within {
			progress("the time is over after %d rounds of %d", round-1, t.rounds)
			return nil
		}
		for _, one := range ways {
			if one.absent != "" || round > 0 && (round-1)%one.every != 0 {
				continue
			}
			if err := t.rest(ctx); err != nil {
				return err
			}
			if err := one.turn(ctx, round > 0); err != nil {
				return err
			}
		}
	}
	return nil
}

func (w *way) turn(ctx context.Context, counts bool) error {
	took, err := w.once(ctx)
	switch {
	case errors.Is(err, errNotWarm):
		w.missed++
		if !counts || w.missed <= 2+len(w.took)/5 {
			return nil
		}
		return fmt.Errorf("%s, %s: %w too often: the machine is too busy to measure", w.name, w.script, err)
	case err != nil:
		return fmt.Errorf("%s, %s: %w", w.name, w.script, err)
	case counts:
		w.took = append(w.took, took)
	}
	return nil
}

// ratio is the median in medians of what it stands beside; NaN where there is none.
func (w *way) ratio() float64 {
	if w.beside == nil {
		return math.NaN()
	}
	return w.took.p50() / w.beside.took.p50()
}

func sinceMS(begun time.Time) float64 { return float64(time.Since(begun).Microseconds()) / 1000 }
