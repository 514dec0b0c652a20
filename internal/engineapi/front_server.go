package engineapi

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"hotcell/api"
	"hotcell/internal/budget"
	"hotcell/internal/job"
	"hotcell/internal/runner"
)

// FrontOptions is what a Server needs for a front: a process of another user, without
// rights, that asks for others. Every field but Apart is required.
type FrontOptions struct {
	// UID is that user. Nobody else is answered on its socket, not even root.
	UID uint32
	// Apart refuses processes that this one can see. Where UID is this process's own, nothing but
	// separate pid namespaces, such as those of a pod's containers, keeps a front out of its memory.
	Apart bool
	// Prepare is as runner.Runner's.
	Prepare func(ctx context.Context, ask runner.Ask) (run func(context.Context) (runner.Response, error), err error)
	// Streams is how many bytes of streams a policy lets a run print.
	Streams func(policy string) int64
	// Tools are those that the administrator has registered for a policy: the principals' own. The
	// error wraps runner.ErrInput for a policy that they may not name.
	Tools func(policy string) ([]job.Tool, error)
	// Room is nil where a run can leave its record. Its error wraps ErrNotKept.
	Room      func() error
	Archive   Archive
	Catalogue Catalogue
}

// Archive is what records say of runs.
type Archive interface {
	// Fate is what became of a run, and tells nothing of what it said.
	Fate(ctx context.Context, id job.ID) (Fate, error)
	// Outcome is the same with its result, for somebody: that the record was read is an event of the
	// audit chain before.
	Outcome(ctx context.Context, id job.ID, by job.Actor) (Outcome, error)
	// List is as Detached's.
	List(ctx context.Context, cursor string, most int) (found []Recorded, next string, err error)
	// Read is as Detached's.
	Read(ctx context.Context, id job.ID, by job.Actor, part string) (io.ReadCloser, int64, error)
}

// Catalogue is what requests may name.
type Catalogue interface {
	Policies(ctx context.Context) ([]api.PolicyInfo, error)
	Policy(ctx context.Context, name string) (api.PolicyInfo, error)
	Bundles(ctx context.Context) ([]api.BundleInfo, error)
	Bundle(ctx context.Context, reference string) (api.BundleInfo, error)
	Tools(ctx context.Context) ([]api.ToolInfo, error)
}

const (
	// frontConnections is far above what a front has: one for each run that it follows.
	frontConnections = 2048
	// frontWork is how many of its questions are read, and how many are answered, at a time.
	// Those that wait longer, such as a check, and the streams of events have other bounds.
	frontWork = 8
	// frontOutcomes is how many answers of runs are looked up and sent at a time: each may be large.
	frontOutcomes = 2
)

// front answers a front.
type front struct {
	server   *Server
	options  FrontOptions
	http     *http.Server
	handlers map[string]http.HandlerFunc // by the last element of their paths
	outside  audience
	runs     *detachedRuns
	budget   *budget.Budget // of all that it has sent
	turns    turns
	places   places // of what waits or runs
	reading  slots
	working  slots
	telling  slots // of outcomes
	// following has one for each stream of events.
	following chan struct{}
	offerKept time.Duration
}

// slots let so many do something at a time. The others wait.
type slots chan struct{}

