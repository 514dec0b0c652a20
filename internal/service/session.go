package service

import (
	"context"
	"errors"
	"fmt"
	"time"

	"hotcell/api"
	"hotcell/internal/access"
	"hotcell/internal/job"
	"hotcell/internal/journal"
	"hotcell/internal/runner"
)

// session is a session of this service's own life: it is held by a connection to the engine, and
// ends with it. What stands below the line is guarded by Broker.mu.
type session struct {
	id      job.ID
	owner   string
	asked   api.OpenSession // policy and bundle of it
	created time.Time
	idle    time.Duration // without a step
	life    time.Time     // its end; its policy may have an earlier one, which its engine sees to
	log     *journal.Log
	todo    chan *step // one at most
	closing chan struct{}

	// --
	state     api.SessionState
	about     *runner.About
	begun     time.Time // an engine has it
	until     time.Time // the first of its ends
	idleUntil time.Time // while it is open
	steps     []*step
	kept      int   // the first one whose result is in memory
	results   int64 // weight of those, and of the session's own
	recorded  int64 // the last event of steps that have ended: of those, records tell others
	over      string
	result    *api.RunResult
	problem   *api.Problem
	awaited   bool  // who opens it waits for what becomes of it
	refused   error // why there was never one, for who opens it
	ended     time.Time
	isClosing bool
	changed   chan struct{} // closed, and made anew, by each change
}

// step is one script of a session.
type step struct {
	script    runner.Script // until it has ended
	asked     time.Time
	interrupt chan struct{}
	isAsked   bool // interrupt is closed
	shown     api.Step
	run       job.ID // its own record's, or zero
	weight    int64  // of its result
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
		Inputs: asked.Inputs,
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
		log: newLog(), todo: make(chan *step, 1), closing: make(chan struct{}), state: api.SessionOpening, awaited: true, changed: make(chan struct{}),
	}
	x.idle, x.life = within(idle, s.options.Sessions.Idle), now.Add(within(total, s.options.Sessions.Total))
	x.until = x.life
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
	if err := s.mayRecord(x.owner); err != nil {
		return err
	}
	all := s.allSessions()
	if most, own := s.sessionsOf(x.owner), s.openOf(x.owner); own >= most && own < all {
		return &QuotaError{Quota: "sessions", Limit: int64(most), Used: int64(own), After: retrySession}
	}
	if most, own := s.quotas(x.owner).Running, s.given[x.owner]; most > 0 && own >= most {
		return &QuotaError{Quota: "running", Limit: int64(most), Used: int64(own), After: retrySession}
	}
	if s.open >= all {
		return fmt.Errorf("%w: all principals together may have %d", ErrSessionsFull, all)
	}
	s.sessions[x.id] = x
	s.open++
	s.inFlight++
	s.given[x.owner]++
	return nil
}

// allSessions is how many there may be at a time: so many that runs go on, whatever is configured.
// mu is held.
func (s *Broker) allSessions() int {
	all := max(1, s.engine.places-1)
	if most := s.options.Sessions.Most; most > 0 {
		all = min(most, all)
	}
	return all
}

// sessionsOf is how many of them a principal may have, which is never all where there are more than
// one: each lives for hours. mu is held.
func (s *Broker) sessionsOf(owner string) int {
	most := max(1, s.allSessions()-1)
	if own := s.quotas(owner).Sessions; own > 0 {
		most = min(own, most)
	}
	return most
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
	for waits := true; ; {
		s.mu.Lock()
		shown, changed, refused := x.shown(), x.changed, x.refused
		x.awaited = waits
		s.mu.Unlock()
		switch {
		case refused != nil:
			return api.Session{}, s.told(ctx, refused)
		case !waits || shown.Status != api.SessionOpening:
			return shown, nil
		}
		select {
		case <-changed:
		case <-patience.C:
			waits = false
		case <-ctx.Done():
			waits = false
		case <-s.ctx.Done():
			return api.Session{}, ErrDraining
		}
	}
}

// shown is what its owner sees. mu is held.
func (x *session) shown() api.Session {
	shown := api.Session{
		SessionID: x.id, Status: x.state, Policy: x.asked.Policy, Bundle: x.asked.Bundle, Principal: x.owner, CreatedAt: x.created,
		Steps: len(x.steps), Over: x.over, Result: x.result, Error: x.problem,
	}
	if x.state != api.SessionClosed {
		shown.Until = x.until
	}
	if x.state == api.SessionOpen {
		shown.IdleUntil = x.idleUntil
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
