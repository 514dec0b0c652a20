package service

import (
	"context"
	"errors"
	"time"

	"hotcell/api"
	"hotcell/internal/admission"
	"hotcell/internal/engineapi"
	"hotcell/internal/service/store"
)

// engineState is what is known of the engine. It is guarded by Broker.mu.
type engineState struct {
	err    error // why it takes nothing
	places int
	// pause is how long nothing is given after it took nothing the last time, until then.
	pause time.Duration
	until time.Time
}

// How often the engine is asked whether it is there, and how long nothing is given to one that
// takes nothing: at first, and at most.
const (
	askEvery  = 5 * time.Second
	askAtMost = 5 * time.Second
	pauseMin  = 50 * time.Millisecond
	pauseMax  = 5 * time.Second
)

// isAway reports that an engine was not reached, or not to the end.
func isAway(err error) bool {
	return errors.Is(err, engineapi.ErrLost) || notReached(err)
}

// notReached reports that an engine certainly does not have what it was asked.
func notReached(err error) bool {
	return errors.Is(err, engineapi.ErrNone) || errors.Is(err, engineapi.ErrDead) || errors.Is(err, engineapi.ErrOthers)
}

// isBusy reports that an engine takes nothing just now.
func isBusy(err error) bool {
	return errors.Is(err, admission.ErrFull) || errors.Is(err, admission.ErrDraining) || errors.Is(err, engineapi.ErrNotKept)
}

// watch asks the engine whether it is there, and how many places it has.
func (s *Broker) watch() {
	wait := pauseMin
	for s.ctx.Err() == nil {
		if err := s.ask(); err != nil {
			wait = min(2*wait, pauseMax)
			s.sleep(wait)
			continue
		}
		wait = pauseMin
		select {
		case <-s.doubt:
		case <-time.After(askEvery):
		case <-s.ctx.Done():
		}
	}
}

// ask asks once.
func (s *Broker) ask() error {
	ctx, cancel := context.WithTimeout(s.ctx, askAtMost)
	defer cancel()
	about, err := s.options.Engine.About(ctx)
	switch {
	case err != nil:
		err = tell(ErrUnavailable, err)
	case about.Draining:
		err = tell(ErrUnavailable, admission.ErrDraining)
	case about.Places < 1:
		err = tell(ErrUnavailable, admission.ErrFull)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	switch { // told once, with the way out
	case err == nil && s.engine.err != nil:
		s.options.Logger.Info("the engine takes runs")
	case err != nil && (s.engine.err == nil || Words(err) != Words(s.engine.err)):
		s.options.Logger.Warn("the engine takes no runs", "error", err)
	}
	s.engine.err, s.engine.places = err, about.Places
	s.nudge()
	return err
}

// suspect has the engine asked again soon.
func (s *Broker) suspect() {
	select {
	case s.doubt <- struct{}{}:
	default:
	}
}

// sleep ends with the service, too.
func (s *Broker) sleep(wait time.Duration) {
	select {
	case <-time.After(wait):
	case <-s.ctx.Done():
	}
}

// hasPlace reports whether the engine takes one more. mu is held.
func (s *Broker) hasPlace() bool {
	return !s.draining && s.engine.err == nil && s.inFlight < s.engine.places && !s.options.Now().Before(s.engine.until)
}

// dispatch gives runs to the engine as places become free.
func (s *Broker) dispatch() {
	for {
		for s.next() {
		}
		select {
		case <-s.wake:
		case <-time.After(time.Second): // a quota that was used up may not be any more
		case <-s.ctx.Done():
			return
		}
	}
}

// next gives away the run whose turn it is, and reports whether there was one.
func (s *Broker) next() bool {
	s.mu.Lock()
	if s.ctx.Err() != nil || !s.hasPlace() {
		s.mu.Unlock()
		return false
	}
	r := s.queue.next(s.mayHave)
	if r == nil {
		s.mu.Unlock()
		return false
	}
	s.give(r, s.options.Now().UTC())
	r.change()
	giving := store.Giving{ID: r.id, Attempt: r.attempt, Boot: r.boot, At: r.started}
	s.mu.Unlock()

	// In the background, so that all who are given at once share a write.
	s.keep("give a run", func() {
		if err := s.store.Give(giving); err != nil {
			s.options.Logger.Error("a run stays in the queue, because that it is given cannot be written", "run", giving.ID.String(), "error", err)
			s.takeBack(r)
			return
		}
		s.carry(r, starting)
	})
	return true
}

// takeBack puts a run that the engine did not take into the queue again, and gives nothing for a
// while. One that somebody has cancelled meanwhile ends.
func (s *Broker) takeBack(r *run) {
	// Before it is in the queue, so that it is not given between the two. Where this cannot be
	// written, the row says that it was given, and the engine is asked.
	if err := s.store.TakeBack(r.id); err != nil && !errors.Is(err, store.ErrNone) {
		s.options.Logger.Error("a run that waits again stands as given", "run", r.id.String(), "error", err)
	}
	s.mu.Lock()
	if r.isAsked {
		s.mu.Unlock()
		s.finish(r, ending{state: cancelled})
		return
	}
	defer s.mu.Unlock()
	s.hold()
	r.state, r.started = api.StateQueued, time.Time{}
	s.queue.putBack(r)
	s.land(r.owner)
	r.change()
}

// hold gives nothing for a while. mu is held.
func (s *Broker) hold() {
	s.engine.pause = min(max(pauseMin, 2*s.engine.pause), pauseMax)
	s.engine.until = s.options.Now().Add(s.engine.pause)
	pause := s.engine.pause
	s.keep("wait for the engine", func() {
		s.sleep(pause)
		s.nudge()
	})
}
