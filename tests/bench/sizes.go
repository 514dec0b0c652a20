package main

import (
	"context"
	"fmt"
	"slices"
	"strconv"
)

// sizesMB are the sizes of bundles. At each of them the first rows are the same.
var sizesMB = []int{1, 10, 100, 500}

// first is the group-by of the first 2000 rows, which is all of the smallest table: the
// same work over each.
var first = script{name: "group-by of 1 MB of it", code: fmt.Sprintf(groupBy, "award_data.head(2000)"), table: true, wants: means}

// sized is one size, with its ways.
type sized struct {
	megabytes                                 int
	firstWarm, firstFloor, allWarm, allFloors *way
}

// sizes measures bundles of several sizes, in turns.
func (l *lab) sizes(ctx context.Context) (page, error) {
	state, err := l.state("sizes")
	if err != nil {
		return page{}, err
	}
	argv := []string{l.options.runner, "engine", "--engine", "oci", "--runtime", "crun"}
	for _, megabytes := range sizesMB {
		progress("a bundle of %d MB", megabytes)
		name := fmt.Sprintf("awards-%d", megabytes)
		if err := l.makeBundle(ctx, l.path(name), name, "award_data", megabytes); err != nil {
			return page{}, err
		}
		if err := l.addBundle(ctx, state, l.path(name)); err != nil {
			return page{}, err
		}
	}
	e, err := l.startEngine(ctx, state, argv...)
	if err != nil {
		return page{}, err
	}
	var all []*sized
	var ways []*way
	for _, megabytes := range sizesMB {
		one, err := l.size(ctx, e, megabytes)
		if err != nil {
			return page{}, err
		}
		all = append(all, one)
		ways = append(ways, one.firstFloor, one.firstWarm, one.allFloors, one.allWarm)
	}
	rounds := min(l.options.rounds, 100)
	progress("%d sizes in %d rounds", len(all), rounds)
	if err := (turns{rounds, l.options.within / 6, rest}).take(ctx, ways); err != nil {
		return page{}, err
	}
	return sizesPage(all), nil
}

func (l *lab) size(ctx context.Context, e *engine, megabytes int) (*sized, error) {
	floor, err := l.startFloor(ctx, l.path(fmt.Sprintf("awards-%d", megabytes)), "award_data", first, awards)
	if err != nil {
		return nil, err
	}
	warm := func(s script, beside *way) *way {
		a := ask{script: s, policy: "table-query", bundle: fmt.Sprintf("awards-%d", megabytes)}
		return &way{name: "warm, " + sizeName(megabytes), script: s.name, beside: beside, every: 1, once: func(ctx context.Context) (float64, error) {
			took, _, err := e.once(ctx, a)
			return took, err
		}}
	}
	bare := func(s script, once string) *way {
		return &way{name: "floor, " + sizeName(megabytes), script: s.name, every: 1, once: floor.once(once)}
	}
	made := &sized{megabytes: megabytes, firstFloor: bare(first, "one 0"), allFloors: bare(awards, "one 1")}
	made.firstWarm, made.allWarm = warm(first, made.firstFloor), warm(awards, made.allFloors)
	progress("sandboxes are made for %d MB", megabytes)
	return made, e.warmUp(ctx, ask{script: first, policy: "table-query", bundle: fmt.Sprintf("awards-%d", megabytes)}, 3*makingTime)
}

func sizesPage(all []*sized) page {
	t := table{name: "sizes", head: []string{"bundle", "ratio to the floor", "p50 ms", "p99 ms", "floor p50 ms", "floor p99 ms", "n", "script"}}
	curves := fourCurves()
	var medians []float64
	for _, pick := range []func(*sized) (warm, floor *way){
		func(s *sized) (*way, *way) { return s.firstWarm, s.firstFloor },
		func(s *sized) (*way, *way) { return s.allWarm, s.allFloors },
	} {
		for _, one := range all {
			warm, floor := pick(one)
			t.add(sizeName(one.megabytes), times(warm.ratio()), ms(warm.took.p50()), ms(warm.took.p99()), ms(floor.took.p50()), ms(floor.took.p99()),
				strconv.Itoa(len(warm.took)), warm.script)
		}
	}
	for _, one := range all {
		medians = append(medians, one.firstWarm.took.p50())
		curves.add(float64(one.megabytes), one.firstWarm.took, one.firstFloor.took)
	}
	return page{
		tables: []table{t, goalTable("size-goal", []goal{{
			what:  "the dearest bundle's median beside the cheapest one's, same work",
			bound: 1.2, unit: "times", measured: slices.Max(medians) / slices.Min(medians),
		}})},
		plots: []figure{{name: "bundles", title: "A warm group-by of the first 1 MB, by the bundle's size", x: "MB", curves: curves}},
	}
}