func (s slots) do(ctx context.Context, work func() error) error {
	select {
	case s <- struct{}{}:
		defer func() { <-s }()
		return work()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func newFront(s *Server, options FrontOptions) (*front, error) {
	if options.Prepare == nil || options.Streams == nil || options.Tools == nil || options.Room == nil || options.Archive == nil || options.Catalogue == nil {
		return nil, errors.New("new server: an option of the front is missing")
	}
	turns, err := newTurns(s)
	if err != nil {
		return nil, err
	}
	f := &front{
		server: s, options: options, budget: budget.New(heldBytes), runs: newDetachedRuns(), turns: turns, places: make(places, cap(s.requests)),
		reading: make(slots, frontWork), working: make(slots, frontWork), telling: make(slots, frontOutcomes), following: make(chan struct{}, frontConnections/2),
		offerKept: offerKept,
	}
	mux := http.NewServeMux()
	f.outside = audience{shortened: func(err error) { s.options.Logger.Warn("a front was told less of this", "error", err) }}
	f.handlers = map[string]http.HandlerFunc{
		"engine":   answers(f, atOnce{}, func(context.Context, nothing) (Description, error) { return f.outside.description(s.describe()), nil }),
		"status":   answers(f, atOnce{}, func(context.Context, nothing) (Overview, error) { return f.outside.overview(s.status()), nil }),
		"resolve":  answers(f, f.working, f.resolve),
		"check":    answers(f, f.places, f.check),
		"offer":    answers(f, f.working, f.offer),
		"begin":    answers(f, f.working, f.begin),
		"start":    answers(f, f.working, f.start),
		"outcome":  answers(f, f.telling, f.outcome),
		"cancel":   answers(f, f.working, f.cancel),
		"list":     answers(f, f.working, f.list),
		"policies": answers(f, f.working, f.policies),
		"policy":   answers(f, f.working, f.policy),
		"bundles":  answers(f, f.working, f.bundles),
		"bundle":   answers(f, f.working, f.bundle),
		"tools":    answers(f, f.working, f.tools),
		"follow":   f.follow,
		"read":     f.read,
		"session":  s.inHand(f.outside, f.places, f.session),
	}
	for name, handler := range f.handlers {
		mux.HandleFunc("POST "+frontPath(name), handler)
	}
	f.http = s.newHTTP(mux)
	return f, nil
}

// receive reads a question, which is one line and the whole body. From then on the end of the
// connection ends r's context.
func (f *front) receive(r *http.Request, from *stream, within bounds, into any) error {
	return f.reading.do(r.Context(), func() error {
		return from.soon(func() error {
			body := bufio.NewReaderSize(r.Body, 64<<10)
			if err := within.decode(body, into); err != nil {
				return fmt.Errorf("read request: %w", err)
			}
			return atEnd(body)
		})
	})
}

// room bounds how many are answered at a time. An answer has its room until it is written.
type room interface {
	do(ctx context.Context, work func() error) error
}

// atOnce is for what is small and waits for nothing.
type atOnce struct{}

func (atOnce) do(_ context.Context, work func() error) error { return work() }

func (p places) do(_ context.Context, work func() error) error {
	if err := p.take(); err != nil {
		return err
	}
	defer p.leave()
	return work()
}

// answers is a handler of a question, which it answers by one line.
func answers[Q, A any](f *front, within room, answer func(context.Context, Q) (A, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		to := f.server.newStream(w, f.outside)
		share, _ := f.budget.Take(theFront, 0)
		defer share.Free()
		var asked Q
		line := bounds{most: maxQuestion, share: share, times: 1}
		if one, ok := any(&asked).(*given); ok {
			one.share, line.most = share, maxRequest
		}
		say := func(said told[A], err error) {
			said.Error = to.fault(err)
			_ = to.write(said, said.Error) // who does not take it asks again
		}
		err := f.receive(r, to, line, &asked)
		if err == nil {
			err = within.do(r.Context(), func() error { //nolint:contextcheck // what is given outlives its request
				value, err := answer(r.Context(), asked)
				say(told[A]{Value: value}, err)
				return nil
			})
		}
		if err != nil {
			say(told[A]{}, err)
		}
	}
}

// callerOf is one of the front's principals: what the front says who asks is believed, and
// gives no right.
func (f *front) callerOf(ctx context.Context, by Principal) (runner.Caller, error) {
	if err := by.check(); err != nil {
		return runner.Caller{}, err
	}
	uid, known := peerOf(ctx)
	if !known {
		return runner.Caller{}, errors.New("who asks is not known")
	}
	caller := runner.Caller{Name: "principal " + string(by), Actor: f.server.options.Caller(uid).Actor}
	caller.Actor.Principal = string(by)
	return caller, nil
}

// unnamed is a script without a name.
const unnamed = "script.py"

// askOf is what a principal asks for. What needs a right is refused before anything is looked
// up, by those whose refusals the audit chain has.
func (f *front) askOf(ctx context.Context, g given) (runner.Ask, error) {
	caller, err := f.callerOf(ctx, g.Principal)
	if err != nil {
		return runner.Ask{}, err
	}
	ask := runner.Ask{ID: g.ID, Caller: caller, Request: g.Request.job()}
	if err := CheckBounds(ask.Request); err != nil {
		return runner.Ask{}, err
	}
	ask.Request.ScriptName = cmp.Or(ask.Request.ScriptName, unnamed)
	if len(ask.Request.Tools) > 0 || ask.Request.AllowUnguarded || ask.Request.Runtime != "" {
		if err := f.looked(ctx, ask); err != nil {
			return runner.Ask{}, err
		}
		return runner.Ask{}, runner.ErrForbidden
	}
	ask.Tools, err = f.options.Tools(ask.Request.Policy)
	if errors.Is(err, runner.ErrInput) { // who may name fewer policies than the host has is refused as others are: by an event
		if refused := f.looked(ctx, ask); refused != nil && !errors.Is(refused, runner.ErrInput) {
			return runner.Ask{}, refused
		}
	}
	return ask, err
}

// looked looks up all that a request names, and keeps nothing of it.
func (f *front) looked(ctx context.Context, ask runner.Ask) error {
	_, err := f.options.Prepare(ctx, ask)
	return err
}

func (f *front) resolve(ctx context.Context, g given) (nothing, error) {
	ask, err := f.askOf(ctx, g)
	if err != nil {
		return nothing{}, err
	}
	if err := f.options.Room(); err != nil {
		return nothing{}, err
	}
	return nothing{}, f.looked(ctx, ask)
}

func (f *front) check(ctx context.Context, g given) (*answer, error) {
	ask, err := f.askOf(ctx, g)
	if err != nil {
		return nil, err
	}
	var last *answer
	err = f.turns.run(ctx, ask.Caller.Name, func(ctx context.Context) error {
		last = f.server.check(ctx, ask, f.outside)
		return nil
	})
	return last, err
}

func (f *front) list(ctx context.Context, q question) (listed, error) {
	found, next, err := f.options.Archive.List(ctx, q.Cursor, q.Most)
	return listed{found, next}, err
}

func (f *front) policies(ctx context.Context, _ nothing) ([]api.PolicyInfo, error) {
	return f.options.Catalogue.Policies(ctx)
}

func (f *front) policy(ctx context.Context, q question) (api.PolicyInfo, error) {
	return f.options.Catalogue.Policy(ctx, q.Name)
}

func (f *front) bundles(ctx context.Context, _ nothing) ([]api.BundleInfo, error) {
	return f.options.Catalogue.Bundles(ctx)
}

func (f *front) bundle(ctx context.Context, q question) (api.BundleInfo, error) {
	return f.options.Catalogue.Bundle(ctx, q.Name)
}

func (f *front) tools(ctx context.Context, _ nothing) ([]api.ToolInfo, error) {
	return f.options.Catalogue.Tools(ctx)
}
