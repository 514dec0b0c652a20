package service

import (
	"context"
	"errors"
	"fmt"
	"time"

	"hotcell/api"
	"hotcell/internal/engineapi"
	"hotcell/internal/job"
	"hotcell/internal/journal"
	"hotcell/internal/runner"
	"hotcell/internal/service/store"
	"hotcell/internal/strictjson"
)

// stage is what comes next for a run that was given. That it was given is durable before.
type stage string

const (
	starting  stage = "starting"  // the engine does not have it
	following stage = "following" // it has
	asking    stage = "asking"    // it may
	over      stage = "over"      // nothing comes any more, or it waits again
)

// maxFailures is how often an engine may fail at a run, one time after the other, before the run
// ends with an error.
const maxFailures = 5

// logBytes is what is kept of a run's events.
const logBytes = 4 << 20

func newLog() *journal.Log { return journal.New(logBytes) }

// carry has a run carried out, and returns when it has ended, waits again, or the service ends:
// the next one asks the engine for it then.
func (s *Broker) carry(r *run, at stage) {
	ctx, cancel := context.WithCancelCause(s.ctx)
	defer cancel(nil)
	s.keep("cancel a run", func() { s.passOnCancel(ctx, r) })
	wait := pauseMin
	for at != over && ctx.Err() == nil {
		last := r.log.Last()
		next, err := s.carryOn(ctx, r, at)
		if err != nil && ctx.Err() == nil {
			s.options.Logger.Warn("a run is asked for again", "run", r.id.String(), "stage", string(at), "error", err)
		}
		if r.log.Last() > last {
			wait = pauseMin
		}
		if err != nil || at == asking && next != over {
			s.sleep(wait)
			wait = min(2*wait, pauseMax)
		}
		at = next
	}
}

// carryOn does what comes next, and says what comes then.
func (s *Broker) carryOn(ctx context.Context, r *run, at stage) (next stage, err error) {
	switch at {
	case starting:
		return s.start(ctx, r)
	case following:
		outcome, err := s.listen(ctx, r)
		if err != nil && !errors.Is(err, engineapi.ErrUnknownRun) {
			s.suspect()
		}
		if err != nil || outcome.Fate == "" {
			return asking, err
		}
		return s.decide(ctx, r, outcome)
	default:
		outcome, err := s.options.Engine.Outcome(ctx, r.id, engineapi.Principal(r.owner))
		if errors.Is(err, engineapi.ErrUnknownRun) {
			outcome, err = engineapi.Outcome{Fate: engineapi.FateUnknown}, nil
		}
		if err != nil {
			s.suspect()
			return asking, err
		}
		return s.decide(ctx, r, outcome)
	}
}

// start gives a run to the engine.
func (s *Broker) start(ctx context.Context, r *run) (next stage, err error) {
	s.mu.Lock()
	asked, text, offered := r.isAsked, r.request, r.offered
	r.offered = false
	s.mu.Unlock()
	if asked {
		s.finish(r, ending{state: cancelled})
		return over, nil
	}
	err = s.handOver(ctx, r, text, offered)
	switch {
	case err == nil || errors.Is(err, engineapi.ErrKnown):
		s.took(r)
		return following, nil
	case ctx.Err() != nil: // the next service asks for it
		return over, nil //nolint:nilerr // it is no failure to end
	case errors.Is(err, errForgotten):
		return starting, nil
	case errors.Is(err, errUnreadable):
		s.options.Logger.Error("the request of a run cannot be read any more", "run", r.id.String(), "error", err)
		s.finish(r, ending{problem: problem("lost", "The request cannot be read any more", inTheLog)})
		return over, nil
	case isBusy(err) || notReached(err):
		s.suspect()
		s.takeBack(r)
		return over, nil
	case errors.Is(err, runner.ErrInput):
		s.finish(r, ending{problem: problem("refused", "The request cannot be run any more", words(err))})
		return over, nil
	case errors.Is(err, engineapi.ErrLost):
		s.suspect()
		return asking, err
	}
	return s.fail(ctx, r, err)
}

// errUnreadable is of a request that cannot be read any more.
var errUnreadable = errors.New("read a request")

// errForgotten is of an offer that the engine has no more. Who cancelled that was told that it is: whether
// somebody has is looked at once more before the run is given by its request.
var errForgotten = errors.New("begin an offer")

// handOver gives a run to the engine: by a word where that has prepared it, else by its request.
func (s *Broker) handOver(ctx context.Context, r *run, text []byte, offered bool) error {
	if offered {
		err := s.options.Engine.Begin(ctx, r.id, engineapi.Principal(r.owner))
		if errors.Is(err, engineapi.ErrUnknownRun) {
			return fmt.Errorf("%w: %w", errForgotten, err)
		}
		return err
	}
	if text == nil {
		var err error
		if text, err = s.store.Request(ctx, r.id); err != nil {
			return err
		}
	}
	wanted, err := parse(text)
	if err != nil {
		return fmt.Errorf("%w: %w", errUnreadable, err)
	}
	return s.options.Engine.Start(ctx, r.id, engineapi.Principal(r.owner), wanted)
}

// took says that the engine has a run.
func (s *Broker) took(r *run) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.engine.pause = 0
	r.request, r.failures = nil, 0
}

