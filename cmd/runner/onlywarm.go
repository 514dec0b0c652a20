package main

import (
	"context"
	"errors"
	"fmt"

	"hotcell/internal/container"
	"hotcell/internal/container/pool"
	"hotcell/internal/policy"
)

// onlyWarm gives out sandboxes of a pool that were ready, and no others.
type onlyWarm struct {
	*pool.Pool
	turn chan struct{} // full while somebody waits: nobody else takes what has come for them
}

// onlyWarm is for a self-test of what an engine process gives out.
func (a *app) onlyWarm(engine container.Engine, chosen policy.Policy) (onlyWarm, error) {
	warmer, able := engine.(container.Warmer)
	if !able {
		return onlyWarm{}, usageError{fmt.Errorf("--warm: the %s engine keeps no sandboxes ready", engine.Name())}
	}
	if chosen.Isolation.Warm != policy.WarmAllowed {
		return onlyWarm{}, usageError{fmt.Errorf("--warm: policy %s has no sandboxes that are ready (isolation.warm: %s)", chosen.Name, chosen.Isolation.Warm)}
	}
	files, err := a.sourceFiles(engine)
	if err != nil {
		return onlyWarm{}, err
	}
	made, err := pool.New(pool.Options{Engine: warmer, Files: files, Logger: a.logger()})
	return onlyWarm{made, make(chan struct{}, 1)}, err
}

// Acquire waits until one is ready. None that is cold is given out in its place: what is
// tried must be what is asked about.
func (o onlyWarm) Acquire(ctx context.Context, spec container.Spec, preparation container.Preparation) (container.Acquired, error) {
	select {
	case o.turn <- struct{}{}:
	case <-ctx.Done():
		return container.Acquired{}, context.Cause(ctx)
	}
	defer func() { <-o.turn }()
	if err := o.Await(ctx, spec, preparation); err != nil {
		return container.Acquired{}, err
	}
	acquired, err := o.Pool.Acquire(ctx, spec, preparation)
	if err != nil || acquired.Warm {
		return acquired, err
	}
	release, cancel := container.ReleaseContext(ctx)
	defer cancel()
	return container.Acquired{Host: acquired.Host}, errors.Join(errors.New("no sandbox was ready"), acquired.Sandbox.Destroy(release))
}
