package service

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"hotcell/api"
	"hotcell/internal/access"
	"hotcell/internal/engineapi"
	"hotcell/internal/job"
	"hotcell/internal/journal"
	"hotcell/internal/runner"
	"hotcell/internal/service/store"
)

// session is a session of this service's own life: it is held by a connection to the engine, and
// ends with it. What stands below the line is guarded by Broker.mu.
type session struct {
	id      job.ID
	owner   string
	asked   api.OpenSession // policy and bundle of it
	created time.Time
	idle    time.Duration // without a step
	until   time.Time
	log     *journal.Log
	todo    chan *step // one at most
	closing chan struct{}

	// --
	state     api.SessionState
	about     *runner.About
	idleUntil time.Time
	steps     []*step
	over      string
	result    *api.RunResult
	problem   *api.Problem
	refused   error // why there was never one
	ended     time.Time
	isClosing bool
	changed   chan struct{} // closed, and made anew, by each change
}

// step is one script of a session.
type step struct {
	script    runner.Script // until it has ended
	interrupt chan struct{}
	isAsked   bool // interrupt is closed
	shown     api.Step
	done      chan struct{}
}

// maxToolName is what is told of a tool's name, which is the script's own word.
const maxToolName = 256

// Times of sessions.
const (
	openPatience = 2 * time.Second  // how long who opens one waits for a refusal
	closeTime    = time.Minute      // how long an engine may take to close one
	sessionKept  = time.Hour        // how long one that has ended can be looked at
	sessionNote  = "session/"       // before its id: it is open
	retrySession = 10 * time.Second // when somebody may ask again who has too many
)

// OpenSession begins a session, which may still be opening when it is returned. It is the
// principal's own, lives in this process, and ends with it, with its engine, without a step for too
// long, or at the end of its life.
func (s *Broker) OpenSession(ctx context.Context, who access.Principal, asked api.OpenSession) (api.Session, error) {
	if err := s.admit(who); err != nil {
		return api.Session{}, err
	}
	wanted, err := requestOf(api.CreateRun{
		Policy: asked.Policy, Bundle: asked.Bundle, Limits: asked.Limits, Imports: asked.Imports, Tables: asked.Tables, Seed: asked.Seed,
	})
	if err != nil {
		return api.Session{}, err
	}
	x, err := s.newSession(who, asked)
	if err != nil {
		return api.Session{}, err
	}
	if err := s.admitSession(x); err != nil {
		return api.Session{}, err
	}
	if err := s.noteSession(x); err != nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.dropSession(x)
		return api.Session{}, storage(err)
	}
	s.keep("carry a session", func() { s.holdSession(x, wanted) }) //nolint:contextcheck // a session outlives the request that opens it
	return s.opened(ctx, x)
}

// newSession checks the times that are asked for.
func (s *Broker) newSession(who access.Principal, asked api.OpenSession) (*session, error) {
	idle, err := milliseconds("idle_ms", asked.IdleMS)
	total, otherErr := milliseconds("total_ms", asked.TotalMS)
	if err := errors.Join(err, otherErr); err != nil {
		return nil, err
	}
	within := func(asked, most time.Duration) time.Duration {
		if asked == 0 {
			return most
		}
		return min(asked, most)
	}
	now := s.options.Now().UTC()
	x := &session{
		id: job.NewID(now), owner: who.Name, asked: api.OpenSession{Policy: asked.Policy, Bundle: asked.Bundle}, created: now,
		log: newLog(), todo: make(chan *step, 1), closing: make(chan struct{}), state: api.SessionOpening, changed: make(chan struct{}),
	}
	x.idle, x.until = within(idle, s.options.Sessions.Idle), now.Add(within(total, s.options.Sessions.Total))
	x.idleUntil = x.until
	return x, nil
}

