package main

import (
	"context"
	"errors"
	"time"
)

// planWarm plans the rows of sandboxes that are ready, once they are.
func (c *comparison) planWarm(ctx context.Context) error {
	absent := ""
	if c.docker == nil {
		absent = noDaemon
	}
	for _, s := range []script{one, pandas, group} {
		for _, runtime := range []string{"crun", "runc"} {
			w := &way{name: "warm, oci " + runtime, script: s.name, beside: c.floors[s.name], every: 1, absent: missing(runtime)}
			if err := c.planWarmWay(ctx, w, c.oci, askFor(s, runtime)); err != nil {
				return err
			}
		}
		// A container of Docker takes a second to be made again, so it has a quarter of the turns.
		w := &way{name: "warm, docker", script: s.name, every: 4, absent: absent}
		if err := c.planWarmWay(ctx, w, c.docker, askFor(s, "")); err != nil {
			return err
		}
		absent = w.absent // what it keeps, it keeps of every kind
	}
	return nil
}

const (
	noDaemon = "no Docker daemon answers"
	// makingTime is how long the first sandboxes of a kind may take to be made.
	makingTime = 90 * time.Second
)

func (c *comparison) planWarmWay(ctx context.Context, w *way, e *engine, a ask) error {
	c.ways = append(c.ways, w)
	if w.absent != "" {
		return nil
	}
	progress("%s, %s: sandboxes are made", w.name, w.script)
	err := e.warmUp(ctx, a, makingTime)
	if errors.Is(err, errNotWarm) {
		w.absent = "not kept ready"
		return nil
	}
	w.once = func(ctx context.Context) (float64, error) {
		took, response, err := e.once(ctx, a)
		if err == nil {
			c.phases.add(w, response.Trace)
		}
		return took, err
	}
	return err
}

// planCold plans the rows of what is made for its run, and of plain runtimes beside it.
func (c *comparison) planCold(ctx context.Context) error {
	peer, why := c.judge(ctx)
	for _, s := range []script{one, pandas, group} {
		if err := c.planRuntimes(ctx, s); err != nil {
			return err
		}
		if err := c.planDocker(s); err != nil {
			return err
		}
		base := c.baseline(s, "plain `runc run`")
		c.plan(s, "bare Python, chroot", base, "", c.bare(s, c.data).once)
		c.plan(s, "bubblewrap", base, missing("bwrap"), c.bubblewrap(s, c.data).once)
		c.plan(s, "nsjail", base, missing("nsjail"), c.nsjail(s, c.data).once)
		c.plan(s, "go-judge, container reused", base, why, func(ctx context.Context) (float64, error) { return peer.once(ctx, s) })
	}
	return nil
}

// judge is a go-judge, or why there is none.
func (c *comparison) judge(ctx context.Context) (*judge, string) {
	if why := missing("go-judge"); why != "" {
		return nil, why
	}
	peer, err := c.startJudge(ctx, c.data)
	if err != nil {
		return nil, "does not work here"
	}
	return peer, ""
}

func (c *comparison) planRuntimes(ctx context.Context, s script) error {
	bundle := askFor(s, "").bundle
	var base *way
	for _, runtime := range []string{"runc", "crun"} {
		once, err := c.plainRuntime(ctx, runtime, s, c.data)
		if err != nil {
			return err
		}
		w := c.plan(s, "plain `"+runtime+" run`", base, missing(runtime), once)
		if base == nil {
			base = w
		}
	}
	for _, runtime := range []string{"crun", "runc", "runsc"} {
		run, err := c.cold(s, c.oci.state, "study-analysis", bundle, "--engine", "oci", "--runtime", runtime)
		if err != nil {
			return err
		}
		c.plan(s, "cold, oci "+runtime, base, missing(runtime), run.once)
	}
	return nil
}

func (c *comparison) planDocker(s script) error {
	absent, state := noDaemon, ""
	if c.docker != nil {
		absent, state = "", c.docker.state
	}
	base := c.plan(s, "plain `docker run`", nil, absent, c.plainDocker(s, c.data).once)
	run, err := c.cold(s, state, "study-analysis", askFor(s, "").bundle, "--engine", "docker")
	if err != nil {
		return err
	}
	c.plan(s, "cold, docker", base, absent, run.once)
	c.baseline(s, "warm, docker").beside = base
	return nil
}

// plan adds a row of what is made for its run.
func (c *comparison) plan(s script, name string, beside *way, absent string, once func(context.Context) (float64, error)) *way {
	w := &way{name: name, script: s.name, beside: beside, every: c.options.rounds / c.options.cold, absent: absent, once: once}
	c.ways = append(c.ways, w)
	return w
}

// baseline is the row of that name, which there is.
func (c *comparison) baseline(s script, name string) *way {
	for _, w := range c.ways {
		if w.name == name && w.script == s.name {
			return w
		}
	}
	panic("bench: no row " + name)
}
