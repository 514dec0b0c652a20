package engineapi

import (
	"context"
	"time"

	"hotcell/internal/admission"
	"hotcell/internal/runner"
)

// offerKept is how long a run that is offered waits for its front, which writes meanwhile that it has
// accepted it.
const offerKept = 5 * time.Second

// task is a run that is held, and has a place.
type task struct {
	run     *detachedRun
	ctx     context.Context //nolint:containedctx // the run's own, which the connection's end leaves as it is
	caller  string
	telling *scribe
	do      func(context.Context) (runner.Response, error)
}

// offer prepares a run that begin begins. What a front is told of the request it may tell on before it
// has accepted it, and what is accepted begins without having been looked up once more.
func (f *front) offer(ctx context.Context, g given) (nothing, error) {
	made, ask, err := f.admit(ctx, g)
	if err != nil {
		return nothing{}, err
	}
	kept := false
	defer func() {
		if !kept { // also where a panic has led here
			f.dismiss(made)
		}
	}()
	if made.do, err = f.options.Prepare(ctx, ask); err != nil {
		return nothing{}, err
	}
	if ctx.Err() != nil { // nobody waits for it: it would have a place for nothing
		return nothing{}, context.Cause(ctx)
	}
	if kept = f.runs.offer(made, f.offerKept, func() { f.dismiss(made) }); !kept {
		return nothing{}, admission.ErrDraining
	}
	return nothing{}, nil
}

// begin begins a run that was offered by its principal. One of whose offer nothing is known any more
// can be given by start.
func (f *front) begin(_ context.Context, q question) (nothing, error) {
	run := f.runs.find(q.ID)
	if run == nil || run.principal != q.Principal {
		return nothing{}, ErrUnknownRun
	}
	made := f.runs.take(run)
	if made == nil {
		return nothing{}, ErrKnown
	}
	go f.carryOut(made) //nolint:contextcheck // the run's own
	return nothing{}, nil
}

// admit holds a run, and takes a place for it.
func (f *front) admit(ctx context.Context, g given) (*task, runner.Ask, error) {
	ask, err := f.askOf(ctx, g)
	if err != nil {
		return nil, ask, err
	}
	own, cancel := context.WithCancel(f.server.all)
	run, err := f.hold(ctx, g.ID, ask, cancel)
	if err != nil {
		cancel()
		return nil, ask, err
	}
	if err := f.places.take(); err != nil {
		cancel()
		f.runs.drop(run)
		return nil, ask, err
	}
	run.share = g.share.Move()
	made := &task{run: run, ctx: own, caller: ask.Caller.Name, telling: newScribe(run.log)}
	ask.Events = made.telling.events()
	return made, ask, nil
}

// dismiss gives a run up that has not begun: it may be given again.
func (f *front) dismiss(made *task) {
	made.run.cancel()
	f.places.leave()
	made.run.share.Free()
	f.runs.drop(made.run)
}
