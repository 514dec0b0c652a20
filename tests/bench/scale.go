package main

import (
	"context"
	"fmt"
	"strconv"
	"time"
)

// scale measures how latency and throughput change with callers, modes of asking, sizes of
// bundles and numbers of files. Also with an error, the page has what was measured before.
func (l *lab) scale(ctx context.Context) (page, error) {
	host, err := describeMachine(ctx, l.options)
	if err != nil {
		return page{}, err
	}
	found := page{tables: []table{host}}
	for _, measure := range []func(context.Context) (page, error){l.crowds, l.outputs, l.sizes} {
		more, err := measure(ctx)
		if err != nil {
			return found, err
		}
		found.tables, found.plots = append(found.tables, more.tables...), append(found.plots, more.plots...)
	}
	return found, nil
}

// crowds measures many callers of one table, and the modes in which they come.
func (l *lab) crowds(ctx context.Context) (page, error) {
	data := l.path("data")
	if err := l.makeBundle(ctx, data, "bench", "visits", l.options.size); err != nil {
		return page{}, err
	}
	state, err := l.state("crowds")
	if err != nil {
		return page{}, err
	}
	if err := l.addBundle(ctx, state, data); err != nil {
		return page{}, err
	}
	floor, err := l.startFloor(ctx, data, "visits", group)
	if err != nil {
		return page{}, err
	}
	// With places for eight, a burst of a hundred fits the queue.
	e, err := l.startEngine(ctx, state, l.options.runner, "engine", "--engine", "oci", "--runtime", "crun", "--max-runs", "8", "--warm", "study-analysis:bench")
	if err != nil {
		return page{}, err
	}
	if err := e.warmUp(ctx, askFor(group, ""), makingTime); err != nil {
		return page{}, err
	}
	callers, plot, err := l.callers(ctx, e, floor)
	if err != nil {
		return page{}, err
	}
	modes, err := l.modes(ctx, e)
	return page{tables: []table{callers, modes}, plots: []figure{plot}}, err
}

// callers measures 1 to 32 callers who each ask again as soon as they are answered, beside
// as many forks at a time.
func (l *lab) callers(ctx context.Context, e *engine, floor *floor) (table, figure, error) {
	t := table{name: "callers", head: []string{"callers", "ratio to the floor", "p50 ms", "p99 ms", "runs/s", "n", "floor p50 ms", "floor p99 ms", "floor forks/s", "without a template"}}
	curves := fourCurves()
	for _, callers := range []int{1, 2, 4, 8, 16, 32} {
		progress("%d callers", callers)
		if err := rest(ctx); err != nil {
			return t, figure{}, err
		}
		begun := time.Now()
		bare, err := floor.many(callers, l.options.each)
		if err != nil {
			return t, figure{}, err
		}
		bareTime := time.Since(begun)
		got, err := sustain(ctx, e, askFor(group, ""), callers, l.options.each)
		if err != nil {
			return t, figure{}, err
		}
		t.add(strconv.Itoa(callers), times(got.took.p50()/bare.p50()), ms(got.took.p50()), ms(got.took.p99()), ms(got.perSecond()), strconv.Itoa(len(got.took)),
			ms(bare.p50()), ms(bare.p99()), ms(float64(len(bare))/bareTime.Seconds()), strconv.Itoa(got.cold))
		curves.add(float64(callers), got.took, bare)
	}
	return t, figure{name: "callers", title: fmt.Sprintf("A warm group-by over %d MB, by callers at a time", l.options.size), x: "callers", curves: curves}, nil
}

// four curves of every figure: the runner's two, and the floor's.
type four []curve

func fourCurves() four {
	return four{
		{name: "warm, p99", dashed: true}, {name: "warm, p50"},
		{name: "fork floor, p99", beside: true, dashed: true}, {name: "fork floor, p50", beside: true},
	}
}

func (f four) add(x float64, warm, floor sample) {
	for n, value := range []float64{warm.p99(), warm.p50(), floor.p99(), floor.p50()} {
		f[n].points = append(f[n].points, point{x, value})
	}
}

// sizeName is a size as tables have it.
func sizeName(megabytes int) string { return fmt.Sprintf("%d MB", megabytes) }
