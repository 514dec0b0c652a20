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
	"hotcell/internal/service/store"
	"hotcell/internal/strictjson"
)

// lastOfAll is the number of the result of a run whose events nobody has counted: the highest
// that every JSON reader holds. Who has seen any event of it still gets the result.
const lastOfAll = 1<<53 - 1

// positionEvery is how often a follower hears at most where a run stands.
const positionEvery = time.Second

// Follow hands on the events of a run after a number: while it waits, where it stands, without a
// number; then what the engine tells; and that there is a result as the last one, which has no data:
// Run has it, and many may follow. It is nil behind that one, and hands on nothing where after is its
// number or above. An error is take's, ctx's cause, or ErrDraining where the service ends.
func (s *Broker) Follow(ctx context.Context, who access.Principal, id job.ID, after int64, take func(api.Event) error) error {
	r, row, err := s.find(ctx, who, id)
	if err != nil {
		return err
	}
	if r == nil {
		return followRow(row, after, take)
	}
	defer s.counted()()
	ctx, stop := s.until(ctx)
	defer stop()
	if err := s.followQueued(ctx, r, take); err != nil {
		return err
	}
	s.mu.Lock()
	log := r.log
	s.mu.Unlock()
	after, err = hand(ctx, log, after, take)
	if err != nil {
		return err
	}
	s.mu.Lock()
	last := r.last
	s.mu.Unlock()
	return result(last, after, take)
}

// counted counts a follower, until it is called back.
func (s *Broker) counted() func() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.follows++
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.follows--
	}
}

// until is ctx, which ends with the service, too.
func (s *Broker) until(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(s.ctx, func() { cancel(context.Cause(s.ctx)) })
	return ctx, func() { stop(); cancel(nil) }
}

// followQueued tells where a run stands until it waits no more.
func (s *Broker) followQueued(ctx context.Context, r *run, take func(api.Event) error) error {
	told := -1
	for {
		s.mu.Lock()
		position, waits, changed := s.queue.position(r), r.state == api.StateQueued, r.changed
		s.mu.Unlock()
		if !waits {
			return nil
		}
		if position >= 0 && position != told {
			told = position
			if err := takeNow(api.EventState, api.StateEvent{State: api.StateQueued, Position: &position}, take); err != nil {
				return err
			}
		}
		select {
		case <-changed:
		case <-time.After(positionEvery):
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// takeNow hands on an event that has no number.
func takeNow(kind api.EventType, of any, take func(api.Event) error) error {
	data, err := strictjson.Encode(of)
	if err != nil {
		return fmt.Errorf("write a %s event: %w", kind, err)
	}
	return take(api.Event{Type: kind, Data: data})
}

// hand hands on what is in a log after a number, until its end, and says how far it came.
func hand(ctx context.Context, log *journal.Log, after int64, take func(api.Event) error) (int64, error) {
	for {
		page, err := log.Next(ctx, after)
		if errors.Is(err, journal.ErrEnded) {
			return after, nil
		}
		if err != nil {
			return after, err
		}
		if page.Gap != nil {
			if err := takeNow(api.EventGap, page.Gap, take); err != nil {
				return after, err
			}
			after = page.Gap.To
		}
		for _, event := range page.Events {
			if err := take(event); err != nil {
				return after, err
			}
			after = event.Seq
		}
	}
}

// result hands on the last event, whose number is behind last, unless it was seen.
func result(last, after int64, take func(api.Event) error) error {
	number := last + 1
	if last == store.LastUnknown {
		number = lastOfAll
	}
	if after >= number {
		return nil
	}
	return take(api.Event{Seq: number, Type: api.EventResult})
}

// followRow is Follow for a run whose events are kept no more.
func followRow(row store.Row, after int64, take func(api.Event) error) error {
	if row.Last != store.LastUnknown && after > row.Last || after >= lastOfAll {
		return nil
	}
	if after = max(after, 0); after < row.Last {
		if err := takeNow(api.EventGap, api.GapEvent{From: after + 1, To: row.Last}, take); err != nil {
			return err
		}
	}
	return result(row.Last, after, take)
}
