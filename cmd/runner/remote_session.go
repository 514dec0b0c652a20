package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"hotcell/api"
	"hotcell/internal/digest"
	"hotcell/internal/engineapi"
	"hotcell/internal/job"
	"hotcell/internal/runner"
)

// OpenSession implements engineapi.Service. It returns once the service's engine has the session:
// its limits are not known before.
func (r remote) OpenSession(ctx context.Context, ask runner.Ask) (engineapi.Session, error) {
	request := ask.Request
	opened, err := r.client.OpenSession(ctx, api.OpenSession{
		Policy: request.Policy, Bundle: request.Bundle, Limits: tightened(request.Overrides), Imports: request.Imports, Tables: request.Tables, Seed: request.Seed,
		Inputs: request.Inputs,
	})
	if err != nil {
		return nil, ofService(r.client.Name(), err)
	}
	id := opened.SessionID
	if opened, err = r.client.WaitSession(ctx, id, func(session api.Session) bool { return session.Limits != nil }); err == nil {
		err = r.unopened(opened)
	}
	if err != nil {
		closing, done := context.WithTimeout(context.WithoutCancel(ctx), cancelTime)
		defer done()
		_, closed := r.client.CloseSession(closing, id) // which may never have opened
		if ctx.Err() != nil {
			return nil, errors.Join(context.Canceled, closed)
		}
		return nil, fmt.Errorf("session %s: %w", id, ofService(r.client.Name(), err))
	}
	s := &remoteSession{remote: r, id: id, about: aboutOf(opened), told: &teller{events: ask.Events}, done: make(chan struct{}), ended: make(chan api.Step, 1)}
	ready := make(chan struct{})
	s.prepared, s.ready = ready, sync.OnceFunc(func() { close(ready) })
	s.ctx, s.stop = context.WithCancel(context.WithoutCancel(ctx))
	s.following.Go(s.follow)
	s.hangUp = context.AfterFunc(ctx, func() { _ = s.closes(ctx) }) // Close says what became of that
	return s, nil
}

// unopened says why no engine has a session. What becomes of one that it has, the session's own end says.
func (r remote) unopened(session api.Session) error {
	switch {
	case session.Limits != nil:
		return nil
	case session.Error != nil:
		return session.Error
	default:
		return errors.New("it was closed before it took a step: " + session.Over)
	}
}

func aboutOf(session api.Session) runner.About {
	return runner.About{
		Session: session.SessionID, Policy: session.Policy, PolicySHA256: digest.Hex(session.PolicySHA256), Limits: runner.SessionLimits(*session.Limits),
	}
}

// remoteSession is a session of a service.
type remoteSession struct {
	remote

	id     job.ID
	about  runner.About
	told   *teller
	ctx    context.Context // of the following, which ends with Close
	stop   context.CancelFunc
	hangUp func() bool // ends the caller's hold on the session

	following sync.WaitGroup
	prepared  <-chan struct{} // closed by ready
	ready     func()          // it takes steps
	done      chan struct{}   // closed when no step can follow any more
	ended     chan api.Step   // the end of the step that goes on

	mu      sync.Mutex
	over    string
	lost    error    // why nothing is heard any more
	began   int      // the number of the newest step that this has asked for, or 0
	unasked api.Step // the end of one that came before the answer to its beginning, or none
}

// follow hears what the session says until it is closed.
func (s *remoteSession) follow() {
	defer close(s.done)
	err := s.client.FollowSession(s.ctx, s.id, 0, s.take)
	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil && s.ctx.Err() == nil {
		s.lost = fmt.Errorf("session %s: %w", s.id, ofService(s.client.Name(), err))
		s.over = "the service is not heard any more"
	}
	if s.over == "" {
		s.over = "it was closed"
	}
}

