package main

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"time"
)

// comparison is what make bench measures, and what it measures with.
type comparison struct {
	*lab
	data     string            // the directory with the table
	oci      *engine           // on crun and, where a request says so, on runc
	docker   *engine           // nil where no daemon answers
	floors   map[string]*way   // by script
	machine  []*way            // what a page fault and a fork cost
	ways     []*way            // of the table
	idle     sample            // bytes
	steady   throughput        // for a while
	sessions []*way            // opened, beside a run
	steps    map[string]sample // of a session, by script
	start    *way
	phases   phases
}

func (l *lab) comparison() *comparison {
	return &comparison{lab: l, data: l.path("data"), floors: map[string]*way{}, steps: map[string]sample{}, phases: phases{}}
}

// compare measures everything beside everything else. Also with an error, the page has what
// was measured before.
func (l *lab) compare(ctx context.Context) (page, error) {
	c := l.comparison()
	for _, do := range []func(context.Context) error{
		c.makeBundles, c.startFloors, c.startOCI, c.startDocker, c.planWarm, c.planCold,
	} {
		if err := do(ctx); err != nil {
			return page{}, err
		}
	}
	return c.afterwards(ctx, c.measure(ctx))
}

// afterwards is the page and the error of the measuring, which Ctrl-C may have ended.
func (c *comparison) afterwards(ctx context.Context, failed error) (page, error) {
	found, err := c.page(context.WithoutCancel(ctx))
	return found, errors.Join(failed, err)
}

func (c *comparison) makeBundles(ctx context.Context) error {
	progress("bundles of %d MB are made", c.options.size)
	return errors.Join(c.makeBundle(ctx, c.data, "bench", "visits", c.options.size), c.makeBundle(ctx, c.path("awards"), "awards", "award_data", c.options.size))
}

func (c *comparison) startFloors(ctx context.Context) error {
	empty, err := c.startFloor(ctx, "", "", one, pandas)
	if err != nil {
		return err
	}
	full, err := c.startFloor(ctx, c.data, "visits", group)
	if err != nil {
		return err
	}
	for s, once := range map[script]func(context.Context) (float64, error){one: empty.once("one 0"), pandas: empty.once("one 1"), group: full.once("one 0")} {
		c.floors[s.name] = &way{name: "fork floor: a bare fork into six namespaces", script: s.name, every: 1, once: once}
	}
	c.machine = []*way{
		{name: "a page fault, fresh page", every: 4, once: freshFaults},
		{name: "a page fault, copied page", every: 4, once: copiedFaults},
		{name: "a fork of Python with pandas, and its end", every: 4, once: empty.once("fork")},
		{name: fmt.Sprintf("a fork of Python with pandas and %d MB, and its end", c.options.size), every: 4, once: full.once("fork")},
	}
	return nil
}

func (c *comparison) startOCI(ctx context.Context) error {
	state, err := c.state("oci")
	if err != nil {
		return err
	}
	if err := errors.Join(c.addBundle(ctx, state, c.data), c.addBundle(ctx, state, c.path("awards"))); err != nil {
		return err
	}
	c.oci, err = c.startEngine(ctx, state, c.options.runner, "engine", "--engine", "oci", "--runtime", "crun")
	return err
}

// startDocker needs a daemon that answers. The first run gives it the image.
func (c *comparison) startDocker(ctx context.Context) error {
	if exec.CommandContext(ctx, "docker", "version").Run() != nil {
		return ctx.Err()
	}
	state, err := c.state("docker")
	if err != nil {
		return err
	}
	if err := c.addBundle(ctx, state, c.data); err != nil {
		return err
	}
	if c.docker, err = c.startEngine(ctx, state, c.options.runner, "engine", "--engine", "docker"); err != nil {
		return err
	}
	_, _, err = c.docker.once(ctx, ask{script: one, policy: "study-analysis"})
	if errors.Is(err, errNotWarm) {
		return nil
	}
	return err
}

// askFor is the request for a script.
func askFor(s script, runtime string) ask {
	a := ask{script: s, policy: "study-analysis", runtime: runtime}
	if s.table {
		a.bundle = "bench"
	}
	return a
}

// measure takes all that there is in turns, and then what wants the machine for itself.
func (c *comparison) measure(ctx context.Context) error {
	ways := append([]*way{}, c.machine...)
	for _, s := range []script{one, pandas, group} {
		ways = append(ways, c.floors[s.name])
	}
	c.start = &way{name: "`runner run`, beside its request", script: one.name, every: max(1, c.options.rounds/50), once: c.ownStart(c.oci.state)}
	ways = append(append(ways, c.ways...), c.start)
	begun := time.Now()
	progress("%d ways in %d rounds", len(ways), c.options.rounds)
	if err := (turns{c.options.rounds, c.options.within, rest}).take(ctx, ways); err != nil {
		return err
	}
	progress("that took %s; %s of throughput", time.Since(begun).Round(time.Second), c.options.sustain)
	var err error
	if err = rest(ctx); err != nil {
		return err
	}
	if c.idle, err = c.oci.idleMemory(); err != nil {
		return err
	}
	if c.steady, err = sustain(ctx, c.oci, askFor(group, ""), steadyCallers, c.options.sustain); err != nil {
		return err
	}
	return c.measureSessions(ctx)
}

// steadyCallers keep two CPUs busy, and an engine's places.
const steadyCallers = 4

func (c *comparison) measureSessions(ctx context.Context) error {
	progress("sessions")
	run, err := c.cold(awards, c.oci.state, "table-query", "awards")
	if err != nil {
		return err
	}
	// Neither kind of session should be the one that waits for the first template.
	if err := c.oci.warmUp(ctx, ask{script: awards, policy: "table-query", bundle: "awards"}, makingTime); err != nil {
		return err
	}
	beside := &way{name: "`runner run --cold`", script: awards.name, every: 1, once: run.once}
	c.sessions = []*way{
		beside,
		{name: "`runner session --cold`, to its first answer", script: awards.name, beside: beside, every: 1, once: c.openAndAnswer(c.oci.state, "--cold")},
		{name: "`runner session`, to its first answer", script: awards.name, beside: beside, every: 1, once: c.openAndAnswer(c.oci.state)},
	}
	if err := (turns{c.options.cold, c.options.within, rest}).take(ctx, c.sessions); err != nil {
		return err
	}
	for _, s := range []script{one, awards} {
		if c.steps[s.name], err = c.oci.steps(ctx, s, c.options.rounds); err != nil {
			return err
		}
	}
	return nil
}
