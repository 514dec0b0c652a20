package runner

import (
	"context"
	"fmt"

	"hotcell/internal/container"
	"hotcell/internal/job"
	"hotcell/internal/wire"
)

// Warmer is Sandboxes that has some ready before they are asked for.
type Warmer interface {
	Sandboxes
	// Warm returns once a sandbox of this kind is ready, and has some kept from then on.
	Warm(ctx context.Context, spec container.Spec, preparation container.Preparation) error
}

// Warm has sandboxes made ready for runs under the policy with the bundle, "" for none, and
// waits until there is one. Errors are those of Run.
func (r *Runner) Warm(ctx context.Context, policy, bundle string) error {
	warmer, able := r.options.Sandboxes.(Warmer)
	if !able {
		return input(fmt.Errorf("the %s engine keeps no sandboxes ready here", r.options.Sandboxes.EngineName()))
	}
	ask := Ask{Request: job.Request{Policy: policy, Bundle: bundle, AllowUnguarded: true}, Caller: Caller{Rights: AllRights()}}
	e, err := r.prepare(ctx, ask, wire.ModeRun)
	if err != nil {
		return err
	}
	preparation, err := e.preparation(wire.ModeRun)
	if err != nil {
		return err
	}
	if len(preparation.Words) == 0 {
		return input(fmt.Errorf("policy %q forbids sandboxes that are ready in advance (isolation.warm: never): leave it out", policy))
	}
	return warmer.Warm(ctx, e.spec, preparation)
}
