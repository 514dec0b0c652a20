package engineapi

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"io"
	"net/http"

	"hotcell/api"
	"hotcell/internal/job"
	"hotcell/internal/runner"
)

// FrontOptions is what a Server needs for a front: a process of another user, without
// rights, that asks for others. Every field is required.
type FrontOptions struct {
	// UID is that user. Nobody else is answered on its socket, not even root.
	UID uint32
	// Resolve is as runner.Runner's.
	Resolve func(ctx context.Context, ask runner.Ask) error
	// Streams is how many bytes of streams a policy lets a run print.
	Streams func(policy string) int64
	// Tools are those that the administrator has registered for a policy: the principals' own.
	Tools     func(policy string) ([]job.Tool, error)
	Archive   Archive
	Catalogue Catalogue
}

// Archive is what records say of runs.
type Archive interface {
	// Outcome is what became of a run. Its fate is not FateHeld.
	Outcome(ctx context.Context, id job.ID) (Outcome, error)
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
)

// front answers a front.
type front struct {
	server  *Server
	options FrontOptions
	http    *http.Server
	runs    *detachedRuns
	reading slots
	working slots
	// following has one for each stream of events.
	following chan struct{}
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
	if options.Resolve == nil || options.Streams == nil || options.Tools == nil || options.Archive == nil || options.Catalogue == nil {
		return nil, errors.New("new server: an option of the front is missing")
	}
	f := &front{
		server: s, options: options, runs: newDetachedRuns(),
		reading: make(slots, frontWork), working: make(slots, frontWork), following: make(chan struct{}, frontConnections/2),
	}
	mux := http.NewServeMux()
	for name, handler := range map[string]http.HandlerFunc{
		"engine":   answers(f, func(context.Context, nothing) (Description, error) { return s.describe(), nil }),
		"status":   answers(f, func(context.Context, nothing) (Overview, error) { return s.status(), nil }),
		"resolve":  answers(f, working(f, f.resolve)),
		"check":    answers(f, f.check),
		"start":    answers(f, f.start),
		"outcome":  answers(f, working(f, f.outcome)),
		"cancel":   answers(f, working(f, f.cancel)),
		"list":     answers(f, working(f, f.list)),
		"policies": answers(f, working(f, f.policies)),
		"policy":   answers(f, working(f, f.policy)),
		"bundles":  answers(f, working(f, f.bundles)),
		"bundle":   answers(f, working(f, f.bundle)),
		"tools":    answers(f, working(f, f.tools)),
		"follow":   f.follow,
		"read":     f.read,
		"session":  s.inHand(f.session),
	} {
		mux.HandleFunc("POST "+frontPath(name), handler)
	}
	f.http = s.newHTTP(mux)
	return f, nil
}

// receive reads a question, which is one line and the whole body. From then on the end of the
// connection ends r's context.
func (f *front) receive(r *http.Request, from *stream, most int, into any) error {
	return f.reading.do(r.Context(), func() error {
		return from.soon(func() error { return decodeWhole(bufio.NewReaderSize(r.Body, 64<<10), most, into) })
	})
}

// answers is a handler of a question, which it answers by one line.
func answers[Q, A any](f *front, answer func(context.Context, Q) (A, error)) http.HandlerFunc {
	most := maxQuestion
	if _, ok := any(*new(Q)).(given); ok {
		most = maxRequest
	}
	return func(w http.ResponseWriter, r *http.Request) {
		to := newStream(w)
		var asked Q
		var said told[A]
		err := f.receive(r, to, most, &asked)
		if err == nil {
			said.Value, err = answer(r.Context(), asked)
		}
		said.Error = faultOf(err)
		_ = to.write(said, said.Error) // who does not take it asks again
	}
}

// working bounds how many are answered at a time.
func working[Q, A any](f *front, answer func(context.Context, Q) (A, error)) func(context.Context, Q) (A, error) {
	return func(ctx context.Context, asked Q) (said A, err error) {
		err = f.working.do(ctx, func() (err error) {
			said, err = answer(ctx, asked)
			return err
		})
		return said, err
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
	ask.Request.ScriptName = cmp.Or(ask.Request.ScriptName, unnamed)
	if len(ask.Request.Tools) > 0 || ask.Request.AllowUnguarded || ask.Request.Runtime != "" {
		if err := f.options.Resolve(ctx, ask); err != nil {
			return runner.Ask{}, err
		}
		return runner.Ask{}, runner.ErrForbidden
	}
	ask.Tools, err = f.options.Tools(ask.Request.Policy)
	return ask, err
}

func (f *front) resolve(ctx context.Context, g given) (nothing, error) {
	ask, err := f.askOf(ctx, g)
	if err != nil {
		return nothing{}, err
	}
	return nothing{}, f.options.Resolve(ctx, ask)
}

func (f *front) check(ctx context.Context, g given) (*answer, error) {
	ask, err := f.askOf(ctx, g)
	if err != nil {
		return nil, err
	}
	return f.server.hold(func() (last *answer, err error) {
		err = f.server.options.Gate.Do(ctx, ask.Caller.Name, func(ctx context.Context) error {
			last = f.server.check(ctx, ask)
			return nil
		})
		return last, err
	})
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