// admitSession takes a place for a session, if there may be one more.
func (s *Broker) admitSession(x *session) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.draining {
		return ErrDraining
	}
	if s.engine.err != nil {
		return s.engine.err
	}
	if err := s.hasCPU(x.owner); err != nil {
		return err
	}
	if most, own := s.quotas(x.owner).Sessions, s.openOf(x.owner); most > 0 && own >= most {
		return &QuotaError{Quota: "sessions", Limit: int64(most), Used: int64(own), After: retrySession}
	}
	if most, own := s.quotas(x.owner).Running, s.given[x.owner]; most > 0 && own >= most {
		return &QuotaError{Quota: "running", Limit: int64(most), Used: int64(own), After: retrySession}
	}
	most := s.options.Sessions.Most
	if most == 0 {
		most = max(1, s.engine.places-1) // so that runs go on
	}
	if s.open >= most {
		return fmt.Errorf("%w: there are %d sessions, and may be no more", ErrQueueFull, s.open)
	}
	s.sessions[x.id] = x
	s.open++
	s.inFlight++
	s.given[x.owner]++
	return nil
}

// openOf is how many sessions of a principal are open. mu is held.
func (s *Broker) openOf(owner string) (own int) {
	for _, other := range s.sessions {
		if other.owner == owner && other.state != api.SessionClosed {
			own++
		}
	}
	return own
}

// dropSession forgets one that has never been. mu is held.
func (s *Broker) dropSession(x *session) {
	s.open--
	s.land(x.owner)
	delete(s.sessions, x.id)
}

// opened waits a little until an engine has a session, so that who asks for what cannot be had
// hears of it at once.
func (s *Broker) opened(ctx context.Context, x *session) (api.Session, error) {
	patience := time.NewTimer(openPatience)
	defer patience.Stop()
	for {
		s.mu.Lock()
		shown, changed, refused := x.shown(), x.changed, x.refused
		s.mu.Unlock()
		if refused != nil {
			return api.Session{}, s.told(ctx, refused)
		}
		if shown.Status != api.SessionOpening {
			return shown, nil
		}
		select {
		case <-changed:
		case <-patience.C:
			return shown, nil
		case <-ctx.Done():
			return shown, nil
		}
	}
}

// shown is what its owner sees. mu is held.
func (x *session) shown() api.Session {
	shown := api.Session{
		SessionID: x.id, Status: x.state, Policy: x.asked.Policy, Bundle: x.asked.Bundle, CreatedAt: x.created,
		Steps: len(x.steps), Over: x.over, Result: x.result, Error: x.problem,
	}
	if x.state != api.SessionClosed {
		shown.IdleUntil, shown.Until = x.idleUntil, x.until
	}
	if x.about != nil {
		limits := api.SessionLimits(x.about.Limits)
		shown.PolicySHA256, shown.Limits = string(x.about.PolicySHA256), &limits
	}
	return shown
}

// change wakes all who wait for something of the session. mu is held.
func (x *session) change() {
	close(x.changed)
	x.changed = make(chan struct{})
}

// end asks for the end of a session, and interrupts its step. mu is held.
func (x *session) end(why string) {
	if x.isClosing || x.state == api.SessionClosed {
		return
	}
	x.isClosing = true
	if x.over == "" {
		x.over = why
	}
	if last := x.current(); last != nil {
		last.cancel()
	}
	close(x.closing)
}

// current is the step that waits or goes on, or nil. mu is held.
func (x *session) current() *step {
	if n := len(x.steps); n > 0 && x.steps[n-1].shown.Status == api.StateRunning {
		return x.steps[n-1]
	}
	return nil
}

// cancel is called with Broker.mu held.
func (t *step) cancel() {
	if !t.isAsked {
		t.isAsked = true
		close(t.interrupt)
	}
}