// fail is for an engine, or a disk, that did not take a run for a reason of its own.
func (s *Broker) fail(ctx context.Context, r *run, err error) (stage, error) {
	if ctx.Err() != nil {
		return over, nil //nolint:nilerr // it is no failure to end
	}
	s.mu.Lock()
	r.failures++
	failures := r.failures
	s.mu.Unlock()
	if failures >= maxFailures {
		s.options.Logger.Error("the engine could not begin a run", "run", r.id.String(), "error", err)
		s.finish(r, ending{problem: problem("engine-failed", "The engine could not begin the run", words(err))})
		return over, nil
	}
	return asking, err // it may have it
}

// maxStored bounds what is read back of our own; what comes in is bounded where it does.
const maxStored = 1 << 30

func parse(text []byte) (job.Request, error) {
	var asked api.CreateRun
	if err := strictjson.Decode(text, maxStored, &asked); err != nil {
		return job.Request{}, err
	}
	return requestOf(asked)
}

// decide does what follows from the engine's word on a run.
func (s *Broker) decide(ctx context.Context, r *run, outcome engineapi.Outcome) (stage, error) {
	switch outcome.Fate {
	case engineapi.FateHeld:
		s.took(r)
		return following, nil
	case engineapi.FateEnded:
		s.hearAll(ctx, r)
		if outcome.Err != nil && outcome.Response.Result.Status == "" {
			s.options.Logger.Warn("a run has ended without a result", "run", r.id.String(), "error", outcome.Err)
		}
		s.finish(r, endingOf(outcome))
		return over, nil
	case engineapi.FateInterrupted:
		s.finish(r, ending{problem: interrupted()})
		return over, nil
	case engineapi.FateUnknown:
		return s.again(r)
	}
	return asking, fmt.Errorf("the engine says %.32q of a run, which means nothing", outcome.Fate)
}

// again gives a run away once more that the engine does not know. Where the host was started
// since, the engine's note that code had begun may have been lost with the power.
func (s *Broker) again(r *run) (stage, error) {
	s.mu.Lock()
	boot, asked := r.boot, r.isAsked
	s.mu.Unlock()
	switch {
	case boot != s.options.Boot:
		s.finish(r, ending{problem: problem("host-restarted", "The host was restarted while the engine may have had the run",
			"Whether its code has begun is not known, so that it is not begun again.")})
		return over, nil
	case asked:
		s.finish(r, ending{state: cancelled})
		return over, nil
	}
	now := s.options.Now().UTC()
	giving := store.Giving{ID: r.id, Attempt: r.attempt + 1, Boot: boot, At: now} // nobody else changes it now
	if err := s.store.Give(giving); err != nil {
		return asking, storage(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	r.attempt, r.started, r.base, r.heard, r.again = giving.Attempt, now, r.log.Last(), false, true
	r.queue = ""
	return starting, nil
}

// hear keeps an event of the engine's, by its number.
func (r *run) hear(event api.Event) error {
	if event.Type == api.EventGap {
		var gap api.GapEvent
		if err := strictjson.Decode(event.Data, maxStored, &gap); err != nil {
			return fmt.Errorf("read a gap in the events of run %s: %w", r.id, err)
		}
		r.log.Resume(r.base + gap.To)
		return nil
	}
	number := r.base + event.Seq
	if event.Seq < 1 || number <= r.log.Last() || event.Type == api.EventResult {
		return nil // it was heard before, or is ours to tell
	}
	r.log.Resume(number - 1)
	r.log.Append(event.Type, event.Data)
	return nil
}

// noteQueue keeps in which of the engine's queues a run waits. What comes late, or again, ends as
// the last event says.
func (s *Broker) noteQueue(r *run, event api.Event) error {
	if event.Type != api.EventState {
		return nil
	}
	var state api.StateEvent
	if err := strictjson.Decode(event.Data, maxStored, &state); err != nil {
		return fmt.Errorf("read the state of run %s: %w", r.id, err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if r.queue != state.Queue {
		r.queue = state.Queue
		r.change()
	}
	return nil
}

// listen keeps the events of a run until there are no more, and says what became of it, or of no
// fate. r.base is changed by nobody else.
func (s *Broker) listen(ctx context.Context, r *run) (engineapi.Outcome, error) {
	outcome, err := s.options.Engine.Follow(ctx, r.id, max(0, r.log.Last()-r.base), func(event api.Event) error {
		if err := s.noteQueue(r, event); err != nil {
			return err
		}
		return r.hear(event)
	})
	s.mu.Lock()
	defer s.mu.Unlock()
	r.heard = err == nil
	// A record alone has no events: others were told of some, perhaps, and here are none.
	r.counted = r.counted || r.heard && !r.again && r.log.Last() > 0
	return outcome, err
}

// hearAllTime is how long the events of a run that has ended may take to come.
const hearAllTime = 10 * time.Second

// hearAll fetches what is missing of the events of a run that has ended. Without them the run is
// as it is: who follows it hears of a gap.
func (s *Broker) hearAll(ctx context.Context, r *run) {
	s.mu.Lock()
	heard := r.heard
	s.mu.Unlock()
	if heard {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, hearAllTime)
	defer cancel()
	if _, err := s.listen(ctx, r); err != nil {
		s.options.Logger.Info("the events of a run are not there any more", "run", r.id.String(), "error", err)
	}
}

// passOnCancel asks the engine for the end of a run when somebody has asked for it here.
func (s *Broker) passOnCancel(ctx context.Context, r *run) {
	select {
	case <-r.cancelled:
	case <-ctx.Done():
		return
	}
	for wait := pauseMin; ctx.Err() == nil; wait = min(2*wait, pauseMax) {
		if err := s.options.Engine.Cancel(ctx, r.id); err == nil {
			return
		}
		s.sleep(wait) // it does not have it yet, or is away
	}
}
