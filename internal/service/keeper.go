package service

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"hotcell/api"
	"hotcell/internal/job"
	"hotcell/internal/panics"
	"hotcell/internal/service/store"
)

// Broker keeps the runs of a network front. Its methods may be called concurrently. Errors
// that wrap none of the package's, and are no *QuotaError, are our own faults.
type Broker struct {
	options Options
	store   *store.Store
	age     ageing
	rates   *rates
	reads   *rates
	ctx     context.Context // ends with Close, for all that goes on between requests
	stop    context.CancelCauseFunc
	wake    chan struct{} // of dispatch: there may be something to give
	doubt   chan struct{} // of watch: the engine may have gone

	keepMu sync.Mutex
	closed bool
	group  sync.WaitGroup

	mu       sync.Mutex
	queue    queue
	runs     map[job.ID]*run // that wait, were given, or ended lately
	recent   recent          // of them, those that have
	storing  map[string]load // runs of each principal that are not in the queue yet
	unstored load            // all of them
	seq      int64
	given    map[string]int                  // runs and sessions of each principal that the engine has
	inFlight int                             // all of them
	used     map[string]map[string]store.Use // by day: of each principal
	creating map[claim]chan struct{}
	sessions map[job.ID]*session // also those that have ended lately
	over     recent              // of them, those that have
	open     int                 // sessions that have not
	engine   engineState
	follows  int
	draining bool
	idle     chan struct{} // closed, and made anew, when nothing is in flight

	failed sync.Once
	broken chan struct{} // closed by failed
}

// New opens the directory and goes on with what is in it: what waited waits, and the engine is
// asked for what was given. Close ends it.
func New(options Options) (*Broker, error) {
	options, err := options.check()
	if err != nil {
		return nil, err
	}
	kept, err := store.Open(options.Dir)
	if err != nil {
		return nil, err
	}
	s := &Broker{
		options: options, store: kept, age: ageing{store: kept}, rates: newRates("requests_per_minute", options.Now), reads: newRates("reads_per_minute", options.Now),
		wake: make(chan struct{}, 1), doubt: make(chan struct{}, 1), queue: newQueue(), runs: map[job.ID]*run{},
		storing: map[string]load{}, given: map[string]int{}, creating: map[claim]chan struct{}{}, sessions: map[job.ID]*session{},
		recent: recent{age: recentAge}, over: recent{age: sessionKept},
		engine: engineState{err: fmt.Errorf("%w: the engine was not asked yet", ErrUnavailable)}, idle: make(chan struct{}), broken: make(chan struct{}),
	}
	s.ctx, s.stop = context.WithCancelCause(context.Background())
	if err := s.load(); err != nil {
		s.stop(err)
		return nil, errors.Join(err, kept.Close())
	}
	s.keep("watch the engine", s.watch)
	s.keep("give runs to the engine", s.dispatch)
	s.keep("clean up", s.tidy)
	s.keep("read the engine's list", s.reconcile)
	return s, nil
}

// keep has a goroutine of the service's own. After a panic of ours in it nothing that is in memory
// can be relied upon, and Failed says so: what is on the disk is for the next process. None begins
// once the service is closed.
func (s *Broker) keep(doing string, work func()) {
	s.keepMu.Lock()
	defer s.keepMu.Unlock()
	if s.closed {
		return
	}
	s.group.Go(func() {
		if err := panics.Catch(doing, func() error { work(); return nil }); err != nil {
			s.options.Logger.Error("a part of the service has failed", "error", err)
			s.failed.Do(func() { close(s.broken) })
		}
	})
}

// Failed is closed when the service cannot be relied upon any more: its process has to end.
func (s *Broker) Failed() <-chan struct{} { return s.broken }