// holdSession opens a session at the engine, and has it until its end.
func (s *Broker) holdSession(x *session, wanted job.Request) {
	ctx, cancel := context.WithCancel(s.ctx)
	defer cancel()
	stdout, stderr := &textWriter{log: x.log, kind: api.EventStdout}, &textWriter{log: x.log, kind: api.EventStderr}
	ask := runner.Ask{Request: wanted, Events: runner.Events{
		Stdout: stdout, Stderr: stderr,
		Phase: func(phase runner.Phase) {
			x.tell(api.EventState, api.StateEvent{State: api.StateRunning, Phase: string(phase)})
		},
		ToolCall: func(name string) {
			x.tell(api.EventToolCall, api.ToolCallEvent{Name: strings.ToValidUTF8(name[:min(len(name), maxToolName)], "\ufffd")})
		},
	}}
	opened := make(chan struct{})
	s.keep("end a session that opens", func() {
		select {
		case <-x.closing: // it may wait for a place
			cancel()
		case <-opened:
		}
	})
	held, err := s.options.Engine.OpenSession(ctx, x.id, engineapi.Principal(x.owner), ask)
	close(opened)
	if err != nil {
		s.sessionRefused(x, err)
		return
	}
	about := held.About()
	s.mu.Lock()
	x.about, x.state, x.idleUntil = &about, api.SessionOpen, s.options.Now().UTC().Add(x.idle)
	x.change()
	s.mu.Unlock()
	why := s.steps(ctx, x, held, func() { stdout.flush(); stderr.flush() })
	s.mu.Lock()
	x.end(why)
	s.mu.Unlock()
	closing, stop := context.WithTimeout(ctx, closeTime)
	defer stop()
	response, err := held.Close(closing)
	s.sessionEnded(x, response, err)
}

// sessionRefused is the end of one that no engine has taken.
func (s *Broker) sessionRefused(x *session, err error) {
	s.forgetSession(x)
	s.mu.Lock()
	defer s.mu.Unlock()
	if x.refused = err; x.over == "" {
		x.over = "it was not opened"
	}
	x.problem = problem("engine-failed", "The engine did not open the session", words(err))
	if errors.Is(err, runner.ErrInput) {
		x.problem = problem("refused", "The session cannot be opened", words(err))
	} else {
		s.options.Logger.Warn("a session was not opened", "session", x.id.String(), "error", err)
	}
	s.sessionOver(x)
}

// sessionEnded keeps what became of one.
func (s *Broker) sessionEnded(x *session, response runner.Response, err error) {
	row := store.Row{
		ID: x.id, Principal: x.owner, Policy: x.asked.Policy, Bundle: x.asked.Bundle, State: store.Done, Attempt: 1, Created: x.created,
		Started: x.created, Ended: s.options.Now().UTC(), Last: store.LastUnknown,
	}
	end := ending{}
	if result := response.Result; result.Status != "" {
		end.result, row.Recorded, row.Status = &result, true, api.State(result.Status)
	} else {
		detail := ""
		if err != nil {
			detail = words(err)
			s.options.Logger.Warn("a session has ended without a result", "session", x.id.String(), "error", err)
		}
		end.problem = problem("interrupted", "The engine ended while it had the session", detail)
		row.Status, row.Problem = api.StateError, end.problem
	}
	s.index(row, end.used())
	s.forgetSession(x)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.spend(x.owner, end.used(), row.Ended)
	x.result, x.problem = end.result, end.problem
	s.sessionOver(x)
}

// sessionOver gives the place of a session free. mu is held.
func (s *Broker) sessionOver(x *session) {
	x.state, x.ended = api.SessionClosed, s.options.Now()
	if last := x.current(); last != nil { // of which nothing was run
		last.shown.Status = api.State(job.Cancelled)
		x.tell(api.EventStep, last.shown)
		last.script = runner.Script{}
		close(last.done)
	}
	s.open--
	s.land(x.owner)
	x.log.End()
	x.change()
	s.keepOver(x)
}

// index makes a record of a session, or of one of its steps, one that its principal finds.
func (s *Broker) index(row store.Row, used time.Duration) {
	if err := s.store.Add([]store.Row{row}, used, "", ""); err != nil {
		s.options.Logger.Error("a record is not in the index, which will be completed", "run", row.ID.String(), "error", err)
	}
}
