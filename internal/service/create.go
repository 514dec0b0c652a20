package service

import (
	"bytes"
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"hotcell/api"
	"hotcell/internal/access"
	"hotcell/internal/admission"
	"hotcell/internal/engineapi"
	"hotcell/internal/job"
	"hotcell/internal/panics"
	"hotcell/internal/runner"
	"hotcell/internal/service/store"
	"hotcell/internal/strictjson"
)

// keyKept is how long a key gives the run that it was used for.
const keyKept = 7 * 24 * time.Hour

// errNobody is our own fault: whoever calls knows who asks.
var errNobody = errors.New("a principal without a name asks")

// claim is a key of a principal's.
type claim struct{ owner, key string }

// Create makes a run durable, and has it begun when its turn comes. A key that this principal has
// used for an equal request in the last seven days gives that request's run, and replayed, with a
// result only if that is in memory: Run has it. A request that is refused is not kept, and neither is
// its key.
func (s *Broker) Create(ctx context.Context, who access.Principal, asked Creation) (run api.Run, replayed bool, err error) {
	if err := s.admit(who); err != nil {
		return api.Run{}, false, err
	}
	if err := checkKey(asked.Key); err != nil {
		return api.Run{}, false, err
	}
	wanted, err := requestOf(asked.Request)
	if err != nil {
		return api.Run{}, false, err
	}
	// Of equal requests the members stand in one order, and what is left out is left out.
	text, err := strictjson.Encode(asked.Request)
	if err != nil {
		return api.Run{}, false, fmt.Errorf("%w: %w", ErrRefused, err)
	}
	sum := s.sum(who.Name, asked.Key, text)
	if asked.Key != "" {
		release, err := s.claim(ctx, claim{who.Name, asked.Key})
		if err != nil {
			return api.Run{}, false, err
		}
		defer release()
		if run, err = s.replay(ctx, who, asked.Key, sum); err == nil || !errors.Is(err, store.ErrNone) {
			return run, err == nil, err
		}
	}
	r, atOnce, err := s.reserve(who, asked, text)
	if err != nil {
		return api.Run{}, false, err // the engine was not asked for nothing
	}
	row := r.row()
	if row.Key = asked.Key; row.Key != "" {
		row.Body = sum
	}
	if atOnce {
		err = s.agree(ctx, r, wanted, row)
	} else if err = s.told(ctx, s.options.Engine.Resolve(ctx, engineapi.Principal(who.Name), wanted)); err == nil {
		err = s.insert(row, text)
	}
	run, err = s.accepted(r, atOnce, err) //nolint:contextcheck // a run outlives the request that asks for it
	return run, false, err
}

// sum names the request that a key was used for, by a secret that is not in the database: inputs are
// a number of a patient's, perhaps, which who has a copy of it would find by trying them all. Of
// another key, or another principal, it is another.
func (s *Broker) sum(owner, key string, text []byte) []byte {
	sum := hmac.New(sha256.New, s.store.Secret())
	for _, part := range []string{owner, key} {
		fmt.Fprintf(sum, "%d:%s,", len(part), part)
	}
	sum.Write(text)
	return sum.Sum(nil)
}

// admit counts a request of a principal that creates, checks, opens or gives something.
func (s *Broker) admit(who access.Principal) error {
	if who.Name == "" {
		return errNobody
	}
	return s.rates.take(who.Name, s.quotas(who.Name).RequestsPerMinute)
}

// Admit counts a request of a principal, of any kind.
func (s *Broker) Admit(who access.Principal) error {
	if who.Name == "" {
		return errNobody
	}
	return s.reads.take(who.Name, s.quotas(who.Name).ReadsPerMinute)
}