// load reads what is to be done. What an engine has got is asked for in the background.
func (s *Broker) load() error {
	note, err := s.store.Note(s.ctx, ageNote)
	if err == nil {
		err = s.age.load(note, s.options.Now())
	}
	if err != nil {
		return err
	}
	rows, err := s.store.Active(s.ctx)
	if err != nil {
		return fmt.Errorf("read the queue: %w", err)
	}
	if s.seq, err = s.store.LastSeq(s.ctx); err != nil {
		return fmt.Errorf("read the queue: %w", err)
	}
	today := store.Day(s.options.Now())
	used, err := s.store.Used(s.ctx, today)
	if err != nil {
		return fmt.Errorf("read what the principals have used: %w", err)
	}
	s.used = map[string]map[string]store.Use{today: used}
	var waiting []*run
	if err := s.loadSessions(); err != nil {
		return err
	}
	for _, row := range rows {
		r := runOf(row)
		s.runs[r.id] = r
		if r.state == api.StateQueued && r.isAsked {
			s.keep("end a run", func() { s.finish(r, ending{state: cancelled}) })
			continue
		}
		if r.state == api.StateQueued {
			waiting = append(waiting, r)
			continue
		}
		s.inFlight++
		s.given[r.owner]++
		r.log = newLog()
		s.keep("carry a run", func() { s.carry(r, asking) })
	}
	s.queue.fill(waiting)
	return nil
}

// Close ends it at once. Runs that the engine has go on there, and the next Broker finds them;
// sessions end.
func (s *Broker) Close() error {
	s.mu.Lock()
	s.draining = true
	s.mu.Unlock()
	s.stop(ErrDraining)
	s.keepMu.Lock()
	s.closed = true
	s.keepMu.Unlock()
	s.group.Wait()
	return s.store.Close()
}

// Drain takes no new request, tells and closes the sessions, and waits until nothing is in
// flight, or ctx, whose cause it then returns. What waits stays for the next start.
func (s *Broker) Drain(ctx context.Context) error {
	s.mu.Lock()
	s.draining = true
	for _, one := range s.sessions {
		one.end(overService)
	}
	s.mu.Unlock()
	for {
		s.mu.Lock()
		left, idle := s.inFlight, s.idle
		s.mu.Unlock()
		if left == 0 {
			return nil
		}
		select {
		case <-idle:
		case <-ctx.Done():
			return fmt.Errorf("drain: %d runs and sessions go on: %w", left, context.Cause(ctx))
		}
	}
}

// land says that something is not in flight any more. mu is held.
func (s *Broker) land(owner string) {
	s.inFlight--
	if s.given[owner]--; s.given[owner] == 0 {
		delete(s.given, owner)
	}
	if s.inFlight == 0 {
		close(s.idle)
		s.idle = make(chan struct{})
	}
	s.nudge()
}

// nudge has dispatch look again.
func (s *Broker) nudge() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// Load is what the service does just now. It asks nobody.
func (s *Broker) Load() api.Load {
	s.mu.Lock()
	defer s.mu.Unlock()
	return api.Load{
		Draining: s.draining, Answers: s.engine.err == nil, Queued: s.queue.load.runs, OldestMS: s.oldest().Milliseconds(),
		Running: s.inFlight - s.open, Sessions: s.open, Followers: s.follows,
	}
}

// Backlog is for metrics. It asks nobody.
func (s *Broker) Backlog() Backlog {
	s.mu.Lock()
	defer s.mu.Unlock()
	backlog := Backlog{Queued: map[string]int{}, Oldest: s.oldest(), Running: s.inFlight - s.open, Sessions: s.open}
	for _, one := range s.queue.ring {
		for _, r := range one.runs {
			backlog.Queued[r.policy]++
		}
	}
	return backlog
}

// oldest is how long the first of those that wait has waited. mu is held.
func (s *Broker) oldest() time.Duration {
	now := s.options.Now()
	first := now
	for _, one := range s.queue.ring {
		for _, r := range one.runs {
			if r.created.Before(first) {
				first = r.created
			}
		}
	}
	return now.Sub(first)
}