func (s *remoteSession) take(event api.Event) error {
	switch event.Type {
	case api.EventState:
		var state api.StateEvent
		if err := readData(event, &state); err != nil {
			return err
		}
		if state.State == api.State(api.SessionOpen) {
			s.ready()
		}
		return s.told.take(event)
	case api.EventGap: // what is not kept any more was before a step, or printed by one
		s.ready()
		return s.told.take(event)
	case api.EventStep:
		var step api.Step
		if err := readData(event, &step); err != nil {
			return err
		}
		s.stepped(step)
		return nil
	case api.EventResult:
		var session api.Session
		if err := readData(event, &session); err != nil {
			return err
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		s.over = session.Over
		return nil
	default:
		return s.told.take(event)
	}
}

// stepped hears the end of a step. It may come before the answer to its beginning.
func (s *remoteSession) stepped(step api.Step) {
	if step.Status == api.StateRunning {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if step.Number != s.began {
		s.unasked = step
		return
	}
	s.ended <- step
	s.began = 0
}

// begun says which step is waited for.
func (s *remoteSession) begun(number int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.unasked.Number == number {
		s.ended <- s.unasked
		return
	}
	s.began = number
}

// About implements engineapi.Session.
func (s *remoteSession) About() runner.About { return s.about }

// Prepared implements engineapi.Session.
func (s *remoteSession) Prepared() <-chan struct{} { return s.prepared }

// Done implements engineapi.Session.
func (s *remoteSession) Done() <-chan struct{} { return s.done }

// Over implements engineapi.Session.
func (s *remoteSession) Over() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.over
}

// Form implements engineapi.Session: a service is not asked at each line that is typed.
func (s *remoteSession) Form(context.Context, []byte) runner.Form { return runner.FormUnknown }

// Step implements engineapi.Session.
func (s *remoteSession) Step(ctx context.Context, script runner.Script) (runner.Response, error) {
	if over := s.Over(); over != "" {
		return runner.Response{}, fmt.Errorf("%w: %s", runner.ErrSessionOver, over)
	}
	select {
	case <-script.Interrupt:
		return runner.Response{}, errNeverBegun
	default:
	}
	if err := checkText(script.Code); err != nil {
		return runner.Response{}, err
	}
	step, err := s.client.Step(ctx, s.id, api.CreateStep{Code: string(script.Code), ScriptName: script.Name, WallClockMS: wholeMS(script.WallClock)})
	if err != nil {
		return runner.Response{}, s.unstepped(err)
	}
	s.begun(step.Number)
	interrupted := script.Interrupt
	for {
		select {
		case ended := <-s.ended:
			return s.answered(ended)
		case <-interrupted:
			interrupted = nil
			if err := s.cancelStep(ctx); err != nil {
				return runner.Response{}, err
			}
			continue
		case <-s.done:
		}
		select {
		case ended := <-s.ended: // it came before the end
			return s.answered(ended)
		default:
			return runner.Response{}, s.gone()
		}
	}
}

// errNeverBegun is for a step that was cancelled while it waited here.
var errNeverBegun = errors.New("it was cancelled before it was sent to the service")

// unstepped is why a step was not begun, or is not known to be.
func (s *remoteSession) unstepped(err error) error {
	if problem, ok := errors.AsType[*api.Problem](err); ok && problem.Status == http.StatusConflict {
		select {
		case <-s.done: // it says why
		case <-time.After(cancelTime):
		}
		if over := s.Over(); over != "" {
			return fmt.Errorf("%w: %s", runner.ErrSessionOver, over)
		}
	}
	return ofService(s.client.Name(), err)
}

func (s *remoteSession) gone() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.lost != nil {
		return s.lost
	}
	return fmt.Errorf("%w: %s", runner.ErrSessionOver, s.over)
}

func (s *remoteSession) cancelStep(ctx context.Context) error {
	ctx, done := context.WithTimeout(context.WithoutCancel(ctx), cancelTime)
	defer done()
	if err := s.client.CancelStep(ctx, s.id); err != nil {
		return fmt.Errorf("cancel the step: %w", ofService(s.client.Name(), err))
	}
	return nil
}

// answered is a step that has ended, as one of this machine's.
func (s *remoteSession) answered(step api.Step) (runner.Response, error) {
	switch {
	case step.NotBegun():
		return runner.Response{}, fmt.Errorf("%w: %s", runner.ErrSessionOver, cmp.Or(s.Over(), "the step was cancelled before it began"))
	case step.Error != nil:
		return runner.Response{}, remoteError{s.id.String(), problemText(s.client.Name(), step.Error)}
	case step.Result == nil || api.State(step.Result.Status) != step.Status || step.Result.RunID == job.ID{}:
		return runner.Response{}, errors.New("session " + s.id.String() + ": a step has ended without a result")
	}
	response := runner.Response{Result: *step.Result, StreamError: s.told.finish(*step.Result)}
	response.Elsewhere = s.elsewhere(step.Result.RunID)
	return response, nil
}

// closes asks for the end.
func (s *remoteSession) closes(ctx context.Context) error {
	ctx, done := context.WithTimeout(context.WithoutCancel(ctx), cancelTime)
	defer done()
	_ = s.client.CancelStep(ctx, s.id) // there may be none
	_, err := s.client.CloseSession(ctx, s.id)
	return err
}

// Close implements engineapi.Session.
func (s *remoteSession) Close(ctx context.Context) (runner.Response, error) {
	defer s.following.Wait()
	defer s.stop()
	defer s.hangUp()
	if ctx.Err() != nil { // it was asked to end, and has a moment to say how
		var done func()
		ctx, done = context.WithTimeout(context.WithoutCancel(ctx), cancelTime)
		defer done()
	}
	session, err := s.client.CloseSession(ctx, s.id)
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return runner.Response{}, fmt.Errorf("session %s at %s was asked to end, and has not said how it did", s.id, s.client.Name())
	case err != nil:
		return runner.Response{}, fmt.Errorf("close session %s: %w", s.id, ofService(s.client.Name(), err))
	case session.Error != nil:
		return runner.Response{}, remoteError{s.id.String(), problemText(s.client.Name(), session.Error)}
	case session.Result == nil:
		return runner.Response{}, errors.New("session " + s.id.String() + ": it was closed without a result")
	}
	return runner.Response{Result: *session.Result, Elsewhere: s.elsewhere(s.id)}, nil
}