// claim waits until nobody else creates a run with the key.
func (s *Broker) claim(ctx context.Context, key claim) (release func(), err error) {
	for {
		s.mu.Lock()
		busy := s.creating[key]
		if busy == nil {
			mine := make(chan struct{})
			s.creating[key] = mine
			s.mu.Unlock()
			return func() {
				s.mu.Lock()
				delete(s.creating, key)
				s.mu.Unlock()
				close(mine)
			}, nil
		}
		s.mu.Unlock()
		select {
		case <-busy:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

// replay is the run that a key was used for, or store.ErrNone.
func (s *Broker) replay(ctx context.Context, who access.Principal, key string, sum []byte) (api.Run, error) {
	row, err := s.store.ByKey(ctx, who.Name, key, s.age.before(s.options.Now(), keyKept))
	switch {
	case errors.Is(err, store.ErrNone):
		return api.Run{}, err
	case err != nil:
		return api.Run{}, storage(err)
	case !bytes.Equal(row.Body, sum):
		return api.Run{}, ErrKeyReused
	}
	r, row, err := s.find(ctx, who, row.ID)
	if err != nil {
		return api.Run{}, err
	}
	if r == nil {
		return runOf(row).shown(s.options.Now()), nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.show(r), nil
}

// storage is nil for nil.
func storage(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%w: %w", ErrStorage, err)
}

// told is what a principal is told of an engine's error.
func (s *Broker) told(ctx context.Context, err error) error {
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.Is(err, runner.ErrInput):
		return tell(ErrRefused, err)
	case errors.Is(err, engineapi.ErrNotKept):
		return tell(ErrStorage, err)
	case errors.Is(err, engineapi.ErrTooOften):
		return &QuotaError{Quota: "parts_per_minute", After: retryParts}
	case isAway(err) || isBusy(err) || errors.Is(err, engineapi.ErrMalformed) || errors.Is(err, context.Canceled):
		s.suspect() // before what is not there: neither is a socket where nobody listens
		return tell(ErrUnavailable, err)
	case errors.Is(err, engineapi.ErrUnknownRun):
		return ErrNoRun
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, engineapi.ErrNoRecord):
		return tell(ErrNotFound, err)
	case errors.Is(err, runner.ErrSessionOver):
		return tell(ErrClosed, err)
	}
	return err // a fault of the engine's or its host's
}

// roomFor is nil where the queue takes one more run, whose request has so many bytes, or an engine
// does. mu is held.
func (s *Broker) roomFor(owner string, bytes int64, atOnce bool) error {
	if s.draining {
		return ErrDraining
	}
	if err := s.mayRecord(owner); err != nil || atOnce {
		return err
	}
	one := load{1, bytes}
	if all := s.queue.load.plus(s.unstored).plus(one); all.runs > s.options.MaxQueued || all.bytes > s.options.MaxQueuedBytes {
		return ErrQueueFull
	}
	quotas, own := s.quotas(owner), s.waiting(owner)
	switch most := (load{quotas.Queued, quotas.QueuedBytes}); {
	case most.runs > 0 && own.runs >= most.runs:
		return &QuotaError{Quota: "queued", Limit: int64(most.runs), Used: int64(own.runs), After: retryQueued}
	case most.bytes > 0 && own.bytes+bytes > most.bytes:
		return &QuotaError{Quota: "queued_bytes", Limit: most.bytes, Used: own.bytes, After: retryQueued}
	}
	return nil
}

// waiting is what waits of a principal's, or is about to. mu is held.
func (s *Broker) waiting(owner string) load { return s.queue.of(owner).plus(s.storing[owner]) }

// retryQueued is when somebody may ask again whose place becomes free when a run of theirs begins.
const retryQueued = 5 * time.Second

// retryParts is when an engine opens parts again for somebody who has had too many opened: it counts
// by the minute.
const retryParts = time.Minute

// goesAtOnce reports whether a run of a principal need not wait: a place is free, and nobody
// waits for it. mu is held.
func (s *Broker) goesAtOnce(owner string) bool {
	return s.queue.load.runs+s.unstored.runs == 0 && s.hasPlace() && s.mayHave(owner)
}

// reserve is a run that is not accepted yet, with its place in the queue, or, where it need not wait,
// in the engine. accepted has to follow.
func (s *Broker) reserve(who access.Principal, asked Creation, text []byte) (r *run, atOnce bool, err error) {
	now := s.options.Now().UTC()
	r = &run{
		id: job.NewID(now), owner: who.Name, policy: asked.Request.Policy, bundle: asked.Request.Bundle,
		priority: asked.Request.Priority, bytes: int64(len(text)), parent: asked.Trace, created: now, state: api.StateQueued, last: store.LastUnknown, counted: true,
		changed: make(chan struct{}), cancelled: make(chan struct{}),
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	atOnce = s.goesAtOnce(r.owner)
	if err := s.roomFor(r.owner, r.bytes, atOnce); err != nil {
		return nil, false, err
	}
	s.seq++
	r.seq = s.seq
	if atOnce {
		s.give(r, now)
		r.request = text
	} else {
		s.storing[r.owner] = s.storing[r.owner].plus(r.load())
		s.unstored = s.unstored.plus(r.load())
	}
	return r, atOnce, nil
}

// insert makes a run durable.
func (s *Broker) insert(row store.Row, text []byte) error {
	return storage(s.store.Insert(row, text, s.age.before(s.options.Now(), keyKept)))
}

// agree has the engine prepare a run, and makes it durable meanwhile. What the engine refuses is taken
// back: who asks hears of it at once, and no list has had it.
func (s *Broker) agree(ctx context.Context, r *run, wanted job.Request, row store.Row) error {
	offered := make(chan error, 1)
	go func() {
		offered <- panics.Catch("offering a run", func() error { return s.offer(ctx, r, wanted) })
	}()
	failed := s.insert(row, r.request) // also without ctx: nobody could tell then whether it was accepted
	err := <-offered
	if err == nil || failed != nil {
		return cmp.Or(err, failed) // the engine forgets what nobody begins
	}
	if failed = s.store.Withdraw(r.id); failed != nil { // it stands there as accepted, and so it is
		s.options.Logger.Error("a run is accepted that cannot be taken back", "run", r.id.String(), "refused", err, "error", failed)
		return nil
	}
	return err
}

// offer asks the engine whether a request can be run, and has it keep what it finds. One that has no
// place after all only says whether it can.
func (s *Broker) offer(ctx context.Context, r *run, wanted job.Request) error {
	by := engineapi.Principal(r.owner)
	err := s.options.Engine.Offer(ctx, r.id, by, wanted)
	if errors.Is(err, admission.ErrFull) || errors.Is(err, admission.ErrDraining) {
		return s.told(ctx, s.options.Engine.Resolve(ctx, by, wanted))
	}
	r.offered = err == nil
	return s.told(ctx, err)
}

// accepted goes on behind the write of accept.
func (s *Broker) accepted(r *run, atOnce bool, err error) (api.Run, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !atOnce {
		s.unstored = s.unstored.minus(r.load())
		if s.storing[r.owner] = s.storing[r.owner].minus(r.load()); s.storing[r.owner].runs == 0 {
			delete(s.storing, r.owner)
		}
	}
	if err != nil {
		if atOnce {
			s.land(r.owner)
		}
		s.nudge()
		return api.Run{}, err
	}
	s.runs[r.id] = r
	if atOnce {
		s.keep("carry a run", func() { s.carry(r, starting) })
	} else {
		s.queue.add(r)
		s.nudge()
	}
	return s.show(r), nil
}

// give makes a run one that the engine may have. mu is held.
func (s *Broker) give(r *run, now time.Time) {
	r.state, r.queue, r.attempt, r.boot, r.started = api.StateRunning, "", r.attempt+1, s.options.Boot, now
	if r.log == nil {
		r.log = newLog()
	}
	s.inFlight++
	s.given[r.owner]++
}

// show is a run as it is. mu is held.
func (s *Broker) show(r *run) api.Run {
	shown := r.shown(s.options.Now())
	if r.state == api.StateQueued {
		if position := s.queue.position(r); position >= 0 {
			shown.Position = &position
		}
	}
	return shown
}
